package yay

import "github.com/yaytpl/yaytpl/value"

// variables are the names that comprehensions bind, innermost first. A nil
// *variables has none. They are immutable, so that what is evaluated later sees what
// was bound where it stands.
type variables struct {
	name  string
	val   value.Value
	outer *variables
}

// with returns vs and one more name, which hides an outer one.
func (vs *variables) with(name string, v value.Value) *variables {
	return &variables{name, v, vs}
}

func (vs *variables) get(name string) (value.Value, bool) {
	for ; vs != nil; vs = vs.outer {
		if vs.name == name {
			return vs.val, true
		}
	}
	return value.Null, false
}
