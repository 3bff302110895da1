package filters

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/yaytpl/yaytpl/value"
)

// productFilters are functions of Python's itertools. Results grow as products and factorials of the input, so
// the number of rows is computed first, with big integers, and reserved.
func productFilters() []Func {
	return family("products",
		moving(row("zip", "Returns lists of the items at the same index, up to the end of the shortest list. With strict other lengths are an error.",
			"{{ ['a', 'b'] | zip([1, 2, 3]) }}", `[["a", 1], ["b", 2]]`,
			zip(func(a, b int) int { return min(a, b) }), variadic("others", Items), opt("strict", Bool, value.False))),
		moving(row("zip_longest", "Returns lists of the items at the same index, up to the end of the longest list; fillvalue replaces missing items.",
			"{{ [1, 2] | zip_longest(['a'], fillvalue='-') }}", `[[1, "a"], [2, "-"]]`,
			zip(func(a, b int) int { return max(a, b) }), variadic("others", Items), opt("fillvalue", Any, value.Null))),
		moving(row("product", "Returns every combination of one item from each list.",
			"{{ [1, 2] | product(['a', 'b']) }}", `[[1, "a"], [1, "b"], [2, "a"], [2, "b"]]`,
			withLists(product), variadic("others", Items), opt("repeat", Int, value.Int(1)))),
		moving(row("combinations", "Returns every choice of size items, in the order of the list.",
			"{{ [1, 2, 3] | combinations(2) }}", "[[1, 2], [1, 3], [2, 3]]", choices(false), req("size", Int))),
		moving(row("permutations", "Returns every choice of size items, by default all, in every order.",
			"{{ [1, 2] | permutations }}", "[[1, 2], [2, 1]]", choices(true), opt("size", Int, value.Null))),
	)
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

// product is itertools.product: row i has the digits of i in the mixed base of the lengths, the last list fastest.
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
