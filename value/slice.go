package value

// SliceOf returns which of n items Python's slice [from:to:step] takes: the first, how
// far apart they are, and how many. Missing bounds are nil; the step is not 0.
func SliceOf(n int, bounds [3]*int64) (first, step, count int) {
	size, by := int64(n), int64(1)
	if bounds[2] != nil {
		by = min(max(*bounds[2], -size-1), size+1)
	}
	low, high := int64(0), size
	if by < 0 {
		low, high = -1, size-1
	}
	from, to := low, high
	if by < 0 {
		from, to = high, low
	}
	if bounds[0] != nil {
		from = clampBound(*bounds[0], size, low, high)
	}
	if bounds[1] != nil {
		to = clampBound(*bounds[1], size, low, high)
	}
	towards := int64(1)
	if by < 0 {
		towards = -1
	}
	return int(from), int(by), int(max(0, (to-from+by-towards)/by))
}

func clampBound(i, size, low, high int64) int64 {
	if i < 0 {
		i += size
	}
	return min(max(i, low), high)
}
