package filters

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

func jsonFilters() []Func {
	indent := func(def value.Value) Param { return opt("indent", Any, def) }
	return family("json",
		row("to_json", "Converts the value to JSON on one line, with \\u escapes for characters outside of ASCII.",
			"{{ {'b': [1, none], 'a': 'é'} | to_json }}", `"{\"b\": [1, null], \"a\": \"\\u00e9\"}"`,
			toJSON(false),
			indent(value.Null), opt("sort_keys", Bool, value.False), opt("ensure_ascii", Bool, value.True), opt("separators", Any, value.Null), ownOption("vault_to_text"), ownOption("preprocess_unsafe")),
		row("to_nice_json", "Converts the value to indented JSON with sorted keys.",
			"{{ {'b': 1, 'a': 2} | to_nice_json(indent=1) }}", `"{\n \"a\": 2,\n \"b\": 1\n}"`,
			toJSON(true),
			indent(value.Int(4)), opt("sort_keys", Bool, value.True), opt("ensure_ascii", Bool, value.True), opt("separators", Any, value.Null), ownOption("vault_to_text"), ownOption("preprocess_unsafe")),
		row("tojson", "Converts the value to JSON with sorted keys that is safe inside HTML.",
			"{{ '<a>' | tojson }}", `"\"\\u003ca\\u003e\""`, toHTMLJSON, indent(value.Null)),
		row("from_json", "Parses a JSON text.",
			`{{ '{"a": [1, 2.0]}' | from_json }}`, `{"a": [1, 2.0]}`, with((*Ctx).text, fromJSON)),
		Func{
			Name: "pprint", Call: prettyPrint, Aliases: []string{"ppretty"},
			Doc:     "Converts the value to a Python literal, with one item per line where it does not fit on one line.",
			Example: "{{ {'b': [1, true], 'a': 'x'} | pprint }}|", Result: `"{'a': 'x', 'b': [1, True]}|"`,
		},
	)
}

// ownOption is an option of Ansible's own about values that Ansible marks. Here such values have
// marks of their own, which a result keeps.
func ownOption(name string) Param { return opt(name, Bool, value.True) }

// toJSON returns a call that writes JSON; the nice form has no blanks after commas.
func toJSON(nice bool) call {
	return func(c *Ctx, in value.Value, a Bound) (value.Value, error) { return c.toJSON(in, a, nice) }
}

func (c *Ctx) toJSON(in value.Value, a Bound, nice bool) (value.Value, error) {
	w := jsonWriter{c: c, sorted: a.Bool("sort_keys"), ascii: a.Bool("ensure_ascii"), itemSep: pick(nice, ",", ", "), keySep: ": "}
	err := w.indentBy(a.Get("indent"))
	if err == nil {
		err = w.separators(a.Get("separators"))
	}
	if err == nil {
		err = w.write(in, 0)
	}
	return value.String(w.b.String()), err
}

// toHTMLJSON is Jinja's tojson: keys are sorted, and < > & ' are escaped, so that the result can be written inside of a
// script or an attribute in single quotes.
func toHTMLJSON(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	w := jsonWriter{c: c, sorted: true, ascii: true, itemSep: ", ", keySep: ": "}
	err := w.indentBy(a.Get("indent"))
	if err == nil {
		err = w.write(in, 0)
	}
	s := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "'", `\u0027`).Replace(w.b.String())
	return value.String(s), err
}

// A jsonWriter writes JSON with the spacing of Python's json module.
type jsonWriter struct {
	c               *Ctx
	b               strings.Builder
	sorted, ascii   bool
	indent          string
	lines           bool
	itemSep, keySep string
}

func (w *jsonWriter) indentBy(v value.Value) error {
	if v.IsNull() || v.Is(value.BoolKind) && !v.Bool() {
		return nil
	}
	var err error
	w.lines, w.itemSep = true, ","
	w.indent, err = w.c.indentation(v)
	return err
}

func (w *jsonWriter) separators(v value.Value) error {
	if v.IsNull() {
		return nil
	}
	items, err := w.c.items(v)
	if err != nil {
		return err
	}
	if len(items) != 2 {
		return errors.New("separators must be two texts: between items and after keys")
	}
	w.itemSep, w.keySep = items[0].Str(), items[1].Str()
	return nil
}

func (w *jsonWriter) write(v value.Value, depth int) error {
	if depth > maxDepth {
		return errTooDeep
	}
	if err := w.c.fits(w.b.Len() + len(v.Str()) + depth*len(w.indent)); err != nil {
		return err
	}
	switch v.Kind() {
	case value.NullKind:
		w.b.WriteString("null")
	case value.BoolKind:
		fmt.Fprint(&w.b, v.Bool())
	case value.IntKind, value.FloatKind:
		s := numberJSON(v)
		if strings.HasPrefix(strings.TrimPrefix(s, "-"), ".") {
			return fmt.Errorf("JSON cannot represent %s", s)
		}
		w.b.WriteString(s)
	case value.StringKind:
		w.quote(v.Str())
	case value.ListKind:
		return w.list(v, depth)
	case value.MapKind:
		return w.object(v, depth)
	case value.UndefinedKind:
		return reason(v)
	default:
		return fmt.Errorf("JSON cannot represent %s", value.Article(v.Kind()))
	}
	return nil
}

