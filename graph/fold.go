package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A shape is the kind of result that the layers of a cell fold to, before evaluation.
type shape uint8

const (
	absentShape  shape = iota // nothing
	deletedShape              // a deletion that may still meet older layers
	nullShape
	nulledShape // a nullout that may still meet older layers
	scalarShape
	computedShape
	mapShape
	listShape
)

// article returns the name of a shape with its article, for messages.
func (s shape) article() string {
	return [...]string{"nothing", "a deletion", "null", "null", "a scalar", "a computed value", "a map", "a list"}[s]
}

// yay is article in the words of Yay, where a map is a mapping.
func (s shape) yay() string {
	if s == mapShape {
		return "a mapping"
	}
	return s.article()
}

// A foldResult is the result of folding layers.
type foldResult struct {
	kind     shape
	top      *layer   // the layer that decides, except for maps and merged lists
	maps     []*layer // the maps that are visible, newest first
	items    []item
	list     Node      // the newest Seq or Extend
	note     *listNote // of a list, nil unless documents have rules for lists
	strategy Strategy
	weak     bool // absent, if any other layer is there
	shared   bool // some maps are shared with another cell: see Cell.shared
	formless bool // no map is an expression object; false if that is not known
	hasKeys  bool

	keys  []value.Key // of a map, once needed
	index *keyIndex   // of maps, if they are many

	privacy *privacy // of a map, once needed; noPrivacy for none
}

// fold returns the result of folding the layers of c.
func (c *Cell) fold() (*foldResult, error) {
	if c.shape != nil {
		return c.shape, nil
	}
	if f, err := c.foldInstance(); f != nil || err != nil {
		return f, err
	}
	var f foldResult
	provisional, err := c.eval.provisionally(func() error {
		l, err := c.layers()
		if l == nil || err != nil {
			return err
		}
		f, err = c.foldLayer(l)
		return c.eval.placedIn(l, err)
	})
	if err != nil {
		return nil, err
	}
	if !provisional {
		c.shape = &f
	}
	return &f, nil
}

// foldLayer folds a single layer, and expands nodes that are replaced by others.
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
		return foldResult{kind: mapShape, top: l, maps: []*layer{l}, strategy: n.Strategy, weak: n.Weak, formless: !n.Form}, nil
	case *View:
		return foldResult{kind: mapShape, top: l, maps: []*layer{l}}, nil
	case *Seq:
		items, err := c.itemsOf(l, n.Items, n.Notes)
		f := foldResult{kind: listShape, top: l, items: items, list: n, weak: n.Weak}
		if c.eval.mayRemove(n) {
			f.note = &listNote{of: l}
			f.items, f.note.removes = splitRemovals(items)
			if w := c.observer(); w != nil {
				w.removing(f.note.removes)
			}
		}
		return f, err
	case *Extend:
		items, err := c.itemsOf(l, n.Items, n.Notes)
		if c.eval.policies {
			items, _ = splitRemovals(items)
		}
		return foldResult{kind: listShape, top: l, items: items, list: n}, err
	case *Delete:
		return foldResult{kind: deletedShape, top: l}, nil
	}
	if err := c.eval.Enter(); err != nil {
		return foldResult{}, err
	}
	defer c.eval.Leave()
	if s, ok := l.node.(*Stack); ok && s.isOneGuard() {
		return c.foldOneGuard(l, s)
	}
	x, err := c.expand(l)
	if x == nil || err != nil {
		return foldResult{}, c.eval.placedIn(l, err)
	}
	return c.foldLayer(x)
}

// sharedFold is fold for a cell that shares the layers of c. The slice of items has no
// spare capacity, so that two such cells never append to the same array.
func (c *Cell) sharedFold() (foldResult, error) {
	f, err := c.fold()
	if err != nil {
		return foldResult{}, err
	}
	shared := *f
	shared.shared = true
	shared.strategy = DefaultStrategy // it refers to the place of c
	shared.items = slices.Clip(f.items)
	return shared, nil
}

// foldGroup folds the members of a group: it reads them from the newest down to the first
// that hides the rest, then joins them from the oldest of these up.
//
//	{a: 1}, 5, {b: 2}, {c: 3}   oldest first
//	reads {c: 3}, {b: 2} and 5, which hides {a: 1}; joins {b: 2} over 5, then {c: 3} over {b: 2}
func (c *Cell) foldGroup(l *layer) (foldResult, error) {
	j := join{cell: c, rule: l.rule}
	defer c.eval.unstack(len(c.eval.shapes))
	shapes, err := j.shapes(l, true)
	if err != nil {
		return foldResult{}, err
	}
	if len(shapes) > smallMap {
		shapes = joinRuns(shapes)
	}
	f, err := j.all(shapes)
	if len(f.maps) > smallMap && slices.Equal(f.maps, l.members) {
		f.index = l.index()
	}
	if l.overlay != nil && f.kind == mapShape && l.overlay.Own.Strategy != DefaultStrategy {
		f.strategy = l.overlay.Own.Strategy
	}
	if l.foreign {
		f.strategy = DefaultStrategy
	}
	return f, err
}

