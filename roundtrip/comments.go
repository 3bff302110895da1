package roundtrip

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A CommentPart is one of the comments of an entry, an item or a document.
type CommentPart uint8

// The parts.
const (
	HeadComment CommentPart = iota // above it
	LineComment                    // after it, on its line
	FootComment                    // below it
)

// A CommentEdit replaces a comment: of the entry or item at Path, or of the document if Path is
// empty. The lines of Text begin with "#"; an empty text removes the comment.
type CommentEdit struct {
	Path value.Path
	Part CommentPart
	Text string
}

// Comment replaces comments in document number doc of a text. Values stay. It returns the
// numbers of the edits that have no place: in JSON, at a path that does not
// exist. The caller must check that the new text has the values of the old one.
func (t *Text) Comment(doc int, edits []CommentEdit) (text string, refused []int) {
	c := commenter{src: t.File.Text, doc: t.Docs[doc], breaks: breakOf(t.File.Text)}
	for i, e := range edits {
		if !t.syntax.blocks() || !c.edit(e) {
			refused = append(refused, i)
		}
	}
	slices.SortStableFunc(c.patches, func(a, b patch) int { return a.start - b.start })
	for i := 1; i < len(c.patches); i++ {
		if c.patches[i].start < c.patches[i-1].end {
			return c.src, allOf(edits)
		}
	}
	return applied(c.src, c.patches), refused
}

// allOf returns the numbers of all edits.
func allOf(edits []CommentEdit) []int {
	var all []int
	for i := range edits {
		all = append(all, i)
	}
	return all
}

// CommentsAt returns the comments of the entry or item at a path, of the document for an empty
// path, and false if the document has no such place.
func (t *Text) CommentsAt(doc int, path value.Path) (yaml.Comments, bool) {
	if len(path) == 0 {
		return yaml.Comments{Head: t.Docs[doc].Head, Foot: t.Docs[doc].Foot}, true
	}
	at, ok := placeOfComments(t.Docs[doc].Root, path)
	return at.comments, ok
}

// A commented is an entry or item with its comments.
type commented struct {
	comments yaml.Comments
	key      *yaml.Node // nil for an item
	value    *yaml.Node
	inFlow   bool // it is in a map or list in flow style
}

// placeOfComments returns the entry or item at a path.
func placeOfComments(n *yaml.Node, path value.Path) (at commented, ok bool) {
	for _, k := range path {
		if n == nil {
			return at, false
		}
		flow := at.inFlow || n.Style == yaml.Flow
		found := false
		switch n.Kind {
		case yaml.MapNode:
			for i := range n.Entries {
				if e := &n.Entries[i]; e.Key == k && !e.IsMerge() {
					at, found = commented{*e.Comments, e.KeyNode(), e.Value, flow}, true
					break
				}
			}
		case yaml.SeqNode:
			if i, isIndex := k.Value().Int(); isIndex && i >= 0 && int(i) < len(n.Items) {
				at, found = commented{n.Items[i].Comments, nil, n.Items[i], flow}, true
			}
		}
		if !found {
			return at, false
		}
		n = at.value
	}
	return at, true
}

// A commenter makes patches of comments.
type commenter struct {
	src     string
	doc     *yaml.Document
	breaks  string
	patches []patch
}

// edit adds the patches of one edit, and returns false if there is no place for it.
func (c *commenter) edit(e CommentEdit) bool {
	if len(e.Path) == 0 {
		return c.document(e)
	}
	at, ok := placeOfComments(c.doc.Root, e.Path)
	if !ok {
		return false
	}
	start, ok := c.startOf(at)
	if !ok {
		return false
	}
	switch e.Part {
	case HeadComment:
		if strings.TrimLeft(c.src[lineStart(c.src, start):start], " ") != "" {
			return at.inFlow && at.comments.Head == "" && c.breakLine(start, e.Text)
		}
		return c.above(lineStart(c.src, start), column(c.src, start), at.comments.Head, e.Text)
	case LineComment:
		return c.behind(at, start, at.comments.Line, e.Text)
	}
	return c.below(c.endOf(at), column(c.src, start), at.comments.Foot, e.Text)
}