// numberJSON returns the spelling of a number from a source if it is JSON, such as 1.10,
// else the spelling of a computed number.
func numberJSON(v value.Value) string {
	if s := v.Source(); s != nil && s.Spelling != "" && !s.Foreign && json.Valid([]byte(s.Spelling)) {
		return s.Spelling
	}
	if v.Is(value.FloatKind) {
		return value.FormatFloat(v.Float())
	}
	return v.BigInt().String()
}

func (w *jsonWriter) newline(depth int) {
	if w.lines {
		w.b.WriteByte('\n')
		w.b.WriteString(strings.Repeat(w.indent, depth))
	}
}

func (w *jsonWriter) list(v value.Value, depth int) error {
	items, err := w.c.listItems(v)
	if err != nil || len(items) == 0 {
		w.b.WriteString("[]")
		return err
	}
	for i, item := range items {
		w.b.WriteString(pick(i == 0, "[", w.itemSep))
		w.newline(depth + 1)
		if err := w.write(item, depth+1); err != nil {
			return err
		}
	}
	w.newline(depth)
	w.b.WriteByte(']')
	return nil
}

func (w *jsonWriter) object(v value.Value, depth int) error {
	entries, err := w.c.entries(v)
	if err != nil || len(entries) == 0 {
		w.b.WriteString("{}")
		return err
	}
	if w.sorted {
		sortEntries(entries)
	}
	seen := make(map[string]bool, len(entries))
	for i, e := range entries {
		if seen[e.key.Text] {
			return fmt.Errorf("JSON cannot represent two keys %q", e.key.Text)
		}
		seen[e.key.Text] = true
		w.b.WriteString(pick(i == 0, "{", w.itemSep))
		w.newline(depth + 1)
		w.quote(e.key.Text)
		w.b.WriteString(w.keySep)
		if err := w.write(e.val, depth+1); err != nil {
			return err
		}
	}
	w.newline(depth)
	w.b.WriteByte('}')
	return nil
}

// quote writes a string as json.dumps of Python: with ascii, characters beyond ASCII are escaped, characters
// beyond 16 bits as two surrogates.
func (w *jsonWriter) quote(s string) {
	w.b.WriteByte('"')
	for _, r := range s {
		short := strings.IndexRune("\"\\\n\r\t\b\f", r)
		switch {
		case short >= 0:
			w.b.WriteByte('\\')
			w.b.WriteByte(`"\nrtbf`[short])
		case r < ' ' || w.ascii && r > 0x7e && r < 0x10000:
			fmt.Fprintf(&w.b, `\u%04x`, r)
		case w.ascii && r >= 0x10000:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&w.b, `\u%04x\u%04x`, hi, lo)
		default:
			w.b.WriteRune(r)
		}
	}
	w.b.WriteByte('"')
}

// fromJSON keeps the texts of numbers while it decodes, so that integers of any size are exact.
func fromJSON(c *Ctx, s string, _ Bound) (value.Value, error) {
	r := jsonReader{c: c, dec: json.NewDecoder(strings.NewReader(s))}
	r.dec.UseNumber()
	v, err := r.value(0)
	if err == nil {
		if _, more := r.dec.Token(); more != io.EOF {
			err = errors.New("text after the end of the value")
		}
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("the text ends too early")
	}
	if limit := (*value.LimitError)(nil); errors.As(err, &limit) {
		return value.Null, err
	}
	if err != nil {
		return value.Null, notJSON(s, err)
	}
	return v, nil
}

// A jsonReader builds values from tokens, since maps have to keep their order.
type jsonReader struct {
	c    *Ctx
	dec  *json.Decoder
	read int // values so far
}

// readSteps is the cost of a value that is read, and whose marks are collected later.
const readSteps = 6

func (r *jsonReader) value(depth int) (value.Value, error) {
	if depth > maxDepth {
		return value.Null, errTooDeep
	}
	t, err := r.dec.Token()
	if err != nil {
		return value.Null, err
	}
	if r.read++; r.read > r.c.maxRead() {
		return value.Null, r.c.tooManyRead()
	}
	if err := r.c.step(readSteps); err != nil {
		return value.Null, err
	}
	switch t := t.(type) {
	case bool:
		return value.Bool(t), nil
	case string:
		return value.String(t), nil
	case json.Number:
		return jsonNumber(t.String())
	case json.Delim:
		v, err := r.collection(t == '{', depth+1)
		if err == nil {
			_, err = r.dec.Token() // the closing bracket
		}
		return v, err
	}
	return value.Null, nil
}

