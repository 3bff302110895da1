package graph

import (
	"crypto/sha256"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

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

// joinsByField reports whether the item in l has the field by which the list joins.
func (m *listMerge) joinsByField(l *layer) (bool, error) {
	if m.policy.Kind != ByField {
		return false, nil
	}
	k, err := m.fieldOf(l)
	return k != nil, err
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
	w := m.cell.observer()
	of, isMap := l.node.(*Map)
	if w != nil && isMap {
		w.ruledBy(of)
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
		w.removed(of)
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

// maxFingerprint is the length of a text from which on its hash is compared in its place. A list may have one long text
// many times, by aliases.
const maxFingerprint = 256

// fingerprint writes a text that is equal for equal data, in whatever order the keys are.
func fingerprint(b *strings.Builder, v value.Value, e *Eval) error {
	if err := e.Enter(); err != nil {
		return err
	}
	defer e.Leave()
	switch v.Kind() {
	case value.ListKind:
		b.WriteByte('[')
		for item, err := range value.Items(v.List()) {
			if err == nil {
				err = fingerprint(b, item, e)
			}
			if err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case value.MapKind:
		return fingerprintMap(b, v.Map(), e)
	case value.StringKind:
		if n := len(v.Str()); n > maxFingerprint {
			if err := e.Step(n / bytesPerStep); err != nil {
				return err
			}
		}
		fallthrough
	default:
		fingerprintScalar(b, v)
	}
	return nil
}

// hashed returns a text of a few bytes for a long one. No text in quotes begins like it.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "#" + string(sum[:])
}

// fingerprintScalar writes the kind and text of a scalar. Whole numbers are equal whatever
// their kind: 1 and 1.0.
func fingerprintScalar(b *strings.Builder, v value.Value) {
	var whole *big.Int // 1 and 1.0 are equal
	switch v.Kind() {
	case value.IntKind:
		whole = v.BigInt()
	case value.FloatKind:
		if f := v.Float(); f == math.Trunc(f) && !math.IsInf(f, 0) {
			whole, _ = big.NewFloat(f).Int(nil)
		}
	}
	if whole != nil {
		b.WriteString("i" + whole.String() + ";")
		return
	}
	k, _ := value.KeyOf(v)
	b.WriteString(strconv.Itoa(int(k.Kind)))
	if len(k.Text) > maxFingerprint {
		b.WriteString(hashed(k.Text))
	} else {
		b.WriteString(strconv.Quote(k.Text))
	}
}

// fingerprintMap writes the entries of a map sorted by text.
func fingerprintMap(b *strings.Builder, m value.Map, e *Eval) error {
	parts := make([]string, 0, m.Len())
	for k := range m.Keys() {
		v, _, err := m.Get(k)
		if err != nil {
			return err
		}
		var p strings.Builder
		fingerprintScalar(&p, k.Value())
		p.WriteByte(':')
		if err := fingerprint(&p, v, e); err != nil {
			return err
		}
		parts = append(parts, p.String())
	}
	slices.Sort(parts)
	b.WriteString("{" + strings.Join(parts, ",") + "}")
	return nil
}
