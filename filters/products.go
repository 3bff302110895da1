package filters

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

func productFilters() []Func {
	return []Func{
		{
			Name: "zip", Family: "products", Call: zip(func(a, b int) int { return min(a, b) }), flow: moves,
			Params:  []Param{variadic("others", Items), opt("strict", Bool, value.False)},
			Doc:     "Returns lists of the items at the same index, up to the end of the shortest list. With strict other lengths are an error.",
			Example: "{{ ['a', 'b'] | zip([1, 2, 3]) }}", Result: `[["a", 1], ["b", 2]]`,
		},
		{
			Name: "zip_longest", Family: "products", Call: zip(func(a, b int) int { return max(a, b) }), flow: moves,
			Params:  []Param{variadic("others", Items), opt("fillvalue", Any, value.Null)},
			Doc:     "Returns lists of the items at the same index, up to the end of the longest list; fillvalue replaces missing items.",
			Example: "{{ [1, 2] | zip_longest(['a'], fillvalue='-') }}", Result: `[[1, "a"], [2, "-"]]`,
		},
		{
			Name: "product", Family: "products", Call: withLists(product), flow: moves,
			Params:  []Param{variadic("others", Items), opt("repeat", Int, value.Int(1))},
			Doc:     "Returns every combination of one item from each list.",
			Example: "{{ [1, 2] | product(['a', 'b']) }}", Result: `[[1, "a"], [1, "b"], [2, "a"], [2, "b"]]`,
		},
		{
			Name: "combinations", Family: "products", Call: choices(false), flow: moves,
			Params:  []Param{req("size", Int)},
			Doc:     "Returns every choice of size items, in the order of the list.",
			Example: "{{ [1, 2, 3] | combinations(2) }}", Result: "[[1, 2], [1, 3], [2, 3]]",
		},
		{
			Name: "permutations", Family: "products", Call: choices(true), flow: moves,
			Params:  []Param{opt("size", Int, value.Null)},
			Doc:     "Returns every choice of size items, by default all, in every order.",
			Example: "{{ [1, 2] | permutations }}", Result: "[[1, 2], [2, 1]]",
		},
	}
}

// withLists returns a call of f with the items of the piped list and of the others.
func withLists(f func(c *Ctx, lists [][]value.Value, a Bound) (value.Value, error)) call {
	return func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
		lists, err := convert(append([]value.Value{in}, a.Rest()...), c.items)
		if err != nil {
			return value.Null, err
		}
		return f(c, lists, a)
	}
}

// zip returns a call for the rows of items at the same index. choose is min or max: the
// number of rows is the length of the shortest or longest list.
func zip(choose func(a, b int) int) call {
	return withLists(func(c *Ctx, lists [][]value.Value, a Bound) (value.Value, error) {
		n := len(lists[0])
		for _, l := range lists {
			if a.Bool("strict") && len(l) != n {
				return value.Null, fmt.Errorf("the lists have %d and %d items", n, len(l))
			}
			n = choose(n, len(l))
		}
		if err := c.reserveProduct(n*itemBytes, len(lists)+1); err != nil {
			return value.Null, err
		}
		out := make([]value.Value, n)
		for i := range out {
			row := make([]value.Value, len(lists))
			for j, l := range lists {
				row[j] = a.Get("fillvalue")
				if i < len(l) {
					row[j] = l[i]
				}
			}
			out[i] = value.ListOf(row...)
		}
		return value.ListOf(out...), nil
	})
}

// reserveRows is reserveItems for count rows of size items.
func (c *Ctx) reserveRows(count *big.Int, size int) error {
	total := new(big.Int).Mul(count, big.NewInt(int64(size)+1))
	if !total.IsInt64() {
		return c.reserveItems(-1)
	}
	return c.reserveItems(int(total.Int64()))
}

func product(c *Ctx, once [][]value.Value, a Bound) (value.Value, error) {
	repeat := a.Int("repeat")
	if repeat < 0 {
		return value.Null, errors.New("repeat is negative")
	}
	if err := c.reserveProduct(repeat, len(once)*itemBytes); err != nil {
		return value.Null, err
	}
	lists := slices.Repeat(once, repeat)
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

// maxChoice bounds the size of a choice: the number of longer ones is beyond every limit,
// and slow to compute.
const maxChoice = 64

// choices returns a call for all choices of size items, in the order of the list or in
// every order. Of [1, 2, 3] and size 2 these are 12 13 23, or 12 13 21 23 31 32.
func choices(everyOrder bool) call {
	return with((*Ctx).items, func(c *Ctx, items []value.Value, a Bound) (value.Value, error) {
		k, n := len(items), len(items)
		if !a.Get("size").IsNull() {
			k = a.Int("size")
		}
		switch {
		case k < 0:
			return value.Null, errors.New("the size is negative")
		case k > n:
			return value.ListOf(), nil
		case k > maxChoice && (everyOrder || n-k > maxChoice):
			return value.Null, c.reserveItems(-1)
		}
		count := new(big.Int).Binomial(int64(n), int64(k))
		if everyOrder {
			count.MulRange(int64(n-k+1), int64(n))
		}
		if err := c.reserveRows(count, k); err != nil {
			return value.Null, err
		}
		var out []value.Value
		chosen, used := make([]value.Value, 0, k), make([]bool, n)
		var choose func(from int)
		choose = func(from int) {
			if len(chosen) == k {
				out = append(out, value.ListOf(slices.Clone(chosen)...))
				return
			}
			end := n
			if !everyOrder {
				end -= k - len(chosen) - 1 // later ones leave too few items
			}
			for i := from; i < end; i++ {
				if used[i] {
					continue
				}
				used[i], chosen = true, append(chosen, items[i])
				if everyOrder {
					choose(0)
				} else {
					choose(i + 1)
				}
				used[i], chosen = false, chosen[:len(chosen)-1]
			}
		}
		choose(0)
		return value.ListOf(out...), nil
	})
}
