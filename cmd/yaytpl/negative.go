package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// negativeNumber is how a value may begin that is no flag, since no flag is a digit.
var negativeNumber = regexp.MustCompile(`^-\.?[0-9]`)

// withNegativeValue returns the words of a command in which the VALUE of set and append may
// be a negative number: it goes behind "--", and so to the end, where VALUE stands. One
// that a flag takes stays.
func withNegativeValue(root *cobra.Command, words []string) []string {
	c, _, err := root.Find(words)
	if err != nil || c.Name() != "set" && c.Name() != "append" || slices.Contains(words, "--") {
		return words
	}
	for i, word := range words {
		if i > 0 && negativeNumber.MatchString(word) && !takesNext(c, words[i-1]) {
			return append(slices.Delete(slices.Clone(words), i, i+1), "--", word)
		}
	}
	return words
}

// takesNext reports whether a word is a flag of which the value is the next word.
func takesNext(c *cobra.Command, word string) bool {
	if name, long := strings.CutPrefix(word, "--"); long {
		f := c.Flag(name)
		return f != nil && f.NoOptDefVal == ""
	}
	if letters, short := strings.CutPrefix(word, "-"); short {
		for i := range letters {
			if f := c.Flags().ShorthandLookup(letters[i : i+1]); f != nil && f.NoOptDefVal == "" {
				return i == len(letters)-1
			}
		}
	}
	return false
}
