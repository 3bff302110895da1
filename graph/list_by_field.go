package graph

import (
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// byField adds an item under a ByField policy. It reports false for an item without the field.
func (m *listMerge) byField(it item) (bool, error) {
	k, err := m.fieldOf(it.layer)
	if k == nil || err != nil {
		return false, err
	}
	i, err := m.withField(*k)
	if err != nil {
		return true, err
	}
	it.joins = nil
	if i < 0 {
		m.out = append(m.out, it)
		return true, nil
	}
	return true, m.mergeAt(i, it)
}

// withField returns the index of the first item with a value under the field, or -1.
func (m *listMerge) withField(k value.Key) (int, error) {
	for i := len(m.fields); i < len(m.out); i++ {
		have, err := m.fieldOf(m.out[i].layer)
		if err != nil {
			return -1, err
		}
		m.fields = append(m.fields, have)
		if have == nil {
			continue
		}
		if m.byKey == nil {
			m.byKey, m.again = map[value.Key]int{}, map[value.Key]int{}
		}
		if _, known := m.byKey[*have]; known {
			m.again[*have]++
		} else {
			m.byKey[*have] = i
		}
	}
	if i, ok := m.byKey[k]; ok {
		return i, nil
	}
	return -1, nil
}

// fieldOf returns the value of an item under the field of the policy as it is written, nil if the
// item is no map with a scalar there.
func (m *listMerge) fieldOf(l *layer) (*value.Key, error) {
	c := m.cell.itemCell(0, l)
	f, err := c.fold()
	if err != nil || f.kind != mapShape {
		return nil, err
	}
	v, ok, err := c.kid(value.K(m.policy.Field)).Raw()
	if err != nil || !ok || v.IsNull() || !v.IsScalar() {
		return nil, err
	}
	k, ok := value.KeyOf(v)
	if !ok {
		return nil, nil
	}
	return &k, nil
}

// remove removes the first item with the value that the map in l has under the field.
func (m *listMerge) remove(l *layer) error {
	if m.policy.Kind != ByField {
		return nil
	}
	w := m.cell.watching()
	of, isMap := l.node.(*Map)
	if w != nil && isMap {
		w.ruled[of] = true
	}
	k, err := m.fieldOf(l)
	if k == nil || err != nil {
		return err
	}
	i, err := m.withField(*k)
	if i < 0 && err == nil && w != nil {
		return w.namesOf(m)
	}
	if i < 0 || err != nil {
		return err
	}
	m.out[i].layer, m.removed = nil, true
	if w != nil && isMap {
		w.matched[of] = true
	}
	delete(m.byKey, *k)
	if m.again[*k] > 0 {
		m.again[*k]--
		next := i + 1
		for m.fields[next] == nil || *m.fields[next] != *k {
			next++
		}
		m.byKey[*k] = next
		if err := m.cell.eval.Step(next - i); err != nil {
			return err
		}
	}
	return m.forget(i)
}

// items returns the items of the joined list, without those that were removed.
func (m *listMerge) items() []item {
	if !m.removed {
		return m.out
	}
	return slices.DeleteFunc(m.out, func(it item) bool { return it.layer == nil })
}
