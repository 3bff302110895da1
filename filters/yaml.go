package filters

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func yamlFilters() []Func {
	params := func(indent int64, sorted bool) []Param {
		return []Param{opt("indent", Int, value.Int(indent)), opt("sort_keys", Bool, value.Bool(sorted)), opt("default_flow_style", Bool, value.Null),
			opt("explicit_start", Bool, value.False), opt("explicit_end", Bool, value.False), opt("width", Int, value.Int(0))}
	}
	return family("yaml",
		row("to_yaml", "Converts the value to YAML in block style, with keys in their order.",
			"{{ {'b': [1, 2], 'a': {'c': 'x'}} | to_yaml }}|", `"b:\n- 1\n- 2\na:\n  c: x\n|"`, toYAML, params(2, false)...),
		row("to_nice_yaml", "Converts the value to YAML in block style, indented by 4, with sorted keys.",
			"{{ {'b': 1, 'a': {'c': 'x'}} | to_nice_yaml }}|", `"a:\n    c: x\nb: 1\n|"`, toYAML, params(4, true)...),
		row("from_yaml", "Parses a YAML text of one document.",
			`{{ 'a: [1, x]' | from_yaml }}`, `{"a": [1, "x"]}`, with((*Ctx).documents, fromYAML)),
		row("from_yaml_all", "Parses all documents of a YAML text to a list. Other values stay as they are.",
			`{{ 'a\n---\nb' | from_yaml_all }}`, `["a", "b"]`,
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
				if !in.Is(value.StringKind) {
					return in, nil
				}
				return listOf(c.documents(in))
			}),
	)
}

const maxIndent = 100

// toYAML writes block style. Flow style is an error, and so is a width at which PyYAML would fold lines.
func toYAML(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	indent := a.Int("indent")
	if indent < 1 || indent > maxIndent {
		return value.Null, fmt.Errorf("%q must be from 1 to %d", "indent", maxIndent)
	}
	if a.Bool("default_flow_style") {
		return value.Null, errors.New("default_flow_style=true is not possible: the result is in block style; to_json writes one line that is YAML too")
	}
	w := yamlWriter{c: c, indent: indent, sorted: a.Bool("sort_keys")}
	if a.Bool("explicit_start") {
		w.b.WriteString(pick(isCollection(in), "---\n", "--- "))
	}
	var err error
	if isCollection(in) {
		err = w.collection(in, 0, false, 0)
	} else {
		err = w.lastScalar(in, w.indent)
	}
	if a.Bool("explicit_end") {
		w.b.WriteString("...\n")
	}
	if err == nil {
		err = fitsWidth(w.b.String(), a.Int("width"))
	}
	return value.String(w.b.String()), err
}

// fitsWidth refuses a width at which PyYAML would fold lines: they are never folded here. A width
// of 0 was not given.
func fitsWidth(text string, width int) error {
	if width == 0 {
		return nil
	}
	for line := range strings.Lines(text) {
		if body := strings.TrimSpace(line); utf8.RuneCountInString(line) > width+1 && strings.Contains(body, " ") {
			return fmt.Errorf("the result has a line of more than %d characters, and lines are never folded: leave %q out, or make it larger", width, "width")
		}
	}
	return nil
}

// A yamlWriter formats maps and lists as PyYAML does, which Ansible's filters use.
type yamlWriter struct {
	c      *Ctx
	b      strings.Builder
	indent int
	sorted bool
}

// lastScalar writes a scalar and ends the line.
func (w *yamlWriter) lastScalar(v value.Value, column int) error {
	err := w.scalar(v, column)
	w.b.WriteByte('\n')
	return err
}

// isCollection reports whether v is written on several lines: a list or map with items.
func isCollection(v value.Value) bool {
	return v.Is(value.ListKind) && v.List().Len() > 0 || v.Is(value.MapKind) && v.Map().Len() > 0
}

// collection writes the lines of a map or list. If it is inline, its first line follows
// the dash of an item and has no margin. A list in a map begins in the column of its key.
func (w *yamlWriter) collection(v value.Value, column int, inline bool, depth int) error {
	if depth > maxDepth {
		return errTooDeep
	}
	if v.Is(value.ListKind) {
		items, err := w.c.listItems(v)
		for i := 0; i < len(items) && err == nil; i++ {
			w.margin(column, inline && i == 0)
			w.b.WriteByte('-')
			if isCollection(items[i]) {
				w.b.WriteString(strings.Repeat(" ", max(w.indent-1, 1)))
				err = w.collection(items[i], column+max(w.indent, 2), true, depth+1)
			} else {
				w.b.WriteByte(' ')
				err = w.lastScalar(items[i], column+w.indent)
			}
		}
		return err
	}
	entries, err := w.c.entries(v)
	if w.sorted {
		sortEntries(entries)
	}
	for i := 0; i < len(entries) && err == nil; i++ {
		e := entries[i]
		w.margin(column, inline && i == 0)
		if err = w.scalar(e.name, simpleKey); err != nil {
			break
		}
		w.b.WriteByte(':')
		switch {
		case !isCollection(e.val):
			w.b.WriteByte(' ')
			err = w.lastScalar(e.val, column+w.indent)
		case e.val.Is(value.MapKind):
			w.b.WriteByte('\n')
			err = w.collection(e.val, column+w.indent, false, depth+1)
		default:
			w.b.WriteByte('\n')
			err = w.collection(e.val, column, false, depth+1)
		}
	}
	return err
}

