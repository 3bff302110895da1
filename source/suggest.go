package source

import (
	"iter"
	"slices"
)

// maxCandidates bounds the search for a near miss.
const maxCandidates = 5000

// Suggest returns the candidate that is most like a word, for a "did you mean", or
// "" if none is near: a third of the letters may differ. Of several that are equally
// near it is the first by name.
func Suggest(word string, candidates iter.Seq[string]) string {
	best, limit, seen := "", min((len(word)+1)/3, 3), 0
	if len(word) > 100 {
		return ""
	}
	for c := range candidates {
		if seen++; seen > maxCandidates {
			break
		}
		if c == word || len(c) > len(word)+limit || len(word) > len(c)+limit {
			continue
		}
		if n := distance(word, c); n < limit || n == limit && (best == "" || c < best) && n > 0 {
			best, limit = c, n
		}
	}
	return best
}

// DidYouMean makes the candidate that is most like a word the hint, if there is a near
// one, and returns d.
func (d *Diagnostic) DidYouMean(word string, candidates iter.Seq[string]) *Diagnostic {
	if near := Suggest(word, candidates); near != "" {
		return d.WithHint("did you mean %q?", near)
	}
	return d
}

// distance counts the letters to change, add, drop or swap with their neighbour.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		next := slices.Clone(row)
		next[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(y)]
}
