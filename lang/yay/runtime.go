package yay

import (
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Host provides the Runtime of an evaluation. The User of a [graph.Eval] that
// evaluates Yay is one.
type Host interface{ YayRuntime() *Runtime }

// A Runtime is what the values of a document need while one evaluation runs.
type Runtime struct {
	// Dir is the directory of the main document: the first place of the search path.
	Dir string

	// Open opens the file of that name, relative to a directory or URL, along the
	// search path of the command. A file that is not there is fs.ErrNotExist.
	Open func(name, base string) (*source.File, error)

	// Lint says that warnings are wanted about what is allowed and probably not meant.
	Lint bool

	// Classes are what "new" and "create" make of the host, by name.
	Classes map[string]Class

	instances map[instanceKey]graph.Node
}

// A Class makes instances of the host (spec: yay, section 10.4). Instance returns the
// map of the one at p: what is given to it, and members that are worked out when one
// is asked for that is not among those.
type Class interface {
	Instance(p *graph.Place, params value.Value) value.Map
}

func runtimeOf(p *graph.Place) *Runtime { return (*site)(p).runtime() }

// An instanceKey tells what a directive was decided to be, so that the same decision
// gives the same node.
type instanceKey struct {
	directive *graph.Guard
	of        any // a definition, the names of files
}

// node returns the node that a directive comes to for a decision, made once.
func (rt *Runtime) node(g *graph.Guard, of any, make func() graph.Node) graph.Node {
	key := instanceKey{g, of}
	n := rt.instances[key]
	if n == nil {
		if rt.instances == nil {
			rt.instances = map[instanceKey]graph.Node{}
		}
		n = make()
		rt.instances[key] = n
	}
	return n
}

func (rt *Runtime) instance(g *graph.Guard, def *graph.Definition, make func() graph.Node) graph.Node {
	return rt.node(g, def.Identity(), make)
}

// class returns a class of the host as a value.
func (rt *Runtime) class(name string) (value.Value, bool, error) {
	c, ok := rt.Classes[name]
	if !ok {
		return value.Null, false, nil
	}
	return value.FromFunc(&value.Func{Name: name, Definition: c}), true, nil
}

func (rt *Runtime) classNames() []string { return slices.Sorted(maps.Keys(rt.Classes)) }

// classOf returns the class that a value is.
func classOf(v value.Value) (Class, bool) {
	f := v.Func()
	if f == nil {
		return nil, false
	}
	c, ok := f.Definition.(Class)
	return c, ok
}

// native returns what an instance of a class contributes at p: what is given to it,
// over the members that the class makes, which come last.
func (rt *Runtime) native(p *graph.Place, g *graph.Guard, c Class, given graph.Node) graph.Node {
	type instance struct {
		cell  *graph.Cell
		frame *graph.Frame
		class Class
	}
	return rt.node(g, instance{p.Cell, p.Frame, c}, func() graph.Node {
		var layers []graph.Node
		params := value.FromMap(value.NewMap(0))
		if given != nil {
			layers = append(layers, given)
			params = p.Bind(classKind, given).AsMap()
		}
		instance := c.Instance(p, params)
		view := &graph.View{At: g.At, Last: true, Map: func() (value.Map, error) { return instance, nil }}
		return &graph.Stack{At: g.At, Layers: append([]graph.Node{view}, layers...), Rule: graph.BlockRule}
	})
}
