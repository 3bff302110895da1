//go:build !race

package system_test

// raced says that the tests run under the race detector.
const raced = false
