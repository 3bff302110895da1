package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A shape says what the layers of a cell come to, before anything is evaluated.
type shape uint8

const (
	absentShape  shape = iota // nothing
	deletedShape              // a deletion that found nothing to delete yet
	nullShape
	nulledShape // a null that found nothing to hide yet
	scalarShape
	computedShape
	mapShape
	listShape
)

func (s shape) article() string {
	return [...]string{"nothing", "a deletion", "null", "null", "a scalar", "a computed value", "a map", "a list"}[s]
}

// yay says what a shape is in the words of Yay.
func (s shape) yay() string {
	if s == mapShape {
		return "a mapping"
	}
	return s.article()
}

// foldResult is what layers come to.
type foldResult struct {
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
func (c *Cell) fold() (*foldResult, error) {
	if c.shape != nil {
		return c.shape, nil
	}
	var f foldResult
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

func (c *Cell) foldLayer(l *layer) (foldResult, error) {
	if l.of != nil {
		return l.of.sharedFold()
	}
	if l.group != nil {
		return c.foldGroup(l)
	}
	switch n := l.node.(type) {
	case *Scalar:
		switch {
		case !n.Val.IsNull():
			return foldResult{kind: scalarShape, top: l}, nil
		case n.Final:
			return foldResult{kind: nulledShape, top: l}, nil
		}
		return foldResult{kind: nullShape, top: l}, nil
	case *Computed, *Define:
		return foldResult{kind: computedShape, top: l}, nil
	case *Map:
		return foldResult{kind: mapShape, top: l, maps: []*layer{l}, strategy: n.Strategy, weak: n.Weak}, nil
	case *View:
		return foldResult{kind: mapShape, top: l, maps: []*layer{l}}, nil
	case *Seq:
		items, err := c.itemsOf(l, n.Items, n.Notes)
		return foldResult{kind: listShape, top: l, items: items, list: n, weak: n.Weak}, err
	case *Extend:
		items, err := c.itemsOf(l, n.Items, nil)
		return foldResult{kind: listShape, top: l, items: items, list: n}, err
	case *Delete:
		return foldResult{kind: deletedShape, top: l}, nil
	}
	if err := c.eval.Enter(); err != nil {
		return foldResult{}, err
	}
	defer c.eval.Leave()
	x, err := c.expand(l)
	if x == nil || err != nil {
		return foldResult{}, err
	}
	return c.foldLayer(x)
}

// sharedFold returns what the layers of c come to, for another cell to go on with: it
// has no room for items behind the last one, which two others would both use.
func (c *Cell) sharedFold() (foldResult, error) {
	f, err := c.fold()
	if err != nil {
		return foldResult{}, err
	}
	shared := *f
	shared.strategy = DefaultStrategy // about that other place
	shared.items = slices.Clip(f.items)
	return shared, nil
}

// foldGroup folds the members of a group: newest first until one hides the rest,
// then back from the oldest of those.
func (c *Cell) foldGroup(l *layer) (foldResult, error) {
	j := join{cell: c, rule: l.rule}
	shapes, err := j.shapes(l)
	if err != nil {
		return foldResult{}, err
	}
	if len(shapes) > smallMap {
		shapes = joinRuns(shapes)
	}
	f, err := j.all(shapes)
	if l.overlay != nil && f.kind == mapShape && l.overlay.Own.Strategy != DefaultStrategy {
		f.strategy = l.overlay.Own.Strategy
	}
	if l.foreign {
		f.strategy = DefaultStrategy
	}
	return f, err
}

// shapes returns what the members of a group come to, up to the one that hides the rest.
func (j *join) shapes(l *layer) ([]foldResult, error) {
	var shapes []foldResult
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
func (j *join) all(shapes []foldResult) (foldResult, error) {
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
func joinRuns(shapes []foldResult) []foldResult {
	var out []foldResult
	for i := 0; i < len(shapes); {
		end := i
		for end < len(shapes) && shapes[end].kind == mapShape && shapes[end].strategy == DefaultStrategy && !shapes[end].weak {
			end++
		}
		if end < len(shapes) {
			end--
		}
		end = max(end, i+1)
		f := shapes[i]
		if end > i+1 {
			f.maps = nil
			for _, r := range shapes[i:end] {
				f.maps = append(f.maps, r.maps...)
			}
		}
		out = append(out, f)
		i = end
	}
	return out
}

// foldMember folds one member. The strategies of a map with bases, and of its
// bases, are about what is around the whole of it.
func (c *Cell) foldMember(l, member *layer) (foldResult, error) {
	if err := c.eval.Enter(); err != nil {
		return foldResult{}, err
	}
	defer c.eval.Leave()
	directive := member.via != nil
	switch member.node.(type) {
	case *Guard, *Ref:
		directive = true
	}
	if directive {
		if err := c.eval.Step(stepsOfDirective); err != nil {
			return foldResult{}, err
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

// seal makes a deletion final that had something to work on.
func (f foldResult) seal() foldResult {
	switch f.kind {
	case deletedShape:
		f.kind = absentShape
	case nulledShape:
		f.kind = nullShape
	}
	return f
}

// A join puts a newer layer over older ones.
type join struct {
	cell *Cell
	rule *Rule
}

// hides reports whether a layer certainly leaves nothing of the older ones. The
// layers of the whole document are all looked at: they must fit together.
func (j *join) hides(f foldResult) bool {
	if f.weak {
		return false
	}
	switch f.kind {
	case absentShape:
		return false
	case deletedShape, nulledShape:
		return true
	case nullShape:
		return !j.rule.NullKeepsMap
	case mapShape:
		return f.strategy == ReplaceStrategy
	case listShape:
		return j.replaces(f)
	}
	return j.cell.up != nil
}

// replaces reports whether a list takes the place of an older one.
func (j *join) replaces(f foldResult) bool {
	seq, ok := f.list.(*Seq)
	return ok && j.rule.replaces(seq)
}

// over is the table of the fold: what a newer layer does to the older ones.
func (j *join) over(newer, older foldResult) (foldResult, error) {
	if newer.weak && older.kind != absentShape {
		return older, nil
	}
	if older.weak {
		if newer.kind == absentShape {
			return older, nil
		}
		older = foldResult{}
	}
	switch newer.kind {
	case deletedShape:
		return foldResult{top: newer.top}, nil
	case nulledShape:
		newer.kind = nullShape
		return newer, nil
	case absentShape:
		return older, nil
	case nullShape:
		return j.nullOver(newer, older)
	case mapShape:
		return j.mapOver(newer, older)
	case listShape:
		return j.listOver(newer, older)
	}
	return newer, j.mismatch(newer, older)
}

func (j *join) nullOver(newer, older foldResult) (foldResult, error) {
	if !j.rule.NullKeepsMap {
		return newer, nil
	}
	switch older.kind {
	case mapShape:
		switch older.strategy {
		case ErrorStrategy:
			return foldResult{}, forbidden(j.cell, newer.top.span(), older.top.span())
		case ReplaceStrategy:
			return newer, nil
		}
		return older, nil
	case deletedShape:
		return foldResult{}, nil
	}
	if j.cell.up == nil && older.kind != absentShape {
		return older, nil // an empty document adds nothing
	}
	return newer, nil
}

func (j *join) mapOver(newer, older foldResult) (foldResult, error) {
	if newer.strategy == ReplaceStrategy {
		return newer, nil
	}
	if j.rule.Typed {
		var err error
		if older, err = j.typed(newer, older, mapShape); err != nil || older.kind == absentShape {
			return newer, err
		}
	}
	strategy := newer.strategy
	switch older.kind {
	case deletedShape, nulledShape:
		return overMarker(newer, older), nil
	case mapShape:
		if strategy == DefaultStrategy {
			strategy = older.strategy
		}
	default:
		return newer, j.mismatch(newer, older)
	}
	switch strategy {
	case ErrorStrategy:
		return foldResult{}, forbidden(j.cell, newer.top.span(), older.top.span())
	case ReplaceStrategy:
		return newer, nil
	}
	maps := append(newer.maps[:len(newer.maps):len(newer.maps)], older.maps...)
	return foldResult{kind: mapShape, top: newer.top, maps: maps}, j.cell.eval.Step(len(maps))
}

// overMarker is a map over a base that is marked whiteout or nullout: the mark of
// the base is its strategy, unless the map has one itself (merge, section 6).
func overMarker(newer, older foldResult) foldResult {
	switch {
	case newer.strategy == MergeStrategy:
		newer.strategy = DefaultStrategy // it has been merged
		return newer
	case newer.strategy != DefaultStrategy:
		return newer
	case older.kind == deletedShape:
		return foldResult{top: older.top}
	}
	older.kind = nullShape
	return older
}

func (j *join) listOver(newer, older foldResult) (foldResult, error) {
	if j.replaces(newer) {
		return newer, nil
	}
	if j.rule.Typed {
		var err error
		if older, err = j.typed(newer, older, listShape); err != nil {
			return newer, err
		}
	}
	if older.kind != listShape {
		return newer, j.mismatch(newer, older)
	}
	f := newer
	var err error
	if _, isSeq := newer.list.(*Seq); isSeq && !j.rule.ConcatLists {
		f.items, err = j.cell.appendUnique(older.items, newer.items, j.rule)
	} else {
		f.items = append(older.items, newer.items...)
	}
	if j.rule.Typed {
		f.list = older.list // it says whether the whole replaces what is older still
	}
	return f, err
}

// typed returns what is below a map or list, worked out if it is computed. It must
// be one as well, or nothing.
func (j *join) typed(newer, older foldResult, want shape) (foldResult, error) {
	older, err := j.cell.revealed(older)
	if err != nil {
		return older, err
	}
	switch older.kind {
	case want:
		return older, nil
	case absentShape, deletedShape, nullShape, nulledShape:
		return foldResult{}, nil
	}
	d := source.Errorf(newer.top.span(), source.WrongType, "%s cannot be put over %s: %s must be %s, not %s",
		newer.kind.yay(), older.kind.yay(), j.cell.label(), want.yay(), older.kind.yay())
	return older, d.Note(older.top.span(), "what is there already")
}

// revealed returns what f is once it is worked out, if it is computed.
func (c *Cell) revealed(f foldResult) (foldResult, error) {
	if f.kind != computedShape {
		return f, nil
	}
	x, err := c.reveal(f.top)
	if err != nil {
		return f, err
	}
	return c.foldLayer(x)
}

// mismatch reports layers of the whole document that are not both maps.
func (j *join) mismatch(newer, older foldResult) error {
	if j.cell.up != nil || older.kind == absentShape || older.kind == nullShape {
		return nil
	}
	return source.Errorf(newer.top.span(), source.BadDocument,
		"this layer is %s, the one below it %s: both must be maps", newer.kind.article(), older.kind.article()).
		Note(older.top.span(), "the layer below")
}

func forbidden(c *Cell, newer, older source.Span) error {
	at, other := newer, older
	if at.IsZero() {
		at, other = older, newer
	}
	what, path := c.key.Text, c.Path().String()
	if c.item {
		what = path
	}
	d := source.Errorf(at, source.MergeConflict, "merging %s is not allowed", what)
	if path != what {
		d.Message += " (" + path + ")"
	}
	if !other.IsZero() {
		d.Note(other, "the other layer")
	}
	return d
}

// notAMap is the error of a base that cannot join a map with keys of its own.
func (c *Cell) notAMap(base *layer, f foldResult) error {
	code := source.MergeConflict
	if c.up == nil {
		code = source.BadDocument
	}
	d := source.Errorf(base.via.At, code, "can not merge %s with non-map value, it is %s", base.via.Key, f.kind.article())
	if f.top != nil && !f.top.span().IsZero() {
		d.Note(f.top.span(), "the value")
	}
	return d.WithHint("only a map can join a map that has other keys")
}