// breakLine writes a comment above an entry or item in flow style, which begins a line then:
//
//	{a: 1, b: 2}  -->  {a: 1,
//	                     # about b
//	                     b: 2}
func (c *commenter) breakLine(start int, text string) bool {
	before := start
	for before > 0 && isBlank(c.src[before-1]) {
		before--
	}
	col := len(indentOf(c.src, start)) + 2
	c.patches = append(c.patches, patch{before, start, c.breaks + c.indented(c.lines(text), col) + blanks(col)})
	return true
}

// startOf returns the offset of a key, or of the "-" of an item.
func (c *commenter) startOf(at commented) (int, bool) {
	switch {
	case at.key != nil:
		return startOf(at.key), true
	case at.inFlow:
		return startOf(at.value), true
	}
	i := startOf(at.value)
	for i > 0 && (isBlank(c.src[i-1]) || c.src[i-1] == '\n' || c.src[i-1] == '\r') {
		i--
	}
	return i - 1, i > 0 && c.src[i-1] == '-'
}

// endOf returns the offset of the end of the last line of an entry or item.
func (c *commenter) endOf(at commented) int {
	n := at.value
	for n.Style != yaml.Flow && n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && n.Len() > 0 {
		n = n.Child(n.Len() - 1)
	}
	end := int(n.At.End)
	for end > int(n.At.Start) && strings.ContainsRune("\r\n ", rune(c.src[end-1])) {
		end--
	}
	return lineEnd(c.src, end)
}

