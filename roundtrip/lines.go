package roundtrip

import "strings"

const bom = "\uFEFF"

// lineStart returns the offset of the first byte of the line that i is on. A byte
// order mark is no part of a line.
func lineStart(s string, i int) int {
	for i > 0 && s[i-1] != '\n' && s[i-1] != '\r' {
		i--
	}
	if i == 0 && strings.HasPrefix(s, bom) {
		return len(bom)
	}
	return i
}

// lineEnd returns the offset of the line break that ends the line that i is on, or
// the end of the text.
func lineEnd(s string, i int) int {
	if n := strings.IndexAny(s[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(s)
}

// behindBreak returns the offset behind the line break at i, or i if there is none.
func behindBreak(s string, i int) int {
	switch {
	case strings.HasPrefix(s[i:], "\r\n"):
		return i + 2
	case i < len(s) && (s[i] == '\n' || s[i] == '\r'):
		return i + 1
	}
	return i
}

// beforeBreak returns the offset of the line break that ends at i, or i if there is
// none.
func beforeBreak(s string, i int) int {
	switch {
	case strings.HasSuffix(s[:i], "\r\n"):
		return i - 2
	case i > 0 && (s[i-1] == '\n' || s[i-1] == '\r'):
		return i - 1
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlanks returns the offset of the next byte that is no blank.
func skipBlanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

// blankAfter reports whether a blank, a line break or the end follows offset i.
func blankAfter(s string, i int) bool {
	return i+1 >= len(s) || isBlank(s[i+1]) || s[i+1] == '\n' || s[i+1] == '\r'
}

// skipSpace returns the offset of the next byte behind blanks, line breaks and
// comments.
func skipSpace(s string, i int) int {
	for i < len(s) {
		switch {
		case isBlank(s[i]) || s[i] == '\n' || s[i] == '\r':
			i++
		case s[i] == '#':
			i = lineEnd(s, i)
		default:
			return i
		}
	}
	return i
}

// column returns the number of bytes before i on its line.
func column(s string, i int) int { return i - lineStart(s, i) }

// beginsLine reports whether only blanks stand before i on its line.
func beginsLine(s string, i int) bool { return strings.Trim(s[lineStart(s, i):i], " ") == "" }

// isRest reports whether nothing but blanks and a comment follows on the line.
func isRest(s string, i int) bool {
	i = skipBlanks(s, i)
	return i >= len(s) || s[i] == '#' || s[i] == '\n' || s[i] == '\r'
}

// commentColumn returns the column of the comment that is all of the line at i, or
// -1 if the line is something else.
func commentColumn(s string, i int) int {
	at := skipBlanks(s, i)
	if at < len(s) && s[at] == '#' {
		return at - i
	}
	return -1
}

func isBlankLine(s string, i int) bool { return skipBlanks(s, i) == lineEnd(s, i) }

// extent returns where the lines of an entry at column col end that ends at end: with
// the rest of its last line and the comments below it that are indented deeper.
func extent(s string, end, col int) int {
	if !isRest(s, end) {
		return end
	}
	e := lineEnd(s, end)
	for i := behindBreak(s, e); i < len(s); {
		at := commentColumn(s, i)
		if at < 0 && !isBlankLine(s, i) || at >= 0 && at <= col {
			break
		}
		stop := lineEnd(s, i)
		if at >= 0 {
			e = stop
		}
		next := behindBreak(s, stop)
		if next == i {
			break
		}
		i = next
	}
	return e
}

// lead returns the start of the first line of the comment that stands directly above
// the line at i, at its column and not before the offset from.
func lead(s string, i, col, from int) int {
	for i > from {
		above := lineStart(s, beforeBreak(s, i))
		if above < from || above == i || commentColumn(s, above) != col {
			break
		}
		i = above
	}
	return i
}

// trimBlankLines returns the end of the range [start, end), which ends behind a line
// break, without the blank lines at its end.
func trimBlankLines(s string, start, end int) int {
	for end > start {
		line := lineStart(s, beforeBreak(s, end))
		if line < start || line == end || !isBlankLine(s, line) {
			break
		}
		end = line
	}
	return end
}

// skipBlankLines returns the start of the next line at or behind i that is not blank.
func skipBlankLines(s string, i int) int {
	for i < len(s) && isBlankLine(s, i) {
		i = behindBreak(s, lineEnd(s, i))
	}
	return i
}
