package fidelity

import (
	"fmt"
	"strings"
)

// A window is the range of lines that an edit may change, with limits for the number of
// changes in it.
type window struct {
	from, to int
	lost     int      // maximum of lines that are removed or changed, without blank ones
	fresh    int      // maximum of new lines
	kept     []string // comments in it that must stay, maybe after a dash
	exactly  bool     // the number of lines must not change
}

// window returns the lines that the edit may change.
func (c *Case) window() window {
	switch c.Op {
	case Set:
		return c.setWindow()
	case Rename:
		key := c.holder.Keys[c.index]
		to := lastLineOf(key, c.file) + 1
		w := window{from: key.line, to: to, lost: to - key.line, fresh: 1}
		w.exactly = w.lost == 1 && key.Style != Block
		return w
	case Delete:
		return c.deleteWindow()
	}
	return c.addWindow()
}

func (c *Case) setWindow() window {
	n := c.Old
	from, last := n.line, lastLineOf(n, c.file)
	if n.Text == "" && n.Style == Plain {
		from = min(c.above, from) // the value is missing: the next node may be on another line
	}
	w := window{from: from, to: last + 1, lost: last + 1 - from, fresh: last + 1 - from}
	w.exactly = w.lost == 1 && n.Style != Block && !strings.Contains(c.Value.Text, "\n") && !c.lacksColon()
	if !w.exactly {
		w.fresh += strings.Count(c.Value.Text, "\n") + 1
	}
	return w
}

// lacksColon reports whether a key after a "?" has no ":". A value that is set gets a line of
// its own then.
func (c *Case) lacksColon() bool {
	text := strings.TrimLeft(lines(c.file.Text)[c.above], "- ")
	return c.Old.Text == "" && c.Old.Style == Plain && strings.HasPrefix(text, "? ")
}

func (c *Case) addWindow() window {
	h := c.holder
	if len(h.Kids) == 0 {
		return window{from: c.above, to: max(h.after, h.line+1), lost: 1, fresh: 3}
	}
	last := h.Kids[len(h.Kids)-1]
	from := last.line
	if h.Kind == Map {
		from = h.Keys[len(h.Keys)-1].line
	}
	w := window{from: from, to: max(h.after, from+1), fresh: 1}
	switch {
	case h.Flow:
		w.lost, w.fresh = 1, 3 // the line before gets a comma
	case c.file.endsInBlock():
		w.lost, w.fresh = 1, 2 // the block gets a "-"
	}
	return w
}

// endsInBlock reports whether a text without a line break at its end ends in a block scalar.
// The value of that scalar has no line break at its end either.
func (f *File) endsInBlock() bool {
	n := f.docs[len(f.docs)-1].root
	for len(n.Kids) > 0 {
		n = n.Kids[len(n.Kids)-1]
	}
	return n.Style == Block && !strings.HasSuffix(f.Text, "\n")
}

func (c *Case) deleteWindow() window {
	h := c.holder
	key := h.Keys[c.index]
	all := lines(c.file.Text)
	w := window{from: key.line, to: max(h.Kids[c.index].after, key.line+1)}
	if h.Flow {
		return c.flowWindow(w)
	}
	for w.from > 0 && isComment(all[w.from-1]) {
		w.from--
	}
	for w.from > 0 && isBlank(all[w.from-1]) {
		w.from--
	}
	for i := w.to - 1; i > key.line && (isComment(all[i]) || isBlank(all[i])); i-- {
		if indent(all[i]) <= entryColumn(all, key) && isComment(all[i]) {
			w.kept = append(w.kept, strings.TrimSpace(all[i]))
		}
	}
	w.lost = w.to - w.from
	switch {
	case len(h.Kids) == 1:
		w.from = min(w.from, c.above)
		if w.from > 0 && endsInDash(all[w.from-1]) {
			w.from-- // only a dash, maybe with a comment
		}
		w.lost, w.fresh = w.to-w.from, 1
	case c.index == 0 && strings.TrimSpace(all[key.line][:min(key.col, len(all[key.line]))]) != "":
		w.to = max(w.to, h.Keys[1].line+1) // the next entry moves up after the dash
		w.lost, w.fresh = w.to-w.from, 1
	}
	return w
}