// collection reads the entries of an object, or the items of an array, up to the closing
// bracket.
func (r *jsonReader) collection(isObject bool, depth int) (value.Value, error) {
	var items []value.Value
	var m *value.Dict
	if isObject {
		m = value.NewMap(4)
	}
	for r.dec.More() {
		var key json.Token
		var err error
		if isObject {
			if key, err = r.dec.Token(); err != nil {
				return value.Null, err
			}
		}
		v, err := r.value(depth)
		if err != nil {
			return value.Null, err
		}
		if isObject {
			m.Set(value.K(key.(string)), v)
		} else {
			items = append(items, v)
		}
	}
	if isObject {
		return value.FromMap(m), nil
	}
	return value.ListOf(items...), nil
}

func jsonNumber(s string) (value.Value, error) {
	if !strings.ContainsAny(s, ".eE") {
		if i, ok := parseInt(s, 10); ok {
			return i, nil
		}
	}
	if f, ok := floatOf(value.String(s)); ok {
		return value.Float(f), nil
	}
	return value.Null, &value.LimitError{What: "number", Max: maxDigits}
}

const pprintWidth = 80

// prettyPrint formats a literal as Python's pprint does: on one line if it fits, else
// with an item per line, aligned after the bracket. Keys are sorted.
func prettyPrint(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if err := c.measure(in); err != nil {
		return value.Null, err
	}
	p := prettyPrinter{c: c}
	l, err := p.literal(in, 0)
	if err == nil {
		err = p.write(l, 0, 0)
	}
	return value.String(p.b.String()), err
}

// A literal is a value in Python's notation.
type literal struct {
	line  string // the literal on one line; "" for a list or map that is longer than any line
	width int    // of line, in characters

	brackets string
	keys     []string // of a map, with their colons
	items    []literal
}

type prettyPrinter struct {
	c *Ctx
	b strings.Builder
}

func (p *prettyPrinter) literal(v value.Value, depth int) (l literal, err error) {
	if depth > maxDepth {
		return l, errTooDeep
	}
	switch v.Kind() {
	case value.ListKind:
		l.brackets = "[]"
		var items []value.Value
		if items, err = p.c.listItems(v); err != nil {
			return l, err
		}
		l.items, err = convert(items, func(item value.Value) (literal, error) { return p.literal(item, depth+1) })
		l.join()
	case value.MapKind:
		l.brackets = "{}"
		var entries []entry
		if entries, err = p.c.entries(v); err != nil {
			return l, err
		}
		sortEntries(entries)
		l.items, err = convert(entries, func(e entry) (literal, error) {
			key, err := p.c.repr(e.name)
			if err != nil {
				return literal{}, err
			}
			l.keys = append(l.keys, key+": ")
			return p.literal(e.val, depth+1)
		})
		l.join()
	default:
		l.line, err = p.c.repr(v)
		l.width = utf8.RuneCountInString(l.line)
	}
	return l, err
}

// key returns the key of item i with its colon, or "" in a list.
func (l *literal) key(i int) string {
	if l.keys == nil {
		return ""
	}
	return l.keys[i]
}

// join sets line and width of a list or map, unless it is longer than any line.
func (l *literal) join() {
	width := 2 * max(len(l.items), 1)
	for i, item := range l.items {
		width += utf8.RuneCountInString(l.key(i)) + item.width
		if item.line == "" || width > pprintWidth {
			return
		}
	}
	var b strings.Builder
	b.WriteString(l.brackets[:1])
	for i, item := range l.items {
		b.WriteString(pick(i == 0, "", ", ") + l.key(i) + item.line)
	}
	b.WriteString(l.brackets[1:])
	l.line, l.width = b.String(), width
}

// write writes a literal that begins in the column indent. tail characters, such as the
// brackets around it, follow on its last line.
func (p *prettyPrinter) write(l literal, indent, tail int) error {
	if err := p.c.fits(p.b.Len() + len(l.line) + indent); err != nil {
		return err
	}
	if l.line != "" && (l.brackets == "" || l.width <= pprintWidth-indent-tail) {
		p.b.WriteString(l.line)
		return nil
	}
	for i, item := range l.items {
		p.b.WriteString(pick(i == 0, l.brackets[:1], ",\n"+strings.Repeat(" ", indent+1)) + l.key(i))
		behind := 1
		if i == len(l.items)-1 {
			behind = tail + 1
		}
		if err := p.write(item, indent+1+utf8.RuneCountInString(l.key(i)), behind); err != nil {
			return err
		}
	}
	p.b.WriteString(l.brackets[1:])
	return nil
}
