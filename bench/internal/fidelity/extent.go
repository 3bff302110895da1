package fidelity

import "strings"

// lastLineOf returns the last line of a scalar. A quoted one ends at its quote. One
// without quotes that does not end on its first line goes up to what follows: blank lines
// and comments belong to none but blocks, where they may be text.
func lastLineOf(n *Node, f *File) int {
	all := lines(f.Text)
	switch {
	case n.Style == Quoted:
		last, _ := quotedEnd(all, n)
		return last
	case n.Style == Plain && !strings.Contains(n.Text, "\n") && strings.Contains(all[n.line], n.Text):
		return n.line
	}
	last := max(n.after-1, n.line)
	for last > n.line && n.Style != Block && (isBlank(all[last]) || isComment(all[last])) {
		last--
	}
	if last == n.line && n.Style == Plain {
		return min(n.after, len(all)-1) // what follows stands on its last line
	}
	return last
}

// quotedEnd returns the line with the quote at the end of a scalar, and the column behind
// that quote.
func quotedEnd(all []string, n *Node) (line, col int) {
	text := withoutProperties(all[n.line][min(n.col, len(all[n.line])):])
	if text == "" {
		return n.line, len(all[n.line])
	}
	quote := text[0]
	text = text[1:]
	for line = n.line; ; {
		at := closing(text, quote)
		if at >= 0 {
			return line, len(all[line]) - len(text) + at + 1
		}
		if line == len(all)-1 {
			return line, len(all[line])
		}
		line++
		text = all[line]
	}
}

// closing returns where a line ends a scalar in quotes, -1 if it does not: at a quote that is
// not escaped.
func closing(text string, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote && quote == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		case text[i] == quote:
			return i
		}
	}
	return -1
}

// withoutProperties returns what stands behind the tag and the anchor of a scalar.
func withoutProperties(text string) string {
	for strings.HasPrefix(text, "&") || strings.HasPrefix(text, "!") {
		_, text, _ = strings.Cut(text, " ")
		text = strings.TrimLeft(text, " ")
	}
	return text
}

// blockEnd returns the line behind the text of a literal or folded scalar: the first one
// that is indented less than the first one of the text.
func blockEnd(all []string, n *Node) int {
	depth := -1
	for i := n.line + 1; i < min(n.after, len(all)); i++ {
		switch {
		case isBlank(all[i]):
		case depth < 0:
			depth = indent(all[i])
		case indent(all[i]) < depth:
			return i
		}
	}
	return min(n.after, len(all))
}
