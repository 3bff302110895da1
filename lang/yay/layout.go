package yay

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// A layout is a map that shortcuts read, as all of its activations have it: the body of a macro, the body of a prototype
// below what an instance is given, or a map in one of these.
type layout struct {
	*shortcuts
	kind   layoutKind
	outer  *layout  // in which a map or an instance is written; nil for a call
	params []string // the names of the arguments, in the order of the call
	given  *graph.Map
	body   graph.CalledMap

	entries map[string]*entry          // nil for a key that is missing
	locals  map[string]*entry          // the names that the body binds
	calls   map[*expr.Select]*callRead // in expressions that are not compiled
	maps    map[*expr.Select]code      // likewise
	slots   int
	free    *activation // for later use
}

type layoutKind uint8

const (
	callLayout     layoutKind = iota // binds params
	instanceLayout                   // binds "self"
	mapLayout
)

// A layoutKey identifies the layout of a call by the body of the macro and the arguments, that of an instance by its node
// and the layout in which it is written. The names around an instance are not in its layout, so that one in an instance is the
// same in all of them: prototypes that have instances of themselves have a few layouts, however deep they get.
type layoutKey struct {
	node   graph.Node
	params string
	outer  *layout // nil for a layout of an instance
}

// ofCall returns the layout of calls of a definition with some arguments, nil if there is no shortcut.
func (sc *shortcuts) ofCall(def *graph.Definition, params []string) *layout {
	body, ok := graph.CalledMapOf(def.Body())
	if !ok || def.Kind != macroKind || !def.HasNamesOf(sc.turn.base.place()) {
		return nil
	}
	return sc.keptLayout(layoutKey{node: def.Body(), params: strings.Join(params, " ")}, func() *layout {
		l := sc.layout(callLayout, nil, body)
		l.params, l.slots = params, len(params)
		for _, name := range params {
			sc.ref(name).bound = true
		}
		for i := range body.Names { // of equal names the last one counts
			name := body.Names[i].Key.Text
			sc.ref(name).bound = true
			l.locals[name] = l.newEntry(body.Names[i].Node, false)
		}
		return l
	})
}

// ofInstance returns the layout of an instance that is written in another layout.
func (sc *shortcuts) ofInstance(n *graph.Instance, outer *layout) *layout {
	key := layoutKey{node: n, outer: outer}
	if outer.kind == instanceLayout {
		key.outer = nil
	}
	return sc.keptLayout(key, func() *layout {
		sc.ref(selfName).bound = true
		body, _ := graph.CalledMapOf(n.Def.Body())
		l := sc.layout(instanceLayout, outer, body)
		if n.Given != nil {
			l.given = n.Given.(*graph.Map)
		}
		return l
	})
}

func (sc *shortcuts) keptLayout(key layoutKey, create func() *layout) *layout {
	l := sc.layouts[key]
	if l == nil {
		if len(sc.layouts) == mostCalls {
			clear(sc.layouts)
		}
		l = create()
		sc.layouts[key] = l
	}
	return l
}

func (sc *shortcuts) layout(kind layoutKind, outer *layout, body graph.CalledMap) *layout {
	return &layout{
		shortcuts: sc, kind: kind, outer: outer, body: body, entries: map[string]*entry{}, locals: map[string]*entry{},
		calls: map[*expr.Select]*callRead{}, maps: map[*expr.Select]code{},
	}
}

const selfName = "self"

// An entry is a key of a layout.
type entry struct {
	kind  entryKind
	given bool // it is evaluated among the names around the map
	slot  int

	node    graph.Node
	val     value.Value // of a constant
	code    code        // of a computed value, nil until it is needed
	inner   *layout     // of a map; of an instance in this turn
	turn    int
	of      *nameRef // the name of the prototype of an instance
	made    *graph.Instance
	first   int // the argument of the call that its value reads first, noArgument for none
	binds   int // the state of names for which first is known
	looking bool
	failed  int // how often shortcuts to it gave up because it needs cells
}

type entryKind uint8

