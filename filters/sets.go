package filters

import (
	"math"
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

func setFilters() []Func {
	other := []Param{req("other", Items)}
	return []Func{
		{
			Name: "unique", Family: "sets", Call: unique, flow: moves,
			Params:  []Param{opt("case_sensitive", Bool, value.False), opt("attribute", Any, value.Null)},
			Doc:     "Each item once, in the order of first appearance. Texts are compared without case.",
			Example: "{{ ['b', 'a', 'B'] | unique }}", Result: `["b", "a"]`,
		},
		{
			Name: "union", Family: "sets", Call: union, flow: moves, Params: other,
			Doc:     "The items of both lists, each once.",
			Example: "{{ [1, 2] | union([2, 3]) }}", Result: "[1, 2, 3]",
		},
		{
			Name: "intersect", Family: "sets", Call: intersect, flow: moves, Params: other,
			Doc:     "The items that are in both lists, each once.",
			Example: "{{ [1, 2, 2] | intersect([2, 3]) }}", Result: "[2]",
		},
		{
			Name: "difference", Family: "sets", Call: difference, flow: moves, Params: other,
			Doc:     "The items that are not in the other list, each once.",
			Example: "{{ [1, 2, 1] | difference([2]) }}", Result: "[1]",
		},
		{
			Name: "symmetric_difference", Family: "sets", Call: symmetricDifference, flow: moves, Params: other,
			Doc:     "The items that are in one of the lists only, each once.",
			Example: "{{ [1, 2] | symmetric_difference([2, 3]) }}", Result: "[1, 3]",
		},
	}
}

// A set holds values by what they equal. A few lists and maps are compared one by one,
// which looks at no more of them than it takes to tell them apart; many are looked up.
type set struct {
	c       *Ctx
	scalars map[value.Key]bool
	others  []value.Value            // while there are few
	hashed  map[uint64][]value.Value // then
}

// maxCompared is how many lists and maps are compared one by one.
const maxCompared = 16

func (c *Ctx) newSet(items ...value.Value) (*set, error) {
	s := &set{c: c, scalars: map[value.Key]bool{}}
	for _, item := range items {
		if _, err := s.add(item); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add reports whether v was not there before.
func (s *set) add(v value.Value) (bool, error) {
	found, err := s.has(v)
	if found || err != nil {
		return false, err
	}
	if k, ok := setKey(v); ok {
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
	h, err := value.Hash(v, s.c.charge())
	s.hashed[h] = append(s.hashed[h], v)
	return err
}

func (s *set) has(v value.Value) (bool, error) {
	if v.Is(value.UndefinedKind) {
		return false, reason(v)
	}
	if k, ok := setKey(v); ok {
		return s.scalars[k], nil
	}
	alike := s.others
	if s.hashed != nil {
		h, err := value.Hash(v, s.c.charge())
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

// setKey is the key of a scalar; a whole float has that of the integer it equals.
func setKey(v value.Value) (value.Key, bool) {
	if f := v.Float(); v.Is(value.FloatKind) && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return value.Key{Text: strconv.FormatInt(int64(f), 10), Kind: value.IntKind}, true
	}
	return value.KeyOf(v)
}

func unique(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	items, err := c.keyedItems(in, a.Get("attribute"), a.Bool("case_sensitive"))
	if err != nil {
		return value.Null, err
	}
	seen, err := c.newSet()
	if err != nil {
		return value.Null, err
	}
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

// distinct returns the items that keep says yes to, each once.
func (c *Ctx) distinct(items []value.Value, keep func(value.Value) (bool, error)) ([]value.Value, error) {
	seen, err := c.newSet()
	if err != nil {
		return nil, err
	}
	out := []value.Value{}
	for _, item := range items {
		ok, err := keep(item)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if ok, err = seen.add(item); err != nil {
			return nil, err
		} else if ok {
			out = append(out, item)
		}
	}
	return out, nil
}

func (c *Ctx) twoLists(in value.Value, a Bound) (x, y []value.Value, err error) {
	if x, err = c.items(in); err == nil {
		y, err = c.items(a.Get("other"))
	}
	return x, y, err
}

func union(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	x, y, err := c.twoLists(in, a)
	if err != nil {
		return value.Null, err
	}
	out, err := c.distinct(append(x, y...), func(value.Value) (bool, error) { return true, nil })
	return value.ListOf(out...), err
}

func intersect(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	x, y, err := c.twoLists(in, a)
	if err != nil {
		return value.Null, err
	}
	out, err := c.those(x, y, true)
	return value.ListOf(out...), err
}

func difference(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	x, y, err := c.twoLists(in, a)
	if err != nil {
		return value.Null, err
	}
	out, err := c.those(x, y, false)
	return value.ListOf(out...), err
}

func symmetricDifference(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	x, y, err := c.twoLists(in, a)
	if err != nil {
		return value.Null, err
	}
	left, err := c.those(x, y, false)
	if err != nil {
		return value.Null, err
	}
	right, err := c.those(y, x, false)
	return value.ListOf(append(left, right...)...), err
}

// those returns the distinct items that are in other, or those that are not.
func (c *Ctx) those(items, other []value.Value, want bool) ([]value.Value, error) {
	s, err := c.newSet(other...)
	if err != nil {
		return nil, err
	}
	return c.distinct(items, func(v value.Value) (bool, error) {
		found, err := s.has(v)
		return found == want, err
	})
}
