package unrender

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// Unmasked returns edited with the values of old in place of the texts that masked them when
// old was printed: "<<REDACTED>>" where old has a sensitive value becomes that value. A mask
// in any other place, such as in an item that was moved, is ambiguous.
//
// Code: output for an ambiguous mask.
func Unmasked(old, edited value.Value) (value.Value, error) {
	if marks, err := value.DeepMarks(old); marks == 0 || err != nil {
		return edited, err
	}
	secrets := map[string]bool{}
	withMasks(old, value.Secret, secrets)
	hide := value.Sensitive
	if containsText(edited, secrets) { // it was printed with --redact
		hide |= value.Secret
	}
	masks := map[string]bool{}
	masked := withMasks(old, hide, masks)
	u := unrenderer{literal: true, masks: masks, budget: align.MaxSteps}
	return u.value(nil, old, masked, edited)
}

// withMasks returns v with a text in place of each value that has one of the marks hide, as
// it is printed, and adds these texts to masks.
func withMasks(v value.Value, hide value.Marks, masks map[string]bool) value.Value {
	v, _ = value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		switch {
		case v.Marks()&hide != 0:
			text, _ := value.Masked(v)
			masks[text] = true
			return value.String(text), nil
		case err != nil:
			return v, value.Drop
		}
		return v, nil
	})
	return v
}

// containsText reports whether v is one of the texts, or contains one as a value.
func containsText(v value.Value, texts map[string]bool) (found bool) {
	if len(texts) == 0 {
		return false
	}
	_ = value.Walk(v, func(_ value.Position, v value.Value, _ error) error {
		if found = v.Is(value.StringKind) && texts[v.Str()]; found {
			return value.SkipAll
		}
		return nil
	})
	return found
}

// refuseLookAlikes returns an error if the number of items changed that look the same
// because their differences are masked: with {pw: "*****"} twice before and once now, it is
// unknown which of them is left.
func (u *unrenderer) refuseLookAlikes(p value.Path, from, was, now []value.Value) error {
	if len(u.masks) == 0 {
		return nil
	}
	type look struct {
		first, before, after int
		differ               bool
	}
	looks := map[uint64]*look{}
	var masked []*look
	for i, key := range align.Keys(was, nil) {
		if !containsText(was[i], u.masks) {
			continue
		}
		l := looks[key]
		if l == nil {
			l = &look{first: i}
			looks[key] = l
			masked = append(masked, l)
		}
		l.before++
		l.differ = l.differ || !value.IsSame(from[l.first], from[i])
	}
	for _, key := range align.Keys(now, nil) {
		if l := looks[key]; l != nil {
			l.after++
		}
	}
	for _, l := range masked {
		if l.differ && l.after != 0 && l.before != l.after {
			return u.ambiguous(append(p, value.Index(l.first)))
		}
	}
	return nil
}

// refuseMasks returns an error if a new value contains a mask.
func (u *unrenderer) refuseMasks(p value.Path, v value.Value) error {
	if containsText(v, u.masks) {
		return u.ambiguous(p)
	}
	return nil
}

func (u *unrenderer) ambiguous(p value.Path) error {
	return source.Errorf(source.Span{}, source.Output, "%s: this text hides a value elsewhere, so its meaning here is unknown", p).
		WithHint("edit the document as --reveal prints it")
}
