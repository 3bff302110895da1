package expr

import "github.com/yaytpl/yaytpl/value"

// All evaluates an expression and returns every result, as a query does: a path or
// object may have none or several.
func All(n Node, s *Scope) ([]value.Value, error) {
	found, err := matchesOf(n, s)
	for i := range found {
		found[i] = plain(found[i])
	}
	return found, Conceal(err)
}
