package yay

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
