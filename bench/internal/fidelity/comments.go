package fidelity

import (
	"fmt"
	"slices"
	"strings"
)

// A remark is a comment: its text from "#" on, and its line.
type remark struct {
	text string
	line int
}

// A hole is a range of bytes of a line in which "#" is text.
type hole struct{ from, to int }

// remarks returns the comments of a text in order. A comment begins with a "#" at the start of
// a line or after a blank, outside of quotes and blocks.
func (f *File) remarks() []remark {
	if f.JSON {
		return nil
	}
	all := lines(f.Text)
	holes := map[int][]hole{}
	for _, d := range f.docs {
		d.root.addHoles(all, holes)
	}
	var out []remark
	for i, line := range all {
		if at := commentStart(line, holes[i]); at >= 0 {
			out = append(out, remark{strings.TrimSpace(line[at:]), i})
		}
	}
	return out
}

// addHoles adds the holes of the scalars of a tree.
func (n *Node) addHoles(all []string, holes map[int][]hole) {
	switch {
	case n.Kind == Scalar && n.Style == Quoted:
		n.addQuoted(all, holes)
	case n.Kind == Scalar && n.Style == Block:
		for i := n.line + 1; i < blockEnd(all, n); i++ {
			holes[i] = append(holes[i], hole{0, len(all[i])})
		}
	}
	for _, key := range n.Keys {
		key.addHoles(all, holes)
	}
	for _, kid := range n.Kids {
		kid.addHoles(all, holes)
	}
}

func (n *Node) addQuoted(all []string, holes map[int][]hole) {
	last, end := quotedEnd(all, n)
	for i := n.line; i <= last; i++ {
		h := hole{0, len(all[i])}
		if i == n.line {
			h.from = n.col
		}
		if i == last {
			h.to = end
		}
		holes[i] = append(holes[i], h)
	}
}

// commentStart returns the offset of the comment of a line, or -1 if it has none.
func commentStart(line string, holes []hole) int {
	for i := range len(line) {
		if line[i] != '#' || i > 0 && line[i-1] != ' ' && line[i-1] != '\t' {
			continue
		}
		if !slices.ContainsFunc(holes, func(h hole) bool { return h.from <= i && i < h.to }) {
			return i
		}
	}
	return -1
}

// comment reports a comment that is missing in the new text and is not part of the deleted
// entry, or "". Comments may have moved.
func (c *Case) comment(now *File) string {
	left := map[string]int{}
	for _, r := range now.remarks() {
		left[r.text]++
	}
	for _, r := range c.file.remarks() {
		left[r.text]--
	}
	for _, r := range c.file.remarks() {
		if left[r.text] < 0 && c.takesAlong(r) {
			left[r.text]++
		}
	}
	for _, r := range c.file.remarks() {
		if left[r.text] < 0 {
			return fmt.Sprintf("the comment %q of line %d is missing", r.text, r.line+1)
		}
	}
	return ""
}

// takesAlong reports whether a comment may be removed with the deleted entry: it is in the
// lines of the entry, directly above them, below and deeper than the entry, or before its
// comma.
func (c *Case) takesAlong(r remark) bool {
	if c.Op != Delete {
		return false
	}
	all := lines(c.file.Text)
	key := c.holder.Keys[c.index]
	from, to := key.line, max(c.holder.Kids[c.index].after, key.line+1)
	for from > 0 && isComment(all[from-1]) {
		from--
	}
	beforeComma := c.holder.Flow && to < len(all) && strings.HasPrefix(strings.TrimSpace(all[to]), ",")
	for !beforeComma && to > key.line+1 && (isBlank(all[to-1]) || isComment(all[to-1]) && indent(all[to-1]) <= entryColumn(all, key)) {
		to--
	}
	return from <= r.line && r.line < to
}
