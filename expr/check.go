package expr

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
)

// Check returns the first unknown filter or test of an expression, with the name
// that was probably meant: an error of code syntax.
func Check(n Node, lib Library) error {
	var found error
	Walk(n, func(n Node) bool {
		switch n := n.(type) {
		case *Filter:
			if _, ok := findEnvFilter(n.Name); !ok && !lib.HasFilter(n.Name) {
				found = unknownFilter(n.NameAt, n.Name, lib)
			}
		case *Test:
			if !lib.HasTest(n.Name) {
				found = unknownTest(n.NameAt, n.Name, lib)
			}
		}
		return found == nil
	})
	return found
}

func unknownFilter(at source.Span, name string, lib Library) error {
	names := lib.FilterNames()
	for _, f := range EnvFilters() {
		names = append(names, f.Name)
	}
	d := source.Errorf(at, source.Syntax, "unknown filter %q", name)
	return didYouMean(d, name, slices.Values(names))
}

func unknownTest(at source.Span, name string, lib Library) error {
	d := source.Errorf(at, source.Syntax, "unknown test %q", name)
	return didYouMean(d, name, slices.Values(lib.TestNames()))
}
