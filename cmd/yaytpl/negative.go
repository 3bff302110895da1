package main

import (
	"regexp"
	"slices"
	"strings"
)

// negativeNumber is how a value may begin that is no flag, since no flag is a digit.
var negativeNumber = regexp.MustCompile(`^-\.?[0-9]`)

// withNegativeValue returns the words of a command in which the VALUE of set and append may
// be a negative number: it goes behind "--", and so to the end, where VALUE stands. One
// that follows a flag may be for that flag, and stays.
func withNegativeValue(words []string) []string {
	if len(words) == 0 || words[0] != "set" && words[0] != "append" || slices.Contains(words, "--") {
		return words
	}
	i := slices.IndexFunc(words, negativeNumber.MatchString)
	if i < 1 || strings.HasPrefix(words[i-1], "-") && words[i-1] != "-" {
		return words
	}
	moved := slices.Delete(slices.Clone(words), i, i+1)
	return append(moved, "--", words[i])
}
