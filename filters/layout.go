package filters

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

func layoutFilters() []Func {
	return family("layout",
		row("center", "Centers the text in a field of the given width.",
			"{{ 'x' | center(4) }}|", `" x  |"`, with((*Ctx).text, centerText), opt("width", Int, value.Int(80))),
		row("indent", "Indents all lines except the first and empty ones. The width is a number of blanks, or the text to insert.",
			`{{ 'l1\n\nl2' | indent(2) }}`, `"l1\n\n  l2"`,
			with((*Ctx).text, indentText), opt("width", Any, value.Int(4)), opt("first", Bool, value.False), opt("blank", Bool, value.False)),
		row("wordwrap", "Breaks lines that are longer than the width between words.",
			"{{ 'one two three' | wordwrap(8) }}", `"one two\nthree"`,
			with((*Ctx).text, wordWrap),
			opt("width", Int, value.Int(79)), opt("break_long_words", Bool, value.True), opt("wrapstring", Text, value.String("\n")), opt("break_on_hyphens", Bool, value.True)),
	)
}

// A side is an end of a text, or both.
type side uint8

const (
	left side = iota
	right
	both
)

// pad fills s up to width characters with the character fill.
func (c *Ctx) pad(s string, width int, fill string, where side) (string, error) {
	n := width - utf8.RuneCountInString(s)
	if n <= 0 {
		return s, nil
	}
	if err := c.reserveProduct(n, len(fill)); err != nil {
		return "", err
	}
	before := 0
	switch where {
	case left:
		before = n
	case both:
		before = n/2 + n&width&1
	}
	return strings.Repeat(fill, before) + s + strings.Repeat(fill, n-before), nil
}

func centerText(c *Ctx, s string, a Bound) (value.Value, error) {
	s, err := c.pad(s, a.Int("width"), " ", both)
	return value.String(s), err
}

// indentText is Jinja's indent: the first line and empty lines stay as they are unless first and blank are set.
func indentText(c *Ctx, s string, a Bound) (value.Value, error) {
	by, err := c.indentation(a.Get("width"))
	if err != nil {
		return value.Null, err
	}
	lines, err := c.splitLines(s+"\n", false)
	if err != nil {
		return value.Null, err
	}
	if err := c.reserveProduct(len(lines), len(by)+1); err != nil {
		return value.Null, err
	}
	for i, line := range lines {
		if i > 0 && (line != "" || a.Bool("blank")) || i == 0 && a.Bool("first") {
			lines[i] = by + line
		}
	}
	return value.String(strings.Join(lines, "\n")), nil
}

// indentation returns the text that width, a number of blanks or a text, means.
func (c *Ctx) indentation(width value.Value) (string, error) {
	if n, ok := value.AsNumber(width).Int(); ok {
		return c.pad("", int(n), " ", left)
	}
	return c.text(width)
}

// wordWrap is Jinja's wordwrap, which wraps each line of the text by Python's textwrap.
func wordWrap(c *Ctx, s string, a Bound) (value.Value, error) {
	w := wrapper{width: a.Int("width"), breakLong: a.Bool("break_long_words"), hyphens: a.Bool("break_on_hyphens")}
	if w.width <= 0 {
		return value.Null, errAtLeastOne("width")
	}
	unwrapped, err := c.splitLines(s, false)
	if err != nil {
		return value.Null, err
	}
	var lines []string
	for _, line := range unwrapped {
		if err := c.reserveItems(len(line)); err != nil {
			return value.Null, err
		}
		lines = append(lines, w.wrap(line)...)
	}
	return c.join(lines, a.Str("wrapstring"))
}

// A wrapper wraps lines as textwrap.TextWrapper does, with the two options that Jinja passes to it.
type wrapper struct {
	width              int
	breakLong, hyphens bool
}

// wrap breaks one line into lines of at most the width. White space at a break is dropped.
func (w wrapper) wrap(line string) []string {
	rest := w.chunks([]rune(line))
	var lines []string
	for len(rest) > 0 {
		if len(lines) > 0 && isBlank(rest[0]) {
			rest = rest[1:]
			continue
		}
		var row [][]rune
		room := w.width
		for len(rest) > 0 && len(rest[0]) <= room {
			room -= len(rest[0])
			row, rest = append(row, rest[0]), rest[1:]
		}
		if len(rest) > 0 && len(rest[0]) > w.width {
			row, rest = w.splitLong(row, rest, room)
		}
		if n := len(row) - 1; n >= 0 && isBlank(row[n]) {
			row = row[:n]
		}
		if len(row) > 0 {
			lines = append(lines, string(slices.Concat(row...)))
		}
	}
	if len(lines) == 0 {
		return []string{""}
	}
	return lines
}

// splitLong handles a word that is longer than any line: it cuts the word at the end of
// the line, or gives it a line of its own.
func (w wrapper) splitLong(row, rest [][]rune, room int) (newRow, newRest [][]rune) {
	if !w.breakLong {
		if len(row) > 0 {
			return row, rest
		}
		return rest[:1], rest[1:]
	}
	word := rest[0]
	if i := lastHyphen(word[:room]); w.hyphens && i > 0 {
		room = i + 1
	}
	rest[0] = word[room:]
	return append(row, word[:room]), rest
}

// lastHyphen returns the index of the last hyphen, or 0 if only hyphens precede it.
func lastHyphen(word []rune) int {
	for i := len(word) - 1; i > 0; i-- {
		if word[i] == '-' {
			if slices.ContainsFunc(word[:i], func(r rune) bool { return r != '-' }) {
				return i
			}
			return 0
		}
	}
	return 0
}

// isBlank reports whether a chunk is empty or white space. Chunks are never mixed.
func isBlank(chunk []rune) bool { return len(chunk) == 0 || unicode.IsSpace(chunk[0]) }

// chunks cuts a line into white space and words. A word ends at a hyphen between two
// letters on either side.
func (w wrapper) chunks(line []rune) [][]rune {
	letter := func(i int) bool { return i >= 0 && i < len(line) && unicode.IsLetter(line[i]) }
	var out [][]rune
	start := 0
	for i := 1; i <= len(line); i++ {
		if i == len(line) || unicode.IsSpace(line[i]) != unicode.IsSpace(line[i-1]) ||
			w.hyphens && line[i-1] == '-' && i-2 > start && letter(i-2) && letter(i-3) && letter(i) && letter(i+1) {
			out = append(out, line[start:i])
			start = i
		}
	}
	return out
}
