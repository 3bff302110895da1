package source

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A TextStyle is how findings are written as text. The zero value is for files and pipes.
type TextStyle struct {
	Color bool // with terminal colours
	Width int  // longest excerpt in characters; 0 means 160
}

// width returns the longest excerpt in characters.
func (s TextStyle) width() int {
	if s.Width <= 0 {
		return 160
	}
	return max(s.Width, 40)
}

// Terminal sequences.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	plain  = "\x1b[0m"
)

// paint returns text between a terminal sequence and the end of it, if the style has colours.
func (s TextStyle) paint(sequence, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return sequence + text + plain
}

// WriteText writes the finding for people:
//
//	site.yaml:4:26: error: no such key "prot" in services.web [undefined]
//	    4 |   port: "{{ services.web.prot }}"
//	      |                          ^^^^ did you mean "port"?
//	site.yaml:1:3: note: services.web is defined here
//	  included from main.yaml:1:11
//
// A secret file and a line that may hold a secret are not quoted. Without an excerpt the
// hint gets a line of its own.
func (d *Diagnostic) WriteText(w io.Writer, style TextStyle) error {
	var b strings.Builder
	writePlace(&b, d.At, style)
	fmt.Fprintf(&b, "%s: %s", style.paint([...]string{red, yellow, cyan}[d.Severity], d.Severity.String()), visible(shortened(d.Message)))
	if d.Code != "" {
		fmt.Fprintf(&b, " [%s]", d.Code)
	}
	b.WriteByte('\n')
	if !d.writeExcerpt(&b, style) && d.Hint != "" {
		fmt.Fprintf(&b, "  hint: %s\n", visible(shortened(d.Hint)))
	}
	for _, n := range d.Notes {
		writePlace(&b, n.At, style)
		fmt.Fprintf(&b, "%s: %s\n", style.paint(cyan, "note"), visible(shortened(n.Message)))
	}
	for _, at := range d.Includes {
		fmt.Fprintf(&b, "  included from %s\n", visible(at.String()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writePlace writes a place and a colon, and nothing for no place.
func writePlace(b *strings.Builder, at Span, style TextStyle) {
	if !at.IsZero() {
		b.WriteString(style.paint(bold, visible(at.String())+":") + " ")
	}
}

// writeExcerpt writes the line of the finding with carets under it, and reports whether it
// did.
func (d *Diagnostic) writeExcerpt(b *strings.Builder, style TextStyle) bool {
	f := d.At.File
	if f == nil || f.Secret {
		return false
	}
	number, _ := f.Position(int(d.At.Start))
	start := f.LineStart(number)
	line := f.Line(number)
	if marksSecret(line) {
		return false
	}
	from := min(int(d.At.Start)-start, len(line))
	to := min(max(int(d.At.End)-start, from), len(line))
	if number == 1 && strings.HasPrefix(line, "\uFEFF") {
		const n = len("\uFEFF")
		line, from, to = line[n:], max(from-n, 0), max(to-n, 0)
	}
	line, from, to = window(line, from, to, style.width())
	gutter := fmt.Sprintf("%5d | ", number)
	fmt.Fprintf(b, "%s%s\n", style.paint(bold, gutter), visible(line))
	carets := strings.Repeat("^", max(columns(line[from:to]), 1))
	fmt.Fprintf(b, "%s%s%s", style.paint(bold, strings.Repeat(" ", len(gutter)-2)+"| "), keepTabs(line[:from]), style.paint(red, carets))
	if d.Hint != "" {
		b.WriteString(" " + visible(shortened(d.Hint)))
	}
	b.WriteByte('\n')
	return true
}

// marksSecret reports whether a line may hold a secret: it calls "sensitive", or has the
// tag of a vault.
func marksSecret(line string) bool {
	if !strings.Contains(line, "sensitive") {
		return strings.Contains(line, "!vault")
	}
	words := strings.FieldsFunc(line, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return slices.Contains(words, "sensitive") || strings.Contains(line, "!vault")
}

const ellipsis = "…"

// window returns the part of a long line around [from, to), with from and to in that part.
func window(line string, from, to, width int) (string, int, int) {
	if len(line) <= width {
		return line, from, to
	}
	start := back(line, from, width/2)
	end := forward(line, start, width)
	to = min(to, end)
	cut := line[start:end]
	if end < len(line) {
		cut += ellipsis
	}
	if start > 0 {
		return ellipsis + cut, from - start + len(ellipsis), to - start + len(ellipsis)
	}
	return cut, from, to
}

// back returns the offset n characters before i.
func back(s string, i, n int) int {
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return i
}

// forward returns the offset n characters after i.
func forward(s string, i, n int) int {
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// keepTabs replaces everything but tabs by spaces, so that the carets are under the text
// whatever width the terminal gives a tab.
func keepTabs(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", runeWidth(r)))
	}
	return b.String()
}

// columns returns the number of columns of a text in a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// wide lists the blocks of characters with two columns: East Asian scripts and pictures.
var wide = [...][2]rune{
	{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0x33FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
	{0xA000, 0xA4CF}, {0xA960, 0xA97C}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
	{0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
	{0x20000, 0x3FFFD},
}

// runeWidth returns the number of columns of a character in the result of visible.
func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	for _, block := range wide {
		if r >= block[0] && r <= block[1] {
			return 2
		}
	}
	return 1
}

// visible replaces characters that would move the cursor or change the state of the
// terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if acts(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// acts reports whether a character controls a terminal or the order of a text: a control character,
// a separator of lines, a mark of the direction of writing; not a tab.
func acts(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Bidi_Control, r)
}

// Escaped returns a line for people with escapes such as \u202e in place of characters that control
// a terminal or the order of the text, and \xff in place of bytes that are no UTF-8, which names of
// files may have. An attacker could hide a value with them.
func Escaped(line string) string {
	if utf8.ValidString(line) && !strings.ContainsFunc(line, acts) {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, line[i])
		case acts(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}
