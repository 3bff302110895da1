package yaml

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EncodeTOML writes a map as TOML. The keys of a table keep their order, except that
// sub-tables follow the plain entries, as TOML requires.
//
// Codes: output (the root is not a map, null, an integer beyond 64 bits, a function),
// bad-key, bad-tag, limit. Errors of computed lists and maps are returned as they are.
func EncodeTOML(w io.Writer, v value.Value, opts EncodeOptions) error {
	e := &tomlEncoder{output: newOutput(w, opts)}
	v = e.shown(v)
	switch {
	case e.refusesTag(v, e.root(v)):
	case v.Is(value.MapKind):
		e.table(v.Map())
	default:
		e.fail(source.Output, "%s has no TOML form: TOML needs a map", value.Article(v.Kind()))
	}
	return e.end()
}

type tomlEncoder struct {
	*output
	begun bool     // there is output
	names []string // the keys of the open tables
}

// table writes the entries of a table: first those on one line, then the tables below it.
func (e *tomlEncoder) table(m value.Map) {
	e.keys(m, func(i int, key string, v value.Value) {
		if !isTable(v) && !isTables(v) {
			e.write(key + " = ")
			e.inline(v, annotationOf(m, i))
			e.write("\n")
			e.begun = true
		}
	})
	e.entries(m, func(i int, k value.Key, v value.Value) {
		if !isTable(v) && !isTables(v) || e.refusesTag(v, annotationOf(m, i)) {
			return
		}
		e.names = append(e.names, tomlKey(k.Text))
		if isTable(v) {
			if v.Map().Len() == 0 || e.hasPlain(v.Map()) {
				e.header("[", "]")
			}
			e.table(v.Map())
		} else {
			l := v.List()
			e.items(l, func(i int, v value.Value) {
				if !e.refusesTag(v, annotationOf(l, i)) {
					e.header("[[", "]]")
					e.table(v.Map())
				}
			})
		}
		e.names = e.names[:len(e.names)-1]
	})
}

// keys calls emit for each entry of a map, with the key as TOML. It stops at a key that TOML does not have.
func (e *tomlEncoder) keys(m value.Map, emit func(i int, key string, v value.Value)) {
	twins := twinKeys(m)
	e.entries(m, func(i int, k value.Key, v value.Value) {
		switch {
		case twins[k.Text]:
			e.fail(source.BadKey, "two keys have the text %q, which TOML cannot tell apart", k.Text)
		case !utf8.ValidString(k.Text):
			e.fail(source.Output, "a key is not UTF-8, and TOML has no keys of bytes")
		default:
			emit(i, tomlKey(k.Text), v)
		}
	})
}

// hasPlain reports whether a table has entries on one line, so that it needs a header. A map that is
// masked is one.
func (e *tomlEncoder) hasPlain(m value.Map) bool {
	for k := range m.Keys() {
		v, ok, err := m.Get(k)
		if v = e.shown(v); err != nil || ok && !isTable(v) && !isTables(v) {
			return true
		}
	}
	return false
}

// header writes the header of the innermost open table.
func (e *tomlEncoder) header(open, closing string) {
	if e.begun {
		e.write("\n")
	}
	for _, name := range e.names {
		e.write(open)
		e.write(name)
		open = "."
	}
	e.write(closing)
	e.write("\n")
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

// inline writes a value on the line of its key.
func (e *tomlEncoder) inline(v value.Value, a value.Annotation) {
	if e.refusesTag(v, a) {
		return
	}
	switch v.Kind() {
	case value.StringKind:
		if !utf8.ValidString(v.Str()) {
			e.fail(source.Output, "the text is not UTF-8, and TOML has no type for bytes")
			return
		}
		e.write(tomlString(v.Str()))
	case value.BoolKind:
		e.write(canonical(v))
	case value.IntKind:
		if _, ok := v.Int(); !ok {
			e.fail(source.Output, "the integer %s does not fit into TOML's 64 bits", canonical(v))
			return
		}
		e.write(canonical(v))
	case value.FloatKind:
		e.write(tomlFloat(v))
	case value.ListKind:
		e.inBrackets(v.List(), e.inline)
	case value.MapKind:
		m, first := v.Map(), true
		e.write("{")
		e.keys(m, func(i int, key string, v value.Value) {
			if !first {
				e.write(", ")
			}
			first = false
			e.write(key + " = ")
			e.inline(v, annotationOf(m, i))
		})
		e.write("}")
	case value.NullKind:
		e.fail(source.Output, "null has no TOML form")
	default:
		e.unwritable(v)
	}
}

// tomlString returns a basic string: JSON's escapes, and one for DEL.
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

// tomlKey returns a key, in quotes if it is not a bare key.
func tomlKey(s string) string {
	if s != "" && nameLength(s) == len(s) {
		return s
	}
	return tomlString(s)
}

// tomlFloat returns a float as the source spells it if that is TOML too: with a fraction,
// without a leading zero (TOML 1.0, "Float"); exponents are left out.
func tomlFloat(v value.Value) string {
	if src := v.Source(); src != nil {
		s := src.Spelling
		whole, fraction, ok := strings.Cut(strings.TrimLeft(s, "+-"), ".")
		oneSign := len(s)-len(whole)-len(fraction) <= 2
		if ok && oneSign && (len(whole) < 2 || whole[0] != '0') && allDigits(whole) && allDigits(fraction) {
			return s
		}
	}
	return strings.NewReplacer(".inf", "inf", ".nan", "nan").Replace(canonical(v))
}