func (w *yamlWriter) margin(column int, inline bool) {
	if !inline {
		w.b.WriteString(strings.Repeat(" ", column))
	}
}

func fromYAML(_ *Ctx, docs []value.Value, _ Bound) (value.Value, error) {
	switch len(docs) {
	case 0:
		return value.Null, nil
	case 1:
		return docs[0], nil
	}
	return value.Null, errManyDocuments
}

func (c *Ctx) documents(in value.Value) ([]value.Value, error) {
	if !in.Is(value.StringKind) { // a value that is data already stays unchanged
		return []value.Value{in}, nil
	}
	if yamlNodes(in.Str()) > c.maxRead() {
		return nil, c.tooManyRead()
	}
	if err := c.step(len(in.Str())); err != nil {
		return nil, err
	}
	parsed, diags := yaml.Parse(source.NewFile("text", in.Str()), yaml.ParseOptions{Lenient: true, NoTemplates: true, MaxDepth: maxDepth})
	if d := source.FirstError(diags); d != nil {
		return nil, errors.New("not YAML: " + d.Message)
	}
	return convert(parsed, func(doc *yaml.Document) (value.Value, error) {
		if doc.Root == nil {
			return value.Null, nil
		}
		return doc.Root.ToValue()
	})
}

// yamlNodes returns an upper bound of the number of nodes of a YAML text: one of the signs
// that it counts precedes every node but the first.
func yamlNodes(text string) int {
	n := 1
	for _, sign := range []string{"\n", ",", ":", "[", "{", "- ", "-\n", "-\t", "? ", "\r"} {
		n += strings.Count(text, sign)
	}
	return n
}

// simpleKey is the column of a scalar that must not take several lines.
const simpleKey = -1

// scalar writes a scalar; its lines after the first begin in a column. The package yaml
// decides whether it needs quotes; which quotes it gets is PyYAML's rule.
func (w *yamlWriter) scalar(v value.Value, column int) error {
	s := v.Str()
	if err := w.c.fits(w.b.Len() + len(s)*(2+max(column, 0))); err != nil {
		return err
	}
	switch {
	case v.Is(value.FloatKind) && v.Source() == nil:
		w.float(v)
		return nil
	case strings.ContainsAny(s, lineBreaks):
		w.lines(s, column)
		return nil
	case isShortBool(s):
		w.b.WriteString(s)
		return nil
	}
	var b strings.Builder
	if !v.IsNumber() { // a number keeps its spelling
		v = v.WithoutSource()
	}
	err := yaml.Encode(&b, v, yaml.EncodeOptions{Reveal: true, NoComments: true})
	text := strings.TrimSuffix(b.String(), "\n")
	if strings.HasPrefix(text, `"`) && v.Is(value.StringKind) && foldable(s) {
		text = singleQuoted(s)
	}
	w.b.WriteString(text)
	return err
}

const lineBreaks = "\n\r\u0085\u2028\u2029"

// isShortBool reports whether s is y or n. These are bools in YAML 1.1, but no parser
// reads them so, and the keys x and y of coordinates look better without quotes.
func isShortBool(s string) bool { return len(s) == 1 && strings.Contains("yYnN", s) }

func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// float writes a number with a point before the exponent, which YAML 1.1 requires.
func (w *yamlWriter) float(v value.Value) {
	s := value.FormatFloat(v.Float())
	if mantissa, exponent, ok := strings.Cut(s, "e"); ok && !strings.Contains(mantissa, ".") {
		s = mantissa + ".0e" + exponent
	}
	w.b.WriteString(s)
}

// lines writes a text of several lines in single quotes, where an empty line means a line
// break. If single quotes cannot represent the text, it writes double quotes.
func (w *yamlWriter) lines(s string, column int) {
	if column == simpleKey || !foldable(s) {
		j := jsonWriter{c: w.c, ascii: false}
		j.quote(s)
		w.b.WriteString(strings.NewReplacer("\u0085", `\N`, "\u2028", `\L`, "\u2029", `\P`).Replace(j.b.String()))
		return
	}
	margin := strings.Repeat(" ", column)
	for s, first := singleQuoted(s), true; s != ""; first = false {
		line := strings.IndexByte(s, '\n')
		if line < 0 {
			line = len(s)
		}
		if !first {
			w.b.WriteString(margin)
		}
		w.b.WriteString(s[:line])
		rest := strings.TrimLeft(s[line:], "\n")
		if breaks := len(s) - line - len(rest); breaks > 0 {
			w.b.WriteString(strings.Repeat("\n", breaks+1))
		}
		s = rest
	}
}

// foldable reports whether single quotes can represent a text of several lines: it has no
// control characters but line feeds, and no blanks next to a line feed.
func foldable(s string) bool {
	if strings.Contains(s, " \n") || strings.Contains(s, "\n ") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	})
}
