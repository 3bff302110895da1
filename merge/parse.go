package merge

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Options are the switches for a text. The zero value enables everything.
type Options struct {
	yaml.ParseOptions
	NoExpressions bool        // expression objects are data
	NoDirectives  bool        // keys such as +include are data
	NoLiteral     bool        // results of templates stay text
	Vaults        bool        // values with the tag !vault are decrypted when they are evaluated
	JSON          bool        // the text is JSON
	Lang          string      // the language of the documents if that is neither YAML nor JSON
	Trees         yaml.Parser // its parser

	// Included marks a text that becomes part of another document. The comment that
	// holds its switches is dropped.
	Included bool

	// Switch adds to the switches in the first comment of the file.
	Switch map[string]bool
}

// Parse parses a text, which may hold several documents. If there are findings of
// severity error, the documents must not be used.
func Parse(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
	parse := o.Trees
	switch {
	case parse != nil:
	case o.JSON:
		parse = yaml.ParseJSON
	default:
		parse = yaml.Parse
	}
	trees, findings := parse(f, o.ParseOptions)
	if source.FirstError(findings) != nil {
		return nil, findings
	}
	var again *rereading
	if o.Trees == nil {
		again = &rereading{parse: func() []*yaml.Document { trees, _ := parse(f, o.ParseOptions); return trees }}
	}
	docs := make([]*graph.Doc, len(trees))
	for i, t := range trees {
		l := newLowering(f, o.forFile(t.Options))
		l.again = again
		l.top = t.Root
		docs[i] = l.document(t)
		if i == 0 {
			findings = append(findings, yaml.Switches(f, switchNames[:])...)
		}
		findings = append(findings, l.findings...)
	}
	return docs, findings
}

// forFile returns o with the switches in the first comment of the file, and the switches of
// the include, applied. Both can only turn something off.
func (o Options) forFile(file map[string]bool) Options {
	for _, s := range []map[string]bool{file, o.Switch} {
		for name, on := range s {
			switch name {
			case "templates":
				o.NoTemplates = o.NoTemplates || !on
			case "expressions":
				o.NoExpressions = o.NoExpressions || !on
			case "directives":
				o.NoDirectives = o.NoDirectives || !on
			case literals:
				o.NoLiteral = o.NoLiteral || !on
			}
		}
	}
	return o
}

// switchNames are the names in the comment "# yaytpl: templates=off" and in the map form
// of an include.
var switchNames = [...]string{"templates", "expressions", "directives", literals}

// Templates is the switch of templates, literals the switch of their results.
const (
	Templates = "templates"
	literals  = "literals"
)

// ParseValue parses a text that is one value, as [Parse] does for a document. tag is
// the tag of a map or list.
func ParseValue(f *source.File, parse yaml.OneParser, o Options) (doc *graph.Doc, tag string, findings []*source.Diagnostic) {
	tree, findings := parse(f, o.ParseOptions)
	if source.FirstError(findings) != nil {
		return nil, "", findings
	}
	l := newLowering(f, o.forFile(tree.Options))
	doc = l.document(tree)
	if n := tree.Root; n != nil && n.Kind != yaml.ScalarNode {
		tag = n.Tag
	}
	return doc, tag, append(findings, l.findings...)
}

// A lowering converts the tree of one document to graph nodes.
type lowering struct {
	file     *source.File
	opts     Options
	doc      *graph.Doc
	marks    value.Marks
	done     map[*yaml.Node]graph.Node // of nodes with an anchor, shared by aliases
	open     map[*yaml.Node]bool       // nodes with an anchor that are being lowered
	anchors  map[string]graph.Node
	findings []*source.Diagnostic
	expanded bool                // the text is an expanded document, in which directives are data
	top      *yaml.Node          // the root of a document of a file
	first    *yaml.Node          // a map whose first comment holds switches to drop
	merged   *mergeCount         // the work of "<<"
	merging  map[*yaml.Node]bool // maps whose "<<" are being carried out
	again    *rereading          // of the text; nil if nodes keep its tree
	plain    *lowering           // the file and options for the maps as written
}

func newLowering(f *source.File, o Options) *lowering {
	l := &lowering{
		file: f, opts: o, done: map[*yaml.Node]graph.Node{}, open: map[*yaml.Node]bool{}, anchors: map[string]graph.Node{},
		merged: &mergeCount{}, merging: map[*yaml.Node]bool{},
	}
	if f.Secret {
		l.marks = value.Secret
	}
	return l
}

// document lowers the root of a document.
func (l *lowering) document(d *yaml.Document) *graph.Doc {
	l.doc = &graph.Doc{File: l.file, Base: graph.BaseOf(l.file), Lang: "yaml", Anchors: l.anchors, Head: d.Head, Foot: d.Foot}
	if l.opts.JSON {
		l.doc.Lang = "json"
	} else if l.opts.Lang != "" {
		l.doc.Lang = l.opts.Lang
	}
	if l.opts.NoLiteral || l.opts.NoTemplates {
		l.doc.Off = map[string]bool{literals: l.opts.NoLiteral, Templates: l.opts.NoTemplates}
	}
	if l.opts.Included && d.Options != nil {
		l.first = d.Root
	}
	if d.Root != nil {
		if note := d.Root.Annotation(); note != nil {
			l.doc.Tag = note.Tag
		}
		l.doc.Root = l.node(d.Root)
	}
	return l.doc
}

