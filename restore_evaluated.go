package yaytpl

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// unrendered returns an edited rendered document in terms of the expanded one: raw is
// the original with its directives carried out, rendered the same with its expressions
// and templates evaluated. What is as it was rendered becomes what it was rendered from;
// what was edited stays.
//
// The result of an expression or template is not edited: such a change is returned as a
// conflict, and what gave the result stays, unless literal is set. Whoever writes an
// expression or a template there replaces the one that there was.
func unrendered(raw, rendered, edited value.Value, literal bool) (value.Value, []RestoreChange, error) {
	u := unrendering{literal: literal}
	v, err := u.value(nil, raw, rendered, edited)
	return v, u.conflicts, err
}

// unmasked returns an edited document with the values back that printing masked: edited
// has what stands for them where old has them. What stands for a value anywhere else,
// such as in an item that was moved, cannot be told from others.
//
// Code: output for that.
func unmasked(old, edited value.Value) (value.Value, error) {
	if marks, err := value.DeepMarks(old); marks == 0 || err != nil {
		return edited, err
	}
	secrets := map[string]bool{}
	withMasks(old, value.Secret, secrets, 0)
	hide := value.Sensitive
	if holdsText(edited, secrets, 0) { // it was printed with --redact
		hide |= value.Secret
	}
	masks := map[string]bool{}
	masked := withMasks(old, hide, masks, 0)
	u := unrendering{literal: true, masks: masks}
	return u.value(nil, old, masked, edited)
}

// withMasks returns a document as it is printed if values with these marks are hidden,
// and adds what stands for them to masks.
func withMasks(v value.Value, hide value.Marks, masks map[string]bool, depth int) value.Value {
	switch {
	case depth > value.MaxNesting:
		return v
	case v.Marks()&hide != 0:
		text, _ := value.Masked(v)
		masks[text] = true
		return value.String(text)
	case v.Is(value.ListKind):
		items := value.Slice{}
		for item, err := range value.Items(v.List()) {
			if err == nil {
				items = append(items, withMasks(item, hide, masks, depth+1))
			}
		}
		return value.FromList(items)
	case v.Is(value.MapKind):
		m := value.NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			if item, ok, err := v.Map().Get(k); ok && err == nil {
				m.Set(k, withMasks(item, hide, masks, depth+1))
			}
		}
		return value.FromMap(m)
	}
	return v
}

// holdsText reports whether one of some texts is a value, or in it.
func holdsText(v value.Value, texts map[string]bool, depth int) bool {
	switch {
	case len(texts) == 0 || depth > value.MaxNesting:
		return false
	case v.Is(value.StringKind):
		return texts[v.Str()]
	case v.Is(value.ListKind):
		for item, err := range value.Items(v.List()) {
			if err == nil && holdsText(item, texts, depth+1) {
				return true
			}
		}
	case v.Is(value.MapKind):
		for k := range v.Map().Keys() {
			if item, ok, err := v.Map().Get(k); ok && err == nil && holdsText(item, texts, depth+1) {
				return true
			}
		}
	}
	return false
}

// An unrendering walks three documents: what was evaluated or masked, what that gave,
// and what became of it.
type unrendering struct {
	literal   bool
	masks     map[string]bool // what stands for masked values, nil if nothing was masked
	conflicts []RestoreChange
}