// entryColumn returns the column of the entry of a key, which begins at its "?" if it has one.
func entryColumn(all []string, key *Node) int {
	before := strings.TrimRight(all[key.line][:min(key.col, len(all[key.line]))], " \t")
	if strings.HasSuffix(before, "?") {
		return len(before) - 1
	}
	return key.col
}

// endsInDash reports whether a line ends in a dash, ignoring a comment.
func endsInDash(line string) bool {
	if at := commentStart(line, nil); at >= 0 {
		line = line[:at]
	}
	return strings.HasSuffix(strings.TrimSpace(line), "-")
}

// flowWindow returns the lines that a deletion in a flow map may change: the comma of the entry
// before is removed as well, and the next entry may move up.
func (c *Case) flowWindow(w window) window {
	h := c.holder
	switch {
	case len(h.Kids) == 1: // the brackets are joined
		w.to = min(w.to+1, len(lines(c.file.Text)))
	case c.index < len(h.Kids)-1:
		w.to = max(w.to, h.Keys[c.index+1].line+1)
	}
	w.lost, w.fresh = w.to-w.from+1, 2
	w.from = min(c.above, h.line)
	if c.index > 0 {
		w.from = h.Kids[c.index-1].line
	}
	return w
}

// check reports the changes of lines outside of the window, or beyond its limits, or "" if
// there are none.
func (w window) check(before, after []string) string {
	tail := len(before) - w.to
	switch {
	case len(after)-tail < w.from:
		return "lines are missing"
	case w.exactly && len(after) != len(before):
		return fmt.Sprintf("%d lines, not %d", len(after), len(before))
	}
	for i := range w.from {
		if before[i] != after[i] {
			return fmt.Sprintf("line %d: %q, not %q", i+1, after[i], before[i])
		}
	}
	for i := range tail {
		was, now := before[len(before)-1-i], after[len(after)-1-i]
		if was != now {
			return fmt.Sprintf("line %d: %q, not %q", len(after)-i, now, was)
		}
	}
	return w.inside(before[w.from:w.to], after[w.from:len(after)-tail])
}

func (w window) inside(before, after []string) string {
	if len(before) > 0 && before[len(before)-1] != "" && len(after) > 0 && after[len(after)-1] == "" {
		after = after[:len(after)-1] // the last line has got a line break
	}
	lost, fresh := exchanged(before, after)
	switch {
	case lost > w.lost:
		return fmt.Sprintf("%d of %d lines are missing, at most %d may be: %q became %q", lost, len(before), w.lost, before, after)
	case fresh > w.fresh:
		return fmt.Sprintf("%d lines are new, at most %d may be: %q became %q", fresh, w.fresh, before, after)
	}
	if lost, _ := exchanged(w.kept, comments(after)); lost > 0 {
		return fmt.Sprintf("a comment of another entry is missing: %q became %q", before, after)
	}
	return ""
}

// lastLineOf returns the last line of a scalar. A quoted scalar ends at its quote. A plain
// scalar of several lines ends before the next node, without the blank lines and comments
// before that. In a block these may be text.
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
		return min(n.after, len(all)-1) // the next node is on its last line
	}
	return last
}

// quotedEnd returns the line of the closing quote of a scalar, and the column after the quote.
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

// closing returns the offset of the first quote in a line that is not escaped, or -1.
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

// withoutProperties returns the text after the tag and the anchor of a scalar.
func withoutProperties(text string) string {
	for strings.HasPrefix(text, "&") || strings.HasPrefix(text, "!") {
		_, text, _ = strings.Cut(text, " ")
		text = strings.TrimLeft(text, " ")
	}
	return text
}

// blockEnd returns the line after the text of a literal or folded scalar: the first line that
// is indented less than the first line of the text.
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

// lines returns the lines of a text without "\n" and the byte order mark.
func lines(text string) []string {
	return strings.Split(strings.TrimPrefix(text, byteOrderMark), "\n")
}

// paired returns the lines of two texts without byte order marks. If the first text has "\r\n",
// a last line without a line break gets the carriage return of the others, so that a new line
// after it is not a change of it.
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

// exchanged counts the lines of each text that are not in the other one, without blank lines.
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

// comments returns the comments among lines, also those after a dash.
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
