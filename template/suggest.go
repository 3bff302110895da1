package template

import (
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl/source"
)

// didYouMean names the word that was probably meant, or nothing.
func didYouMean(word string, words []string) string {
	if best := source.Suggest(word, slices.Values(words)); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
