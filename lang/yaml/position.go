package yaml

import (
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// A position finds byte offsets of the library's lines and columns. Columns count
// characters, lines break at NEL, LS and PS too, a byte order mark has no width.
// It remembers the last place, so that going forward through the text costs time
// in proportion to its length, however long the lines are.
type position struct {
	file  *source.File
	text  string
	ascii bool
	lines []uint32 // line starts, if they are not those of the file

	line, col, off int
}

func newPosition(f *source.File, text string) position {
	p := position{file: f, text: text, ascii: isASCII(text)}
	if strings.Contains(text, "\u0085") || strings.Contains(text, "\u2028") || strings.Contains(text, "\u2029") {
		p.lines = []uint32{0}
		for i := 0; i < len(text); i++ {
			if n := breakAt(text, i); n > 0 {
				i += n - 1
				p.lines = append(p.lines, uint32(i+1))
			}
		}
	}
	return p
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lineStart returns the offset of the first character of a line, counted from 1.
func (p *position) lineStart(line int) int {
	start := 0
	switch {
	case p.lines == nil:
		start = p.file.LineStart(line)
	case line > len(p.lines):
		return len(p.text)
	case line > 0:
		start = int(p.lines[line-1])
	}
	if line == 1 {
		start += behindMark(p.text)
	}
	return start
}

// offset returns the byte offset of a line and column, both counted from 1.
func (p *position) offset(line, col int) int {
	if p.ascii {
		return min(p.lineStart(line)+max(col, 1)-1, len(p.text))
	}
	if line != p.line || col < p.col {
		p.line, p.col, p.off = line, 1, p.lineStart(line)
	}
	for p.col < col && p.off < len(p.text) {
		_, n := utf8.DecodeRuneInString(p.text[p.off:])
		p.off += n
		p.col++
	}
	return p.off
}
