//go:build race

package system_test

// raced says that the tests run under the race detector, which makes pools of the standard library drop
// what they hold.
const raced = true
