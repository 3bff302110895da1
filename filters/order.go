package filters

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

func orderFilters() []Func {
	attribute, caseSensitive := opt("attribute", Any, value.Null), opt("case_sensitive", Bool, value.False)
	return family("order",
		moving(row("sort", "Sorts the items, by default without regard to case. The attribute to sort by may be several: 'a,b'.",
			"{{ ['b', 'A', 'c'] | sort }}", `["A", "b", "c"]`,
			sortItems, opt("reverse", Bool, value.False), caseSensitive, attribute)),
		moving(row("dictsort", "Returns the [key, value] pairs of a map, sorted by key or by value.",
			"{{ {'b': 1, 'a': 2} | dictsort }}", `[["a", 2], ["b", 1]]`,
			with((*Ctx).entries, dictSort), caseSensitive, opt("by", Text, value.String("key")), opt("reverse", Bool, value.False))),
		moving(row("min", "Returns the smallest item; undefined if there is none.",
			"{{ [3, 1, 2] | min }}", "1", extreme(-1), caseSensitive, attribute)),
		moving(row("max", "Returns the largest item; undefined if there is none.",
			"{{ [{'n': 1}, {'n': 3}] | max(attribute='n') }}", `{"n": 3}`, extreme(1), caseSensitive, attribute)),
		moving(row("groupby", "Groups the items by an attribute. A group is a pair of a value and the list of items that have it, also named grouper and list; groups are sorted by value.",
			"{{ [{'t': 'b'}, {'t': 'a', 'n': 1}] | groupby('t') | first }}", `["a", [{"n": 1, "t": "a"}]]`,
			with((*Ctx).items, groupBy), req("attribute", Any), opt("default", Any, value.Null), caseSensitive)),
	)
}

// A sortItem is an item with its sort key.
type sortItem struct {
	key, item value.Value
}

// keyedItems returns the items with their sort keys: the item, an attribute, or the list
// of several attributes, 'a,b'.
func (c *Ctx) keyedItems(in value.Value, attribute value.Value, caseSensitive bool) ([]sortItem, error) {
	items, err := c.items(in)
	if err != nil {
		return nil, err
	}
	path, err := c.digits(attribute)
	if err != nil {
		return nil, err
	}
	paths := strings.Split(path, ",")
	key := func(item value.Value, path string) (value.Value, error) {
		k, err := c.attr(item, strings.TrimSpace(path))
		if err == nil && k.Is(value.UndefinedKind) {
			err = reason(k)
		}
		return foldCase(k, caseSensitive), err
	}
	return convert(items, func(item value.Value) (sortItem, error) {
		switch {
		case attribute.IsNull():
			return sortItem{foldCase(item, caseSensitive), item}, nil
		case len(paths) == 1:
			k, err := key(item, path)
			return sortItem{k, item}, err
		}
		keys, err := convert(paths, func(path string) (value.Value, error) { return key(item, path) })
		return sortItem{value.ListOf(keys...), item}, err
	})
}

// foldCase returns a text in lower case, for sorting as Jinja does by default: letter case decides nothing.
func foldCase(v value.Value, caseSensitive bool) value.Value {
	if caseSensitive || !v.Is(value.StringKind) {
		return v
	}
	return value.String(strings.ToLower(v.Str())).Mark(v.Marks())
}

// sortKeyed sorts items by key; the sort is stable. Two keys without an order are an
// error. Each comparison counts as a step.
func (c *Ctx) sortKeyed(items []sortItem, reverse bool) error {
	var failed error
	after := func(a, b *sortItem) bool { // reports whether a has to be after b
		if failed != nil {
			return false
		}
		n := 0
		if failed = c.step(1); failed == nil {
			n, failed = c.compare(a.key, b.key)
		}
		return n > 0 && !reverse || n < 0 && reverse
	}
	sortRuns(items, after)
	return failed
}

