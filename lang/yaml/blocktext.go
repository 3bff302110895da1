package yaml

import (
	"strings"
	"unicode/utf8"
)

// A BlockText is a text as the lines of a literal or folded scalar, without their
// indentation.
type BlockText struct {
	Lines  []string
	Breaks int  // line breaks at the end of the text: 0 is "-", more than 1 is "+"
	Blank  bool // the first line begins with a blank: the header needs an indentation
}

// BlockTextOf returns a text as a literal or folded scalar, and false if the style
// cannot hold it. Folded lines are broken where they get longer than width
// characters; 0 leaves them as they are.
func BlockTextOf(s string, style Style, width int) (b BlockText, ok bool) {
	body := strings.TrimRight(s, "\n")
	if body == "" || !blockLinesFit(body) {
		return b, false
	}
	b = BlockText{Lines: strings.Split(body, "\n"), Breaks: len(s) - len(body), Blank: startsBlank(s)}
	switch style {
	case Literal:
		return b, true
	case Folded:
		b.Lines, ok = foldLines(b.Lines, width)
		return b, ok
	}
	return b, false
}

// header returns what stands behind the "|" or ">" of lines that are two blanks deeper
// than what they belong to.
func (b BlockText) header() string {
	indent := ""
	if b.Blank {
		indent = "2"
	}
	return indent + [...]string{"-", "", "+"}[min(b.Breaks, 2)]
}

// startsBlank reports whether the first line with text begins with a blank, so
// that a literal block needs an indentation indicator.
func startsBlank(s string) bool {
	s = strings.TrimLeft(s, "\n")
	return s != "" && isBlank(s[0])
}

// blockLinesFit reports whether lines can be written without escapes: none of
// blanks only, no character that needs one.
func blockLinesFit(body string) bool {
	if !utf8.ValidString(body) {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" && strings.TrimLeft(line, " \t") == "" {
			return false
		}
		for _, r := range line {
			if r != '\t' && !plainRune(r) {
				return false
			}
		}
	}
	return true
}

// foldLines returns the lines that fold to the given ones. Lines that begin with a
// blank are not folded, and so have no place here.
func foldLines(lines []string, width int) ([]string, bool) {
	var folded []string
	seen := false // a line with text
	for _, line := range lines {
		switch {
		case line == "":
			folded = append(folded, "")
			continue
		case isBlank(line[0]):
			return nil, false
		case seen: // a single break would become a blank
			folded = append(folded, "")
		}
		seen = true
		folded = append(folded, wrap(line, width)...)
	}
	return folded, true
}

// wrap breaks a line at single blanks, if width is not 0.
func wrap(line string, width int) []string {
	var out []string
	for width > 0 {
		at := breakBefore(line, width)
		if at < 0 {
			break
		}
		out = append(out, line[:at])
		line = line[at+1:]
	}
	return append(out, line)
}

// breakBefore returns the offset of the last single blank within the width, or of
// the first behind it, or -1 if the line is not longer or has none.
func breakBefore(line string, width int) int {
	at, count := -1, 0
	for i := range line {
		if count++; count > width+1 && at >= 0 {
			return at
		}
		single := line[i] == ' ' && i > 0 && i+1 < len(line) && !isBlank(line[i-1]) && !isBlank(line[i+1])
		if single {
			at = i
		}
	}
	if count <= width {
		return -1
	}
	return at
}