// lines splits a comment. A comment of no lines is empty.
func (c *commenter) lines(comment string) []string {
	if strings.TrimSpace(comment) == "" {
		return nil
	}
	lines := strings.Split(comment, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// indented returns lines with their line breaks, each at a column.
func (c *commenter) indented(lines []string, col int) string {
	var b strings.Builder
	for _, line := range lines {
		if line != "" {
			b.WriteString(strings.Repeat(" ", col) + line)
		}
		b.WriteString(c.breaks)
	}
	return b.String()
}

// above replaces the comment above the line that starts at an offset.
func (c *commenter) above(line, col int, was, text string) bool {
	old := c.lines(was)
	if len(old) == 0 {
		c.patches = append(c.patches, patch{line, line, c.indented(c.lines(text), col)})
		return true
	}
	var starts []int // of the old lines, last first
	at := line
	for n := len(old) - 1; n >= 0; {
		above := lineStart(c.src, beforeBreak(c.src, at))
		if above >= at { // the first line
			return false
		}
		at = above
		switch found := strings.TrimSpace(c.src[at:lineEnd(c.src, at)]); {
		case found == old[n]:
			starts = append(starts, at)
			n--
		case found != "":
			return false
		case old[n] == "":
			n--
		}
	}
	slices.Reverse(starts)
	return c.replaceLines(starts, col, text)
}

// below replaces the comment below the line that ends at an offset.
func (c *commenter) below(end, col int, was, text string) bool {
	old := c.lines(was)
	at := afterBreak(c.src, end)
	if len(old) == 0 {
		lines := c.indented(c.lines(text), col)
		if at == end { // the text ends without a line break
			lines = c.breaks + strings.TrimSuffix(lines, c.breaks)
		}
		c.patches = append(c.patches, patch{at, at, lines})
		return true
	}
	var starts []int
	for n := 0; n < len(old); {
		if at >= len(c.src) {
			return false
		}
		switch found := strings.TrimSpace(c.src[at:lineEnd(c.src, at)]); {
		case found == old[n]:
			starts = append(starts, at)
			n++
		case found != "":
			return false
		case old[n] == "":
			n++
		}
		at = afterBreak(c.src, lineEnd(c.src, at))
	}
	return c.replaceLines(starts, col, text)
}

// replaceLines replaces the comment lines that start at these offsets. Lines that stay keep
// their bytes.
func (c *commenter) replaceLines(starts []int, col int, text string) bool {
	lines := slices.DeleteFunc(c.lines(text), func(l string) bool { return l == "" })
	old := func(i int) string { return strings.TrimSpace(c.src[starts[i]:lineEnd(c.src, starts[i])]) }
	starts = slices.DeleteFunc(starts, func(at int) bool { return lineEnd(c.src, at) == at })
	first := 0
	for first < len(starts) && first < len(lines) && old(first) == lines[first] {
		first++
	}
	last := 0
	for last < len(starts)-first && last < len(lines)-first && old(len(starts)-1-last) == lines[len(lines)-1-last] {
		last++
	}
	starts, lines = starts[first:len(starts)-last], lines[first:len(lines)-last]
	for i, at := range starts {
		text := ""
		if i == len(starts)-1 {
			text = c.indented(lines[min(i, len(lines)):], col)
		} else if i < len(lines) {
			text = c.indented(lines[i:i+1], col)
		}
		c.patches = append(c.patches, patch{at, afterBreak(c.src, lineEnd(c.src, at)), text})
	}
	if len(starts) == 0 && len(lines) > 0 {
		return false
	}
	return true
}

// behind writes the comment after an entry or item that begins at an offset.
func (c *commenter) behind(at commented, start int, was, text string) bool {
	n := at.value
	end := int(n.At.End)
	switch {
	case n.Style == yaml.Literal || n.Style == yaml.Folded:
		end = int(n.At.Start)
		for end < len(c.src) && !isBlank(c.src[end]) && c.src[end] != '\n' && c.src[end] != '\r' {
			end++
		}
	case (n.Kind == yaml.MapNode || n.Kind == yaml.SeqNode) && n.Style != yaml.Flow:
		end = start + 1
		if at.key != nil {
			end = int(at.key.At.End) + strings.IndexByte(c.src[at.key.At.End:], ':') + 1
		}
		if _, props, ok := properties(n); ok && props > end {
			end = props
		}
	}
	if at.inFlow {
		if comma := skipBlanks(c.src, end); comma < len(c.src) && c.src[comma] == ',' {
			end = comma + 1
		}
	}
	stop := lineEnd(c.src, end)
	rest := c.src[end:stop]
	comment := strings.TrimLeft(rest, " \t")
	if at.inFlow && was == "" && comment != "" && comment[0] != '#' { // what follows goes to the next line
		col := len(indentOf(c.src, end)) + 2
		c.patches = append(c.patches, patch{end, stop - len(comment), " " + text + c.breaks + blanks(col)})
		return !strings.Contains(text, "\n")
	}
	if comment != "" && comment[0] != '#' || strings.TrimSpace(comment) != strings.TrimSpace(was) || strings.Contains(text, "\n") {
		return false
	}
	gap := rest[:len(rest)-len(comment)]
	switch {
	case text == "":
		gap = ""
	case was == "":
		gap = " "
	}
	c.patches = append(c.patches, patch{end, stop, gap + text})
	return true
}

// document replaces a comment of the document.
func (c *commenter) document(e CommentEdit) bool {
	start, end := int(c.doc.At.Start), int(c.doc.At.End)
	if strings.HasPrefix(c.src[start:], bom) {
		start += len(bom)
	}
	switch {
	case e.Part == HeadComment && c.doc.Head == "":
		if strings.HasPrefix(c.src[start:], "---") || strings.HasPrefix(c.src[start:], "%") {
			return false
		}
		c.patches = append(c.patches, patch{start, start, c.indented(c.lines(e.Text), 0) + c.breaks})
		return true
	case e.Part == HeadComment:
		if c.doc.Root == nil {
			return false
		}
		line, patches := lineStart(c.src, startOf(c.doc.Root)), len(c.patches)
		ok := c.above(line, 0, c.doc.Head, e.Text)
		if ok && e.Text == "" && len(c.patches) > patches { // the empty lines below it go with it
			for last := &c.patches[len(c.patches)-1]; last.end < line && strings.TrimSpace(c.src[last.end:lineEnd(c.src, last.end)]) == ""; {
				last.end = afterBreak(c.src, lineEnd(c.src, last.end))
			}
		}
		return ok
	case e.Part == FootComment && c.doc.Root != nil:
		last := c.endOf(commented{value: c.doc.Root})
		if c.doc.Foot != "" {
			return c.below(last, 0, c.doc.Foot, e.Text)
		}
		if end != len(c.src) || !strings.HasSuffix(c.src, c.breaks) {
			return false
		}
		c.patches = append(c.patches, patch{end, end, c.breaks + c.indented(c.lines(e.Text), 0)})
		return true
	}
	return false
}
