package expr

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TemplateHeader begins a first line that sets the options of one template.
const TemplateHeader = "#jinja2:"

// IsTemplate reports whether a text of a document is a template: it contains "{{" or
// "{%", or begins with a header line. A "${{" belongs to another tool and is text up to
// its "}}" (spec: expressions, section 7). Comments and closing delimiters by themselves do
// not make a template.
func IsTemplate(text string) bool {
	return hasTags(text) || strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\f\v"), TemplateHeader)
}

// hasTags reports whether a text has "{{" or "{%". It skips "${{ ... }}", which other tools evaluate.
func hasTags(text string) bool {
	for {
		i := strings.IndexByte(text, '{')
		if i < 0 || i+1 >= len(text) {
			return false
		}
		switch {
		case text[i+1] == '%':
			return true
		case text[i+1] != '{':
			text = text[i+1:]
		case i == 0 || text[i-1] != '$':
			return true
		default:
			_, after, closed := strings.Cut(text[i+2:], "}}")
			if !closed {
				return strings.Contains(text[i+2:], "{%")
			}
			text = after
		}
	}
}

// MayBeExpression reports whether a map with this key may be an expression. It is a
// cheap test for readers of many maps.
func MayBeExpression(key string) bool {
	switch key {
	case "eval", "ref", "concat", "token", "get_env", "has_env", "q":
		return true
	}
	return false
}

// IsExpression reports whether a raw map of a document is an expression, and not data
// with similar keys. This is the narrow rule (spec: expressions, section 4):
//
//	{ref: ::a}            an expression: the argument is a path
//	{ref: main}           data
func IsExpression(m value.Map) bool {
	head, arg, ok := expressionHead(m)
	if !ok {
		return false
	}
	switch head {
	case "eval":
		return arg.Is(value.StringKind) || arg.Is(value.MapKind) || arg.Is(value.ListKind)
	case "ref":
		switch arg.Kind() {
		case value.StringKind:
			text := strings.TrimSpace(arg.Str())
			return strings.Contains(text, "::") || len(text) > 1 && text[0] == '$' && isVariableName(text[1:])
		case value.MapKind:
			for k := range arg.Map().Keys() {
				return k.Kind == value.StringKind && isFunction(k.Text)
			}
		}
		return false
	case "concat":
		return arg.Is(value.ListKind)
	case "token": // [text, separator, index]; the text may be an expression
		if !arg.Is(value.ListKind) || arg.List().Len() != 3 {
			return false
		}
		items, err := listItems(arg)
		if err != nil {
			return false
		}
		computed := items[0].Is(value.MapKind) && IsExpression(items[0].Map())
		return (items[0].Is(value.StringKind) || computed) && items[1].Is(value.StringKind) && items[2].Is(value.IntKind)
	case "get_env", "has_env": // a name, or [name, default]
		if arg.Is(value.ListKind) && arg.List().Len() == 2 {
			name, err := arg.List().At(0)
			return err == nil && isVariableName(name.Str())
		}
		return isVariableName(arg.Str())
	}
	return quotesSomething(arg)
}

// expressionHead returns the key that makes a map an expression, and its value, if all
// other keys are allowed next to it.
func expressionHead(m value.Map) (string, value.Value, bool) {
	for _, head := range [...]string{"eval", "ref", "concat", "token", "get_env", "has_env", "q"} {
		v, ok, err := m.Get(value.K(head))
		if err != nil || !ok {
			continue
		}
		for k := range m.Keys() {
			if k != value.K(head) && !allowedNextTo(head, k) {
				return "", value.Null, false
			}
		}
		return head, v, true
	}
	return "", value.Null, false
}

func allowedNextTo(head string, k value.Key) bool {
	if k.Kind != value.StringKind {
		return false
	}
	switch head {
	case "eval", "ref":
		return IsObjectKey(k.Text)
	case "concat":
		return k.Text == "sep"
	}
	return false
}

// LooksLikeExpression reports whether the value of a misspelt "eval" was meant as an expression:
// an absolute path, a variable, or a call of a function.
func LooksLikeExpression(v value.Value) bool {
	switch v.Kind() {
	case value.StringKind:
		text := strings.TrimSpace(v.Str())
		return strings.HasPrefix(text, "::") || len(text) > 1 && text[0] == '$' && isVariableName(text[1:])
	case value.MapKind:
		for k := range v.Map().Keys() {
			return k.Kind == value.StringKind && isFunction(k.Text)
		}
	}
	return false
}

// IsObjectKey reports whether a key is allowed next to "eval".
func IsObjectKey(key string) bool {
	switch key {
	case "vars", "select", "foreach", "trace", "strict", "base_dir":
		return true
	}
	return false
}

// isVariableName reports whether s is a legal name of an environment variable.
func isVariableName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// quotesSomething reports whether data contains an expression, a template or a directive,
// at any depth. If not, {q: data} is data itself. Only the first maxParts parts count,
// since lists that share lists have any number.
func quotesSomething(arg value.Value) bool {
	found, parts := false, 0
	_ = value.Walk(arg, func(at value.Position, v value.Value, err error) error {
		if parts++; parts > maxParts {
			return value.SkipInside
		}
		found = isDirective(at.Key) || err == nil && !v.IsVerbatim() && isQuoted(v)
		switch {
		case found:
			return value.SkipAll
		case v.IsVerbatim():
			return value.SkipInside
		}
		return nil
	})
	return found
}

