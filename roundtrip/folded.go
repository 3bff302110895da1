package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// keepFolds returns the lines of a folded scalar with the old line breaks where the text
// is as before: at its beginning and at its end. What is between is folded anew. It
// returns false for texts with lines that begin with blanks, which are not folded.
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

// bodyLines returns the lines of a block scalar without their indentation and without the
// blank ones at the end.
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

// unfold returns the text of folded lines and where each of them begins in it, and false
// if there are some that are not folded.
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