// unstack drops the results of shapes above the first n.
func (e *Eval) unstack(n int) {
	clear(e.shapes[n:])
	e.shapes = e.shapes[:n]
}

// shapes folds the members of a group each for itself, down to the one that hides the rest. With runs,
// neighbouring plain maps may have one result. The results are on the stack of the Eval, to which the members
// add theirs for a time: the caller must call unstack.
func (j *join) shapes(l *layer, runs bool) ([]foldResult, error) {
	e := j.cell.eval
	from := len(e.shapes)
	for i := 0; i < len(l.members); i++ {
		m := l.members[i]
		var run []*layer
		if runs {
			run = l.run(i)
		}
		if len(run) > 1 {
			if err := e.Step(stepsOf(run)); err != nil {
				return nil, err
			}
			e.shapes = append(e.shapes, foldResult{kind: mapShape, top: m, maps: run, formless: newestForm(run) == nil})
			i += len(run) - 1
			continue
		}
		f, err := j.cell.foldMember(l, m)
		if err != nil {
			return nil, err
		}
		if f.kind == listShape && i < len(l.members)-1 && j.rule.appendLists && j.cell.eval.policies {
			r, err := j.cell.listRule(f)
			if err != nil {
				return nil, err
			}
			f = f.withRule(r)
		}
		hides := j.hides(f)
		if last := i == len(l.members)-1; last && l.sealed || !last && hides {
			f = f.seal()
		}
		e.shapes = append(e.shapes, f)
		if hides {
			break
		}
	}
	return e.shapes[from:], nil
}

// run returns the members from the i-th on that joinRuns joins because they are plain maps.
func (g *group) run(i int) []*layer {
	end := i
	for end < len(g.members) && g.members[end].of == nil && g.members[end].isPlainMap() && !g.members[end].node.(*Map).Weak {
		end++
	}
	if end < len(g.members) {
		end-- // as joinRuns does
	}
	return g.members[i:max(end, i):max(end, i)]
}

// stepsOf returns the steps of folding plain maps each for itself.
func stepsOf(maps []*layer) int {
	n := len(maps)
	for _, m := range maps {
		if m.isDirective() {
			n += stepsOfDirective
		}
	}
	return n
}

// all joins shapes that are sorted newest first.
func (j *join) all(shapes []foldResult) (foldResult, error) {
	f := shapes[len(shapes)-1]
	var err error
	for i := len(shapes) - 2; i >= 0 && err == nil; i-- {
		f, err = j.over(shapes[i], f)
	}
	return f, err
}

// joinRuns joins neighbouring plain maps at once, because joining them one by one would
// copy all older maps in each step. The oldest of a run is left out if another shape is
// below it, which decides about that map. Newest first:
//
//	{d: 4}, {c: 3}, {b: 2}, null, {a: 1}   becomes   {d: 4, c: 3}, {b: 2}, null, {a: 1}
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
				f.shared = f.shared || r.shared
				f.formless = f.formless && r.formless
			}
		}
		out = append(out, f)
		i = end
	}
	return out
}

// isDirective reports whether a directive placed l where it is.
func (l *layer) isDirective() bool {
	switch l.node.(type) {
	case *Guard, *Ref:
		return true
	}
	return l.via != nil
}

// foldMember folds one member. The strategies of a map with bases, and of its bases, refer
// to the layers around the whole group, not to each other.
func (c *Cell) foldMember(l, member *layer) (foldResult, error) {
	if err := c.eval.Enter(); err != nil {
		return foldResult{}, err
	}
	defer c.eval.Leave()
	if member.isDirective() {
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

// stepsOfDirective is the number of steps for following one directive. Files that each
// include the next one twice make 2^n layers with hardly any other steps to count.
const stepsOfDirective = 50

// seal completes a deletion that older layers were there for.
func (f foldResult) seal() foldResult {
	switch f.kind {
	case deletedShape:
		f.kind = absentShape
	case nulledShape:
		f.kind = nullShape
	}
	return f
}

// A join merges a newer layer with older ones.
type join struct {
	cell  *Cell
	rule  *Rule
	lists *listMerge // the merge of the two lists that were joined last, or nil
}

// hides reports whether a layer certainly hides all older ones. The layers of the whole
// document are all read, because they must be of the same kind.
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
		return !j.rule.nullKeepsMap
	case mapShape:
		return f.strategy == ReplaceStrategy || f.strategy == SetStrategy
	case listShape:
		return j.replaces(f) || f.replacesLists()
	}
	return j.cell.up != nil
}

