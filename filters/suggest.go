package filters

import "sort"

// Suggest returns the one of names that is most like name, or "" if none is near.
func Suggest(name string, names []string) string {
	sorted := append([]string(nil), names...)
	sort.Strings(sorted)
	best, bestAt := "", len(name)/3+1
	if len(name) > 64 {
		return ""
	}
	for _, n := range sorted {
		if len(n) > len(name)+bestAt || len(name) > len(n)+bestAt {
			continue
		}
		if d := editDistance(name, n); d <= bestAt && (best == "" || d < bestAt) {
			best, bestAt = n, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, changes and swaps of neighbours.
func editDistance(a, b string) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
