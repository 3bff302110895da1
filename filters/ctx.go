package filters

import (
	"time"

	"github.com/yaytpl/yaytpl/value"
)

// A Caller is what filters may ask of the evaluation that calls them.
type Caller interface {
	// Step is told how many items or bytes a call handles, and may refuse.
	Step(n int) error

	// CallFilter and CallTest serve map('name') and select('name').
	CallFilter(name string, in value.Value, args value.Args) (value.Value, error)
	CallTest(name string, in value.Value, args value.Args) (bool, error)

	// Attr reads one attribute or item of a value; a missing one is undefined.
	Attr(v value.Value, name string) (value.Value, error)

	// Random returns the bits of random choices without a seed.
	Random() uint64

	// Now is the clock of strftime.
	Now() time.Time
}

// A Ctx is what filters need from their surroundings. The zero Ctx works.
type Ctx struct {
	// Caller may be nil: then the tables of this package serve, maps and lists are
	// read, chance is the system's, and nobody tells the time.
	Caller Caller

	// MaxBytes bounds what one call may make; 0 means 64 MB.
	MaxBytes int
}

func (c *Ctx) callFilter(name string, in value.Value, args value.Args) (value.Value, error) {
	if c.Caller != nil {
		return c.Caller.CallFilter(name, in, args)
	}
	return CallFilter(c, name, in, args)
}

func (c *Ctx) callTest(name string, in value.Value, args value.Args) (bool, error) {
	if c.Caller != nil {
		return c.Caller.CallTest(name, in, args)
	}
	v, err := CallTest(c, name, in, args)
	return value.Truthy(v), err
}