const (
	otherEntry entryKind = iota // needs cells
	constantEntry
	computedEntry
	mapEntry
	instanceEntry
)

const noArgument = -1

// entry returns an entry of the map, nil if it is missing.
func (l *layout) entry(key string) *entry {
	e, ok := l.entries[key]
	if !ok {
		e = l.find(key)
		l.entries[key] = e
	}
	return e
}

func (l *layout) find(key string) *entry {
	k := value.K(key)
	if l.given != nil {
		if i, ok := l.given.Find(k); ok {
			n := l.given.Entries[i].Node
			if below, known := l.body.Entry(k); graph.Hides(n) || known && below == nil {
				return l.newEntry(n, true)
			}
			return &entry{}
		}
	}
	n, known := l.body.Entry(k)
	switch {
	case !known:
		return &entry{}
	case n == nil:
		return nil
	}
	return l.newEntry(n, false)
}

// newEntry returns an entry for a node, with a slot if it is not a constant.
func (l *layout) newEntry(n graph.Node, given bool) *entry {
	e := &entry{node: n, given: given, binds: -1}
	switch n := n.(type) {
	case *graph.Scalar:
		if !n.Final {
			e.kind, e.val = constantEntry, n.Val
		}
	case *graph.Computed:
		e.kind = computedEntry
	case *graph.Map:
		if graph.IsPlainMap(n) {
			body, _ := graph.CalledMapOf(n)
			e.kind, e.inner = mapEntry, l.layout(mapLayout, l.around(e), body)
		}
	case *graph.Stack:
		if name := graph.DirectiveName(n); name != "" {
			e.kind, e.of = instanceEntry, l.ref(name)
		}
	}
	if e.kind > constantEntry {
		e.slot = l.slots
		l.slots++
	}
	return e
}

// around returns the layout with the names around an entry.
func (l *layout) around(e *entry) *layout {
	if e.given {
		return l.outer
	}
	return l
}

// codeOf returns the code of a computed entry.
func (l *layout) codeOf(e *entry) code {
	if e.code == nil {
		c := compiler{shortcuts: l.shortcuts, layout: l.around(e), here: !e.given}
		switch t := e.node.(*graph.Computed).Thunk.(type) {
		case *exprThunk:
			e.code = marked(c.compile(t.node), t.marks)
		case *textThunk:
			e.code = marked(c.text(t.text), t.marks)
		default:
			e.code = noCode{}
		}
	}
	return e.code
}

// instanceOf returns the layout of an entry that is an instance of a prototype, nil if there is no shortcut.
func (l *layout) instanceOf(e *entry) (*layout, error) {
	if e.turn == l.turn.number {
		return e.inner, nil
	}
	n, err := l.turn.base.place().Constructed(e.node)
	if err != nil {
		return nil, err
	}
	e.turn = l.turn.number
	if n == nil || n.Self != selfName || n.Args != nil || !graph.IsPlainMap(n.Def.Body()) ||
		n.Given != nil && !graph.IsPlainMap(n.Given) || !n.Def.HasNamesOf(l.turn.base.place()) {
		e.inner, e.made = nil, nil
		return nil, nil
	}
	if n != e.made {
		e.inner, e.made = l.ofInstance(n, l.around(e)), n
	}
	return e.inner, nil
}

// firstOf returns the argument that an entry of a call reads first, before anything that may fail, noArgument if none is
// certain to be read. It is evaluated ahead, as [site.Ahead] does with cells.
func (l *layout) firstOf(e *entry) int {
	if e.kind != computedEntry || l.kind != callLayout || e.looking {
		return noArgument
	}
	if e.binds != l.binds {
		e.looking = true
		e.first = l.codeOf(e).first()
		e.looking = false
		e.binds = l.binds
	}
	return e.first
}

// local returns a name that the body of a call binds, nil if it does not.
func (l *layout) local(name string) *entry { return l.locals[name] }

// param returns the index of an argument, -1 if there is no such one.
func (l *layout) param(name string) int {
	if l.kind != callLayout {
		return -1
	}
	return slices.Index(l.params, name)
}