// errorf adds an error to the findings and returns it, for notes and hints.
func (l *lowering) errorf(at source.Span, code source.Code, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(at, code, format, args...)
	l.findings = append(l.findings, d)
	return d
}

// Lower converts an expanded document, whose directives are carried out, to nodes as
// [Parse] does for its text, except that keys like directives are data. f is not
// read; the values are secret if it is.
func Lower(v value.Value, f *source.File, o Options) (graph.Node, error) {
	tree, err := yaml.FromValue(v)
	if err != nil {
		return nil, err
	}
	o.NoDirectives = true
	l := newLowering(f, o)
	l.expanded = true
	n := l.node(tree)
	if d := source.FirstError(l.findings); d != nil {
		return n, d
	}
	return n, nil
}

// node lowers a value. Aliases of one anchor share its node.
func (l *lowering) node(n *yaml.Node) graph.Node {
	if n.Kind == yaml.AliasNode {
		if l.open[n.Target] {
			l.errorf(n.At, source.Cycle, "the anchor %q contains its own alias", n.Anchor).Note(n.Target.AnchorAt, "the anchor")
			return &graph.Scalar{At: n.At}
		}
		n = n.Target
	}
	if n.Anchor == "" {
		return l.content(n)
	}
	if done := l.done[n]; done != nil {
		return done
	}
	l.open[n] = true
	g := l.content(n)
	delete(l.open, n)
	l.done[n] = g
	l.anchors[n.Anchor] = g
	return g
}

// content lowers a node without regard to its anchor.
func (l *lowering) content(n *yaml.Node) graph.Node {
	if l.merged.nested > 0 && !l.merged.visit(l, n, 1) {
		return &graph.Scalar{At: n.At}
	}
	switch n.Kind {
	case yaml.MapNode:
		return l.mapping(n)
	case yaml.SeqNode:
		return l.sequence(n)
	}
	return l.scalar(n)
}

// scalar lowers a scalar, to a computed value if it is a template.
func (l *lowering) scalar(n *yaml.Node) graph.Node {
	v := n.Value.Mark(l.marks)
	if n.Tag == "!vault" {
		v = v.Mark(value.Sensitive)
		if l.opts.Vaults && v.Is(value.StringKind) {
			return &graph.Computed{At: n.At, Thunk: vaultThunk{text: v.Verbatim(), at: n.At}}
		}
	}
	if v.Is(value.StringKind) && expr.IsTemplate(v.Str()) {
		if !l.opts.NoTemplates {
			omits := expr.MayOmit(v.Str())
			if l.doc != nil {
				l.doc.Omits = l.doc.Omits || omits
			}
			only := *n // not the block of nodes around it
			return &graph.Computed{At: n.At, Thunk: &templateThunk{text: v, node: &only, omits: omits}}
		}
		v = v.Verbatim()
	}
	return &graph.Scalar{At: n.At, Val: v}
}

// sequence lowers a list.
func (l *lowering) sequence(n *yaml.Node) graph.Node {
	s := graph.Seq{At: n.At, Items: make([]graph.Node, 0, len(n.Items))}
	for i, item := range n.Items {
		if l.isReplaceMark(item) {
			if i == 0 {
				s.Replace = true
				continue
			}
			l.findings = append(l.findings, source.Warnf(item.At, source.Suspicious, "only the first item of a list can replace the list below").
				WithHint("make this the first item"))
		}
		s.Items = append(s.Items, l.item(item))
		if note := item.Annotation(); note != nil {
			if s.Notes == nil {
				s.Notes = make([]*value.Annotation, len(s.Items)-1, len(n.Items))
			}
			s.Notes = append(s.Notes, note)
		} else if s.Notes != nil {
			s.Notes = append(s.Notes, nil)
		}
	}
	return graph.NewSeq(s)
}

// isReplaceMark reports whether n, as the first item of a list, makes the list replace
// older ones: {+%: replace} (spec: merge, section 6).
func (l *lowering) isReplaceMark(n *yaml.Node) bool {
	if l.opts.NoDirectives || n.Kind != yaml.MapNode || len(n.Entries) != 1 || n.Entries[0].Key != value.K(strategyKey) {
		return false
	}
	word, ok := wordOf(n.Entries[0].Value)
	return ok && isReplace(word)
}

// item lowers an item of a list. A map of a single directive is replaced by the items of its
// target; a map with {+%: merge} joins the older item of the same index:
//
//	[{+/more: }]               the items of /more
//	[a, {+%: merge, x: 1}]     sets x in the second item of the older list
func (l *lowering) item(n *yaml.Node) graph.Node {
	g := l.node(n)
	switch g := g.(type) {
	case *graph.Overlay:
		if g.Lone {
			return &graph.Splice{Node: g}
		}
		if g.Own.Strategy == graph.MergeStrategy {
			return &graph.Positional{Node: g}
		}
	case *graph.Map:
		if g.Strategy == graph.MergeStrategy {
			return &graph.Positional{Node: g}
		}
	}
	return g
}

// wordOf returns the string that a node or the target of an alias holds. It returns false
// for any other node.
func wordOf(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	return n.Value.Str(), n.Value.Is(value.StringKind)
}
