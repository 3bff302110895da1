// Package lint reports valid configuration that is probably a mistake. [Nodes] looks at the texts of
// documents: keys that look like directives, maps that are nearly expressions, ambiguous pointers.
// [Joins] looks at layers after their evaluation: repeated items, values of another kind, new keys.
// [References] lists the keys that templates, expressions, pointers and directives name.
//
// Read lint.go with spelling.go (texts of YAML), then references.go with directives.go, and joins.go.
package lint

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Nodes checks the nodes of layers and of the files that they include. It uses the evaluation e
// of the layers to resolve pointers, and lib to check calls in expressions. The findings have
// code suspicious and severity warning.
func Nodes(layers, included []*graph.Doc, e *graph.Eval, lib expr.Library) []*source.Diagnostic {
	l := linter{eval: e, lib: lib, seen: map[graph.Node]bool{}}
	for _, doc := range layers {
		l.file(doc, false)
	}
	for _, doc := range included {
		l.file(doc, true)
	}
	return l.found
}

// A linter walks the nodes of documents.
type linter struct {
	eval     *graph.Eval
	lib      expr.Library
	doc      *graph.Doc          // the document of the current node
	included bool                // doc is an included file
	seen     map[graph.Node]bool // visited nodes: aliases share nodes
	data     nodeData
	found    []*source.Diagnostic
}

// A checker is a computed value that can be checked without being evaluated.
type checker interface {
	Check(lib expr.Library) []*source.Diagnostic
}

// file walks the nodes of a document.
func (l *linter) file(doc *graph.Doc, included bool) {
	l.doc, l.included = doc, included
	if doc.Root != nil {
		l.node(doc.Root, 0)
	}
}

// maxDepth is the nesting below which nodes are not checked.
const maxDepth = 10_000

// warn adds a finding.
func (l *linter) warn(at source.Span, format string, args ...any) *source.Diagnostic {
	d := source.Warnf(at, source.Suspicious, format, args...)
	l.found = append(l.found, d)
	return d
}

// node checks a node and its parts.
func (l *linter) node(n graph.Node, depth int) {
	if depth > maxDepth || l.seen[n] {
		return
	}
	l.seen[n] = true
	switch n := n.(type) {
	case *graph.Map:
		l.entries(n, depth)
	case *graph.Overlay:
		l.entries(n.Own, depth)
		for _, b := range n.Bases {
			l.base(b)
		}
	case *graph.Seq:
		for _, item := range n.Items {
			l.node(item, depth+1)
		}
	case *graph.Scalar:
		if l.doc.Lang == yay.Language {
			if d := yay.LintText(n); d != nil {
				l.found = append(l.found, d)
			}
		}
	case *graph.Computed:
		l.thunk(n.Thunk)
	case *graph.Guard:
		l.thunk(n.On)
		l.parts(n, depth)
	case *graph.Each:
		l.thunk(n.Over)
		l.parts(n, depth)
	case *graph.Stack:
		for _, layer := range n.Layers {
			l.node(layer, depth+1)
		}
	case *graph.Splice, *graph.Positional, *graph.Extend, *graph.Let, *graph.Define:
		l.parts(n, depth)
	}
}

// parts checks the parts of a node.
func (l *linter) parts(n graph.Node, depth int) {
	for _, part := range graph.Parts(n) {
		l.node(part.Node, depth+1)
	}
}

// thunk checks an expression or a template.
func (l *linter) thunk(t graph.Thunk) {
	if c, ok := t.(checker); ok {
		l.found = append(l.found, c.Check(l.lib)...)
	}
}

// entries checks the keys and values of a map.
func (l *linter) entries(m *graph.Map, depth int) {
	for i := range m.Entries {
		e := &m.Entries[i]
		l.key(e)
		if l.doc.Lang == merge.Language {
			l.spelling(e)
		}
		l.node(e.Node, depth+1)
	}
	if m.Form {
		l.nearExpression(m)
	} else if l.doc.Lang != yay.Language {
		l.nearEval(m)
	}
}

// nearEval reports a map that would be an expression with the key eval: {evl: ::x::y}.
func (l *linter) nearEval(m *graph.Map) {
	var near *graph.Entry
	for i := range m.Entries {
		e := &m.Entries[i]
		switch {
		case e.Key.Kind != value.StringKind:
			return
		case expr.IsObjectKey(e.Key.Text):
		case near == nil && source.Suggest(e.Key.Text, slices.Values([]string{"eval"})) != "":
			near = e
		default:
			return
		}
	}
	if near == nil || !expr.LooksLikeExpression(l.data.of(near.Node)) {
		return
	}
	l.warn(near.KeyAt, "%q is an ordinary key, and this map is data, not an expression", near.Key.Text).
		WithHint(`did you mean "eval"?`)
}

