package align

import "slices"

// Common returns, for each element of b, the index of an equal one of a, or -1: a longest common
// subsequence, unless the lists differ in more than maxEdits places and repeat many elements.
//
// Equal beginnings and ends are pairs, and of the middle, elements that only one list has are left out: they are in no
// common subsequence. Then [matcher.match] tries to find the way through the middle with the fewest insertions and
// deletions (Myers 1986). With
//
//	a  h x y z y
//	b  h y z q x y
//
// h and the last y are pairs, and q is left out. The way through [x y z] and [y z x] deletes the first x and inserts
// one at the end.
//
// A way with more than maxEdits changes is not searched for, because that takes time proportional to them and
// to the length. Instead elements that each list has once become pairs where most of them are in the same
// order (patience), and the parts between them are matched. Parts without such elements are matched piece by
// piece: the way that got furthest with maxEdits changes is taken up to there.
func Common[K comparable](a, b []K) []int {
	m := matcher{}
	return match(&m, a, b)
}

func match[K comparable](m *matcher, a, b []K) []int {
	m.from = slices.Repeat([]int{-1}, len(b))
	start, endA, endB := 0, len(a), len(b)
	for start < endA && start < endB && a[start] == b[start] {
		m.from[start] = start
		start++
	}
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
		m.from[endB] = endA
	}
	x, y := inBoth(a[start:endA], b[start:endB], start)
	m.match(x, y, maxSplits)
	return m.from
}

const (
	maxEdits  = 256 // insertions and deletions of one way
	maxSplits = 16  // splits at unique elements inside of each other
)

// An element is an element of a list: equal ones have the same number.
type element struct{ class, at int }

// inBoth returns the elements of each list that the other has, too. Both lists begin at the place start.
func inBoth[K comparable](a, b []K, start int) (x, y []element) {
	type class struct {
		number int
		inB    bool
	}
	classes := make(map[K]class, len(a))
	for _, k := range a {
		if _, known := classes[k]; !known {
			classes[k] = class{number: len(classes)}
		}
	}
	for j, k := range b {
		if c, known := classes[k]; known {
			y = append(y, element{c.number, start + j})
			classes[k] = class{c.number, true}
		}
	}
	for i, k := range a {
		if c := classes[k]; c.inB {
			x = append(x, element{c.number, start + i})
		}
	}
	return x, y
}

// A matcher finds a common subsequence.
type matcher struct {
	from  []int
	steps int // elements that were visited
}

func (m *matcher) pair(x, y element) { m.from[y.at] = x.at }

// match pairs equal elements of two lists. It splits them at unique elements as often as splits says.
func (m *matcher) match(a, b []element, splits int) {
	for {
		for len(a) > 0 && len(b) > 0 && a[0].class == b[0].class {
			m.pair(a[0], b[0])
			a, b = a[1:], b[1:]
			m.steps++
		}
		for len(a) > 0 && len(b) > 0 && a[len(a)-1].class == b[len(b)-1].class {
			m.pair(a[len(a)-1], b[len(b)-1])
			a, b = a[:len(a)-1], b[:len(b)-1]
			m.steps++
		}
		if len(a) == 0 || len(b) == 0 {
			return
		}
		w := m.findWay(a, b)
		if !w.isWhole && splits > 0 && m.split(a, b, splits-1) {
			return
		}
		m.follow(w, a, b)
		a, b, splits = a[w.x:], b[w.y:], 0
	}
}

// A way leads from the start of two lists to the places x and y by the fewest edits.
type way struct {
	x, y    int
	edits   int
	isWhole bool
	rows    [][]int32 // after so many edits, for each difference of the places the furthest place in a
}

// findWay returns the way through two lists, or the one that got furthest with maxEdits edits.
func (m *matcher) findWay(a, b []element) way {
	w := way{}
	for edits := range maxEdits + 1 {
		now := make([]int32, edits+1)
		for k := -edits; k <= edits; k += 2 {
			x := 0
			if edits > 0 {
				x, _ = w.step(edits, k)
			}
			for x < len(a) && x-k < len(b) && a[x].class == b[x-k].class {
				x++
				m.steps++
			}
			m.steps++
			now[(k+edits)/2] = int32(x) // differences are even or odd in turn
			if x <= len(a) && x-k <= len(b) && x+x-k > w.x+w.y {
				w.x, w.y, w.edits = x, x-k, edits
			}
		}
		w.rows = append(w.rows, now)
		if w.isWhole = w.x == len(a) && w.y == len(b); w.isWhole {
			break
		}
	}
	return w
}

// step returns the place in a after the last edit of a way whose places differ by k, before the equal elements after
// it, and the difference before that edit: k-1 if it deleted an element of a, k+1 if it inserted one of b.
func (w *way) step(edits, k int) (x, before int) {
	last := w.rows[edits-1] // of the differences 1-edits, 3-edits, ... edits-1
	at := (k + edits) / 2
	if at == 0 || at < edits && last[at-1] < last[at] {
		return int(last[at]), k + 1
	}
	return int(last[at-1]) + 1, k - 1
}

// follow pairs the elements on a way, from its end.
func (m *matcher) follow(w way, a, b []element) {
	x, k := w.x, w.x-w.y
	for edits := w.edits; edits >= 0; edits-- {
		start, before := 0, 0
		if edits > 0 {
			start, before = w.step(edits, k)
		}
		for ; x > start; x-- {
			m.pair(a[x-1], b[x-1-k])
		}
		if edits > 0 {
			x, k = int(w.rows[edits-1][(before+edits-1)/2]), before
		}
	}
}

// split pairs the elements that each list has once, as many as are in the same order, and matches the parts between
// them. It returns false if there are none.
func (m *matcher) split(a, b []element, splits int) bool {
	m.steps += len(a) + len(b)
	type class struct{ inA, inB, i int }
	classes := map[int]class{}
	for i, x := range a {
		c := classes[x.class]
		classes[x.class] = class{c.inA + 1, 0, i}
	}
	for _, y := range b {
		c := classes[y.class]
		c.inB++
		classes[y.class] = c
	}
	var in, at []int // the places of unique elements in a and b, in the order of b
	for j, y := range b {
		if c := classes[y.class]; c.inA == 1 && c.inB == 1 {
			in, at = append(in, c.i), append(at, j)
		}
	}
	if len(in) == 0 {
		return false
	}
	i, j := 0, 0
	for n, rises := range Rise(in) {
		if rises {
			m.pair(a[in[n]], b[at[n]])
			m.match(a[i:in[n]], b[j:at[n]], splits)
			i, j = in[n]+1, at[n]+1
		}
	}
	m.match(a[i:], b[j:], splits)
	return true
}

// Rise marks the numbers of a longest increasing subsequence (patience sorting).
func Rise(numbers []int) []bool {
	before := make([]int, len(numbers))
	var ends []int // of sequences of length i+1: the index of the smallest last number
	for i, n := range numbers {
		length, _ := slices.BinarySearchFunc(ends, n, func(end, n int) int { return numbers[end] - n })
		before[i] = -1
		if length > 0 {
			before[i] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, i)
		} else {
			ends[length] = i
		}
	}
	in := make([]bool, len(numbers))
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			in[i] = true
		}
	}
	return in
}