// sortRuns sorts items by merging the runs that are in order already, or in the opposite order without equal
// items. A list in order takes one comparison for each item.
func sortRuns(items []sortItem, after func(a, b *sortItem) bool) {
	var ends []int // of the runs
	for start := 0; start < len(items); {
		end := start + 1
		if end < len(items) && after(&items[start], &items[end]) {
			for end++; end < len(items) && after(&items[end-1], &items[end]); end++ {
			}
			slices.Reverse(items[start:end])
		}
		for end < len(items) && !after(&items[end-1], &items[end]) {
			end++
		}
		ends, start = append(ends, end), end
	}
	if len(ends) < 2 {
		return
	}
	from, room := items, make([]sortItem, len(items))
	for len(ends) > 1 {
		start, merged := 0, ends[:0]
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			mergeRuns(room[start:end], from[start:middle], from[middle:end], after)
			merged, start = append(merged, end), end
		}
		ends, from, room = merged, room, from
	}
	copy(items, from)
}

// mergeRuns writes the items of two sorted runs, which were one after the other, to a slice for both.
func mergeRuns(to, x, y []sortItem, after func(a, b *sortItem) bool) {
	for len(x) > 0 && len(y) > 0 {
		if after(&x[0], &y[0]) {
			to[0], y = y[0], y[1:]
		} else {
			to[0], x = x[0], x[1:]
		}
		to = to[1:]
	}
	copy(to[copy(to, x):], y)
}

func listOfItems(items []sortItem) value.Value {
	out := make([]value.Value, len(items))
	for i := range items {
		out[i] = items[i].item
	}
	return value.ListOf(out...)
}

func sortItems(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	items, err := c.keyedItems(in, a.Get("attribute"), a.Bool("case_sensitive"))
	if err == nil {
		err = c.sortKeyed(items, a.Bool("reverse"))
	}
	return listOfItems(items), err
}

// dictSort is Jinja's dictsort. The result is a list of pairs, since a map has its own order.
func dictSort(c *Ctx, entries []entry, a Bound) (value.Value, error) {
	by := a.Str("by")
	if by != "key" && by != "value" {
		return value.Null, fmt.Errorf("can sort by \"key\" or \"value\", not by %q", by)
	}
	items := make([]sortItem, len(entries))
	for i, e := range entries {
		key := e.name
		if by == "value" {
			key = e.val
		}
		items[i] = sortItem{foldCase(key, a.Bool("case_sensitive")), value.ListOf(e.name, e.val)}
	}
	err := c.sortKeyed(items, a.Bool("reverse"))
	return listOfItems(items), err
}

// extreme returns a call for the first smallest (direction -1) or largest (1) item.
func extreme(direction int) func(*Ctx, value.Value, Bound) (value.Value, error) {
	return func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
		items, err := c.keyedItems(in, a.Get("attribute"), a.Bool("case_sensitive"))
		if err != nil {
			return value.Null, err
		}
		if len(items) == 0 {
			return value.Undefined(errEmpty("smallest or largest item")), nil
		}
		best := items[0]
		for _, item := range items[1:] {
			n, err := c.compare(item.key, best.key)
			if err != nil {
				return value.Null, err
			}
			if n*direction > 0 {
				best = item
			}
		}
		return best.item, nil
	}
}

// groupBy is Jinja's groupby: it sorts by an attribute, and groups items with equal ones. Values that differ only
// in letter case are one group, which the first of them names, unless case_sensitive is set.
func groupBy(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
	keys := slices.Clone(items)
	if err := c.toAttributes(keys, a.Get("attribute")); err != nil {
		return value.Null, err
	}
	if def := a.Get("default"); !def.IsNull() {
		replaceUndefined(keys, def)
	}
	pairs := make([]sortItem, len(items))
	for i := range items {
		if keys[i].Is(value.UndefinedKind) {
			return value.Null, reason(keys[i])
		}
		c.look(keys[i])
		pairs[i] = sortItem{foldCase(keys[i], a.Bool("case_sensitive")), value.ListOf(keys[i], items[i])}
	}
	if err := c.sortKeyed(pairs, false); err != nil {
		return value.Null, err
	}
	var out []value.Value
	for i := 0; i < len(pairs); {
		var members []value.Value
		start := pairs[i] // its spelling names the group
		for ; i < len(pairs); i++ {
			if same, err := c.equal(start.key, pairs[i].key); err != nil {
				return value.Null, err
			} else if !same {
				break
			}
			member, _ := pairs[i].item.List().At(1)
			members = append(members, member)
		}
		name, _ := start.item.List().At(0)
		out = append(out, value.FromList(grouping{value.Slice{name, value.ListOf(members...)}}))
	}
	return value.ListOf(out...), nil
}

