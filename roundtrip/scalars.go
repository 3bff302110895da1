package roundtrip

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// scalar writes a scalar in the given style, or in the nearest one that can represent it.
// It returns the text on the line of the entry, and for a literal or folded scalar its
// lines, each with a line break before it.
func (w *writer) scalar(v value.Value, style yaml.Style, p site, old *yaml.Node) (text, lines string) {
	blocks := w.syntax.blocks() && !p.flow
	for _, style := range nearest(style, v, blocks) {
		if style == yaml.Literal || style == yaml.Folded {
			if text, lines, ok := w.blockScalar(v, style, p, old); ok {
				return text, lines
			}
			continue
		}
		if text, ok := w.syntax.scalarText(v, style, p.flow); ok {
			return text, ""
		}
	}
	what := value.Article(v.Kind())
	if s := v.Source(); s != nil && s.Tag != "" {
		what += " with the tag " + s.Tag
	}
	w.fail(source.Refuse(source.Span{}, source.NoSpelling, "%s has no spelling in this notation", what))
	return "", ""
}

// nearest returns the styles to try for a scalar, the best first.
func nearest(style yaml.Style, v value.Value, blocks bool) []yaml.Style {
	if !v.Is(value.StringKind) {
		return []yaml.Style{yaml.Plain}
	}
	manyLines := strings.Contains(strings.TrimRight(v.Str(), "\n"), "\n")
	styles := []yaml.Style{style}
	switch {
	case !blocks:
		styles = []yaml.Style{min(style, yaml.DoubleQuoted)}
	case style == yaml.Folded:
		styles = append(styles, yaml.Literal)
	case style == yaml.Plain && manyLines:
		styles = append(styles, yaml.Literal)
	}
	if style == yaml.Plain && needsEscape(v.Str()) {
		return append(styles, yaml.SingleQuoted, yaml.DoubleQuoted)
	}
	return append(styles, yaml.DoubleQuoted)
}

