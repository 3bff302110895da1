package yaml

import (
	"encoding/json"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EncodeJSON writes v as JSON and a line break: keys in order, characters as they
// are, numbers in their spelling where that is JSON.
//
// Codes: output (.inf, .nan, a text that is not UTF-8, a function), bad-key (two
// keys with one text), bad-tag (a tag that is not YAML's own, unless they are
// dropped), limit. Errors of computed lists and maps are returned as they are.
func EncodeJSON(w io.Writer, v value.Value, opts EncodeOptions) error {
	e := &jsonEncoder{output: newOutput(w, opts), step: opts.Indent}
	if e.step <= 0 {
		e.step = 2
	}
	e.value(e.shown(v), value.Annotation{})
	e.write("\n")
	return e.end()
}

type jsonEncoder struct {
	*output
	step, depth int
}

func (e *jsonEncoder) value(v value.Value, a value.Annotation) {
	if e.refusesTag(v, a) {
		return
	}
	switch v.Kind() {
	case value.ListKind:
		e.list(v.List())
	case value.MapKind:
		e.mapping(v.Map())
	case value.StringKind:
		e.text(v.Str())
	case value.IntKind, value.FloatKind:
		e.number(v)
	case value.NullKind, value.BoolKind:
		e.write(canonical(v))
	default:
		e.unwritable(v)
	}
}

// refusesTag fails on a tag that neither JSON nor TOML can say.
func (o *output) refusesTag(v value.Value, a value.Annotation) bool {
	tag := a.Tag
	if s := v.Source(); s != nil && s.Tag != "!!binary" {
		tag = s.Tag
	}
	if tag == "" || o.DropTags {
		return false
	}
	o.fail(source.BadTag, "the tag %s has no place in this form; --drop-tags leaves tags out", tag)
	return true
}

func (e *jsonEncoder) list(l value.List) {
	e.write("[")
	e.depth++
	empty := true
	e.items(l, func(i int, v value.Value) {
		e.separate(&empty)
		e.value(v, annotationOf(l, i))
	})
	e.closeWith("]", empty)
}

func (e *jsonEncoder) mapping(m value.Map) {
	e.write("{")
	e.depth++
	empty := true
	twins := twinKeys(m)
	e.entries(m, func(i int, k value.Key, v value.Value) {
		if twins[k.Text] {
			e.fail(source.BadKey, "two keys have the text %q, which JSON cannot tell apart", k.Text)
			return
		}
		e.separate(&empty)
		e.text(k.Text)
		e.write(":")
		if !e.Compact {
			e.write(" ")
		}
		e.value(v, annotationOf(m, i))
	})
	e.closeWith("}", empty)
}

// twinKeys returns the texts that more than one key of a map has. Only a map with
// keys that are not text can have any.
func twinKeys(m value.Map) map[string]bool {
	var others []value.Key
	for k := range m.Keys() {
		if k.Kind != value.StringKind {
			others = append(others, k)
		}
	}
	if others == nil {
		return nil
	}
	count := map[string]int{}
	for k := range m.Keys() {
		count[k.Text]++
	}
	twins := map[string]bool{}
	for _, k := range others {
		twins[k.Text] = count[k.Text] > 1
	}
	return twins
}

func (e *jsonEncoder) separate(empty *bool) {
	if !*empty {
		e.write(",")
	}
	*empty = false
	e.newLine()
}

func (e *jsonEncoder) closeWith(bracket string, empty bool) {
	e.depth--
	if !empty {
		e.newLine()
	}
	e.write(bracket)
}

func (e *jsonEncoder) newLine() {
	if !e.Compact {
		e.write("\n")
		e.indent(e.depth * e.step)
	}
}

func (e *jsonEncoder) number(v value.Value) {
	text := spelling(v)
	if text != canonical(v) && json.Valid([]byte(text)) {
		e.write(text) // also a number that is too large for a float, such as 1e999
		return
	}
	if f := v.Float(); v.Is(value.FloatKind) && (math.IsInf(f, 0) || math.IsNaN(f)) {
		e.fail(source.Output, "%s has no spelling in JSON", canonical(v))
		return
	}
	e.write(canonical(v))
}

func (e *jsonEncoder) text(s string) {
	if !utf8.ValidString(s) {
		e.fail(source.Output, "the text is not UTF-8, and JSON has no bytes")
		return
	}
	e.write(`"`)
	from := 0
	for i := range len(s) {
		if escape := jsonEscape(s[i]); escape != "" {
			e.write(s[from:i])
			e.write(escape)
			from = i + 1
		}
	}
	e.write(s[from:])
	e.write(`"`)
}

// jsonEscape returns how a byte is escaped, or "" for one that needs none.
func jsonEscape(c byte) string {
	if c >= ' ' && c != '"' && c != '\\' {
		return ""
	}
	const short = "\"\\\n\t\r\b\f"
	if i := strings.IndexByte(short, c); i >= 0 {
		return [...]string{`\"`, `\\`, `\n`, `\t`, `\r`, `\b`, `\f`}[i]
	}
	const digits = "0123456789abcdef"
	return `\u00` + string([]byte{digits[c>>4], digits[c&15]})
}
