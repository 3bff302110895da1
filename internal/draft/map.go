package draft

import (
	"iter"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A mapDraft is a map with changes over one that stays as it is.
type mapDraft struct {
	base value.Map
	vals map[value.Key]value.Value // what was set
	gone map[value.Key]bool        // keys of the base that went
	new  []value.Key               // keys behind those of the base, those that went too
	at   map[value.Key]int         // which of them there are, with their index
}

// Len implements [value.Map].
func (m *mapDraft) Len() int { return m.base.Len() - len(m.gone) + len(m.at) }

// Keys implements [value.Map].
func (m *mapDraft) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for k := range m.base.Keys() {
			if !m.gone[k] && !yield(k) {
				return
			}
		}
		for i, k := range m.new {
			if at, ok := m.at[k]; ok && at == i && !yield(k) {
				return
			}
		}
	}
}

// Get implements [value.Map].
func (m *mapDraft) Get(k value.Key) (value.Value, bool, error) {
	if v, ok := m.vals[k]; ok {
		return v, true, nil
	}
	if m.gone[k] {
		return value.Null, false, nil
	}
	return m.base.Get(k)
}

func (m *mapDraft) apply(e roundtrip.Edit) error {
	key := e.Path[len(e.Path)-1]
	old, there, err := m.Get(key)
	switch {
	case err != nil:
		return err
	case e.Op == roundtrip.Set || e.Op == roundtrip.Insert:
		m.set(key, e.Value)
		return nil
	case !there:
		return source.Errorf(source.Span{}, source.NotFound, "there is no %s", e.Path)
	case e.Op == roundtrip.Delete:
		m.remove(key)
		return nil
	}
	if e.Key == key {
		return source.Errorf(source.Span{}, source.DuplicateKey, "%s is called that already", e.Path)
	}
	if _, taken, _ := m.Get(e.Key); taken {
		return source.Errorf(source.Span{}, source.DuplicateKey, "there is a key %q beside %s already", e.Key.Text, e.Path)
	}
	m.remove(key)
	m.set(e.Key, old)
	return nil
}

func (m *mapDraft) set(k value.Key, v value.Value) {
	if m.vals == nil {
		m.vals, m.at = map[value.Key]value.Value{}, map[value.Key]int{}
	}
	if _, ok := m.vals[k]; !ok {
		if _, based, _ := m.base.Get(k); !based || m.gone[k] {
			m.at[k] = len(m.new)
			m.new = append(m.new, k)
		}
	}
	m.vals[k] = v
}

func (m *mapDraft) remove(k value.Key) {
	delete(m.vals, k)
	if _, ok := m.at[k]; ok {
		delete(m.at, k)
		return
	}
	if m.gone == nil {
		m.gone = map[value.Key]bool{}
	}
	m.gone[k] = true
}
