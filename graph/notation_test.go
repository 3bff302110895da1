package graph

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// The tests write configurations in a small notation of their own. Blanks, line
// ends and commas only separate.
//
//	doc     = body of a map | value
//	map     = { key ":" value | "extend" key ":" list | stanza }
//	stanza  = "on" ref | "on?" ref | "raw" ref         a base of the map
//	        | "if" cond map | "select" cond choices    a guard that knows its branches
//	        | "include" cond choices                   a guard that may return anything
//	        | "let" name "=" value "in" map
//	value   = scalar | "null!" | "delete" | "{" map "}" | "[" items "]" | "&"name value
//	        | ("replace" | "merge" | "error") value | "=" cond | "~" cond (soft)
//	item    = value | "..." value | "pos" value | "pos" index value
//	        | "where" key "=" text value | "each" name "in" cond ":" value
//	ref     = /a/b | ./a | ../a | *anchor/a | "file" | "file" /a
//	cond    = operand [("==" | "!=") operand]
//	operand = a.b | here.a | $name | scalar | or(operand operand) | add(operand operand)
//
// A repeated key, or an entry after a guard, begins a new layer of the map.
// Layers are separated by "---"; the text after "--- name" is a file to include.

// A config is a parsed text in the notation.
type config struct {
	layers []RootLayer
	files  files
	asked  int // how often guards were asked
}

// files is a Loader.
type files map[string]*Doc

func (f files) Load(ref *Ref, _ *Doc) (*Doc, error) {
	if d := f[ref.File]; d != nil {
		return d, nil
	}
	return nil, source.Errorf(ref.FileAt, source.MissingInclude, "unable to load %s", ref.File)
}

var separator = regexp.MustCompile(`(?m)^---[ \t]*(\S*)[ \t]*\n`)

// notation reads a configuration. It panics on a text that it cannot read: the
// texts are part of the tests.
func notation(text string, rule *Rule) *config {
	c := &config{files: files{}}
	at := separator.FindAllStringSubmatchIndex(text, -1)
	start, name := 0, ""
	for i := 0; i <= len(at); i++ {
		end := len(text)
		if i < len(at) {
			end = at[i][0]
		}
		if i > 0 || strings.TrimSpace(text[:end]) != "" {
			c.add(name, text[start:end], rule)
		}
		if i < len(at) {
			start, name = at[i][1], text[at[i][2]:at[i][3]]
		}
	}
	return c
}

func (c *config) add(name, text string, rule *Rule) {
	if name != "" {
		c.files[name] = c.doc(name, text, rule)
		return
	}
	name = fmt.Sprintf("layer%d", len(c.layers)+1)
	c.layers = append(c.layers, RootLayer{Doc: c.doc(name, text, rule), Name: name, Rule: rule})
}

func (c *config) doc(name, text string, rule *Rule) *Doc {
	p := &reader{config: c, rule: rule, file: source.NewFile(name, text)}
	p.doc = &Doc{File: p.file, Anchors: map[string]Node{}}
	p.next()
	switch {
	case p.tok == "":
	case strings.ContainsAny(p.tok[:1], "[{=~"):
		p.doc.Root = p.value()
	default:
		p.doc.Root = p.block()
	}
	p.want("")
	return p.doc
}

// A reader reads one document.
type reader struct {
	*config
	rule       *Rule
	file       *source.File
	doc        *Doc
	tok        string
	start, end int // of tok
}

var token = regexp.MustCompile(`^(?:"[^"]*"|==|!=|[\w.$/*?+-]+!?|[{}\[\]():=~&])`)

func (p *reader) next() string {
	last, text := p.tok, p.file.Text
	i := p.end
	for i < len(text) && strings.IndexByte(" \t\n,", text[i]) >= 0 {
		i++
	}
	p.tok = token.FindString(text[i:])
	if p.tok == "" && i < len(text) {
		panic(fmt.Sprintf("%s: cannot read %q", p.file.Span(i, i), text[i:]))
	}
	p.start, p.end = i, i+len(p.tok)
	return last
}

func (p *reader) want(tok string) {
	if p.tok != tok {
		panic(fmt.Sprintf("%s: %q where %q should be", p.file.Span(p.start, p.end), p.tok, tok))
	}
	p.next()
}

func (p *reader) skip(tok string) bool {
	ok := p.tok == tok
	if ok {
		p.next()
	}
	return ok
}

func (p *reader) here() source.Span { return p.file.Span(p.start, p.end) }

