package fidelity

import "strings"

// lines returns the lines of a text without "\n" and byte order mark.
func lines(text string) []string {
	return strings.Split(strings.TrimPrefix(text, byteOrderMark), "\n")
}

// paired returns the lines of two texts without byte order marks. If the first one has
// "\r\n", a line that ends nowhere gets the carriage return of the others, so that a line
// behind it is no change of it.
func paired(before, after string) (old, now []string) {
	if strings.Contains(before, "\r\n") {
		before, after = ended(before), ended(after)
	}
	return lines(before), lines(after)
}

func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\r"
}

// exchanged counts the lines of one text that are not in another, blank ones apart, and
// the other way round.
func exchanged(before, after []string) (lost, fresh int) {
	count := map[string]int{}
	for _, line := range before {
		count[line]++
	}
	for _, line := range after {
		count[line]--
	}
	for line, n := range count {
		switch {
		case n < 0:
			fresh -= n
		case !isBlank(line):
			lost += n
		}
	}
	return lost, fresh
}

// comments returns the comments among lines, also those behind a dash.
func comments(lines []string) []string {
	var out []string
	for _, line := range lines {
		if text := strings.TrimLeft(line, "- \t"); isComment(text) {
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
