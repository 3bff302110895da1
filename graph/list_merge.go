package graph

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// appendUnique puts the items of a newer list behind those of an older one (merge,
// section 6): marked items join by position, a map with one key joins the first
// such map, equal items are not repeated.
func (c *Cell) appendUnique(older, newer []item, rule *Rule) ([]item, error) {
	m := listMerge{cell: c, rule: rule, out: append([]item(nil), older...)}
	for i, it := range newer {
		if err := m.add(i, it); err != nil {
			return nil, err
		}
	}
	return m.out, nil
}

// A listMerge remembers what each item comes to, so that looking for an equal one
// takes no time. Nothing is described before an item needs the comparison.
type listMerge struct {
	cell   *Cell
	rule   *Rule
	out    []item
	texts  []string          // what the items come to, for those described
	count  map[string]int    // how often each text occurs
	single map[value.Key]int // the first map with just that key
}

func (m *listMerge) add(i int, it item) error {
	if it.joins != nil {
		return m.position(i, it)
	}
	if err := m.learn(); err != nil {
		return err
	}
	key, text, err := m.describe(it)
	if err != nil {
		return err
	}
	if key != nil {
		if at, ok := m.single[*key]; ok {
			return m.mergeAt(at, it)
		}
	}
	if m.count[text] == 0 {
		m.out = append(m.out, it)
	}
	return nil
}

func (m *listMerge) position(i int, it item) error {
	where := it.joins.Where
	it.joins = nil
	if where != nil {
		var err error
		if i, err = m.selected(where, it); err != nil {
			return err
		}
	}
	if i >= len(m.out) {
		m.out = append(m.out, it)
		return nil
	}
	f, err := m.cell.itemCell(i, m.out[i].layer).fold()
	if err != nil {
		return err
	}
	if f.kind == mapShape {
		return m.mergeAt(i, it)
	}
	return m.put(i, it)
}

// selected returns the index of the one item that where selects.
func (m *listMerge) selected(where *Where, it item) (int, error) {
	if where.Key == "" {
		i := where.Index
		if i < 0 {
			i += len(m.out)
		}
		if i < 0 || i >= len(m.out) {
			return 0, source.Errorf(it.layer.span(), source.NotFound, "%s has no item %d, it has %d", m.cell.Path(), where.Index, len(m.out))
		}
		return i, nil
	}
	found := -1
	for i := range m.out {
		raw, _, err := m.cell.itemCell(i, m.out[i].layer).Raw()
		if err != nil {
			return 0, err
		}
		if !Selects(raw, where.Key, where.Text) {
			continue
		}
		if found >= 0 {
			return 0, source.Errorf(it.layer.span(), source.NotFound, "%s has several items with %s=%s", m.cell.Path(), where.Key, where.Text)
		}
		found = i
	}
	if found < 0 {
		return 0, source.Errorf(it.layer.span(), source.NotFound, "%s has no item with %s=%s", m.cell.Path(), where.Key, where.Text)
	}
	return found, nil
}

// Selects reports whether v is a map whose key has a scalar with the given text.
func Selects(v value.Value, key, text string) bool {
	if !v.Is(value.MapKind) {
		return false
	}
	item, ok, err := v.Map().Get(value.K(key))
	if !ok || err != nil {
		return false
	}
	k, isKey := value.KeyOf(item)
	return isKey && k.Text == text
}

func (m *listMerge) mergeAt(i int, it item) error {
	g := &group{members: []*layer{it.layer, m.out[i].layer}, rule: m.rule, sealed: true}
	l := &layer{group: g, origin: it.layer.origin, up: it.layer.up}
	return m.put(i, item{layer: l, note: m.out[i].note})
}

func (m *listMerge) put(i int, it item) error {
	m.out[i] = it
	if i >= len(m.texts) {
		return nil
	}
	_, text, err := m.describe(it)
	m.count[m.texts[i]]--
	m.count[text]++
	m.texts[i] = text
	return err
}

// learn describes the items that are not described yet.
func (m *listMerge) learn() error {
	if m.count == nil {
		m.count, m.single = map[string]int{}, map[value.Key]int{}
	}
	for i := len(m.texts); i < len(m.out); i++ {
		key, text, err := m.describe(m.out[i])
		if err != nil {
			return err
		}
		m.texts = append(m.texts, text)
		m.count[text]++
		if key != nil {
			if _, ok := m.single[*key]; !ok {
				m.single[*key] = i
			}
		}
	}
	return nil
}

// describe returns the only key of an item that is a map with one key, and a text
// that is the same for equal items.
func (m *listMerge) describe(it item) (*value.Key, string, error) {
	raw, ok, err := m.cell.itemCell(0, it.layer).Raw()
	if err != nil || !ok {
		return nil, "", err
	}
	var b strings.Builder
	if err := fingerprint(&b, raw, m.cell.eval); err != nil {
		return nil, "", err
	}
	if raw.Is(value.MapKind) && raw.Map().Len() == 1 {
		for k := range raw.Map().Keys() {
			return &k, b.String(), nil
		}
	}
	return nil, b.String(), nil
}

// fingerprint writes data so that equal data gives equal text, whatever the order
// of its keys.
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
	default:
		fingerprintScalar(b, v)
	}
	return nil
}

func fingerprintScalar(b *strings.Builder, v value.Value) {
	if i, ok := integral(v); ok {
		b.WriteString("i" + i + ";")
		return
	}
	k, _ := value.KeyOf(v)
	b.WriteString(strconv.Itoa(int(k.Kind)))
	b.WriteString(strconv.Quote(k.Text))
}

// integral returns a number that is whole as text, so that 1 and 1.0 are equal.
func integral(v value.Value) (string, bool) {
	switch v.Kind() {
	case value.IntKind:
		return v.BigInt().String(), true
	case value.FloatKind:
		if f := v.Float(); f == math.Trunc(f) && !math.IsInf(f, 0) {
			i, _ := big.NewFloat(f).Int(nil)
			return i.String(), true
		}
	}
	return "", false
}

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
