package filters

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
)

// suggest returns the one of names that is most like name, or "" if none is near.
func suggest(name string, names []string) string {
	return source.Suggest(name, slices.Values(names))
}
