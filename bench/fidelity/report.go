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
	"github.com/yaytpl/yaytpl/internal/textfiles"
)

// An outcome is what became of an edit, or the worst of those of a file.
type outcome int

const (
	expected   outcome = iota // only the lines that were meant changed
	refused                   // an error, and nothing was made
	otherLines                // other lines changed as well
	otherData                 // other data changed, or the edit was not made
	outcomes
)

// A count says what an editor made of all files.
type count struct {
	editor   editor
	settings settings

	mutex   sync.Mutex
	files   [outcomes]int
	edits   map[fidelity.Op]*[outcomes]int
	ends    int   // edits that did nothing else wrong but end the last line
	lines   []int // that changed beside those that were meant, of each edit that changed some
	reasons map[string]int
	shown   int
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
	came := expected
	switch {
	case v.Data != "":
		came = otherData
	case v.Lines != "":
		came = otherLines
	}
	if came == otherLines {
		c.lines = append(c.lines, v.Other)
	}
	if came == otherLines && v.End {
		c.ends++
	}
	c.edits[x.Op][came]++
	c.show(f, x, v, came)
	return came
}

func (c *count) show(f textfiles.File, x fidelity.Case, v fidelity.Verdict, came outcome) {
	if came == expected || c.shown >= c.settings.shown {
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

// table writes what all editors made of the files, in Markdown.
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

func header(b *strings.Builder, title string, counts []*count) {
	row(b, title, counts, func(c *count) string { return c.editor.name() })
	b.WriteString("|---|" + strings.Repeat("---:|", len(counts)) + "\n")
}

func row(b *strings.Builder, title string, counts []*count, cell func(*count) string) {
	b.WriteString("| " + title + " |")
	for _, c := range counts {
		b.WriteString(" " + cell(c) + " |")
	}
	b.WriteString("\n")
}

func (c *count) sum(o outcome) int {
	n := 0
	for _, e := range c.edits {
		n += e[o]
	}
	return n
}

// writeReasons lists what an editor says when it fails, the most frequent first.
func (c *count) writeReasons(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s refused or failed:\n\n", c.editor.name())
	reasons := slices.Sorted(maps.Keys(c.reasons))
	slices.SortStableFunc(reasons, func(x, y string) int { return c.reasons[y] - c.reasons[x] })
	for _, r := range reasons[:min(len(reasons), 15)] {
		fmt.Fprintf(b, "- %d: %s\n", c.reasons[r], r)
	}
}