// needsEscape reports whether single quotes avoid escapes.
func needsEscape(s string) bool { return strings.ContainsAny(s, `"\`) }

// blockScalar writes a text as a literal or folded scalar.
func (w *writer) blockScalar(v value.Value, style yaml.Style, p site, old *yaml.Node) (header, lines string, ok bool) {
	was := oldBlock{col: -1}
	if old != nil {
		was = oldBlockOf(old)
	}
	b, ok := yaml.BlockTextOf(v.Str(), style, was.width)
	if ok && style == yaml.Folded && old != nil && old.Style == yaml.Folded {
		if lines, kept := w.keepFolds(v.Str(), old, was.width); kept {
			b.Lines = lines
		}
	}
	col := was.col
	switch {
	case col > p.col:
	case p.dash || p.col < 0:
		col = max(p.col, 0) + 2
	default:
		col = p.col + w.layout.step
	}
	if !ok || w.swallows(p, col, b, was.keeps) {
		return "", "", false
	}
	header = "|"
	if style == yaml.Folded {
		header = ">"
	}
	if b.Blank {
		if col-max(p.col, 0) > 9 {
			return "", "", false
		}
		header += strconv.Itoa(col - max(p.col, 0))
	}
	return header + was.chomp(b.Breaks), w.indented(b, col), true
}

// swallows reports whether a block scalar with its lines at column col would include the
// text after it: blank lines if it keeps them, comments at its column or deeper. At the
// end of a text without a last line break it would lose its own line break.
func (w *writer) swallows(p site, col int, b yaml.BlockText, kept bool) bool {
	if p.last < 0 {
		return false
	}
	i := afterBreak(w.src, p.last)
	if i == p.last {
		return p.last == len(w.src) && b.Breaks > 0
	}
	if b.Breaks > 1 && !kept && i < len(w.src) && isBlankLine(w.src, i) {
		return true
	}
	i = skipBlankLines(w.src, i)
	return i < len(w.src) && commentColumn(w.src, i) >= col
}

// indented returns the lines of a block scalar, each with a line break and its
// indentation.
func (w *writer) indented(b yaml.BlockText, col int) string {
	var out strings.Builder
	for _, line := range b.Lines {
		out.WriteString(w.layout.breaks)
		if line != "" {
			out.WriteString(blanks(col) + line)
		}
	}
	for range max(b.Breaks-1, 0) {
		out.WriteString(w.layout.breaks)
	}
	return out.String()
}

// An oldBlock is the form of a block scalar that gets another text.
type oldBlock struct {
	col    int  // column of its lines, or -1
	width  int  // width of the longest line; 0 if there is only one line
	keeps  bool // it has the indicator "+"
	needed bool // and the text needs it
}

// oldBlockOf returns the form of a node; col is -1 if the node is no block scalar.
func oldBlockOf(n *yaml.Node) oldBlock {
	out := oldBlock{col: -1}
	if !isBlockScalar(n) {
		return out
	}
	text := n.At.Text()
	out.keeps = strings.Contains(blockIndicators(text), "+")
	out.needed = strings.HasSuffix(n.Value.Str(), "\n\n")
	_, body, _ := strings.Cut(text, "\n")
	first := strings.TrimLeft(n.Value.Str(), "\n") // the first line with text may begin with blanks
	leading := len(first) - len(strings.TrimLeft(first, " "))
	lines := 0
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimRight(line, "\r")
		rest := strings.TrimLeft(line, " ")
		if rest != "" {
			lines++
		}
		if rest != "" && out.col < 0 {
			out.col = len(line) - len(rest) - leading
		}
		out.width = max(out.width, utf8.RuneCountInString(line)-max(out.col, 0))
	}
	if lines == 1 {
		out.width = 0
	}
	return out
}

// chomp returns the indicator for the line breaks at the end of the text. An old "+"
// stays, unless only the old text needed it.
func (o oldBlock) chomp(breaks int) string {
	switch {
	case breaks == 0:
		return "-"
	case breaks > 1 || o.keeps && !o.needed:
		return "+"
	}
	return ""
}

// keyText writes a key, in its old style if that can represent it.
func (w *writer) keyText(v value.Value, style yaml.Style, flow bool) string {
	styles := []yaml.Style{style, yaml.Plain, yaml.DoubleQuoted}
	if style == yaml.Plain && needsEscape(v.Str()) {
		styles = []yaml.Style{yaml.Plain, yaml.SingleQuoted, yaml.DoubleQuoted}
	}
	for _, style := range styles {
		if style > yaml.DoubleQuoted {
			continue
		}
		if text, ok := w.syntax.scalarText(v, style, flow); ok && (len(text) <= longKey || !w.syntax.blocks()) {
			return text
		}
	}
	w.fail(source.Refuse(source.Span{}, source.NoSpelling, "the key %.40q cannot be written here", v.Str()))
	return ""
}

// longKey bounds the length of a key: YAML looks for the colon only within 1024
// characters.
const longKey = 1000

// keepFolds returns the lines of a folded scalar with the old line breaks at its beginning
// and end as far as the text is the same there; the middle is folded anew. It returns
// false for a text with lines that begin with blanks, which YAML does not fold. With
// "three" replaced in
//
//	>
//	  one
//	  two three
//	  four
//
// the lines "one" and "four" stay.
func (w *writer) keepFolds(text string, old *yaml.Node, width int) ([]string, bool) {
	lines := bodyLines(old)
	body := strings.TrimRight(text, "\n")
	was, starts, ok := unfold(lines)
	if !ok || was != strings.TrimRight(old.Value.Str(), "\n") || was == body {
		return nil, false
	}
	same := commonPrefix(was, body)
	head, from := 0, 0
	for i := range lines {
		end := starts[i] + len(lines[i])
		if lines[i] != "" && end <= same && end < len(was) && was[end] == ' ' && strings.HasPrefix(body[end:], " ") {
			head, from = i+1, end+1
		}
	}
	same = commonSuffix(was, body)
	tail, to := len(lines), len(body)
	for i := len(lines) - 1; i > head; i-- {
		start := len(body) - (len(was) - starts[i])
		if lines[i] != "" && len(was)-starts[i] < same && was[starts[i]-1] == ' ' && start-1 >= from {
			tail, to = i, start-1
		}
	}
	middle, ok := yaml.BlockTextOf(body[from:to], yaml.Folded, width)
	out := append(append(lines[:head:head], middle.Lines...), lines[tail:]...)
	now, _, plain := unfold(out)
	return out, ok && plain && now == body
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// bodyLines returns the lines of a block scalar without indentation and without blank
// lines at the end.
func bodyLines(n *yaml.Node) []string {
	_, body, _ := strings.Cut(n.At.Text(), "\n")
	var lines []string
	for line := range strings.SplitSeq(body, "\n") {
		lines = append(lines, strings.TrimRight(line, "\r"))
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	col := oldBlockOf(n).col
	for i, line := range lines {
		lines[i] = line[min(max(col, 0), len(line)):]
	}
	return lines
}

// unfold returns the text of folded lines and the offset of each line in it, or false if a
// line is not folded.
func unfold(lines []string) (text string, starts []int, ok bool) {
	var b strings.Builder
	breaks := 0
	for _, line := range lines {
		switch {
		case line == "":
			breaks++
			starts = append(starts, b.Len())
			continue
		case line[0] == ' ' || line[0] == '\t':
			return "", nil, false
		case b.Len() == 0 || breaks > 0:
			b.WriteString(strings.Repeat("\n", breaks))
		default:
			b.WriteByte(' ')
		}
		starts = append(starts, b.Len())
		b.WriteString(line)
		breaks = 0
	}
	return b.String(), starts, true
}
