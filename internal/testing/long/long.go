// Package long tells tests how much to do. By default, random laws and attacks try a tenth of their
// inputs, so that people run all tests often. With YAYTPL_LONG=1 in the environment they try all; .ci/run
// does so.
//
// A short run tries a sample of every law.
package long

import "os"

// On reports whether tests try all inputs. It reads the environment at each call, because the go command
// then knows that the result of a test depends on the variable.
func On() bool { return os.Getenv("YAYTPL_LONG") != "" }

// Scale returns n in a long run, and a tenth of it, at least 1, in a short one.
func Scale[N ~int | ~uint64](n N) N {
	if On() {
		return n
	}
	return max(n/10, 1)
}

// Sample returns all rows of a table in a long run, and every tenth in a short one.
func Sample[T any](rows []T) []T {
	if On() {
		return rows
	}
	var some []T
	for i := 0; i < len(rows); i += 10 {
		some = append(some, rows[i])
	}
	return some
}
