package yaml

import (
	"strings"
	"unicode/utf8"
)

// plainEnd finds where a plain scalar ends by following its text: what the
// library folded is blanks and line breaks in the source.
func plainEnd(src string, start int, text string) int {
	if strings.HasPrefix(src[start:], text) {
		return start + len(text)
	}
	i := start
	for j := 0; j < len(text) && i < len(src); {
		if n := spaceAt(text, j); n > 0 {
			j += n
			continue
		}
		if n := spaceAt(src, i); n > 0 {
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(text[j:])
		i, j = i+n, j+n
	}
	return min(i, len(src))
}

// blockEnd finds where a block scalar ends: behind its last line that is not
// blank, or, if it keeps them, behind the blank lines that follow.
func blockEnd(src string, start int, text string) int {
	i := start
	for i < len(src) && breakAt(src, i) == 0 {
		i++
	}
	header, end := src[start:i], i
	if text == "" {
		return end
	}
	indent, allBlank := -1, strings.Trim(text, " \n") == ""
	for n := breakAt(src, i); n > 0; n = breakAt(src, i) {
		line := i + n
		i = line
		for i < len(src) && src[i] == ' ' && (indent < 0 || i-line < indent) {
			i++
		}
		blank := i >= len(src) || breakAt(src, i) > 0
		if !blank && allBlank {
			break
		}
		if !blank && indent < 0 {
			indent = max(i-line-leadingSpaces(text), 0)
		}
		if !blank && (i-line < indent || indent == 0 && isMarker(src[line:])) {
			break
		}
		for i < len(src) && breakAt(src, i) == 0 {
			i++
		}
		if !blank || keepsBreaks(header) && breakAt(src, i) > 0 {
			end = i
		}
	}
	return end
}

func keepsBreaks(header string) bool {
	return strings.IndexByte(header[:min(len(header), 3)], '+') > 0
}

// leadingSpaces counts the blanks that the first line with text begins with.
func leadingSpaces(text string) int {
	text = strings.TrimLeft(text, "\n")
	return len(text) - len(strings.TrimLeft(text, " "))
}
