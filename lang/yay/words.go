package yay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// isReserved reports whether a word can be neither a key at the start of a line nor
// a name in an expression (spec: yay, section 1.2).
func isReserved(word string) bool {
	switch word {
	case "and", "as", "call", "elif", "else", "extend", "for", "if", "in", "include",
		"is", "lambda", "macro", "new", "not", "or", "prototype", "search", "select", "set":
		return true
	}
	return false
}

// maxQuoted bounds a text of the source in a message, in bytes.
const maxQuoted = 40

// quote returns a text of the source as messages show it. Nothing of an encrypted
// file is shown.
func quote(text string, secret bool) string {
	if secret {
		return strconv.Quote(value.SecretText)
	}
	if len(text) > maxQuoted {
		text = text[:maxQuoted] + "..."
	}
	return fmt.Sprintf(`"%s"`, strings.ToValidUTF8(text, ""))
}
