package yaml

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EncodeTOML writes a map as TOML. Within a table the keys keep their order, but
// for sub-tables, which TOML wants behind the plain entries.
//
// Codes: output (the root is no map, null, an integer beyond 64 bits, a function),
// bad-key, bad-tag, limit. Errors of computed lists and maps are returned as they are.
func EncodeTOML(w io.Writer, v value.Value, opts EncodeOptions) error {
	e := &tomlEncoder{output: newOutput(w, opts)}
	v = e.shown(v)
	if v.Is(value.MapKind) {
		e.table(v.Map(), "")
	} else {
		e.fail(source.Output, "%s has no TOML form: TOML needs a map", value.Article(v.Kind()))
	}
	return e.end()
}

type tomlEncoder struct {
	*output
	begun bool // something is written
}

// table writes the entries of the table with the given name: what fits on a line
// first, then the tables below it.
func (e *tomlEncoder) table(m value.Map, name string) {
	twins := twinKeys(m)
	e.entries(m, func(i int, k value.Key, v value.Value) {
		if twins[k.Text] {
			e.fail(source.BadKey, "two keys have the text %q, which TOML cannot tell apart", k.Text)
		}
		if e.err == nil && !isTable(v) && !isTables(v) {
			e.write(tomlKey(k.Text) + " = ")
			e.inline(v, annotationOf(m, i))
			e.write("\n")
			e.begun = true
		}
	})
	e.entries(m, func(i int, k value.Key, v value.Value) {
		sub := tomlKey(k.Text)
		if name != "" {
			sub = name + "." + sub
		}
		switch {
		case isTable(v):
			if !e.refusesTag(v, annotationOf(m, i)) {
				e.subTable(v.Map(), sub)
			}
		case isTables(v):
			e.items(v.List(), func(_ int, v value.Value) {
				e.header("[[" + sub + "]]")
				e.table(v.Map(), sub)
			})
		}
	})
}

// subTable leaves out the header of a table that holds nothing but tables.
func (e *tomlEncoder) subTable(m value.Map, name string) {
	if m.Len() == 0 || hasPlain(m) {
		e.header("[" + name + "]")
	}
	e.table(m, name)
}

func hasPlain(m value.Map) bool {
	for k := range m.Keys() {
		if v, ok, err := m.Get(k); err != nil || ok && !isTable(v) && !isTables(v) {
			return true
		}
	}
	return false
}

func (e *tomlEncoder) header(text string) {
	if e.begun {
		e.write("\n")
	}
	e.write(text + "\n")
	e.begun = true
}

func isTable(v value.Value) bool { return v.Is(value.MapKind) }

// isTables reports whether v is a list of maps only, which becomes [[tables]].
func isTables(v value.Value) bool {
	if !v.Is(value.ListKind) || v.List().Len() == 0 || v.Marks() != 0 {
		return false
	}
	for item, err := range value.Items(v.List()) {
		if err != nil || !item.Is(value.MapKind) || item.Marks() != 0 {
			return false
		}
	}
	return true
}

func (e *tomlEncoder) inline(v value.Value, a value.Annotation) {
	if e.refusesTag(v, a) {
		return
	}
	switch v.Kind() {
	case value.StringKind:
		e.text(v.Str())
	case value.BoolKind:
		e.write(canonical(v))
	case value.IntKind:
		e.integer(v)
	case value.FloatKind:
		e.write(tomlFloat(v))
	case value.ListKind:
		e.list(v.List())
	case value.MapKind:
		e.inlineTable(v.Map())
	case value.NullKind:
		e.fail(source.Output, "null has no TOML form")
	default:
		e.unwritable(v)
	}
}

func (e *tomlEncoder) integer(v value.Value) {
	if _, ok := v.Int(); !ok {
		e.fail(source.Output, "the integer %s does not fit into TOML's 64 bits", canonical(v))
		return
	}
	e.write(canonical(v))
}

func (e *tomlEncoder) list(l value.List) {
	e.write("[")
	e.items(l, func(i int, v value.Value) {
		if i > 0 {
			e.write(", ")
		}
		e.inline(v, annotationOf(l, i))
	})
	e.write("]")
}

func (e *tomlEncoder) inlineTable(m value.Map) {
	e.write("{")
	first := true
	e.entries(m, func(i int, k value.Key, v value.Value) {
		if !first {
			e.write(", ")
		}
		first = false
		e.write(tomlKey(k.Text) + " = ")
		e.inline(v, annotationOf(m, i))
	})
	e.write("}")
}

func (e *tomlEncoder) text(s string) {
	if !utf8.ValidString(s) {
		e.fail(source.Output, "the text is not UTF-8, and TOML has no bytes")
		return
	}
	e.write(tomlString(s))
}

// tomlString is a basic string: JSON's escapes, and DEL too.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == 0x7F:
			b.WriteString(`\u007f`)
		case r < 0x80 && jsonEscape(byte(r)) != "":
			b.WriteString(jsonEscape(byte(r)))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func tomlKey(s string) string {
	const bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	if s != "" && strings.Trim(s, bare) == "" {
		return s
	}
	return tomlString(s)
}

// tomlFloat returns how a number with a fraction is written: as in the source, if
// that is TOML too.
func tomlFloat(v value.Value) string {
	if s := v.Source(); s != nil && isTOMLFloat(s.Spelling) {
		return s.Spelling
	}
	return strings.NewReplacer(".inf", "inf", ".nan", "nan").Replace(canonical(v))
}

// isTOMLFloat reports whether a spelling is a decimal number with a fraction and
// without a leading zero (TOML 1.0, "Float"): the usual case, exponents left aside.
func isTOMLFloat(s string) bool {
	whole, fraction, ok := strings.Cut(strings.TrimLeft(s, "+-"), ".")
	if !ok || len(s)-len(whole)-len(fraction) > 2 || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	return allDigits(whole) && allDigits(fraction)
}
