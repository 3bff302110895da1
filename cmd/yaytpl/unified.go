package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value/align"
)

// contextLines is the number of unchanged lines that a diff shows around changed ones.
const contextLines = 3

// unified returns the change of a file as a unified diff, with secrets masked. It compares the texts
// without masks: a changed secret is two lines that look equal.
//
//	--- a.yaml
//	+++ a.yaml
//	@@ -1,2 +1,2 @@
//	 name: web
//	-password: *****
//	+password: *****
func (f *editOutput) unified(file *edit.File) string {
	d := unifiedDiff{old: slices.Collect(strings.Lines(file.Old)), text: slices.Collect(strings.Lines(file.Text))}
	d.shownOld, d.shownText = d.old, d.text
	if !f.reveal {
		d.shownOld, d.shownText = file.MaskedLines()
	}
	return d.write(source.Escaped(file.Name))
}

// A unifiedDiff writes the hunks of a diff. The shown lines are those that it prints in place of the real ones.
type unifiedDiff struct {
	out                 strings.Builder
	old, text           []string
	shownOld, shownText []string
}

// write returns the diff of a file with a name. It is empty if the texts are equal.
func (d *unifiedDiff) write(name string) string {
	changes := changedLines(d.old, d.text)
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].start-changes[n-1].end <= 2*contextLines {
			n++
		}
		if d.out.Len() == 0 {
			fmt.Fprintf(&d.out, "--- %s\n+++ %s\n", name, name)
		}
		d.hunk(changes[:n])
		changes = changes[n:]
	}
	return d.out.String()
}

// A lineChange says that the lines from start to end of the old text, exclusive, became those from newStart to newEnd.
type lineChange struct{ start, end, newStart, newEnd int }

// changedLines returns the changes between two texts, in order.
func changedLines(old, text []string) []lineChange {
	var changes []lineChange
	next := lineChange{}
	for j, i := range append(align.Common(old, text), len(old)) {
		if i < 0 {
			continue
		}
		next.end, next.newEnd = i, j
		if next.start < i || next.newStart < j {
			changes = append(changes, next)
		}
		next = lineChange{start: i + 1, newStart: j + 1}
	}
	return changes
}

// hunk writes changes that are close to each other, and the lines around them.
func (d *unifiedDiff) hunk(changes []lineChange) {
	first, last := changes[0], changes[len(changes)-1]
	before := min(first.start, contextLines)
	after := min(len(d.old)-last.end, contextLines)
	fmt.Fprintf(&d.out, "@@ -%s +%s @@\n",
		lineRange(first.start-before, last.end+after), lineRange(first.newStart-before, last.newEnd+after))
	next := first.newStart - before // the line of the new text that follows
	for _, c := range changes {
		d.lines(' ', d.text, d.shownText, next, c.newStart)
		d.lines('-', d.old, d.shownOld, c.start, c.end)
		d.lines('+', d.text, d.shownText, c.newStart, c.newEnd)
		next = c.newEnd
	}
	d.lines(' ', d.text, d.shownText, next, next+after)
}

// lines writes the lines from start to end, exclusive, each after a mark.
func (d *unifiedDiff) lines(mark byte, lines, shown []string, start, end int) {
	for i := start; i < end; i++ {
		d.out.WriteByte(mark)
		d.out.WriteString(strings.TrimSuffix(shown[i], "\n"))
		d.out.WriteByte('\n')
		if !strings.HasSuffix(lines[i], "\n") {
			d.out.WriteString("\\ No newline at end of file\n")
		}
	}
}

// lineRange writes the lines from start to end, exclusive and counted from 0, as diff does: the first line,
// counted from 1, and their number if it is not 1. Of no lines it is the line before them.
func lineRange(start, end int) string {
	switch n := end - start; n {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	default:
		return fmt.Sprintf("%d,%d", start+1, n)
	}
}