func (u *unrendering) value(p value.Path, raw, rendered, edited value.Value) (value.Value, error) {
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

// isResult reports whether a value came of another one as a whole, and not of parts of
// it in their places.
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

// hasKeys reports whether a map has all keys of another one.
func hasKeys(m, other value.Map) bool {
	for k := range other.Keys() {
		if _, ok, err := m.Get(k); !ok || err != nil {
			return false
		}
	}
	return true
}

// result decides about what an expression, a template or a mask gave.
func (u *unrendering) result(p value.Path, raw, rendered, edited value.Value) (value.Value, error) {
	switch {
	case value.IsSame(rendered, edited), value.IsSame(raw, edited):
		return raw, nil
	case u.literal || isEvaluated(edited):
		return edited, u.refuseMasks(p, edited)
	}
	u.conflicts = append(u.conflicts, RestoreChange{
		Change: value.Change{Path: append(value.Path{}, p...), Old: raw, New: edited, HasOld: true, HasNew: true},
		Reason: source.ResultOfExpr,
		Ways: []string{
			"write the expression or template itself there, as it is to be",
			"--literal writes the value in the place of the expression",
		},
	})
	return raw, nil
}

// isEvaluated reports whether a value is an expression or a template.
func isEvaluated(v value.Value) bool {
	return v.Is(value.StringKind) && expr.IsTemplate(v.Str()) || v.Is(value.MapKind) && expr.IsExpression(v.Map())
}

// mapping goes on with each key. A key that rendering left out stays: nobody saw it.
func (u *unrendering) mapping(p value.Path, raw, rendered, edited value.Map) (value.Value, error) {
	out := value.NewMap(edited.Len())
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
			item, err = u.entry(at, raw, was, item)
		} else {
			err = u.refuseMasks(at, item)
		}
		if err != nil {
			return value.Null, err
		}
		out.Set(k, item)
	}
	return value.FromMap(out), u.keepUnseen(out, raw, rendered)
}

func (u *unrendering) entry(at value.Path, raw value.Map, rendered, edited value.Value) (value.Value, error) {
	from, _, err := raw.Get(at[len(at)-1])
	if err != nil {
		return value.Null, err
	}
	return u.value(at, from, rendered, edited)
}

func (u *unrendering) keepUnseen(out *value.Dict, raw, rendered value.Map) error {
	for k := range raw.Keys() {
		if _, seen, err := rendered.Get(k); seen || err != nil {
			continue
		}
		item, _, err := raw.Get(k)
		if err != nil {
			return err
		}
		if _, ok, _ := out.Get(k); !ok {
			out.Set(k, item)
		}
	}
	return nil
}

// maxAligned is how deep in a document lists are aligned: each list that they are in
// compares them once more. No document that people edit is as deep.
const maxAligned = 200

// list goes on with each item and what it was before.
func (u *unrendering) list(p value.Path, raw, rendered, edited value.Value) (value.Value, error) {
	from, err := itemsOf(raw)
	if err != nil {
		return value.Null, err
	}
	was, err := itemsOf(rendered)
	if err != nil {
		return value.Null, err
	}
	now, err := itemsOf(edited)
	if err != nil {
		return value.Null, err
	}
	if err := u.refuseLookAlikes(p, from, was, now); err != nil {
		return value.Null, err
	}
	align := alignItems
	if len(p) > maxAligned {
		align = alignPositions
	}
	out := make(value.Slice, len(now))
	for j, i := range align(was, now, u.masks != nil) {
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

// itemsOf returns the items of a list.
func itemsOf(v value.Value) ([]value.Value, error) {
	items := make([]value.Value, 0, v.List().Len())
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// refuseLookAlikes returns an error if of several items that look the same, since what
// they differ in is masked, some are gone or more are there now.
func (u *unrendering) refuseLookAlikes(p value.Path, from, was, now []value.Value) error {
	if len(u.masks) == 0 {
		return nil
	}
	type look struct {
		first, before, after int
		differ               bool
	}
	looks := map[string]*look{}
	var masked []*look
	for i, v := range was {
		if !holdsText(v, u.masks, 0) {
			continue
		}
		text := restore.Fingerprint(v)
		l := looks[text]
		if l == nil {
			l = &look{first: i}
			looks[text] = l
			masked = append(masked, l)
		}
		l.before++
		l.differ = l.differ || !value.IsSame(from[l.first], from[i])
	}
	for _, v := range now {
		if l := looks[restore.Fingerprint(v)]; l != nil {
			l.after++
		}
	}
	for _, l := range masked {
		if l.differ && l.after != 0 && l.before != l.after {
			return u.untold(append(p, value.Index(l.first)))
		}
	}
	return nil
}

// refuseMasks returns an error if a new value has what stands for another one.
func (u *unrendering) refuseMasks(p value.Path, v value.Value) error {
	if holdsText(v, u.masks, 0) {
		return u.untold(p)
	}
	return nil
}

func (u *unrendering) untold(p value.Path) error {
	return source.Errorf(source.Span{}, source.Output, "%s: the text that hides a value stands where no value was hidden, or not that one alone", p).
		WithHint("edit the document as --reveal prints it")
}
