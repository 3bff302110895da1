package value

import (
	"fmt"
	"unsafe"
)

const (
	maxResult = 64 << 20 // bytes of one text or list made by an operator
	maxBits   = 1 << 20  // of one integer
	itemSize  = int(unsafe.Sizeof(Value{}))
)

// maxDepth bounds the nesting of values that are visited, so that a value that contains
// itself ends in an error.
const maxDepth = 10_000

var errTooDeep = endlessError(fmt.Sprintf("value is nested more than %d deep", maxDepth))

// An endlessError says that to visit a value would take too long.
type endlessError string

// Error says what would take too long.
func (e endlessError) Error() string { return string(e) }

// ErrorCode is the kind that whoever knows the place gives the error.
func (e endlessError) ErrorCode() string { return "limit" }

// A LimitError says that a result would be too big to make.
type LimitError struct {
	What string // what would be too big, such as "text"
	Max  int    // in bytes
}

// Error names the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s would exceed the limit of %d bytes", e.What, e.Max)
}
