package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/bench/internal/fidelity"
	"github.com/yaytpl/yaytpl/internal/testing/textfiles"
)

// An outcome classifies an edit, or the worst edit of a file.
type outcome int

const (
	expected   outcome = iota // only the expected lines changed
	refused                   // the editor failed
	otherLines                // other lines changed as well
	otherData                 // other data changed, or the edit is missing
	outcomes
)

// A count has the outcomes of one editor.
type count struct {
	editor   editor
	settings settings

	mutex   sync.Mutex
	files   [outcomes]int // by their worst outcome
	edits   map[fidelity.Op]*[outcomes]int
	ends    int            // edits with otherLines only because the text got a line break at its end
	lines   []int          // numbers of other lines that changed, one for each edit with otherLines
	reasons map[string]int // number of edits that failed, by reason
	shown   int            // edits that show printed
}

func newCount(e editor, s settings) *count {
	c := &count{editor: e, settings: s, edits: map[fidelity.Op]*[outcomes]int{}, reasons: map[string]int{}}
	for _, op := range fidelity.Ops {
		c.edits[op] = &[outcomes]int{}
	}
	return c
}

// file makes all cases of a file.
func (c *count) file(f textfiles.File, cases []fidelity.Case) {
	if len(cases) == 0 {
		return
	}
	worst := expected
	for _, x := range cases {
		worst = max(worst, c.edit(f, x))
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.files[worst]++
}

// edit makes one case and counts its outcome.
func (c *count) edit(f textfiles.File, x fidelity.Case) outcome {
	ctx, stop := context.WithTimeout(context.Background(), c.settings.limit)
	defer stop()
	var out, errs bytes.Buffer
	cmd := c.editor.command(ctx, f.Name, x)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err != nil {
		c.reasons[reason(errs.String(), err)]++
		c.edits[x.Op][refused]++
		return refused
	}
	v := x.Judge(out.String())
	got := expected
	switch {
	case v.Data != "":
		got = otherData
	case v.Lines != "":
		got = otherLines
	}
	if got == otherLines {
		c.lines = append(c.lines, v.Other)
	}
	if got == otherLines && v.End {
		c.ends++
	}
	c.edits[x.Op][got]++
	c.show(f, x, v, got)
	return got
}

// show prints a wrong edit, unless it printed enough of them.
func (c *count) show(f textfiles.File, x fidelity.Case, v fidelity.Verdict, got outcome) {
	if got == expected || c.shown >= c.settings.shown {
		return
	}
	c.shown++
	fmt.Printf("%s: %s %s %s:\n  data:  %s\n  lines: %.300s\n", c.editor.name(), f.Name, x.Op, x.Pointer(), v.Data, v.Lines)
}

// spread returns the median and the greatest number of other lines.
func (c *count) spread() (median, most int) {
	if len(c.lines) == 0 {
		return 0, 0
	}
	slices.Sort(c.lines)
	return c.lines[len(c.lines)/2], c.lines[len(c.lines)-1]
}

var outcomeNames = [outcomes]string{
	"only the expected lines",
	"refused or failed",
	"other lines as well",
	"other data, or not the edit",
}

// table returns the tables in Markdown.
func table(read, unread int, counts []*count) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d files, %d more that the judge cannot read.\n\n", read, unread)
	header(&b, "files by the worst of their edits", counts)
	for o := range outcomes {
		row(&b, outcomeNames[o], counts, func(c *count) string { return fmt.Sprint(c.files[o]) })
	}
	b.WriteString("\n")
	header(&b, "edits", counts)
	for o := range outcomes {
		row(&b, outcomeNames[o], counts, func(c *count) string { return fmt.Sprint(c.sum(o)) })
	}
	row(&b, "of other lines: only a line break at the end", counts, func(c *count) string { return fmt.Sprint(c.ends) })
	row(&b, "other lines, median and most", counts, func(c *count) string {
		median, most := c.spread()
		return fmt.Sprintf("%d, %d", median, most)
	})
	b.WriteString("\n")
	header(&b, "edits with only the expected lines", counts)
	for _, op := range fidelity.Ops {
		row(&b, string(op), counts, func(c *count) string {
			e := c.edits[op]
			return fmt.Sprintf("%d of %d", e[expected], e[expected]+e[refused]+e[otherLines]+e[otherData])
		})
	}
	for _, c := range counts {
		c.writeReasons(&b)
	}
	return b.String()
}

// header writes the head of a table.
func header(b *strings.Builder, title string, counts []*count) {
	row(b, title, counts, func(c *count) string { return c.editor.name() })
	b.WriteString("|---|" + strings.Repeat("---:|", len(counts)) + "\n")
}

// row writes a row of a table with a cell for each editor.
func row(b *strings.Builder, title string, counts []*count, cell func(*count) string) {
	b.WriteString("| " + title + " |")
	for _, c := range counts {
		b.WriteString(" " + cell(c) + " |")
	}
	b.WriteString("\n")
}

// sum returns the number of edits with an outcome.
func (c *count) sum(o outcome) int {
	n := 0
	for _, e := range c.edits {
		n += e[o]
	}
	return n
}

// writeReasons lists the 15 most frequent reasons for which an editor failed.
func (c *count) writeReasons(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s refused or failed:\n\n", c.editor.name())
	reasons := slices.Sorted(maps.Keys(c.reasons))
	slices.SortStableFunc(reasons, func(x, y string) int { return c.reasons[y] - c.reasons[x] })
	for _, r := range reasons[:min(len(reasons), 15)] {
		fmt.Fprintf(b, "- %d: %s\n", c.reasons[r], r)
	}
}
