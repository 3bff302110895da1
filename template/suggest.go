package template

import (
	"fmt"

	"github.com/yaytpl/yaytpl/filters"
)

// didYouMean names the word that was probably meant, or nothing.
func didYouMean(word string, words []string) string {
	if best := filters.Suggest(word, words); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}
