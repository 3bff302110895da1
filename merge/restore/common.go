package restore

import (
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// maxTable bounds the table that the longest common subsequence of two lists takes.
// Longer ones are compared by what is at their ends and by items that occur once.
const maxTable = 4_000_000

// common returns, for each item of b, the item of a that it is, -1 for none: a longest
// common subsequence.
func common(a, b []value.Value) []int {
	match := make([]int, len(b))
	for j := range match {
		match[j] = -1
	}
	x, y := fingerprints(a), fingerprints(b)
	start := 0
	for start < len(x) && start < len(y) && x[start] == y[start] {
		match[start] = start
		start++
	}
	endA, endB := len(x), len(y)
	for endA > start && endB > start && x[endA-1] == y[endB-1] {
		endA, endB = endA-1, endB-1
		match[endB] = endA
	}
	x, y = x[start:endA], y[start:endB]
	if len(x)*len(y) > maxTable {
		uniqueMatches(x, y, start, match)
	} else {
		tableMatches(x, y, start, match)
	}
	return match
}

// fingerprints returns a text for each value that equal values share.
func fingerprints(vs []value.Value) []string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		var b strings.Builder
		fingerprint(&b, v)
		texts[i] = b.String()
	}
	return texts
}

func tableMatches(x, y []string, start int, match []int) {
	width := len(y) + 1
	table := make([]int32, (len(x)+1)*width)
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			match[start+j] = start + i
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}

// uniqueMatches matches the items that occur once on both sides, as many as are in the
// same order.
func uniqueMatches(x, y []string, start int, match []int) {
	count := map[string]int{}
	at := map[string]int{}
	for i, s := range x {
		count[s]++
		at[s] = i
	}
	twice := map[string]int{}
	for _, s := range y {
		twice[s]++
	}
	var seq, where []int
	for j, s := range y {
		if count[s] == 1 && twice[s] == 1 {
			seq, where = append(seq, at[s]), append(where, j)
		}
	}
	for i, stays := range longestRise(seq) {
		if stays {
			match[start+where[i]] = start + seq[i]
		}
	}
}
