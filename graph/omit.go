package graph

import (
	"github.com/yaytpl/yaytpl/value"
)

// # Values that are not there
//
// A computed value may be omit: then its place is absent, as below a deletion (spec: everyday, B6).
// The layers decide first which computed value counts; an absent one shows no older layer:
//
//	opt: 3, then opt: {{ 5 if tls else omit }}   without tls there is no opt
//
// Whether a key exists is asked often, and must not evaluate anything in most documents. So a thunk
// says whether it may be absent, a document whether it has such a thunk, and only those are evaluated.
// Raw values have the text of the thunk, whatever it evaluates to: an edit of the expanded document
// keeps it.

// An Omitter is a thunk that says whether it may evaluate to omit.
type Omitter interface{ Omits() bool }

// mayVanish reports whether a node that a map or list has may evaluate to omit.
func mayVanish(n Node) bool {
	switch n := n.(type) {
	case *Computed:
		o, ok := n.Thunk.(Omitter)
		return ok && o.Omits()
	case *Map:
		return n.Form
	}
	return false
}

// mayOmit reports whether the value of c, whose layers fold to f, may be omit.
func (c *Cell) mayOmit(f *foldResult) bool {
	switch f.kind {
	case computedShape:
		return mayVanish(f.top.node)
	case mapShape:
		t, _, err := c.form(f)
		o, ok := t.(Omitter)
		return err == nil && ok && o.Omits()
	}
	return false
}

// rawKeys returns the keys of the map on c, with the keys of absent values.
func (c *Cell) rawKeys() ([]value.Key, error) {
	f, err := c.fold()
	if err != nil {
		return nil, err
	}
	if !c.eval.omits {
		return c.keys()
	}
	return c.keysWhere(f, func(k value.Key) (bool, error) {
		f, err := c.kid(k).fold()
		return err == nil && f.kind != absentShape && f.kind != deletedShape, err
	})
}

// shownItems returns the indexes of the items of the list on c that are not omit, nil if none may be.
func (c *Cell) shownItems() ([]int, error) {
	if c.plainList() != nil || !c.eval.omits && c.shape != nil {
		return nil, nil
	}
	f, err := c.fold() // may include the first document with such values
	if err != nil || f.kind != listShape || !c.eval.omits {
		return nil, nil // the caller folds again, and reports it
	}
	if c.more != nil && c.more.shown != nil {
		return c.more.shown, nil
	}
	var shown []int
	may := false
	provisional, err := c.eval.provisionally(func() error {
		for i := range f.items {
			item := c.itemKid(i)
			own, err := item.fold()
			if err != nil {
				shown = append(shown, i) // At returns the error
				continue
			}
			if item.mayOmit(own) {
				may = true
				if _, ok, err := item.Value(); err == nil && !ok {
					continue
				}
			}
			shown = append(shown, i)
		}
		return c.eval.Step(len(f.items))
	})
	if err != nil || !may {
		return nil, err
	}
	if shown == nil {
		shown = []int{}
	}
	if !provisional {
		c.memo().shown = shown
	}
	return shown, nil
}

// itemAt returns the index among the items of the list on c of item i of its value.
func (c *Cell) itemAt(i int) (int, error) {
	shown, err := c.shownItems()
	if err != nil || shown == nil || i < 0 || i >= len(shown) {
		return i, err
	}
	return shown[i], nil
}
