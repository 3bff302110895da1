package expr

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
)

func unknownFilter(at source.Span, name string, lib Library) error {
	names := lib.FilterNames()
	for _, f := range EnvFilters() {
		names = append(names, f.Name)
	}
	d := source.Errorf(at, source.Syntax, "unknown filter %q", name)
	return d.DidYouMean(name, slices.Values(names))
}

func unknownTest(at source.Span, name string, lib Library) error {
	d := source.Errorf(at, source.Syntax, "unknown test %q", name)
	return d.DidYouMean(name, slices.Values(lib.TestNames()))
}
