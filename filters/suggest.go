package filters

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
)

// Suggest returns the one of names that is most like name, or "" if none is near.
func Suggest(name string, names []string) string {
	return source.Suggest(name, slices.Values(names))
}