// block reads the body of a map as one node: maps and stanzas, each on top of what
// is before it.
func (p *reader) block() Node {
	at := p.here()
	var bases []Node
	own := Map{At: at}
	seen := map[value.Key]bool{}
	alone := true // the only thing so far is a reference
	flush := func() {
		if len(own.Entries) > 0 {
			bases, own = append(bases, NewMap(own)), Map{At: at}
			clear(seen)
		}
	}
	for p.tok != "" && p.tok != "}" {
		word := p.tok
		if strings.HasPrefix(p.file.Text[p.end:], ":") {
			word = "" // a key that looks like a stanza
		}
		switch word {
		case "on", "on?", "raw":
			bases = append(bases, p.ref())
			continue
		case "if", "include", "select":
			flush()
			bases = append(bases, p.guard())
			alone = false
			continue
		case "let":
			flush()
			bases = append(bases, p.let())
			alone = false
			continue
		}
		e := p.entry()
		if seen[e.Key] {
			flush()
		}
		seen[e.Key] = true
		own.Entries = append(own.Entries, e)
	}
	if len(bases) == 0 {
		return NewMap(own)
	}
	alone = alone && len(bases) == 1 && len(own.Entries) == 0
	return &Overlay{At: at, Bases: bases, Own: NewMap(own), Rule: p.rule, Lone: alone, Written: func() Node { return writtenMap(at, bases, own) }}
}

// writtenMap is a map with its references as plain keys.
func writtenMap(at source.Span, bases []Node, own Map) Node {
	m := Map{At: at}
	for _, b := range bases {
		if r, ok := b.(*Ref); ok {
			m.Entries = append(m.Entries, Entry{Key: value.K(r.Key), Node: &Scalar{}})
		}
	}
	m.Entries = append(m.Entries, own.Entries...)
	return NewMap(m)
}

func (p *reader) entry() Entry {
	if at := p.here(); p.skip("extend") {
		e := p.key()
		p.want("[")
		items, _ := p.items()
		e.Node = &Extend{At: at, Items: items}
		return e
	}
	e := p.key()
	e.Node = p.value()
	return e
}

func (p *reader) key() Entry {
	at := p.here()
	k := value.K(strings.Trim(p.tok, `"`))
	if i, err := strconv.Atoi(p.tok); err == nil {
		k = value.Index(i)
	}
	p.next()
	p.want(":")
	return Entry{Key: k, KeyAt: at}
}

func (p *reader) braces() Node {
	p.want("{")
	n := p.block()
	p.want("}")
	return n
}

var strategies = map[string]Strategy{"replace": ReplaceStrategy, "merge": MergeStrategy, "error": ErrorStrategy}

func (p *reader) value() Node {
	at := p.here()
	switch p.tok {
	case "{":
		return p.braces()
	case "[":
		p.next()
		items, notes := p.items()
		return NewSeq(Seq{At: at, Items: items, Notes: notes})
	case "=", "~":
		f := p.cond(p.next() == "~")
		return &Computed{At: at, Thunk: f}
	case "&":
		p.next()
		name := p.next()
		n := p.value()
		p.doc.Anchors[name] = n
		return n
	}
	switch word := p.next(); word {
	case "delete":
		return &Delete{At: at}
	case "null!":
		return &Scalar{At: at, Final: true}
	case "replace", "merge", "error":
		return p.marked(word)
	default:
		return &Scalar{At: at, Val: scalar(word)}
	}
}

// marked is a map with a strategy, or a list that replaces.
func (p *reader) marked(word string) Node {
	switch n := p.value().(type) {
	case *Seq:
		s := *n
		s.Replace = true
		return NewSeq(s)
	case *Overlay:
		own := *n.Own
		own.Strategy = strategies[word]
		n.Own = NewMap(own)
		return n
	case *Map:
		m := *n
		m.Strategy = strategies[word]
		return NewMap(m)
	}
	panic("only maps and lists can be marked " + word)
}

func (p *reader) items() (items []Node, notes []*value.Annotation) {
	for !p.skip("]") {
		items = append(items, p.item())
		notes = append(notes, nil)
	}
	return items, notes
}

func (p *reader) item() Node {
	at := p.here()
	switch {
	case p.skip("..."):
		return &Splice{Node: p.value()}
	case p.skip("pos"):
		if i, err := strconv.Atoi(p.tok); err == nil {
			p.next()
			return &Positional{Node: p.value(), Where: &Where{Index: i}}
		}
		return &Positional{Node: p.value()}
	case p.skip("where"):
		w := &Where{Key: p.next()}
		p.want("=")
		w.Text = p.next()
		return &Positional{Node: p.value(), Where: w}
	case p.skip("each"):
		name := p.next()
		p.want("in")
		over := p.cond(false)
		p.want(":")
		return &Each{At: at, Names: []string{name}, Over: over, Body: p.value()}
	case p.tok == "if":
		return p.guard()
	}
	return p.value()
}

func (p *reader) let() Node {
	at := p.here()
	p.want("let")
	name := Entry{KeyAt: p.here(), Key: value.K(p.next())}
	p.want("=")
	name.Node = p.value()
	p.want("in")
	return &Let{At: at, Names: []Entry{name}, Body: p.value()}
}

func (p *reader) guard() Node {
	at := p.here()
	kind := p.next()
	on := asking{p.cond(false), p.config}
	g := &Guard{At: at, On: on, Label: kind}
	if kind == "if" {
		then := p.braces()
		g.May = []Node{then}
		g.Pick = func(_ *Context, v value.Value) (Node, error) {
			if value.Truthy(v) {
				return then, nil
			}
			return nil, nil
		}
		return g
	}
	p.want("{")
	choices := map[string]Node{}
	for !p.skip("}") {
		e := p.entry()
		choices[e.Key.Text] = e.Node
		if kind == "select" {
			g.May = append(g.May, e.Node)
		}
	}
	g.Pick = func(_ *Context, v value.Value) (Node, error) {
		k, _ := value.KeyOf(v)
		return choices[k.Text], nil
	}
	return g
}

