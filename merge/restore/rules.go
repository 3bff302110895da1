package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// This file has the rules for lists: which list can be merged by a field, and how the map that holds
// it gets the rule for that. See items.go for an example.

// A slot is where an override is written.
type slot struct {
	at    value.Path // in the edited document
	lists *graph.Lists

	// ruled returns the rules for the value if its map gets the rule "by field" for it. It is nil
	// if the map cannot get one.
	ruled func(field string) *graph.Lists
}

// slotUnder returns the slot of an entry of a new map at a path.
func (w *walk) slotUnder(at value.Path, k value.Key, lists *graph.Lists) slot {
	s := slot{at: at.With(k), lists: lists.Under(k.Text, nil)}
	if mayHaveRule(k) && !w.careful.meets(at) {
		s.ruled = func(field string) *graph.Lists { return lists.With(ruleBy(k, field)).Under(k.Text, nil) }
	}
	return s
}

// listsKey is the key of the rules for lists in a map.
var listsKey = value.K("+lists")

// mayHaveRule reports whether a rule can name the list under a key, and no other list at its depth.
func mayHaveRule(k value.Key) bool { return k.Kind == value.StringKind && k.Text != "*" }

// ruleBy returns the rule of a map that merges the list under a key by a field.
func ruleBy(k value.Key, field string) graph.ListRule {
	return graph.ListRule{Key: k.Text, Policy: graph.ListPolicy{Kind: graph.ByField, Field: field}}
}

// slot returns the slot of the entry k of the map, whose place in the edited document is at.
func (x *mapEdit) slot(k value.Key, at value.Path) slot {
	s := slot{at: at, lists: x.lists.Under(k.Text, nil)}
	if !mayHaveRule(k) || x.careful.meets(x.is) {
		return s
	}
	if rules, ok := x.m.rules(); ok && (rules == nil || !slices.ContainsFunc(rules.Entries, func(e yaml.Entry) bool { return e.Key.Text == k.Text })) {
		s.ruled = func(field string) *graph.Lists { return x.lists.With(ruleBy(k, field)).Under(k.Text, nil) }
	}
	return s
}

// rules returns the value of "+lists" in the map, nil if it has none; false if it cannot be edited.
func (m *mapping) rules() (*yaml.Node, bool) {
	if m.lists == nil {
		return nil, true
	}
	return m.lists.Value, m.lists.Value.Kind == yaml.MapNode
}

// rule notes that the map needs a rule for the list under a key.
func (x *mapEdit) rule(k value.Key, field string) {
	r := ruleBy(k, field)
	x.rules, x.lists = append(x.rules, r), x.lists.With(r)
}

// addRules inserts the new rules for lists: into the rules of the map, or after its directives.
func (x *mapEdit) addRules() error {
	at := x.text.With(listsKey)
	if x.m.lists != nil {
		for _, r := range x.rules {
			x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: at.With(value.K(r.Key)), Value: value.String(r.Policy.String())})
		}
		return nil
	}
	if len(x.rules) == 0 {
		return nil
	}
	rules := value.NewMap(len(x.rules))
	for _, r := range x.rules {
		rules.Set(value.K(r.Key), value.String(r.Policy.String()))
	}
	where := x.m.first()
	if n := len(x.m.directives); n > 0 {
		where = roundtrip.Position{Where: roundtrip.After, Key: x.m.directives[n-1].Key}
	}
	x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: at, Value: value.FromMap(rules), Place: where, Note: inFlow})
	return nil
}

// field returns the field by which a list is merged with an older one, with the rules for it: the field
// of its rule, or of a new one; "" if there is none.
func (s slot) field(older []value.Value) (field string, lists *graph.Lists, isNew bool) {
	if p := s.lists.Policy(); p.Kind == graph.ByField {
		return p.Field, s.lists, false
	}
	if s.ruled == nil {
		return "", nil, false
	}
	for _, k := range value.ItemFields {
		if haveOwn(k, older) {
			return k, s.ruled(k), true
		}
	}
	return "", nil, false
}

// haveOwn reports whether all items are maps with a value of their own under a field.
func haveOwn(field string, items []value.Value) bool {
	seen := make(map[value.Key]bool, len(items))
	for _, v := range items {
		k, ok := value.FieldKey(v, field)
		if !ok || seen[k] {
			return false
		}
		seen[k] = true
	}
	return len(items) > 0
}

// A fieldMatch says which items of an older list the wanted one has, by a field.
type fieldMatch struct {
	field string
	older map[value.Key]int // the older items by the field
	now   []int             // for each older item its index in the wanted list, -1 if it is removed
	tail  int               // the index of the first new item
}

// matchBy matches two lists by a field. It returns false if merging by it cannot give the wanted
// list: another order, repeated values, or items without the field that differ. With all, every
// older item must have the field.
func matchBy(field string, older, want []value.Value, all bool) (fieldMatch, bool) {
	m := fieldMatch{field: field, older: make(map[value.Key]int, len(older)), now: make([]int, len(older))}
	wanted := make(map[value.Key]int, len(want))
	for j, v := range want {
		k, ok := value.FieldKey(v, field)
		if _, again := wanted[k]; ok && again {
			return m, false
		}
		if ok {
			wanted[k] = j
		}
	}
	for i, v := range older {
		k, ok := value.FieldKey(v, field)
		if !ok && all {
			return m, false
		}
		if !ok {
			if m.tail >= len(want) || !value.IsSame(v, want[m.tail]) {
				return m, false
			}
			m.now[i], m.tail = m.tail, m.tail+1
			continue
		}
		if _, again := m.older[k]; again {
			return m, false
		}
		m.older[k], m.now[i] = i, -1
		if j, ok := wanted[k]; ok {
			if j != m.tail {
				return m, false
			}
			m.now[i], m.tail = j, j+1
		}
	}
	var plain []value.Value
	for _, v := range want[m.tail:] {
		if _, ok := value.FieldKey(v, field); !ok {
			plain = append(plain, v)
		}
	}
	return m, areApart(want[:len(want)-len(plain)], plain) && (len(plain) == 0 || !hasField(field, want[len(want)-len(plain):]))
}

// hasField reports whether an item has a scalar under a field.
func hasField(field string, items []value.Value) bool {
	for _, v := range items {
		if _, ok := value.FieldKey(v, field); ok {
			return true
		}
	}
	return false
}

// areApart reports whether new items, which are appended as in a union, neither equal an older
// item, or one another, nor join one with the same single key.
func areApart(older, fresh []value.Value) bool {
	if len(fresh) == 0 {
		return true
	}
	keys, single := map[uint64]bool{}, map[value.Key]bool{}
	add := func(key uint64, v value.Value) (isNew bool) {
		isNew = !keys[key]
		keys[key] = true
		if v.Is(value.MapKind) && v.Map().Len() == 1 {
			for k := range v.Map().Keys() {
				isNew = isNew && !single[k]
				single[k] = true
			}
		}
		return isNew
	}
	for i, key := range align.Keys(older, nil) {
		add(key, older[i])
	}
	for i, key := range align.Keys(fresh, nil) {
		if !add(key, fresh[i]) {
			return false
		}
	}
	return true
}
