package graph

import "github.com/yaytpl/yaytpl/value"

// # Values without cells
//
// A cell keeps what is found about a place, so that it can be asked again, and explained. The result of a call in an
// expression is on a cell too, but as a rule the expression reads one key of it, and the place is never named:
//
//	cost: {{ price(of=item).total * 2 }}
//
// A language may therefore compute such a value by itself, from the nodes of the definition: it bypasses the cells. It
// must find the same value as the cells, and give up wherever it cannot. An error is not for it to report: the cells
// are asked then, and their error has the places on the way. What this file has is the part of the graph in that.
//
// Nothing may be bypassed where cells know more than the nodes say: while layers are hidden or choices confirmed,
// values are provisional; somebody may listen to reads; a secret condition, a rule for private keys or a value
// that may be absent may change what is at a place.

// BeginBypass begins to compute a value without cells. It returns false if that is not possible now. Otherwise
// the caller must call EndBypass.
func (e *Eval) BeginBypass() bool {
	if !e.mayBypass() || e.lazily || e.private || e.omits || len(e.hidden) > 0 || len(e.assume) > 0 || e.watch != nil {
		return false
	}
	e.ahead++
	return true
}

// mayBypass reports whether what was read is final, and nothing depends on who reads it.
func (e *Eval) mayBypass() bool { return e.isQuiet() && e.Settled() }

// EndBypass ends a computation that BeginBypass began. It reports whether the value counts, if err is nil.
func (e *Eval) EndBypass(err error) bool {
	e.lazily = e.lazily || err != nil && len(e.cyclic) > 0 // the error may have hidden that of a cycle
	e.endAhead(err)
	return err == nil && e.mayBypass()
}

// Exceeds notes the error of a step without a cell, which is at a place of its own.
func (e *Eval) Exceeds(err error) error { return e.exceeds(err) }

// Body returns the node of a definition.
func (d *Definition) Body() Node { return d.body }

// HasNamesOf reports whether names in the definition mean what they mean at p: they do, unless a file
// of another language includes the one or the other, because its keys are names too.
func (d *Definition) HasNamesOf(p *Place) bool {
	return d.origin == p.Origin || !d.origin.isForeign() && !p.Origin.isForeign()
}

// isForeign reports whether a document is included by one of another language.
func (o *Origin) isForeign() bool { return o.Outer != nil && o.Outer.Doc.Lang != o.Doc.Lang }

// Constructed returns the Instance that a node is at p, if it is one directive that names a definition. It is nil for
// all other nodes, and where the name is not known from the frames of p alone.
func (p *Place) Constructed(n Node) (*Instance, error) {
	g := directiveOf(n)
	if g == nil || g.Name == "" || g.Item {
		return nil, nil
	}
	def := p.Eval().definition(p.Frame, g.Name)
	if def == nil {
		return nil, nil
	}
	v, ok, err := def.Value()
	if !ok || err != nil || definitionOf(v) == nil {
		return nil, err
	}
	picked, err := g.Pick(&Place{Cell: p.Cell, Origin: p.Origin, Frame: p.Frame, At: g.At, Inside: true}, v)
	x, _ := picked.(*Instance)
	return x, err
}

// directiveOf returns the guard of a block that has one directive alone, or nil.
func directiveOf(n Node) *Guard {
	s, ok := n.(*Stack)
	if !ok {
		return nil
	}
	if s.isOneGuard() {
		return s.Layers[1].(*Guard)
	}
	if len(s.Layers) != 1 || s.Rule != BlockRule {
		return nil
	}
	g, _ := s.Layers[0].(*Guard)
	return g
}

// DirectiveName returns the name that the directive of such a node looks up, "" if it is not known, or n is
// another node.
func DirectiveName(n Node) string {
	if g := directiveOf(n); g != nil {
		return g.Name
	}
	return ""
}

// IsPlainMap reports whether a node is a map that joins others, with nothing that decides about other keys or other
// layers than its own.
func IsPlainMap(n Node) bool {
	m, ok := n.(*Map)
	return ok && isPlain(m) && !m.Form && m.Lists == nil && m.Private == nil
}

// A CalledMap is the body of a definition that is a map whatever its directives choose: each key can be asked for alone.
type CalledMap struct {
	Names []Entry // that are bound around the map
	maps  []Node  // the layers, of which some are guards
}

// CalledMapOf returns the map that a body is, false if it may be anything else, or has more in it than keys, names
// and guards.
func CalledMapOf(n Node) (m CalledMap, ok bool) {
	if let, ok := n.(*Let); ok {
		if len(let.Imports) > 0 || !let.Map {
			return m, false
		}
		m.Names, n = let.Names, let.Body
	}
	if s, ok := n.(*Stack); ok {
		if s.Rule != BlockRule || !typedMap(s) {
			return m, false
		}
		m.maps = s.Layers
	} else {
		m.maps = []Node{n}
	}
	for _, n := range m.maps {
		if g, ok := n.(*Guard); ok && !g.Item || IsPlainMap(n) {
			continue
		}
		return m, false
	}
	return m, true
}

// Entry returns the node that alone contributes to a key, nil for none. It returns false if there may be more, or a
// guard may contribute one.
func (m *CalledMap) Entry(k value.Key) (n Node, known bool) {
	for _, layer := range m.maps {
		of, ok := layer.(*Map)
		if !ok {
			if mayDefine(layer, k) {
				return nil, false
			}
			continue
		}
		if i, ok := of.Find(k); ok {
			if n != nil {
				return nil, false
			}
			n = of.Entries[i].Node
		}
	}
	return n, true
}

// Hides reports whether a node as an entry of a map hides the entries of older maps, whatever these are.
func Hides(n Node) bool { return endsAlways(n) }

// Instances returns the numbers of Instances around a frame: calls of macros, and instances of prototypes.
func (f *Frame) Instances() (calls, instances int) {
	n := f.around()
	return int(n.calls), int(n.selves)
}

// IsIn reports whether c is other, or other is on the way from c to the root, names included.
func (c *Cell) IsIn(other *Cell) bool {
	for ; c != nil; c = c.up {
		if c == other {
			return true
		}
	}
	return false
}