func (p *reader) ref() *Ref {
	r := &Ref{At: p.here()}
	word := p.next()
	r.Optional, r.Raw = word == "on?", word == "raw"
	r.Key = p.tok
	r.FileAt = p.here()
	where := p.next()
	switch {
	case where[0] == '"':
		r.From, r.File = FromFile, strings.Trim(where, `"`)
		where = ""
		if strings.HasPrefix(p.tok, "/") {
			where = p.next()
		}
		p.doc.Includes = append(p.doc.Includes, r)
	case where[0] == '*':
		r.From = FromAnchor
		r.Anchor, where, _ = strings.Cut(where[1:], "/")
		if where != "" {
			where = "/" + where
		}
	case where[0] == '.':
		rest := strings.TrimLeft(where, ".")
		r.From, r.Up = FromHere, len(where)-len(rest)-1
		where = rest
	}
	if where != "" {
		r.Path = strings.Split(where[1:], "/")
	}
	return r
}

func scalar(word string) value.Value {
	if word[0] == '"' {
		return value.String(strings.Trim(word, `"`))
	}
	switch word {
	case "null":
		return value.Null
	case "true", "false":
		return value.Bool(word == "true")
	}
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return value.Int(i)
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return value.Float(f)
	}
	return value.String(word)
}

// A formula is a thunk.
type formula struct {
	op   string // "lit", "path", "here", "name", "or", "add", "==", "!="
	lit  value.Value
	path []string
	args []*formula
	soft bool
	text string
}

func (p *reader) cond(soft bool) *formula {
	from := p.start
	f := p.operand(soft)
	if p.tok == "==" || p.tok == "!=" {
		op := p.next()
		f = &formula{op: op, args: []*formula{f, p.operand(soft)}, soft: soft}
	}
	f.text = strings.Trim(p.file.Text[from:p.start], " \t\n,")
	return f
}

func (p *reader) operand(soft bool) *formula {
	word := p.next()
	f := &formula{soft: soft}
	if (word == "or" || word == "add") && p.skip("(") {
		f.op = word
		for !p.skip(")") {
			f.args = append(f.args, p.operand(soft))
		}
		return f
	}
	f.path = strings.Split(word, ".")
	switch {
	case word[0] == '$':
		f.op, f.path = "name", strings.Split(word[1:], ".")
	case f.path[0] == "here":
		f.op, f.path = "here", f.path[1:]
	case word[0] == '"' || strings.IndexByte("-0123456789", word[0]) >= 0 || word == "true" || word == "false" || word == "null":
		f.op, f.lit = "lit", scalar(word)
	default:
		f.op = "path"
	}
	return f
}

func (f *formula) Soft() bool       { return f.soft }
func (f *formula) Raw() value.Value { return value.String(f.text) }

func (f *formula) Eval(p *Context) (value.Value, error) {
	var args []value.Value
	for _, a := range f.args {
		v, err := a.Eval(p)
		if err != nil {
			return v, err
		}
		if args = append(args, v); f.op == "or" && value.Truthy(v) {
			return v, nil
		}
	}
	switch f.op {
	case "lit":
		return f.lit, nil
	case "path":
		return f.read(p.Eval().Root().RootMap())
	case "here":
		v, _, err := p.Here()
		if err != nil {
			return v, err
		}
		return f.read(v)
	case "name":
		v, ok, err := p.Frame.Lookup(f.path[0])
		if !ok && err == nil {
			err = source.Errorf(source.Span{}, source.Undefined, "no name %s", f.path[0])
		}
		if err != nil {
			return v, err
		}
		return (&formula{path: f.path[1:]}).read(v)
	case "or":
		return args[len(args)-1], nil
	case "add":
		return value.Add(args[0], args[1])
	}
	eq, err := value.Equal(args[0], args[1])
	return value.Bool(eq == (f.op == "==")), err
}

func (f *formula) read(v value.Value) (value.Value, error) {
	for _, seg := range f.path {
		var ok bool
		var err error
		switch i, isIndex := strconv.Atoi(seg); {
		case v.Is(value.ListKind) && isIndex == nil && i < v.List().Len():
			v, err = v.List().At(i)
			ok = true
		case v.Is(value.MapKind):
			v, ok, err = v.Map().Get(value.K(seg))
		}
		if err != nil {
			return value.Null, err
		}
		if !ok && f.soft {
			return value.Null, nil
		}
		if !ok {
			return value.Null, source.Errorf(source.Span{}, source.Undefined, "no %s", seg)
		}
	}
	return v, nil
}

// asking counts how often a guard is asked.
type asking struct {
	*formula
	config *config
}

func (a asking) Eval(p *Context) (value.Value, error) {
	a.config.asked++
	return a.formula.Eval(p)
}