// replaces reports whether a list hides an older one.
func (j *join) replaces(f foldResult) bool {
	seq, ok := f.list.(*Seq)
	return ok && j.rule.replaces(seq)
}

// over joins a newer with an older layer: it is the table of the fold.
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

// nullOver joins null with an older layer.
func (j *join) nullOver(newer, older foldResult) (foldResult, error) {
	if !j.rule.nullKeepsMap {
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

// mapOver joins a map with an older layer.
func (j *join) mapOver(newer, older foldResult) (foldResult, error) {
	switch newer.strategy {
	case ReplaceStrategy:
		return newer, nil
	case SetStrategy:
		newer.strategy = DefaultStrategy // it has had its effect
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
	maps := j.cell.eval.mapped.over(newer.maps, older.maps)
	f := foldResult{kind: mapShape, top: newer.top, maps: maps, shared: newer.shared || older.shared, formless: newer.formless && older.formless}
	return f, j.cell.eval.Step(len(maps))
}

// overMarker joins a map with a whiteout or nullout. As the strategy of a base it applies
// to the map, unless the map has a strategy of its own (merge, section 6):
//
//	k: {+%: whiteout} in the base, then k: {a: 1}              k is deleted
//	k: {+%: whiteout} in the base, then k: {+%: merge, a: 1}   k is {a: 1}
func overMarker(newer, older foldResult) foldResult {
	switch {
	case newer.strategy == MergeStrategy:
		newer.strategy = DefaultStrategy // the strategy has had its effect
		return newer
	case newer.strategy != DefaultStrategy:
		return newer
	case older.kind == deletedShape:
		return foldResult{top: older.top}
	}
	older.kind = nullShape
	return older
}

// listOver joins a list with an older layer.
func (j *join) listOver(newer, older foldResult) (foldResult, error) {
	if j.replaces(newer) {
		return newer, nil
	}
	if j.rule.Typed {
		var err error
		if older, err = j.typed(newer, older, listShape); err != nil {
			return newer, err
		}
	} else if _, appends := newer.list.(*Extend); appends {
		var err error
		if older, err = j.appendable(newer, older); err != nil {
			return newer, err
		}
	}
	if older.kind != listShape {
		return newer, j.mismatch(newer, older)
	}
	if seq, ok := newer.list.(*Seq); ok && (seq.Union || !j.rule.concatLists) {
		return j.joinLists(newer, older)
	}
	f := newer
	f.items = append(older.items, newer.items...)
	if j.rule.Typed {
		f.list = older.list // decides whether the joined list hides still older layers
	}
	return f, nil
}

// typed returns the older layer of a map or list under a Typed rule, evaluated if it is
// computed. It is an error if it is of another kind than the newer one.
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
	d := source.Errorf(newer.top.span(), source.WrongType, "%s cannot override %s: %s must be %s, not %s",
		newer.kind.yay(), older.kind.yay(), j.cell.label(), want.yay(), older.kind.yay())
	return older, d.Note(older.top.span(), "the older value")
}

// appendable returns the older layer of items that are appended to it, evaluated if it is computed. It is an error
// if it is no list.
func (j *join) appendable(newer, older foldResult) (foldResult, error) {
	older, err := j.cell.revealed(older)
	if err != nil {
		return older, err
	}
	switch older.kind {
	case listShape:
		return older, nil
	case absentShape, deletedShape, nullShape, nulledShape:
		return foldResult{}, nil
	}
	d := source.Errorf(newer.top.span(), source.BadType, "%s is %s, not a list: nothing can be appended to it", j.cell.label(), older.kind.article())
	return older, d.Note(older.top.span(), "the older value")
}

// revealed evaluates f, if it is a computed value, and folds the result.
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

// mismatch returns an error if layers of the whole document are not both maps.
func (j *join) mismatch(newer, older foldResult) error {
	if j.cell.up != nil || older.kind == absentShape || older.kind == nullShape {
		return nil
	}
	return source.Errorf(newer.top.span(), source.BadDocument,
		"this layer is %s, the one below it %s: both must be maps", newer.kind.article(), older.kind.article()).
		Note(older.top.span(), "the layer below")
}

// forbidden returns the error of a map with the strategy "error" that another map joins.
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

// notAMap returns the error of a base that cannot join a map with keys of its own.
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
