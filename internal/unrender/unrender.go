// Package unrender derives edits of a source document from edits of its rendered form.
//
//	raw       {port: 80, url: "http://x:{{ port }}/"}   directives applied, nothing evaluated
//	rendered  {port: 80, url: "http://x:80/"}           what the user saw
//	edited    {port: 81, url: "http://x:80/"}           what the user made of it
//	result    {port: 81, url: "http://x:{{ port }}/"}   raw, with the edits of literal values
//
// The three documents are walked side by side: a value that equals the rendered one becomes
// the raw one, and any other value is an edit. An edit of a template's result is a [Conflict].
// Masks of secrets are undone in the same way: the rendered document then is the masked one.
//
// Read unrender.go, then mask.go (masks of secrets). Package [align] finds which item of a list was
// which. Everything is a pure function of values.
package unrender

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// A Conflict is an edit of the result of an expression: its reason is always
// [source.ResultOfExpr].
type Conflict struct {
	value.Change
	Ways []string // to make the edit, the best first
}

// Unrendered returns edited, a rendered document after an edit, as an edit of the expanded
// document raw: a value that is still as rendered becomes the value of raw, and an edited
// value stays.
//
// The result of an expression or template cannot be edited: such a change is a conflict and
// keeps the value of raw, unless literal is set. An expression or template that was written
// there replaces the one in raw.
func Unrendered(raw, rendered, edited value.Value, literal bool) (value.Value, []Conflict, error) {
	u := unrenderer{literal: literal, budget: align.MaxSteps}
	v, err := u.value(nil, raw, rendered, edited)
	return v, u.conflicts, err
}

// An unrenderer walks three documents: one before it was evaluated or masked, one after,
// and the edited one.
type unrenderer struct {
	literal   bool
	masks     map[string]bool // the texts that replace masked values; nil if nothing was masked
	budget    int             // see [align.Rules]
	conflicts []Conflict
}

func (u *unrenderer) value(p value.Path, raw, rendered, edited value.Value) (value.Value, error) {
	switch {
	case len(p) > value.MaxNesting:
		return edited, source.Errorf(source.Span{}, source.Limit, "the document is nested more than %d deep", value.MaxNesting)
	case isResult(raw, rendered):
		return u.result(p, raw, rendered, edited)
	case raw.Is(value.MapKind) && edited.Is(value.MapKind):
		return u.mapping(p, raw.Map(), rendered.Map(), edited.Map())
	case raw.Is(value.ListKind) && edited.Is(value.ListKind):
		return u.list(p, raw, rendered, edited)
	case value.IsSame(raw, edited):
		return raw, nil
	}
	return edited, u.refuseMasks(p, edited)
}

// isResult reports whether rendered was computed from raw as a whole, and not from each part
// of raw in its place.
func isResult(raw, rendered value.Value) bool {
	if raw.Kind() != rendered.Kind() {
		return true
	}
	switch raw.Kind() {
	case value.MapKind:
		return expr.IsExpression(raw.Map()) && !value.IsSame(raw, rendered) || !hasKeys(raw.Map(), rendered.Map())
	case value.ListKind:
		return raw.List().Len() != rendered.List().Len()
	}
	return !value.IsSame(raw, rendered)
}

// hasKeys reports whether m has all keys of other.
func hasKeys(m, other value.Map) bool {
	for k := range other.Keys() {
		if _, ok, err := m.Get(k); !ok || err != nil {
			return false
		}
	}
	return true
}

// result handles the value of an expression, a template or a mask.
func (u *unrenderer) result(p value.Path, raw, rendered, edited value.Value) (value.Value, error) {
	switch {
	case value.IsSame(rendered, edited), value.IsSame(raw, edited):
		return raw, nil
	case u.literal || IsEvaluated(edited):
		return edited, u.refuseMasks(p, edited)
	}
	u.conflicts = append(u.conflicts, Conflict{
		Change: value.Change{Path: append(value.Path{}, p...), Old: raw, New: edited, HasOld: true, HasNew: true},
		Ways: []string{
			"write the expression or template itself there, as it is to be",
			"--literal writes the value in the place of the expression",
		},
	})
	return raw, nil
}

// IsEvaluated reports whether a value is an expression or a template.
func IsEvaluated(v value.Value) bool {
	return v.Is(value.StringKind) && expr.IsTemplate(v.Str()) || v.Is(value.MapKind) && expr.IsExpression(v.Map())
}

// mapping handles each key. A key that rendering left out stays, after the key that it followed: the
// user did not see it.
func (u *unrenderer) mapping(p value.Path, raw, rendered, edited value.Map) (value.Value, error) {
	unseen, err := unseenKeys(raw, rendered)
	if err != nil {
		return value.Null, err
	}
	out := value.NewMap(edited.Len())
	putBack := func(keys []value.Key) error {
		for _, k := range keys {
			if _, ok, err := edited.Get(k); ok || err != nil {
				continue
			}
			item, _, err := raw.Get(k)
			if err != nil {
				return err
			}
			out.Set(k, item)
		}
		return nil
	}
	if err := putBack(unseen[value.Key{}]); err != nil {
		return value.Null, err
	}
	for k := range edited.Keys() {
		item, _, err := edited.Get(k)
		if err != nil {
			return value.Null, err
		}
		was, ok, err := rendered.Get(k)
		if err != nil {
			return value.Null, err
		}
		at := append(p, k)
		if ok {
			var from value.Value
			if from, _, err = raw.Get(k); err == nil {
				item, err = u.value(at, from, was, item)
			}
		} else {
			err = u.refuseMasks(at, item)
		}
		if err == nil {
			out.Set(k, item)
			err = putBack(unseen[k])
			delete(unseen, k)
		}
		if err != nil {
			return value.Null, err
		}
	}
	for k := range raw.Keys() { // the keys after one that is not there any more
		if err := putBack(unseen[k]); err != nil {
			return value.Null, err
		}
	}
	return value.FromMap(out), nil
}

// unseenKeys returns the keys of raw that rendering left out, by the key before them that it did not
// leave out; by the zero key at the beginning.
func unseenKeys(raw, rendered value.Map) (map[value.Key][]value.Key, error) {
	var before value.Key
	unseen := map[value.Key][]value.Key{}
	for k := range raw.Keys() {
		_, seen, err := rendered.Get(k)
		switch {
		case err != nil:
			return nil, err
		case seen:
			before = k
		default:
			unseen[before] = append(unseen[before], k)
		}
	}
	return unseen, nil
}

// list handles each item together with the item that it was before.
func (u *unrenderer) list(p value.Path, raw, rendered, edited value.Value) (value.Value, error) {
	from, err := value.ItemsOf(raw.List())
	if err != nil {
		return value.Null, err
	}
	was, err := value.ItemsOf(rendered.List())
	if err != nil {
		return value.Null, err
	}
	now, err := value.ItemsOf(edited.List())
	if err != nil {
		return value.Null, err
	}
	if err := u.refuseLookAlikes(p, from, was, now); err != nil {
		return value.Null, err
	}
	out := make(value.Slice, len(now))
	for j, i := range align.Lists(was, now, align.Rules{Sure: u.masks != nil, Budget: &u.budget}).From {
		out[j] = now[j]
		if i < 0 {
			err = u.refuseMasks(append(p, value.Index(j)), now[j])
		} else {
			out[j], err = u.value(append(p, value.Index(i)), from[i], was[i], now[j])
		}
		if err != nil {
			return value.Null, err
		}
	}
	return value.FromList(out), nil
}
