package merge

import (
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Options are the switches for a text. The zero value reads everything.
type Options struct {
	NoTemplates   bool
	NoExpressions bool
	NoDirectives  bool
	NoLiteral     bool // results of templates stay text
	Lenient       bool // a duplicate key is a warning: the last one counts
	JSON          bool // the text is JSON
	MaxDepth      int  // nesting; 0 means the default of lang/yaml
	YAMLScalars   bool // Yay: plain scalars are read as in YAML

	// Included says that the text is to be part of another document: the comment
	// that holds its switches does not go there.
	Included bool

	// Switch overrides what the file says about itself in its first comment.
	Switch map[string]bool
}

// Parse reads a text into one document for each that it holds. Findings of
// severity error mean that the documents must not be used.
func Parse(f *source.File, o Options) ([]*graph.Doc, []*source.Diagnostic) {
	p := yaml.ParseOptions{Lenient: o.Lenient, NoTemplates: o.NoTemplates, MaxDepth: o.MaxDepth}
	parse := yaml.Parse
	if o.JSON {
		parse = yaml.ParseJSON
	}
	trees, findings := parse(f, p)
	if firstError(findings) != nil {
		return nil, findings
	}
	docs := make([]*graph.Doc, len(trees))
	for i, t := range trees {
		l := newLowering(f, o.forFile(t.Options))
		docs[i] = l.document(t)
		if i == 0 {
			findings = append(findings, unknownSwitches(f, t.Options)...)
		}
		findings = append(findings, l.findings...)
	}
	return docs, findings
}

// forFile applies the switches that the file has for itself, then those of the
// include that brought it.
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

// switchNames are the words of the comment "# yaytpl: templates=off" and of the map
// form of an include.
var switchNames = [...]string{"templates", "expressions", "directives", literals}

const literals = "literals"

// unknownSwitches notes words in that comment that switch nothing: a slip there
// would leave on what was to be off.
func unknownSwitches(f *source.File, have map[string]bool) []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if slices.Contains(switchNames[:], name) {
			continue
		}
		at := strings.Index(f.Text, name+"=")
		found = append(found, source.Warnf(f.Span(at, at+len(name)), source.Suspicious, "there is no switch %q", name).
			WithHint("there are %s", strings.Join(switchNames[:], ", ")))
	}
	return found
}

// Data reads a text of one document as plain data: nothing in it is evaluated.
func Data(f *source.File) (value.Value, error) {
	trees, findings := yaml.Parse(f, yaml.ParseOptions{})
	if err := firstError(findings); err != nil || len(trees) == 0 {
		return value.Null, err
	}
	return trees[0].Root.ToValue()
}

// A lowering turns the tree of one document into graph nodes.
type lowering struct {
	file     *source.File
	opts     Options
	doc      *graph.Doc
	marks    value.Marks
	done     map[*yaml.Node]graph.Node // nodes with an anchor: aliases share them
	open     map[*yaml.Node]bool
	anchors  map[string]graph.Node
	findings []*source.Diagnostic
	first    *yaml.Node          // a map whose first comment holds switches, which are dropped
	merged   *mergeCount         // what "<<" did
	merging  map[*yaml.Node]bool // maps that are being given what "<<" brings
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

func (l *lowering) document(d *yaml.Document) *graph.Doc {
	l.doc = &graph.Doc{File: l.file, Base: graph.BaseOf(l.file), Lang: "yaml", Anchors: l.anchors, Head: d.Head, Foot: d.Foot}
	if l.opts.JSON {
		l.doc.Lang = "json"
	}
	if l.opts.NoLiteral {
		l.doc.Off = map[string]bool{literals: true}
	}
	if l.opts.Included && d.Options != nil {
		l.first = d.Root
	}
	if d.Root != nil {
		l.doc.Root = l.node(d.Root)
	}
	return l.doc
}

func (l *lowering) errorf(at source.Span, code source.Code, format string, args ...any) *source.Diagnostic {
	d := source.Errorf(at, code, format, args...)
	l.findings = append(l.findings, d)
	return d
}

// Lower returns the nodes of a document with its directives carried out: those that
// [Parse] makes of its text, except that what looks like a directive is data. The file is
// that whose names and switches count; it is not read.
func Lower(v value.Value, f *source.File, o Options) (graph.Node, error) {
	tree, err := yaml.FromValue(v)
	if err != nil {
		return nil, err
	}
	o.NoDirectives = true
	l := newLowering(f, o)
	n := l.node(tree)
	return n, firstError(l.findings)
}

func firstError(findings []*source.Diagnostic) error {
	for _, d := range findings {
		if d.Severity == source.Error {
			return d
		}
	}
	return nil
}

// node lowers a node in the place of a value.
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

func (l *lowering) scalar(n *yaml.Node) graph.Node {
	v := n.Value.Mark(l.marks)
	if n.Tag == "!vault" {
		v = v.Mark(value.Sensitive)
	}
	if v.Is(value.StringKind) && expr.IsTemplate(v.Str()) {
		if !l.opts.NoTemplates {
			return &graph.Computed{At: n.At, Thunk: &templateThunk{text: v, node: n}}
		}
		v = v.Verbatim()
	}
	return &graph.Scalar{At: n.At, Val: v}
}

func (l *lowering) sequence(n *yaml.Node) graph.Node {
	s := graph.Seq{At: n.At, Items: make([]graph.Node, 0, len(n.Items))}
	for i, item := range n.Items {
		if i == 0 && l.isReplaceMark(item) {
			s.Replace = true
			continue
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

// isReplaceMark reports whether the first item of a list says that the list
// replaces an older one: {+%: replace} (spec: merge, section 6).
func (l *lowering) isReplaceMark(n *yaml.Node) bool {
	if l.opts.NoDirectives || n.Kind != yaml.MapNode || len(n.Entries) != 1 || n.Entries[0].Key != value.K(strategyKey) {
		return false
	}
	word, ok := wordOf(n.Entries[0].Value)
	return ok && word != "whiteout" && word != "nullout" && word != "merge" && word != "error"
}

// item lowers an item of a list: a directive alone is replaced by the items of its
// target, a map marked "merge" joins the older item of the same index.
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

// wordOf returns the text that a node is or stands for, false for what is none.
func wordOf(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	if n.Kind != yaml.ScalarNode {
		return "", false
	}
	return n.Value.Str(), n.Value.Is(value.StringKind)
}