// key reports a key that looks like a directive but is an ordinary key, such as +a/b.
func (l *linter) key(e *graph.Entry) {
	if l.doc.Lang == yay.Language {
		if d := yay.LintKey(e); d != nil {
			l.found = append(l.found, d)
		}
		return
	}
	if e.Key.Kind == value.StringKind && expr.IsTemplate(e.Key.Text) && !l.doc.Off[merge.Templates] {
		l.warn(e.KeyAt, "a template in a key is text: keys are not evaluated").
			WithHint("%s", `a key that depends on a condition has a value that is omit elsewhere: "{{ VALUE if CONDITION else omit }}"`)
	}
	if e.Key.Kind != value.StringKind || !strings.HasPrefix(e.Key.Text, "+") || merge.IsDirective(e.Key.Text) {
		return
	}
	if word := strings.TrimLeft(e.Key.Text, "+?"); strings.HasPrefix(word, "inc") || strings.ContainsAny(word, "*/") {
		l.warn(e.KeyAt, "%q is an ordinary key, not a merge directive", e.Key.Text).
			WithHint("directives are +include, +*anchor, +/path, +../path, +lists, +%%, +&")
	}
}

// nearExpression reports a map with the key eval that is data, since it has other keys than
// expressions have: {eval: x, vras: {}}.
func (l *linter) nearExpression(m *graph.Map) {
	raw := value.NewMap(len(m.Entries))
	for i := range m.Entries {
		if e := &m.Entries[i]; m.Private == nil || e.Key != graph.PrivateKey {
			raw.Set(e.Key, l.data.of(e.Node))
		}
	}
	if expr.IsExpression(raw) {
		return
	}
	var near *source.Diagnostic
	for i := range m.Entries {
		e := &m.Entries[i]
		if e.Key.Text == "eval" || expr.IsObjectKey(e.Key.Text) {
			continue
		}
		if word := source.Suggest(e.Key.Text, slices.Values(objectKeys)); word != "" && near == nil {
			near = source.Warnf(e.KeyAt, source.Suspicious, "%q is no key of expressions, so this map is data", e.Key.Text).
				WithHint("did you mean %q?", word)
		}
	}
	for i := range m.Entries {
		if k := m.Entries[i].Key.Text; k == "eval" {
			if near != nil {
				l.found = append(l.found, near)
				return
			}
			l.warn(m.Entries[i].KeyAt, "this map is data, not an expression: it has keys that expressions do not have").
				WithHint("the keys of expressions are eval, vars, select, foreach, trace, strict, base_dir")
		}
	}
}

// objectKeys are the keys of an expression object next to eval.
var objectKeys = []string{"vars", "select", "foreach", "trace", "strict", "base_dir"}

// A nodeData returns the data of nodes without evaluating them. It converts each list and map once:
// aliases share nodes, so that a short text may have more parts than fit in memory.
type nodeData struct {
	places bool // the texts in lists and maps have their places
	known  map[graph.Node]value.Value
}

// of returns the data of a node. A node that is not data is an empty map.
func (d *nodeData) of(n graph.Node) value.Value {
	if v, ok := d.known[n]; ok {
		return v
	}
	v := value.FromMap(value.NewMap(0))
	switch n := n.(type) {
	case *graph.Scalar:
		return n.Val
	case *graph.Computed:
		return n.Thunk.Raw()
	case *graph.Seq:
		v = d.list(n)
	case *graph.Map:
		v = d.dict(n)
	}
	if d.known == nil {
		d.known = map[graph.Node]value.Value{}
	}
	d.known[n] = v
	return v
}

func (d *nodeData) list(n *graph.Seq) value.Value {
	items := make(value.Slice, len(n.Items))
	for i := range n.Items {
		items[i] = d.of(n.Items[i])
	}
	if d.places {
		return value.FromList(locatedList{items, n})
	}
	return value.FromList(items)
}

func (d *nodeData) dict(n *graph.Map) value.Value {
	m := value.NewMap(len(n.Entries))
	for i := range n.Entries {
		m.Set(n.Entries[i].Key, d.of(n.Entries[i].Node))
	}
	if d.places {
		return value.FromMap(locatedMap{m, n})
	}
	return value.FromMap(m)
}

// base reports an absolute pointer in an included file that finds a place both in the document
// and in the file.
func (l *linter) base(n graph.Node) {
	ref, ok := n.(*graph.Ref)
	if !ok || ref.From != graph.FromRoot || !l.included {
		return
	}
	main, err := l.eval.Root().Find(ref.Path)
	if err != nil || main == nil {
		return
	}
	own, err := l.eval.FileRoot(&graph.Origin{Doc: l.doc, Ref: ref}).Find(ref.Path)
	if err != nil || own == nil {
		return
	}
	l.warn(ref.At, "%s is found in the document and in this file; the place in the document is used", ref.Key)
}
