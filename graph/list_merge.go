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
	m := listMerge{cell: c, rule: rule, older: len(older), out: append([]item(nil), older...)}
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
	older  int // how many items the older list has: they stay where they are
	out    []item
	known  []described       // what the items come to, for those described
	count  map[string]int    // how often each text occurs
	single map[value.Key]int // the first map with just that key
}

// A described item is one whose comparisons are prepared.
type described struct {
	text string     // the same for equal items
	key  *value.Key // the only key of a map that has just one
}

func (m *listMerge) add(i int, it item) error {
	if it.joins != nil {
		return m.position(i, it)
	}
	if err := m.learn(); err != nil {
		return err
	}
	d, err := m.describe(it)
	if err != nil {
		return err
	}
	if d.key != nil {
		if at, ok := m.single[*d.key]; ok {
			return m.mergeAt(at, it)
		}
	}
	if m.count[d.text] == 0 {
		m.out = append(m.out, it)
	}
	return nil
}

// position merges a marked item into an older one. An index is that of the older list,
// whatever was put behind it meanwhile.
func (m *listMerge) position(i int, it item) error {
	where := it.joins.Where
	it.joins = nil
	if where != nil {
		var err error
		if i, err = m.selected(where, it); err != nil {
			return err
		}
	} else if i >= m.older {
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
	if i >= len(m.known) {
		return nil
	}
	d, err := m.describe(it)
	if err != nil {
		return err
	}
	was := m.known[i]
	m.known[i] = d
	m.count[was.text]--
	m.count[d.text]++
	if was.key != nil && (d.key == nil || *d.key != *was.key) && m.single[*was.key] == i {
		err = m.passOn(*was.key, i)
	}
	m.offer(d.key, i)
	return err
}

// passOn looks for the next map with just that key behind item i, which was the first.
func (m *listMerge) passOn(key value.Key, i int) error {
	delete(m.single, key)
	for j, d := range m.known[i+1:] {
		if d.key != nil && *d.key == key {
			m.single[key] = i + 1 + j
			return m.cell.eval.Step(j)
		}
	}
	return m.cell.eval.Step(len(m.known) - i)
}

// offer notes that item i is a map with just that key.
func (m *listMerge) offer(key *value.Key, i int) {
	if key == nil {
		return
	}
	if at, ok := m.single[*key]; !ok || i < at {
		m.single[*key] = i
	}
}

// learn describes the items that are not described yet.
func (m *listMerge) learn() error {
	if m.count == nil {
		m.count, m.single = map[string]int{}, map[value.Key]int{}
	}
	for i := len(m.known); i < len(m.out); i++ {
		d, err := m.describe(m.out[i])
		if err != nil {
			return err
		}
		m.known = append(m.known, d)
		m.count[d.text]++
		m.offer(d.key, i)
	}
	return nil
}

// describe returns what comparisons of an item need.
func (m *listMerge) describe(it item) (described, error) {
	c := m.cell.itemCell(0, it.layer)
	raw, ok, err := c.Raw()
	if err != nil || !ok {
		return described{}, err
	}
	var b strings.Builder
	if err := fingerprint(&b, raw, m.cell.eval); err != nil {
		return described{}, err
	}
	d := described{text: b.String()}
	if raw.Is(value.MapKind) && raw.Map().Len() <= 1 {
		d.key, err = c.onlyKey()
	}
	return d, err
}

// onlyKey returns the key of the map on c if it is written with just one, be it
// that of something to be deleted.
func (c *Cell) onlyKey() (*value.Key, error) {
	f, err := c.fold()
	if err != nil || f.kind != mapShape {
		return nil, err
	}
	keys, err := c.keysWhere(f, func(k value.Key) (bool, error) {
		under, err := c.kid(k).fold()
		return err == nil && under.kind != absentShape, err
	})
	if err != nil || len(keys) != 1 {
		return nil, err
	}
	return &keys[0], nil
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
