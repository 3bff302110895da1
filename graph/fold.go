package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// folded is what layers come to.
type folded struct {
	kind     shape
	top      *layer   // what decided, for all but maps and merged lists
	maps     []*layer // the maps that show through, newest first
	items    []item
	list     Node // the newest Seq or Extend
	strategy Strategy
	weak     bool // nothing, if anything else is there

	keys    []value.Key // of a map, once asked for
	hasKeys bool
	index   *keyIndex // of maps, if they are many
}

// fold returns what the layers of c come to.
func (c *Cell) fold() (*folded, error) {
	if c.shape != nil {
		return c.shape, nil
	}
	var f folded
	provisional, err := c.eval.provisionally(func() error {
		l, err := c.layers()
		if l == nil || err != nil {
			return err
		}
		f, err = c.foldLayer(l)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !provisional {
		c.shape = &f
	}
	return &f, nil
}

func (c *Cell) foldLayer(l *layer) (folded, error) {
	if l.of != nil {
		return l.of.sharedFold()
	}
	if l.group != nil {
		return c.foldGroup(l)
	}
	switch n := l.node.(type) {
	case *Scalar:
		return foldScalar(l, n), nil
	case *Computed:
		return folded{kind: computedShape, top: l}, nil
	case *Map:
		return folded{kind: mapShape, top: l, maps: []*layer{l}, strategy: n.Strategy, weak: n.Weak}, nil
	case *View:
		return folded{kind: mapShape, top: l, maps: []*layer{l}}, nil
	case *Define:
		return folded{kind: computedShape, top: l}, nil
	case *Seq:
		items, err := c.itemsOf(l, n.Items, n.Notes)
		return folded{kind: listShape, top: l, items: items, list: n, weak: n.Weak}, err
	case *Extend:
		items, err := c.itemsOf(l, n.Items, nil)
		return folded{kind: listShape, top: l, items: items, list: n}, err
	case *Delete:
		return folded{kind: deletedShape, top: l}, nil
	}
	if err := c.eval.Enter(); err != nil {
		return folded{}, err
	}
	defer c.eval.Leave()
	x, err := c.expand(l)
	if x == nil || err != nil {
		return folded{}, err
	}
	return c.foldLayer(x)
}

// sharedFold returns what the layers of c come to, for another cell to go on with: it
// has no room for items behind the last one, which two others would both use.
func (c *Cell) sharedFold() (folded, error) {
	f, err := c.fold()
	if err != nil {
		return folded{}, err
	}
	shared := *f
	shared.strategy = DefaultStrategy // about that other place
	shared.items = slices.Clip(f.items)
	return shared, nil
}

func foldScalar(l *layer, n *Scalar) folded {
	switch {
	case !n.Val.IsNull():
		return folded{kind: scalarShape, top: l}
	case n.Final:
		return folded{kind: nulledShape, top: l}
	}
	return folded{kind: nullShape, top: l}
}

func (c *Cell) foldGroup(l *layer) (folded, error) {
	f, err := c.foldMembers(l)
	if l.overlay != nil && f.kind == mapShape && l.overlay.Own.Strategy != DefaultStrategy {
		f.strategy = l.overlay.Own.Strategy
	}
	if l.foreign {
		f.strategy = DefaultStrategy
	}
	return f, err
}

// foldMembers folds the members of a group: newest first until one hides the rest,
// then back from the oldest of those.
func (c *Cell) foldMembers(l *layer) (folded, error) {
	j := join{cell: c, rule: l.rule}
	shapes, err := j.shapes(l)
	if err != nil {
		return folded{}, err
	}
	if len(shapes) > smallMap {
		shapes = joinRuns(shapes)
	}
	return j.all(shapes)
}

// shapes returns what the members of a group come to, up to the one that hides the rest.
func (j *join) shapes(l *layer) ([]folded, error) {
	var shapes []folded
	for i, m := range l.members {
		f, err := j.cell.foldMember(l, m)
		if err != nil {
			return nil, err
		}
		hides := j.hides(f)
		if last := i == len(l.members)-1; last && l.sealed || !last && hides {
			f = f.seal()
		}
		shapes = append(shapes, f)
		if hides {
			break
		}
	}
	return shapes, nil
}

// all puts shapes, newest first, one over the other.
func (j *join) all(shapes []folded) (folded, error) {
	f := shapes[len(shapes)-1]
	var err error
	for i := len(shapes) - 2; i >= 0 && err == nil; i-- {
		f, err = j.over(shapes[i], f)
	}
	return f, err
}

// joinRuns puts neighbouring plain maps together at once: one by one, each step
// would copy all that came before. The last of a run stays apart if something else
// follows, which decides what becomes of it.
func joinRuns(shapes []folded) []folded {
	var out []folded
	for i := 0; i < len(shapes); {
		end := i
		for end < len(shapes) && shapes[end].kind == mapShape && shapes[end].strategy == DefaultStrategy && !shapes[end].weak {
			end++
		}
		if end < len(shapes) {
			end--
		}
		end = max(end, i+1)
		out = append(out, joinRun(shapes[i:end]))
		i = end
	}
	return out
}

func joinRun(run []folded) folded {
	f := run[0]
	if len(run) > 1 {
		f.maps = nil
		for _, r := range run {
			f.maps = append(f.maps, r.maps...)
		}
	}
	return f
}

// foldMember folds one member. The strategies of a map with bases, and of its
// bases, are about what is around the whole of it.
func (c *Cell) foldMember(l, member *layer) (folded, error) {
	if err := c.eval.Enter(); err != nil {
		return folded{}, err
	}
	defer c.eval.Leave()
	if member.via != nil || isDirective(member.node) {
		if err := c.eval.Step(stepsOfDirective); err != nil {
			return folded{}, err
		}
	}
	f, err := c.foldLayer(member)
	if l.overlay == nil || err != nil {
		return f, err
	}
	f.strategy = DefaultStrategy
	if member.via != nil && f.kind != mapShape && f.kind != absentShape {
		return f, c.notAMap(member, f)
	}
	return f, nil
}

// stepsOfDirective is what following one counts: files that include the next one twice
// make as many layers as there are ways, without anything else to count.
const stepsOfDirective = 50

func isDirective(n Node) bool {
	switch n.(type) {
	case *Guard, *Ref:
		return true
	}
	return false
}

// seal makes a deletion final that had something to work on.
func (f folded) seal() folded {
	switch f.kind {
	case deletedShape:
		f.kind = absentShape
	case nulledShape:
		f.kind = nullShape
	}
	return f
}
