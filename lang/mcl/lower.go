package mcl

import (
	"crypto/sha256"
	"encoding/binary"
	"io"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Language is the name of the language.
const Language = "mcl"

// Lower returns a program as a document: a map of resources and edges (spec: mcl, section 11). Each is
// the choice of a guard over one run of the program. So which resources there are is decided when the
// first of them is asked for, and the values of their parameters when these are asked for.
//
//	resources: Guard: Seq of {kind, name, params: {field: Computed ...}, meta}
//	edges:     Guard: Seq of {from, to, notify}
func Lower(tree *syntax.Program) *graph.Doc {
	at := tree.File.Span(0, 0)
	entry := func(key string) graph.Entry {
		g := &graph.Guard{At: at, On: &runThunk{tree}, Label: "program"}
		g.Pick = func(p *graph.Place, v value.Value) (graph.Node, error) {
			kept := runtimeOf(p).nodes[v.Str()]
			if key == "edges" {
				return kept.edges, nil
			}
			return kept.resources, nil
		}
		return graph.Entry{Key: value.K(key), KeyAt: at, Node: g}
	}
	root := graph.NewMap(graph.Map{At: at, Entries: []graph.Entry{entry("resources"), entry("edges")}})
	return &graph.Doc{File: tree.File, Root: root, Lang: Language}
}

// Tree returns the tree of a document that Lower made.
func Tree(doc *graph.Doc) *syntax.Program {
	return doc.Root.(*graph.Map).Entries[0].Node.(*graph.Guard).On.(*runThunk).tree
}

// A runThunk evaluates to the name of the nodes that a run of a program has. Runs with the same resources
// have the same nodes, so that a guard which is asked again picks the same.
type runThunk struct{ tree *syntax.Program }

// Eval runs the program at p.
func (t *runThunk) Eval(p *graph.Place) (value.Value, error) {
	name, marks, err := runtimeOf(p).run(t.tree, p)
	return value.String(name).Mark(marks), p.Included(err)
}

// Raw returns nothing: a program is no data.
func (t *runThunk) Raw() value.Value { return value.Null }

// Soft is false.
func (t *runThunk) Soft() bool { return false }

// nodes are the results of runs with the same resources and edges.
type nodes struct{ resources, edges graph.Node }

// lower returns the nodes of an output.
func (o *output) lower() nodes {
	at := o.place.At
	resources := graph.Seq{At: at, Items: make([]graph.Node, len(o.resources))}
	for i, r := range o.resources {
		resources.Items[i] = r.lower()
	}
	edges := graph.Seq{At: at, Items: make([]graph.Node, len(o.edges))}
	for i, e := range o.edges {
		edges.Items[i] = e.lower()
	}
	return nodes{graph.NewSeq(resources), graph.NewSeq(edges)}
}

// lower returns a resource as a map. Its parameters are evaluated when they are asked for.
func (r *vertex) lower() graph.Node {
	at := r.node.At
	name := value.String(r.Name).Mark(r.marks)
	entries := []graph.Entry{
		scalar("kind", value.String(r.Kind), r.node.Kind.At),
		scalar("name", name, r.node.Name.Span()),
	}
	params, meta := graph.Map{At: at}, graph.Map{At: at}
	for _, p := range r.params() {
		m := &params
		if p.meta {
			m = &meta
		}
		m.Entries = append(m.Entries, graph.Entry{
			Key: value.K(p.name), KeyAt: p.line.At, Node: &graph.Computed{At: p.line.Value.Span(), Thunk: &paramThunk{p, r.frame}},
		})
	}
	entries = append(entries, graph.Entry{Key: value.K("params"), KeyAt: at, Node: graph.NewMap(params)})
	if len(meta.Entries) > 0 {
		entries = append(entries, graph.Entry{Key: value.K("meta"), KeyAt: at, Node: graph.NewMap(meta)})
	}
	return graph.NewMap(graph.Map{At: at, Entries: entries})
}

func (e *edge) lower() graph.Node {
	entries := []graph.Entry{
		scalar("from", value.String(e.fromText), e.at),
		scalar("to", value.String(e.toText), e.at),
		scalar("notify", value.Bool(e.notify), e.at),
	}
	if e.recv != "" {
		entries = append(entries, scalar("send", value.String(e.send), e.at), scalar("recv", value.String(e.recv), e.at))
	}
	return graph.NewMap(graph.Map{At: e.at, Entries: entries})
}

func scalar(key string, v value.Value, at source.Span) graph.Entry {
	return graph.Entry{Key: value.K(key), KeyAt: at, Node: &graph.Scalar{At: at, Val: v}}
}

// A paramThunk evaluates a parameter of a resource.
type paramThunk struct {
	param
	frame *frame
}

// Eval evaluates the parameter.
func (t *paramThunk) Eval(p *graph.Place) (value.Value, error) {
	v, err := t.param.eval(t.frame)
	return v, p.Included(err)
}

// Raw returns the text of the expression.
func (t *paramThunk) Raw() value.Value { return rawText(t.line.Value.Span()) }

// Soft is false.
func (t *paramThunk) Soft() bool { return false }

// typeIn returns the type of a parameter.
func (p param) typeIn(f *frame) *types.Type {
	t := f.in.typeOf(p.line.Value)
	if p.field != "" {
		return t.Fields[t.Field(p.field)].Type
	}
	return t
}

// fingerprint returns a text that is the same for outputs with the same resources, lines and edges. The
// values of parameters do not count: they are evaluated later.
func (o *output) fingerprint() string {
	h := sha256.New()
	for _, r := range o.resources {
		write(h, r.Kind, r.Name)
		number(h, int(r.node.At.Start), len(r.lines))
		for _, l := range r.lines {
			number(h, int(l.At.Start))
		}
	}
	for _, e := range o.edges {
		write(h, e.fromText, e.toText, e.send, e.recv)
		if e.notify {
			number(h, 1)
		}
	}
	return string(h.Sum(nil))
}

func write(w io.Writer, texts ...string) {
	for _, t := range texts {
		number(w, len(t))
		io.WriteString(w, t)
	}
}

func number(w io.Writer, ns ...int) {
	for _, n := range ns {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		w.Write(b[:])
	}
}
