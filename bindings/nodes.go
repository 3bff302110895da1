package bindings

import (
	"context"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/lookup"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Nodes are layered bindings, or a hierarchy of Hiera, for many nodes. What does not depend on
// facts is read once. Their methods are safe for concurrent use.
type Nodes struct {
	ctx    context.Context
	opts   yaytpl.Options
	source *lookup.Bindings
	nodes  *lookup.Nodes

	mu     sync.Mutex
	shared []*source.Diagnostic // warnings of files of all nodes
	told   map[string]bool      // warnings that were passed on
}

// A NodeAnswer is what one node gets.
type NodeAnswer struct {
	Node string // the fact trusted.certname of the file, or the name of the file without its ending
	File string // of the facts

	// Value is the value of the key; of [Nodes.All] the map of all data.
	Value value.Value
	// Answer explains the value. It is nil after [Nodes.All], and if Err is set.
	Answer *Answer
	// Err is why the node has no value: as of Open or Lookup; not-found for a key that
	// nothing binds, unless the request has a default.
	Err error

	warnings []*source.Diagnostic
}

// OpenNodes opens a source of bindings, such as a hiera.yaml, for the nodes whose facts are in
// the files that match patterns, such as nodes/*.yaml. These facts override the facts of node.Facts, and
// node.FactValues override them. Options.Warn is called by the iterators with a
// warning of the first node that has it.
//
// Codes: access if no file matches a pattern, the codes of [Open] but for composition.
func OpenNodes(ctx context.Context, name string, patterns []string, o yaytpl.Options, node yaytpl.NodeOptions) (*Nodes, error) {
	n := &Nodes{ctx: ctx, opts: o, told: map[string]bool{}}
	opts := options(ctx, name, o, node)
	opts.Engine.Warn = func(d *source.Diagnostic) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.shared = append(n.shared, d)
	}
	var err error
	if n.nodes, err = lookup.OpenNodes(opts.Engine, patterns, node.Facts, node.FactValues); err != nil {
		return nil, err
	}
	if n.source, err = lookup.Open(ctx, opts); err != nil {
		return nil, err
	}
	return n, nil
}

// Names returns the names of the nodes, in order.
func (n *Nodes) Names() []string {
	var out []string
	for _, node := range n.nodes.List() {
		out = append(out, node.Name)
	}
	return out
}

// Node returns the bindings of a node.
//
// Codes: not-found for an unknown node, the codes of its facts and of composition.
func (n *Nodes) Node(name string) (*Bindings, error) {
	list := n.nodes.List()
	i := slices.IndexFunc(list, func(node lookup.Node) bool { return node.Name == name })
	if i < 0 {
		return nil, source.Errorf(source.Span{}, source.NotFound, "there are no facts of a node %q", name).DidYouMean(name, slices.Values(n.Names()))
	}
	a := NodeAnswer{}
	b, err := n.compose(list[i], &a)
	n.warn(a.warnings)
	return b, err
}

// Lookup yields what each node gets for a request, in the order of names. It works ahead of the
// loop, on all cores, and stops when the context of OpenNodes is done.
func (n *Nodes) Lookup(r Request) iter.Seq[NodeAnswer] {
	return n.each(func(b *Bindings, a *NodeAnswer) error {
		found, err := b.Lookup(r)
		if err != nil {
			return err
		}
		a.Answer, a.Value = found, found.Value
		if !found.Found {
			return found.NotFound()
		}
		return nil
	})
}

// All yields all effective data of each node, as Lookup yields a value.
func (n *Nodes) All() iter.Seq[NodeAnswer] {
	return n.each(func(b *Bindings, a *NodeAnswer) (err error) {
		a.Value, err = b.All()
		return err
	})
}

// each yields what ask finds out about each node.
func (n *Nodes) each(ask func(*Bindings, *NodeAnswer) error) iter.Seq[NodeAnswer] {
	list := n.nodes.List()
	answer := func(i int) NodeAnswer {
		a := NodeAnswer{Node: list[i].Name, File: list[i].File}
		var b *Bindings
		if a.Err = n.ctx.Err(); a.Err == nil {
			b, a.Err = n.compose(list[i], &a)
		}
		if a.Err == nil {
			a.Err = ask(b, &a)
		}
		return a
	}
	return func(yield func(NodeAnswer) bool) {
		for _, a := range lookup.InOrder(len(list), answer) {
			if n.ctx.Err() != nil {
				return
			}
			n.warn(a.warnings)
			if !yield(a) {
				return
			}
		}
	}
}

// compose returns the bindings of a node, and adds its warnings to the warnings of a.
func (n *Nodes) compose(node lookup.Node, a *NodeAnswer) (*Bindings, error) {
	facts, err := n.nodes.Facts(node)
	if err != nil {
		return nil, err
	}
	t, err := n.source.ComposeWith(facts, func(d *source.Diagnostic) {
		named := *d
		named.Notes = slices.Clone(d.Notes)
		a.warnings = append(a.warnings, named.Note(source.Span{}, "this is for the node %s", source.Escaped(node.Name)))
	})
	if err != nil {
		return nil, err
	}
	return &Bindings{&lookup.Table{Table: t}, n.opts}, nil
}

// maxTold bounds the warnings that are known, so that they are not passed on twice.
const maxTold = 10_000

// warn passes on the warnings of a node and of the files that all nodes share, each once: most warnings are
// the same for many nodes.
func (n *Nodes) warn(own []*source.Diagnostic) {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := append(n.shared, own...)
	n.shared = nil
	for _, d := range all {
		if d = n.opts.Checks.Apply(d); d == nil || n.opts.Warn == nil {
			continue
		}
		if text := d.Error(); !n.told[text] {
			if len(n.told) < maxTold {
				n.told[text] = true
			}
			n.opts.Warn(d)
		}
	}
}

// WriteValue prints a value of a node in the form of o, as [Bindings.WriteValue] does. Warnings
// about masks are passed on once.
func (n *Nodes) WriteValue(w io.Writer, v value.Value, o yaytpl.RenderOptions) error {
	opts := n.opts
	opts.Warn = func(d *source.Diagnostic) { n.warn([]*source.Diagnostic{d}) }
	return yaytpl.WriteValue(w, v, opts, o)
}
