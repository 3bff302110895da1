package restore

import (
	"errors"

	"github.com/yaytpl/yaytpl/value"
)

// override returns what has to be written over base to come to want (spec: roundtrip,
// section 1).
func (w *walk) override(at value.Path, base optional, want value.Value) (value.Value, error) {
	switch {
	case !base.ok:
		return want, nil
	case base.isMap() && want.Is(value.MapKind):
		return w.overrideMap(at, base, want.Map())
	case base.isMap() && want.IsNull():
		return Marker("nullout"), nil
	case base.isList() && want.Is(value.ListKind):
		got, err := w.world.Join(base.v, want)
		if err != nil {
			return want, err
		}
		if eq, err := value.Same(got, want); err != nil || !eq {
			return want, errors.Join(err, &inexpressible{at})
		}
	}
	return want, nil
}

func (w *walk) overrideMap(at value.Path, base optional, want value.Map) (value.Value, error) {
	out := value.NewMap(want.Len())
	for k := range want.Keys() {
		v, _, err := want.Get(k)
		if err != nil {
			return value.Null, err
		}
		below, err := base.get(k)
		if err != nil {
			return value.Null, err
		}
		if eq, err := below.sameAs(some(v)); eq || err != nil {
			if err != nil {
				return value.Null, err
			}
			continue
		}
		if v, err = w.override(longer(at, k), below, v); err != nil {
			return value.Null, err
		}
		out.Set(k, v)
	}
	for k := range base.v.Map().Keys() {
		below, err := base.get(k)
		if err != nil {
			return value.Null, err
		}
		if _, ok, err := want.Get(k); err != nil {
			return value.Null, err
		} else if below.ok && !ok {
			out.Set(k, Marker("whiteout"))
		}
	}
	return value.FromMap(overrides{out, w, at}), nil
}

// Marker returns {+%: name}, the value of a key that is to be gone or null over what is
// below it (spec: merge, section 6).
func Marker(name string) value.Value {
	m := value.NewMap(1)
	m.Set(value.K("+%"), value.String(name))
	return value.FromMap(m)
}

// isMarker reports whether a value is {+%: ...} and nothing else.
func isMarker(v value.Value) bool {
	if !v.Is(value.MapKind) || v.Map().Len() != 1 {
		return false
	}
	_, ok, _ := v.Map().Get(value.K("+%"))
	return ok
}

// An overrides is a map of overrides for a place of the edited document.
type overrides struct {
	*value.Dict
	walk *walk
	at   value.Path
}

// AnnotationAt implements [value.Annotated].
func (m overrides) AnnotationAt(i int) *value.Annotation {
	for k := range m.Keys() {
		if i == 0 {
			v, _, _ := m.Get(k)
			return m.walk.style(longer(m.at, k), v)
		}
		i--
	}
	return nil
}
