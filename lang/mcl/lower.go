package mcl

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

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
		g.Pick = func(p *graph.Context, v value.Value) (graph.Node, error) {
			kept := runtimeOf(p).nodes[v.Str()]
			if key == "edges" {
				return kept.edges, nil
			}
			return kept.resources, nil
		}
		g.Causes = func(p *graph.Context, v value.Value, part value.Path) []graph.Cause {
			return runtimeOf(p).nodes[v.Str()].causes(key, part)
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
func (t *runThunk) Eval(p *graph.Context) (value.Value, error) {
	name, marks, err := runtimeOf(p).run(t.tree, p)
	return value.String(name).Mark(marks), included(p, err)
}

// Raw returns nothing: a program is no data.
func (t *runThunk) Raw() value.Value { return value.Null }

// Soft is false.
func (t *runThunk) Soft() bool { return false }

// nodes are the results of runs with the same resources and edges.
type nodes struct {
	resources, edges graph.Node
	from             *output
}

// A builder makes the nodes of an output. Their parts are allocated in blocks.
type builder struct {
	scalars []graph.Scalar
	entries []graph.Entry
}

// blockSize is the number of parts that are allocated together.
const blockSize = 128

// take returns n parts of a block, at most blockSize, or of a new one.
func take[T any](block *[]T, n int) []T {
	if len(*block) < n {
		*block = make([]T, blockSize)
	}
	parts := (*block)[:n:n]
	*block = (*block)[n:]
	return parts
}

// scalar returns an entry with a constant.
func (b *builder) scalar(key string, v value.Value, at source.Span) graph.Entry {
	s := &take(&b.scalars, 1)[0]
	s.At, s.Val = at, v
	return graph.Entry{Key: value.K(key), KeyAt: at, Node: s}
}

// lower returns the nodes of an output.
func (o *output) lower() nodes {
	at := o.place.At
	b := &builder{}
	resources := graph.Seq{At: at, Items: make([]graph.Node, len(o.resources))}
	for i, r := range o.resources {
		resources.Items[i] = b.resource(r)
	}
	edges := graph.Seq{At: at, Items: make([]graph.Node, len(o.edges))}
	for i, e := range o.edges {
		edges.Items[i] = b.edge(e)
	}
	return nodes{graph.NewSeq(resources), graph.NewSeq(edges), o}
}

// resource returns a resource as a map. Its parameters are evaluated when they are asked for.
func (b *builder) resource(r *vertex) graph.Node {
	at := r.node.At
	all := r.params()
	fields := 0
	for fields < len(all) && !all[fields].meta {
		fields++
	}
	entries := append(take(&b.entries, 4)[:0],
		b.scalar("kind", value.String(r.Kind), r.node.Kind.At),
		b.scalar("name", value.String(r.Name).Mark(r.marks), r.node.Name.Span()),
		graph.Entry{Key: value.K("params"), KeyAt: at, Node: r.lower(all[:fields])},
	)
	if fields < len(all) {
		entries = append(entries, graph.Entry{Key: value.K("meta"), KeyAt: at, Node: r.lower(all[fields:])})
	}
	return graph.NewMap(graph.Map{At: at, Entries: entries})
}

// lower returns parameters as a map.
func (r *vertex) lower(params []param) graph.Node {
	entries := make([]graph.Entry, len(params))
	for i, p := range params {
		entries[i] = graph.Entry{
			Key: value.K(p.name), KeyAt: p.line.At, Node: &graph.Computed{At: p.line.Value.Span(), Thunk: &paramThunk{p, r.frame}},
		}
	}
	return graph.NewMap(graph.Map{At: r.node.At, Entries: entries})
}

// edge returns an edge as a map.
func (b *builder) edge(e *edge) graph.Node {
	entries := append(take(&b.entries, 3)[:0],
		b.scalar("from", value.String(e.from.text), e.at),
		b.scalar("to", value.String(e.to.text), e.at),
		b.scalar("notify", value.Bool(e.notify), e.at),
	)
	if e.recv != "" {
		entries = append(entries, b.scalar("send", value.String(e.send), e.at), b.scalar("recv", value.String(e.recv), e.at))
	}
	return graph.NewMap(graph.Map{At: e.at, Entries: entries})
}

// A paramThunk evaluates a parameter of a resource.
type paramThunk struct {
	param
	frame *frame
}

// Eval evaluates the parameter.
func (t *paramThunk) Eval(p *graph.Context) (value.Value, error) {
	v, err := t.param.eval(t.frame)
	return v, included(p, err)
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
	p := &printer{Hash: sha256.New()}
	for _, r := range o.resources {
		p.write(r.Kind, r.Name)
		p.number(int(r.node.At.Start), len(r.lines))
		for _, l := range r.lines {
			p.number(int(l.At.Start))
		}
	}
	for _, e := range o.edges {
		p.write(e.from.text, e.to.text, e.send, e.recv)
		if e.notify {
			p.number(1)
		}
	}
	p.Write(p.buffer)
	return string(p.Sum(nil))
}

// A printer hashes texts and numbers.
type printer struct {
	hash.Hash
	buffer []byte
}

// write adds texts with their lengths, so that "ab", "c" differs from "a", "bc".
func (p *printer) write(texts ...string) {
	for _, t := range texts {
		p.number(len(t))
		p.buffer = append(p.buffer, t...)
	}
}

// number adds numbers. The buffer is hashed when it has some kB, not for each number.
func (p *printer) number(ns ...int) {
	if len(p.buffer) > 4096 {
		p.Write(p.buffer)
		p.buffer = p.buffer[:0]
	}
	for _, n := range ns {
		p.buffer = binary.AppendUvarint(p.buffer, uint64(n))
	}
}
