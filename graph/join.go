package graph

import (
	"github.com/yaytpl/yaytpl/source"
)

// A join puts a newer layer over older ones.
type join struct {
	cell *Cell
	rule *Rule
}

// hides reports whether a layer certainly leaves nothing of the older ones. The
// layers of the whole document are all looked at: they must fit together.
func (j *join) hides(f folded) bool {
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
func (j *join) replaces(f folded) bool {
	seq, ok := f.list.(*Seq)
	return ok && j.rule.replaces(seq)
}

// over is the table of the fold: what a newer layer does to the older ones.
func (j *join) over(newer, older folded) (folded, error) {
	if newer.weak && older.kind != absentShape {
		return older, nil
	}
	if older.weak {
		if newer.kind == absentShape {
			return older, nil
		}
		older = folded{}
	}
	switch newer.kind {
	case deletedShape:
		return folded{top: newer.top}, nil
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

func (j *join) nullOver(newer, older folded) (folded, error) {
	if !j.rule.NullKeepsMap {
		return newer, nil
	}
	switch older.kind {
	case mapShape:
		switch older.strategy {
		case ErrorStrategy:
			return folded{}, forbidden(j.cell, newer.top.span(), older.top.span())
		case ReplaceStrategy:
			return newer, nil
		}
		return older, nil
	case deletedShape:
		return folded{}, nil
	}
	if j.cell.up == nil && older.kind != absentShape {
		return older, nil // an empty document adds nothing
	}
	return newer, nil
}

func (j *join) mapOver(newer, older folded) (folded, error) {
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
		return folded{}, forbidden(j.cell, newer.top.span(), older.top.span())
	case ReplaceStrategy:
		return newer, nil
	}
	maps := append(newer.maps[:len(newer.maps):len(newer.maps)], older.maps...)
	return folded{kind: mapShape, top: newer.top, maps: maps}, j.cell.eval.Step(len(maps))
}

// overMarker is a map over a base that is marked whiteout or nullout: the mark of
// the base is its strategy, unless the map has one itself (merge, section 6).
func overMarker(newer, older folded) folded {
	switch {
	case newer.strategy == MergeStrategy:
		newer.strategy = DefaultStrategy // it has been merged
		return newer
	case newer.strategy != DefaultStrategy:
		return newer
	case older.kind == deletedShape:
		return folded{top: older.top}
	}
	older.kind = nullShape
	return older
}

func (j *join) listOver(newer, older folded) (folded, error) {
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
func (j *join) typed(newer, older folded, want shape) (folded, error) {
	if older.kind == computedShape {
		x, err := j.cell.reveal(older.top)
		if err != nil {
			return older, err
		}
		if older, err = j.cell.foldLayer(x); err != nil {
			return older, err
		}
	}
	switch older.kind {
	case want:
		return older, nil
	case absentShape, deletedShape, nullShape, nulledShape:
		return folded{}, nil
	}
	d := source.Errorf(newer.top.span(), source.WrongType, "%s cannot be put over %s: %s must be %s, not %s",
		newer.kind.yay(), older.kind.yay(), j.cell.label(), want.yay(), older.kind.yay())
	return older, d.Note(older.top.span(), "what is there already")
}

// mismatch reports layers of the whole document that are not both maps.
func (j *join) mismatch(newer, older folded) error {
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
func (c *Cell) notAMap(base *layer, f folded) error {
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