// A grouping is the list [grouper, list]: a value and the items that have it. Both are
// attributes too.
type grouping struct{ value.Slice }

// Attr implements [value.Attributes].
func (g grouping) Attr(name string) (value.Value, bool, error) {
	switch name {
	case "grouper":
		return g.Slice[0], true, nil
	case "list":
		return g.Slice[1], true, nil
	}
	return value.Null, false, nil
}

func setFilters() []Func {
	other := []Param{req("other", Items)}
	return family("sets",
		moving(row("unique", "Removes duplicate items and keeps the first of each. Texts are compared without regard to case by default.",
			"{{ ['b', 'a', 'B'] | unique }}", `["b", "a"]`,
			unique, opt("case_sensitive", Bool, value.False), opt("attribute", Any, value.Null))),
		moving(row("union", "Returns the items of both lists, each once.",
			"{{ [1, 2] | union([2, 3]) }}", "[1, 2, 3]", withOther(union), other...)),
		moving(row("intersect", "Returns the items that are in both lists, each once.",
			"{{ [1, 2, 2] | intersect([2, 3]) }}", "[2]", withOther(intersect), other...)),
		moving(row("difference", "Returns the items that are not in the other list, each once.",
			"{{ [1, 2, 1] | difference([2]) }}", "[1]", withOther(difference), other...)),
		moving(row("symmetric_difference", "Returns the items that are in only one of the lists, each once.",
			"{{ [1, 2] | symmetric_difference([2, 3]) }}", "[1, 3]", withOther(symmetricDifference), other...)),
	)
}

// A set is a set of values. It looks scalars up by their key. It compares the first few
// lists and maps one by one, which reads only as much of them as it takes to find a
// difference; if there are more, it looks them up by a hash of everything in them.
type set struct {
	c       *Ctx
	room    int                      // for how many values
	whole   map[int64]bool           // numbers without a fraction, which are equal if they are floats as well
	scalars map[value.Key]bool       // all others
	others  []value.Value            // at most maxCompared lists and maps; nil if there are more
	hashed  map[uint64][]value.Value // all lists and maps if there are more
}

// setSteps is the cost of looking for a value in a set.
const setSteps = 48

// maxCompared is the number of lists and maps that a set compares one by one.
const maxCompared = 16

// newSet returns a set for up to n values, of which many may be equal.
func (c *Ctx) newSet(n int) *set {
	const mostRoom = 4096
	return &set{c: c, room: min(n, mostRoom)}
}

// add adds v and reports whether it is new.
func (s *set) add(v value.Value) (bool, error) {
	found, err := s.has(v)
	if found || err != nil {
		return false, err
	}
	if n, ok := wholeNumber(v); ok {
		if s.whole == nil {
			s.whole = make(map[int64]bool, s.room)
		}
		s.whole[n] = true
		return true, nil
	}
	if k, isScalar := value.KeyOf(v); isScalar {
		if s.scalars == nil {
			s.scalars = make(map[value.Key]bool, s.room)
		}
		s.scalars[k] = true
		return true, nil
	}
	if s.hashed != nil {
		return true, s.addHashed(v)
	}
	if s.others = append(s.others, v); len(s.others) <= maxCompared {
		return true, nil
	}
	s.hashed = map[uint64][]value.Value{}
	for _, o := range s.others {
		if err := s.addHashed(o); err != nil {
			return false, err
		}
	}
	s.others = nil
	return true, nil
}

