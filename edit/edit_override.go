package edit

import (
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// overrideWays returns the ways to write an edit into the named file.
func (b *batch) overrideWays(p *plan) []overlay.Edits {
	var ways []overlay.Edits
	for _, e := range p.overrides() {
		ways = append(ways, overlay.Edits{b.inMain(p, e)})
	}
	return ways
}

// inMain returns an edit of the named file.
func (b *batch) inMain(p *plan, e roundtrip.Edit) overlay.Edit {
	return overlay.Edit{Path: b.Path, Lang: b.Lang, Doc: p.place.index, Edit: e}
}

// overrides returns the edits of the named file that may come to what a plan asks for,
// the simplest first.
func (p *plan) overrides() []roundtrip.Edit {
	set := func(v value.Value) roundtrip.Edit {
		return roundtrip.Edit{Op: roundtrip.Set, Path: p.place.path, Value: v, Create: true}
	}
	built := p.place.isBuilt()
	switch {
	case p.edit.Op == roundtrip.Delete && built && !p.place.isWritten():
		return []roundtrip.Edit{set(restore.Marker("whiteout"))}
	case p.edit.Op == roundtrip.Delete && built:
		return []roundtrip.Edit{p.edit, set(restore.Marker("whiteout"))}
	case p.edit.Op == roundtrip.Append:
		return []roundtrip.Edit{p.edit, set(value.ListOf(p.edit.Value))}
	case p.edit.Op == roundtrip.Set && p.edit.Value.IsNull() && built:
		return []roundtrip.Edit{p.edit, set(restore.Marker("nullout"))}
	}
	return []roundtrip.Edit{p.edit}
}

// refined returns what to try if a map was set and keys of older layers show through in
// what the document came to: the map with those taken away.
func (b *batch) refined(p *plan, after value.Value) []overlay.Edits {
	if p.edit.Op != roundtrip.Set || !p.edit.Value.Is(value.MapKind) || !p.place.isBuilt() {
		return nil
	}
	got, err := valueAt(after, p.place.path)
	if err != nil {
		return nil
	}
	e := p.edit
	e.Value = withoutOthers(e.Value, got)
	return []overlay.Edits{{b.inMain(p, e)}}
}

// withoutOthers returns a map with a whiteout for each key that only another one has,
// at every depth.
func withoutOthers(want, got value.Value) value.Value {
	if !want.Is(value.MapKind) || !got.Is(value.MapKind) {
		return want
	}
	out := value.NewMap(want.Map().Len())
	for k := range want.Map().Keys() {
		item, _, _ := want.Map().Get(k)
		other, _, _ := got.Map().Get(k)
		out.Set(k, withoutOthers(item, other))
	}
	for k := range got.Map().Keys() {
		if _, ok, _ := want.Map().Get(k); !ok {
			out.Set(k, restore.Marker("whiteout"))
		}
	}
	return value.FromMap(out)
}
