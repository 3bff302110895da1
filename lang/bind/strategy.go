package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// # Merges
//
// A strategy makes one value of the values of a key. With the higher value first,
//
//	port: [80, 443]          tags: {a: 1, n: [x]}
//	port: [443, 8080]        tags: {b: 2, n: [y, x]}
//
// the strategies give
//
//	first    [80, 443]              {a: 1, n: [x]}
//	unique   [80, 443, 8080]        an error: it joins scalars and lists
//	hash     an error: it joins maps   {b: 2, n: [x], a: 1}
//	deep     [443, 8080, 80]        {b: 2, n: [y, x], a: 1}
//
// unique has the items of the higher list first. hash and deep begin with the lower value, as Puppet does: the
// order of keys and items is the order of the lowest source, and higher ones add to its end.

// A StrategyKind is the way in which the values of several candidates become one.
type StrategyKind uint8

// The kinds of strategies (spec: bindings, section 9).
const (
	First  StrategyKind = iota // the highest value
	Unique                     // a list of all scalars, without repeats
	Hash                       // one map, of which higher values replace lower ones
	Deep                       // as Hash, and maps and lists in it are merged
)

var strategyNames = [...]string{"first", "unique", "hash", "deep"}

// String returns the name of the kind.
func (k StrategyKind) String() string { return strategyNames[k] }

// A Strategy is a kind of merge with its options, which only Deep has.
type Strategy struct {
	Kind StrategyKind

	// Knockout is the prefix of texts that remove others: "--x" in a higher list removes
	// "x" from the lower one.
	Knockout string

	Sort   bool // sort merged lists
	Hashes bool // merge the maps of two lists by position
}

// NewStrategy returns the strategy with a name, false for an unknown one.
func NewStrategy(name string) (*Strategy, bool) {
	i := slices.Index(strategyNames[:], name)
	if i < 0 {
		return nil, false
	}
	return &Strategy{Kind: StrategyKind(i)}, true
}

