package filters

import (
	"errors"
	"math/big"

	"github.com/yaytpl/yaytpl/value"
)

func productFilters() []Func {
	return []Func{
		{
			Name: "zip", Family: "products", Call: zip, flow: moves,
			Params:  []Param{variadic("others", Items)},
			Doc:     "Lists of the items at the same place, as long as the shortest list.",
			Example: "{{ ['a', 'b'] | zip([1, 2, 3]) }}", Result: `[["a", 1], ["b", 2]]`,
		},
		{
			Name: "zip_longest", Family: "products", Call: zipLongest, flow: moves,
			Params:  []Param{variadic("others", Items), opt("fillvalue", Any, value.Null)},
			Doc:     "Lists of the items at the same place, as long as the longest list.",
			Example: "{{ [1, 2] | zip_longest(['a'], fillvalue='-') }}", Result: `[[1, "a"], [2, "-"]]`,
		},
		{
			Name: "product", Family: "products", Call: product, flow: moves,
			Params:  []Param{variadic("others", Items), opt("repeat", Int, value.Int(1))},
			Doc:     "Every combination of one item from each list.",
			Example: "{{ [1, 2] | product(['a', 'b']) }}", Result: `[[1, "a"], [1, "b"], [2, "a"], [2, "b"]]`,
		},
		{
			Name: "combinations", Family: "products", Call: with((*Ctx).items, combinations), flow: moves,
			Params:  []Param{req("size", Int)},
			Doc:     "Every choice of so many items, in the order of the list.",
			Example: "{{ [1, 2, 3] | combinations(2) }}", Result: "[[1, 2], [1, 3], [2, 3]]",
		},
		{
			Name: "permutations", Family: "products", Call: with((*Ctx).items, permutations), flow: moves,
			Params:  []Param{opt("size", Int, value.Null)},
			Doc:     "Every choice of so many items, in every order; of all by default.",
			Example: "{{ [1, 2] | permutations }}", Result: "[[1, 2], [2, 1]]",
		},
	}
}

func (c *Ctx) allLists(in value.Value, a Bound) ([][]value.Value, error) {
	var out [][]value.Value
	for _, v := range append([]value.Value{in}, a.Rest()...) {
		items, err := c.items(v)
		if err != nil {
			return nil, err
		}
		out = append(out, items)
	}
	return out, nil
}

func zip(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	lists, err := c.allLists(in, a)
	if err != nil {
		return value.Null, err
	}
	n := len(lists[0])
	for _, l := range lists {
		n = min(n, len(l))
	}
	return c.rows(lists, n, value.Null)
}

func zipLongest(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	lists, err := c.allLists(in, a)
	if err != nil {
		return value.Null, err
	}
	n := 0
	for _, l := range lists {
		n = max(n, len(l))
	}
	return c.rows(lists, n, a.Get("fillvalue"))
}

func (c *Ctx) rows(lists [][]value.Value, n int, fill value.Value) (value.Value, error) {
	if err := c.reserveProduct(n*itemBytes, len(lists)+1); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, n)
	for i := range out {
		row := make([]value.Value, len(lists))
		for j, l := range lists {
			row[j] = fill
			if i < len(l) {
				row[j] = l[i]
			}
		}
		out[i] = value.ListOf(row...)
	}
	return value.ListOf(out...), nil
}

// reserveRows asks whether a list of count rows of size items may be made.
func (c *Ctx) reserveRows(count *big.Int, size int) error {
	total := new(big.Int).Mul(count, big.NewInt(int64(size)+1))
	if !total.IsInt64() {
		return c.reserveItems(-1)
	}
	return c.reserveItems(int(total.Int64()))
}

func product(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	lists, err := c.allLists(in, a)
	if err != nil {
		return value.Null, err
	}
	repeat := a.Int("repeat")
	if repeat < 0 {
		return value.Null, errors.New("repeat is negative")
	}
	if err := c.reserveProduct(repeat, len(lists)*itemBytes); err != nil {
		return value.Null, err
	}
	all := make([][]value.Value, 0, len(lists)*repeat)
	for range repeat {
		all = append(all, lists...)
	}
	return c.product(all)
}

func (c *Ctx) product(lists [][]value.Value) (value.Value, error) {
	count := big.NewInt(1)
	for _, l := range lists {
		if count.Mul(count, big.NewInt(int64(len(l)))); count.BitLen() > 62 {
			break
		}
	}
	for _, l := range lists {
		if len(l) == 0 {
			return value.ListOf(), nil
		}
	}
	if err := c.reserveRows(count, len(lists)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, count.Int64())
	for i := range out {
		row, rest := make([]value.Value, len(lists)), i
		for j := len(lists) - 1; j >= 0; j-- {
			row[j] = lists[j][rest%len(lists[j])]
			rest /= len(lists[j])
		}
		out[i] = value.ListOf(row...)
	}
	return value.ListOf(out...), nil
}

func combinations(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
	k, n := a.Int("size"), len(items)
	switch {
	case k < 0:
		return value.Null, errors.New("the size is negative")
	case k > n:
		return value.ListOf(), nil
	}
	if min(k, n-k) > 64 {
		return value.Null, c.reserveItems(-1)
	}
	if err := c.reserveRows(new(big.Int).Binomial(int64(n), int64(k)), k); err != nil {
		return value.Null, err
	}
	var out []value.Value
	chosen := make([]value.Value, k)
	var choose func(from, at int)
	choose = func(from, at int) {
		if at == k {
			out = append(out, value.ListOf(append([]value.Value(nil), chosen...)...))
			return
		}
		for i := from; i <= n-(k-at); i++ {
			chosen[at] = items[i]
			choose(i+1, at+1)
		}
	}
	choose(0, 0)
	return value.ListOf(out...), nil
}

func permutations(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
	k, n := len(items), len(items)
	if !a.Get("size").IsNull() {
		k = a.Int("size")
	}
	switch {
	case k < 0:
		return value.Null, errors.New("the size is negative")
	case k > n:
		return value.ListOf(), nil
	case k > 64:
		return value.Null, c.reserveItems(-1)
	}
	if err := c.reserveRows(new(big.Int).MulRange(int64(n-k+1), int64(n)), k); err != nil {
		return value.Null, err
	}
	var out []value.Value
	chosen, used := make([]value.Value, k), make([]bool, n)
	var choose func(at int)
	choose = func(at int) {
		if at == k {
			out = append(out, value.ListOf(append([]value.Value(nil), chosen...)...))
			return
		}
		for i := range items {
			if !used[i] {
				used[i], chosen[at] = true, items[i]
				choose(at + 1)
				used[i] = false
			}
		}
	}
	choose(0)
	return value.ListOf(out...), nil
}