func (s *set) addHashed(v value.Value) error {
	h, err := s.c.comparison().Hash(v)
	s.hashed[h] = append(s.hashed[h], v)
	return err
}

func (s *set) has(v value.Value) (bool, error) {
	if v.Is(value.UndefinedKind) {
		return false, reason(v)
	}
	if err := s.c.step(setSteps + value.TextSteps(v) + len(v.Str())/bytesPerStep/16); err != nil {
		return false, err
	}
	if n, ok := wholeNumber(v); ok {
		s.c.look(v)
		return s.whole[n], nil
	}
	if k, isScalar := value.KeyOf(v); isScalar {
		s.c.look(v)
		return s.scalars[k], nil
	}
	alike := s.others
	if s.hashed != nil {
		h, err := s.c.comparison().Hash(v)
		if err != nil {
			return false, err
		}
		alike = s.hashed[h]
	}
	if err := s.c.step(1 + len(alike)); err != nil {
		return false, err
	}
	for _, o := range alike {
		if same, err := s.c.equal(o, v); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// wholeNumber returns the integer that v is, or is equal to, as a float without a fraction is. It is false for other
// values, and for integers that do not fit.
func wholeNumber(v value.Value) (int64, bool) {
	switch v.Kind() {
	case value.IntKind:
		return v.Int()
	case value.FloatKind:
		f := v.Float()
		return int64(f), f == math.Trunc(f) && math.Abs(f) < 1<<53
	}
	return 0, false
}

func unique(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if a.Get("attribute").IsNull() {
		items, err := c.items(in)
		if err != nil {
			return value.Null, err
		}
		seen, caseSensitive := c.newSet(len(items)), a.Bool("case_sensitive")
		return listOf(keep(items, func(item value.Value) (bool, error) { return seen.add(foldCase(item, caseSensitive)) }))
	}
	items, err := c.keyedItems(in, a.Get("attribute"), a.Bool("case_sensitive"))
	if err != nil {
		return value.Null, err
	}
	seen := c.newSet(len(items))
	out := []value.Value{}
	for _, item := range items {
		added, err := seen.add(item.key)
		if err != nil {
			return value.Null, err
		}
		if added {
			out = append(out, item.item)
		}
	}
	return value.ListOf(out...), nil
}

// withOther returns a call of f with the piped items and the items of the other list.
func withOther(f func(c *Ctx, x, y []value.Value) ([]value.Value, error)) call {
	return with((*Ctx).items, func(c *Ctx, x []value.Value, a Bound) (value.Value, error) {
		y, err := c.items(a.Get("other"))
		if err != nil {
			return value.Null, err
		}
		return listOf(f(c, x, y))
	})
}

func union(c *Ctx, x, y []value.Value) ([]value.Value, error) {
	all := append(x, y...)
	return keep(all, c.newSet(len(all)).add)
}

func intersect(c *Ctx, x, y []value.Value) ([]value.Value, error) { return c.distinct(x, y, true) }

func difference(c *Ctx, x, y []value.Value) ([]value.Value, error) { return c.distinct(x, y, false) }

func symmetricDifference(c *Ctx, x, y []value.Value) ([]value.Value, error) {
	left, err := difference(c, x, y)
	if err != nil {
		return nil, err
	}
	right, err := difference(c, y, x)
	return append(left, right...), err
}

// distinct returns the items that are in other, or that are not, each once.
func (c *Ctx) distinct(items, other []value.Value, wanted bool) ([]value.Value, error) {
	s, seen := c.newSet(len(other)), c.newSet(len(items))
	if _, err := keep(other, s.add); err != nil {
		return nil, err
	}
	return keep(items, func(v value.Value) (bool, error) {
		if found, err := s.has(v); err != nil || found != wanted {
			return false, err
		}
		return seen.add(v)
	})
}