// ParseStrategy reads a strategy from a value: its name, or a map with "strategy" and the
// options of deep.
//
//	deep    {strategy: deep, knockout_prefix: "--", sort_merged_arrays: true, merge_hash_arrays: true}
func ParseStrategy(v value.Value) (*Strategy, error) {
	if v.Is(value.StringKind) {
		s, ok := NewStrategy(v.Str())
		if !ok {
			return nil, fmt.Errorf("unknown merge strategy %q: there are first, unique, hash, deep", v.Str())
		}
		return s, nil
	}
	if !v.Is(value.MapKind) {
		return nil, fmt.Errorf("a merge strategy is a name or a map with the key strategy, not %s", value.Article(v.Kind()))
	}
	m := v.Map()
	name, ok, err := m.Get(value.K("strategy"))
	if err != nil {
		return nil, err
	}
	if !ok || !name.Is(value.StringKind) {
		return nil, fmt.Errorf("the map of a merge strategy needs the key strategy: first, unique, hash or deep")
	}
	s, err := ParseStrategy(name)
	if err != nil {
		return nil, err
	}
	for k := range m.Keys() {
		option, _, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		if err := s.option(k.Text, option); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// option sets one option of a strategy.
func (s *Strategy) option(name string, v value.Value) error {
	if name == "strategy" {
		return nil
	}
	if s.Kind != Deep {
		return fmt.Errorf("the merge strategy %s has no options, so %q has no effect", s.Kind, name)
	}
	var flag *bool
	switch name {
	case "knockout_prefix":
		if v.IsNull() {
			return nil
		}
		if !v.Is(value.StringKind) || v.Str() == "" {
			return fmt.Errorf("knockout_prefix is a text, such as \"--\"")
		}
		s.Knockout = v.Str()
		return nil
	case "sort_merged_arrays":
		flag = &s.Sort
	case "merge_hash_arrays":
		flag = &s.Hashes
	case "merge_debug":
		return nil // prints nothing here: --explain shows the sources
	default:
		return fmt.Errorf("unknown option %q of the merge strategy deep: there are knockout_prefix, sort_merged_arrays, merge_hash_arrays", name)
	}
	if !v.IsNull() && !v.Is(value.BoolKind) {
		return fmt.Errorf("%s is true or false", name)
	}
	*flag = v.Bool()
	return nil
}

// A MergeError says that a value cannot be merged by a strategy.
type MergeError struct {
	Strategy *Strategy
	Value    value.Value
}

// Error names the strategy and the kind of the value.
func (e *MergeError) Error() string {
	switch e.Strategy.Kind {
	case Hash:
		return fmt.Sprintf("the merge strategy hash joins maps, and this is %s", value.Article(e.Value.Kind()))
	case Unique:
		return fmt.Sprintf("the merge strategy unique joins scalars and lists, and this is %s", value.Article(e.Value.Kind()))
	}
	return fmt.Sprintf("%s cannot be merged", value.Article(e.Value.Kind()))
}

// A folder merges values under a budget.
type folder struct {
	*Strategy
	charge func(steps int) error
}

// Fold merges values, highest first, of which there is at least one. charge is called with the
// steps of the work; it may be nil.
//
// The meaning is Hiera 5's, which merges two sources at a time, the higher ones first:
// of three sources a knockout in the first reaches only the second.
//
// The error of a value that the strategy does not merge is a [*MergeError].
func (s *Strategy) Fold(values []value.Value, charge func(steps int) error) (value.Value, error) {
	if charge == nil {
		charge = func(int) error { return nil }
	}
	f := folder{s, charge}
	result, err := f.start(values[0])
	if err == nil && f.Kind == Unique && len(values) > 1 {
		return f.unique(append([]value.Value{result}, values[1:]...))
	}
	for _, lower := range values[1:] {
		if err != nil {
			return value.Null, err
		}
		result, err = f.join(result, lower)
	}
	return result, err
}

// start returns the first of the values as the result so far.
func (f folder) start(v value.Value) (value.Value, error) {
	if f.Kind != Unique {
		return v, nil
	}
	if !v.Is(value.ListKind) {
		return value.ListOf(v).Mark(v.Marks()), nil // of one source anything
	}
	set := union{repeats: true}
	err := f.flatten(&set, v, 0)
	return set.list(v.Marks()), err
}

// join merges a lower value into the result of the higher ones.
func (f folder) join(higher, lower value.Value) (value.Value, error) {
	switch f.Kind {
	case Hash:
		return f.hash(higher, lower)
	case Deep:
		return f.deep(higher, lower, 0)
	}
	return higher, nil
}

// unique returns the scalars of all values, without repeats.
func (f folder) unique(values []value.Value) (value.Value, error) {
	var set union
	var marks value.Marks
	for _, v := range values {
		if v.Is(value.MapKind) || v.IsNull() {
			return value.Null, &MergeError{f.Strategy, v}
		}
		if err := f.flatten(&set, v, 0); err != nil {
			return value.Null, err
		}
		marks |= v.Marks()
	}
	return set.list(marks), nil
}

// flatten adds the scalars of nested lists to set, with the marks of the lists around them.
func (f folder) flatten(set *union, v value.Value, depth int) error {
	if depth > value.MaxNesting {
		return fmt.Errorf("the value is nested too deeply")
	}
	if !v.Is(value.ListKind) {
		return set.add(v, f.charge)
	}
	for item, err := range value.Items(v.List()) {
		if err != nil {
			return err
		}
		if err := f.flatten(set, item.Mark(v.Marks()), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// hash returns the keys of the lower map, then the new ones of the higher, whose values win.
func (f folder) hash(higher, lower value.Value) (value.Value, error) {
	for _, v := range []value.Value{higher, lower} {
		if !v.Is(value.MapKind) {
			return value.Null, &MergeError{f.Strategy, v}
		}
	}
	out := value.NewMap(higher.Map().Len() + lower.Map().Len())
	for _, v := range []value.Value{lower, higher} {
		if err := f.put(out, v.Map()); err != nil {
			return value.Null, err
		}
	}
	return value.FromMap(out).Mark(higher.Marks() | lower.Marks()), nil
}

// put sets all entries of a map in out.
func (f folder) put(out *value.Dict, m value.Map) error {
	for k := range m.Keys() {
		item, _, err := m.Get(k)
		if err != nil {
			return err
		}
		out.Set(k, item)
	}
	return f.charge(m.Len())
}

// deep merges as Hiera does with the library deep_merge, whose corners are kept: a null adds
// nothing over a value, an empty map over no map neither; false and null are replaced by
// anything.
//
//	{a: [1, 2], b: x} over {c: 3, a: [2, 0]}   {c: 3, a: [2, 0, 1], b: x}
//
// Other kinds that differ are not merged: the higher value replaces the lower one. depth counts the lists and maps
// around the values.
func (f folder) deep(higher, lower value.Value, depth int) (value.Value, error) {
	if depth > value.MaxNesting {
		return value.Null, fmt.Errorf("the value is nested too deeply")
	}
	if err := f.charge(1); err != nil {
		return value.Null, err
	}
	switch {
	case higher.IsNull():
		return lower, nil
	case isFalse(lower):
		return higher, nil
	case higher.Is(value.MapKind):
		if !lower.Is(value.MapKind) {
			if higher.Map().Len() == 0 {
				return lower, nil
			}
			return higher, nil
		}
		return f.deepMaps(higher, lower, depth)
	case higher.Is(value.ListKind):
		return f.deepLists(higher, lower, depth)
	}
	// A scalar replaces what is below; a text with the knockout prefix leaves an empty text.
	if f.Knockout != "" && strings.HasPrefix(higher.Str(), f.Knockout) && higher.Is(value.StringKind) {
		return value.String("").Mark(higher.Marks()), nil
	}
	return higher, nil
}

// isFalse reports whether v is null or false, which Ruby takes for missing.
func isFalse(v value.Value) bool { return v.IsNull() || v.Is(value.BoolKind) && !v.Bool() }

// deepMaps merges two maps. Keys of the lower map come first, in its order.
func (f folder) deepMaps(higher, lower value.Value, depth int) (value.Value, error) {
	out := value.NewMap(higher.Map().Len() + lower.Map().Len())
	if err := f.put(out, lower.Map()); err != nil {
		return value.Null, err
	}
	for k := range higher.Map().Keys() {
		item, _, err := higher.Map().Get(k)
		if err != nil {
			return value.Null, err
		}
		below, ok, err := out.Get(k)
		if err != nil {
			return value.Null, err
		}
		// A value without a lower one is merged with itself: its repeats and knockouts go.
		if !ok || isFalse(below) {
			below = item
		}
		if item, err = f.deep(item, below, depth+1); err != nil {
			return value.Null, err
		}
		out.Set(k, item)
	}
	return value.FromMap(out).Mark(higher.Marks() | lower.Marks()), nil
}

// deepLists joins two lists: the lower items first, then the new ones of the higher list. Texts with the knockout
// prefix remove the same text from the lower list; the prefix by itself removes the whole lower list.
//
//	[--a, c] over [a, b]     [b, c]      with the prefix --
//	[--, c] over [a, b]      [c]
func (f folder) deepLists(higher, lower value.Value, depth int) (value.Value, error) {
	over, err := value.ItemsOf(higher.List())
	if err != nil {
		return value.Null, err
	}
	truncates := false
	if f.Knockout != "" {
		n := len(over)
		over = slices.DeleteFunc(slices.Clone(over), func(v value.Value) bool { return v.Is(value.StringKind) && v.Str() == f.Knockout })
		truncates = len(over) < n
	}
	if !lower.Is(value.ListKind) {
		over, _ = f.knockouts(over)
		return value.ListOf(over...).Mark(higher.Marks()), nil
	}
	var under []value.Value
	if !truncates {
		if under, err = value.ItemsOf(lower.List()); err != nil {
			return value.Null, err
		}
	}
	over, out := f.knockouts(over)
	under = slices.DeleteFunc(slices.Clone(under), func(v value.Value) bool { return v.Is(value.StringKind) && out[v.Str()] })
	var set union
	if f.Hashes && allMaps(over) && allMaps(under) {
		set.items, err = f.byPosition(over, under, depth)
	} else {
		set, err = f.union(under, over)
	}
	if err == nil && f.Sort {
		err = f.sorted(set.items)
	}
	return set.list(higher.Marks() | lower.Marks()), err
}

// knockouts returns the items without those that have the prefix, and the texts that these
// remove from a lower list: with and without the prefix.
func (f folder) knockouts(items []value.Value) (rest []value.Value, out map[string]bool) {
	if f.Knockout == "" {
		return items, nil
	}
	out = map[string]bool{}
	for _, v := range items {
		if name, ok := strings.CutPrefix(v.Str(), f.Knockout); ok && v.Is(value.StringKind) {
			out[name], out[v.Str()] = true, true
			continue
		}
		rest = append(rest, v)
	}
	return rest, out
}

func allMaps(items []value.Value) bool {
	return !slices.ContainsFunc(items, func(v value.Value) bool { return !v.Is(value.MapKind) })
}

// byPosition merges the maps of two lists item by item.
func (f folder) byPosition(over, under []value.Value, depth int) ([]value.Value, error) {
	out := make([]value.Value, 0, max(len(over), len(under)))
	for i, lower := range under {
		if i < len(over) {
			var err error
			if lower, err = f.deep(over[i], lower, depth+1); err != nil {
				return nil, err
			}
		}
		out = append(out, lower)
	}
	if len(over) > len(under) {
		out = append(out, over[len(under):]...)
	}
	return out, nil
}

// union returns the items of both lists, each once.
func (f folder) union(under, over []value.Value) (union, error) {
	var set union
	for _, items := range [][]value.Value{under, over} {
		for _, v := range items {
			if err := set.add(v, f.charge); err != nil {
				return set, err
			}
		}
	}
	return set, nil
}

// sorted sorts numbers by value, texts by their letters, and a mixture by its texts.
func (f folder) sorted(items []value.Value) error {
	if err := f.charge(len(items)); err != nil {
		return err
	}
	numbers := !slices.ContainsFunc(items, func(v value.Value) bool { return !v.IsNumber() })
	texts := make(map[int]string, len(items))
	order := make([]int, len(items))
	for i, v := range items {
		order[i] = i
		if text, err := value.Text(v); err != nil {
			return err
		} else if !numbers {
			texts[i] = text
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if numbers {
			c, _ := value.Compare(items[a], items[b]) // numbers are ordered
			return c
		}
		return strings.Compare(texts[a], texts[b])
	})
	out := make([]value.Value, len(items))
	for i, at := range order {
		out[i] = items[at]
	}
	copy(items, out)
	return nil
}

// A union is a list in which each value occurs once. The zero union is empty.
type union struct {
	items []value.Value
	seen  map[uint64][]int
	marks value.Marks // of all that was compared, since it decides how long the list is

	repeats bool // equal values are kept
}

// list returns the items as a value with the given marks.
func (u *union) list(m value.Marks) value.Value {
	return value.ListOf(u.items...).Mark(m | u.marks)
}

// itemSteps is the cost of an item: at the limit of steps a list takes some 600 MB.
const itemSteps = 32

// add appends v if it is new.
func (u *union) add(v value.Value, charge func(steps int) error) error {
	if err := charge(itemSteps); err != nil {
		return err
	}
	if u.repeats {
		u.items = append(u.items, v)
		return nil
	}
	h, err := value.Hash(v, charge)
	if err != nil {
		return err
	}
	marks, err := value.DeepMarksCharged(v, charge)
	if err != nil {
		return err
	}
	u.marks |= marks
	if u.seen == nil {
		u.seen = map[uint64][]int{}
	}
	for _, i := range u.seen[h] {
		same, err := value.EqualCharged(u.items[i], v, charge)
		if err != nil {
			return err
		}
		if same && u.items[i].Kind() == v.Kind() {
			return nil
		}
	}
	u.seen[h] = append(u.seen[h], len(u.items))
	u.items = append(u.items, v)
	return nil
}