// isQuoted reports whether a value is an expression or a template. An object with "q" is
// not asked: the walk finds what is in it, and to search it once more at each level would
// take time exponential in the depth.
func isQuoted(v value.Value) bool {
	switch v.Kind() {
	case value.StringKind:
		return IsTemplate(v.Str())
	case value.MapKind:
		head, _, _ := expressionHead(v.Map())
		return head != "q" && IsExpression(v.Map())
	}
	return false
}

// isDirective reports whether a key is a merge directive (spec: merge, section 1).
func isDirective(k value.Key) bool {
	rest, ok := strings.CutPrefix(k.Text, "+")
	if !ok || k.Kind != value.StringKind || rest == "" {
		return false
	}
	rest = strings.TrimPrefix(rest, "?")
	return rest == "" || strings.HasPrefix(rest, "include") || strings.IndexByte("%&*./", rest[0]) >= 0
}

// IsObject is the wide rule, which applies inside expressions: any "ref", and any
// function that needs no "eval", whatever the arguments are.
func IsObject(m value.Map) bool {
	_, _, ok := expressionHead(m)
	return ok
}

// Located is implemented by raw maps and lists that know the places of their entries, so
// that diagnostics about an expression in them have exact places.
type Located interface {
	// Locate returns the place of an entry; list items go by [value.Index].
	Locate(k value.Key) (Placer, bool)
}

// A compiler turns raw data into nodes.
type compiler struct {
	depth, parts int
	marks        value.Marks // of the data so far
}

const (
	maxDataNesting = 10_000
	maxParts       = 1_000_000 // of one expression, since lists may share lists
)

// enter counts a part of the data; leave ends it.
func (c *compiler) enter(v value.Value, at Placer) error {
	c.marks |= v.Marks()
	if c.depth++; c.depth > maxDataNesting {
		return source.Errorf(at.TextSpan(0, 0), source.Limit, "data in an expression is nested more than %d deep", maxDataNesting)
	}
	if c.parts++; c.parts > maxParts {
		return source.Errorf(at.TextSpan(0, 0), source.Limit, "the expression has more than %d parts", maxParts)
	}
	return nil
}

func (c *compiler) leave() { c.depth-- }

// data compiles a value. A part without expressions becomes a [Lit] as a whole.
func (c *compiler) data(v value.Value, at Placer) (Node, error) {
	if err := c.enter(v, at); err != nil {
		return nil, err
	}
	defer c.leave()
	if v.IsVerbatim() {
		return &Lit{rangeOf(at, v), v}, nil
	}
	switch v.Kind() {
	case value.StringKind:
		if IsTemplate(v.Str()) {
			return c.text(v, at)
		}
	case value.ListKind:
		return c.list(v, at)
	case value.MapKind:
		if _, final := instance(v); final {
			break
		}
		if IsObject(v.Map()) {
			return c.object(v, at)
		}
		return c.plainMap(v, at)
	}
	return &Lit{rangeOf(at, v), v}, nil
}

func rangeOf(at Placer, v value.Value) Range { return Range{at.TextSpan(0, len(v.Str()))} }

func entryPlace(of any, k value.Key, otherwise Placer) Placer {
	if l, ok := of.(Located); ok {
		if at, ok := l.Locate(k); ok {
			return at
		}
	}
	return Nowhere(otherwise.TextSpan(0, 0))
}

// list compiles a list. If all items are constants, so is the list.
func (c *compiler) list(v value.Value, at Placer) (Node, error) {
	items := make([]Node, 0, v.List().Len())
	constant := true
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		n, err := c.data(item, entryPlace(v.List(), value.Index(len(items)), at))
		if err != nil {
			return nil, err
		}
		constant = constant && isLit(n)
		items = append(items, n)
	}
	if constant {
		return &Lit{rangeOf(at, v), v}, nil
	}
	return &List{rangeOf(at, v), items}, nil
}

// plainMap compiles a map that is no expression object, as list does.
func (c *compiler) plainMap(v value.Value, at Placer) (Node, error) {
	m := v.Map()
	entries := make([]Entry, 0, m.Len())
	constant := true
	for k := range m.Keys() {
		item, _, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		n, err := c.data(item, entryPlace(m, k, at))
		if err != nil {
			return nil, err
		}
		constant = constant && isLit(n)
		entries = append(entries, Entry{&Lit{rangeOf(at, v), k.Value()}, n})
	}
	if constant {
		return &Lit{rangeOf(at, v), v}, nil
	}
	return &Map{rangeOf(at, v), entries}, nil
}

func isLit(n Node) bool {
	_, ok := n.(*Lit)
	return ok
}

// text compiles a text in the place of an expression: a template or a path. The results
// have the marks of the text.
func (c *compiler) text(v value.Value, at Placer) (Node, error) {
	c.marks |= v.Marks()
	if IsTemplate(v.Str()) && !v.IsVerbatim() {
		return &Template{rangeOf(at, v), v.Str(), at, v.Marks()}, nil
	}
	p, err := ParsePath(v.Str(), at)
	if err != nil {
		return nil, err
	}
	p.marks = v.Marks()
	return p, nil
}

// verbatim returns v with everything in it marked as final.
func (c *compiler) verbatim(v value.Value, at Placer) (value.Value, error) {
	depth := c.depth
	defer func() { c.depth = depth }()
	return value.Rewrite(v, func(in value.Position, v value.Value, err error) (value.Value, error) {
		c.depth = depth + in.Depth
		if counted := c.enter(v, at); counted != nil {
			return v, counted
		}
		return v.Mark(in.Marks).Verbatim(), err
	})
}
