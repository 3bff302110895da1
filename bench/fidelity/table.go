package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/bench/internal/fidelity"
)

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
