package filters

import (
	"fmt"
	"iter"

	"github.com/yaytpl/yaytpl/source"
)

// didYouMean names the one of some names that was probably meant, or nothing.
func didYouMean(name string, names iter.Seq[string]) string {
	if near := source.Suggest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
