package roundtrip

import (
	"iter"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// isEmpty reports whether a node has a value without text: the value of "a:" for example.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == yaml.Plain && n.At.Start == n.At.End
}

// properties returns the range of the tag and anchor of a node, or false if it has
// neither.
func properties(n *yaml.Node) (start, end int, ok bool) {
	hasAnchor := n.Anchor != "" && n.Kind != yaml.AliasNode
	switch {
	case n.Tag != "" && hasAnchor:
		return int(min(n.TagAt.Start, n.AnchorAt.Start)), int(max(n.TagAt.End, n.AnchorAt.End)), true
	case n.Tag != "":
		return int(n.TagAt.Start), int(n.TagAt.End), true
	case hasAnchor:
		return int(n.AnchorAt.Start), int(n.AnchorAt.End), true
	}
	return 0, 0, false
}

// startOf returns the offset at which a node begins, tag and anchor included.
func startOf(n *yaml.Node) int {
	if start, _, ok := properties(n); ok {
		return start
	}
	return int(n.At.Start)
}

// childAt returns the key of entry or item i, whether it is "<<", and its value.
func childAt(n *yaml.Node, i int) (key value.Key, merge bool, child *yaml.Node) {
	if n.Kind == yaml.MapNode {
		e := &n.Entries[i]
		return e.Key, e.IsMerge(), e.Value
	}
	return value.Index(i), false, n.Items[i]
}

// nodesIn returns the keys and values of a map, or the items of a list, in the order of
// the text.
func nodesIn(n *yaml.Node) iter.Seq[*yaml.Node] {
	return func(yield func(*yaml.Node) bool) {
		for i := range n.Len() {
			if n.Kind == yaml.MapNode && !yield(n.Entries[i].KeyNode()) || !yield(n.Child(i)) {
				return
			}
		}
	}
}

const bom = "\uFEFF"

// lineStart returns the offset of the first byte of the line of i. A byte order mark is
// not part of a line.
func lineStart(s string, i int) int {
	for i > 0 && s[i-1] != '\n' && s[i-1] != '\r' {
		i--
	}
	if i == 0 && strings.HasPrefix(s, bom) {
		return len(bom)
	}
	return i
}

// lineEnd returns the offset of the line break that ends the line of i, or the end of the
// text.
func lineEnd(s string, i int) int {
	if n := strings.IndexAny(s[i:], "\r\n"); n >= 0 {
		return i + n
	}
	return len(s)
}

// afterBreak returns the offset after the line break at i, or i if there is none.
func afterBreak(s string, i int) int {
	switch {
	case strings.HasPrefix(s[i:], "\r\n"):
		return i + 2
	case i < len(s) && (s[i] == '\n' || s[i] == '\r'):
		return i + 1
	}
	return i
}

// beforeBreak returns the offset of the line break that ends at i, or i if there is none.
func beforeBreak(s string, i int) int {
	switch {
	case strings.HasSuffix(s[:i], "\r\n"):
		return i - 2
	case i > 0 && (s[i-1] == '\n' || s[i-1] == '\r'):
		return i - 1
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlanks returns the offset of the next byte that is no blank.
func skipBlanks(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

// blankAfter reports whether a blank, a line break or the end of the text follows the byte
// at i.
func blankAfter(s string, i int) bool {
	return i+1 >= len(s) || isBlank(s[i+1]) || s[i+1] == '\n' || s[i+1] == '\r'
}

// skipSpace returns the offset of the next byte after blanks, line breaks and comments.
func skipSpace(s string, i int) int {
	for i < len(s) {
		switch {
		case isBlank(s[i]) || s[i] == '\n' || s[i] == '\r':
			i++
		case s[i] == '#':
			i = lineEnd(s, i)
		default:
			return i
		}
	}
	return i
}

// column returns the number of bytes before i on its line.
func column(s string, i int) int { return i - lineStart(s, i) }

// beginsLine reports whether only blanks precede i on its line.
func beginsLine(s string, i int) bool { return strings.Trim(s[lineStart(s, i):i], " ") == "" }

// isRest reports whether only blanks and a comment follow on the line.
func isRest(s string, i int) bool {
	i = skipBlanks(s, i)
	return i >= len(s) || s[i] == '#' || s[i] == '\n' || s[i] == '\r'
}

// commentColumn returns the column of a comment with nothing else on the line at i, or -1 for
// another line.
func commentColumn(s string, i int) int {
	at := skipBlanks(s, i)
	if at < len(s) && s[at] == '#' {
		return at - i
	}
	return -1
}

func isBlankLine(s string, i int) bool { return skipBlanks(s, i) == lineEnd(s, i) }

// extent returns the end of the lines of an entry at column col whose value ends at end:
// the rest of its last line and the comments below it that are indented deeper than col.
func extent(s string, end, col int) int {
	if !isRest(s, end) {
		return end
	}
	e := lineEnd(s, end)
	for i := afterBreak(s, e); i < len(s); {
		at := commentColumn(s, i)
		if at < 0 && !isBlankLine(s, i) || at >= 0 && at <= col {
			break
		}
		stop := lineEnd(s, i)
		if at >= 0 {
			e = stop
		}
		next := afterBreak(s, stop)
		if next == i {
			break
		}
		i = next
	}
	return e
}

// lead returns the start of the comment directly above the line at i, at its column and
// not before the offset from. Without a comment it returns i.
func lead(s string, i, col, from int) int {
	for i > from {
		above := lineStart(s, beforeBreak(s, i))
		if above < from || above == i || commentColumn(s, above) != col {
			break
		}
		i = above
	}
	return i
}

// trimBlankLines returns the end of the range [start, end) without the blank lines at its
// end. The range ends after a line break.
func trimBlankLines(s string, start, end int) int {
	for end > start {
		line := lineStart(s, beforeBreak(s, end))
		if line < start || line == end || !isBlankLine(s, line) {
			break
		}
		end = line
	}
	return end
}

// skipBlankLines returns the start of the first line from i on that is not blank.
func skipBlankLines(s string, i int) int {
	for i < len(s) && isBlankLine(s, i) {
		i = afterBreak(s, lineEnd(s, i))
	}
	return i
}

// A slot is the position of an old entry or item in the text. See the example in writer.go.
type slot struct {
	start  int // offset of the key or its "?", or of the "-"; in a flow list of the item
	keyEnd int // offset after the key
	mark   int // offset after ":" or "-"; -1 if there is none
	end    int // offset after the value, or after the mark if the value has no text

	// Block style: start and end of its lines, with the comment above.
	lead, last int

	// Flow style: the text up to the next item.
	comma int // offset of the comma, or -1
	next  int // offset after the comma and the comment on its line
}

// valueStart returns the offset at which the value of an entry is due: after its mark, or
// after a key that has no mark.
func (s slot) valueStart() int {
	if s.mark >= 0 {
		return s.mark
	}
	return s.keyEnd
}

// endOf returns the end of a node. The end of a block collection is the end of its last
// value, which may be a value without text.
func endOf(src string, n *yaml.Node) int {
	if isEmpty(n) {
		if _, end, ok := properties(n); ok {
			return end
		}
		return int(n.At.Start)
	}
	if n.Style != yaml.Block || n.Len() == 0 {
		return int(n.At.End)
	}
	last := n.Child(n.Len() - 1)
	if !isEmpty(last) {
		return endOf(src, last)
	}
	if _, end, ok := properties(last); ok {
		return end
	}
	slots, ok := blockSlots(src, n)
	if !ok {
		return int(n.At.End)
	}
	return slots[len(slots)-1].end
}

// blockSlots returns the slots of a block collection, without their lines. It returns
// false if it cannot locate an entry, for example if entries of one map begin in different
// columns.
func blockSlots(src string, n *yaml.Node) ([]slot, bool) {
	slots := make([]slot, n.Len())
	at := int(n.At.Start)
	col := column(src, at)
	for i := range slots {
		s, ok := slot{start: at}, false
		if at >= len(src) || i > 0 && column(src, at) != col {
			return nil, false
		}
		child := n.Child(i)
		if n.Kind == yaml.MapNode {
			ok = s.setKey(src, n.Entries[i].KeyNode())
		} else {
			ok = src[at] == '-' && blankAfter(src, at)
			s.keyEnd, s.mark = at, at+1
		}
		if !ok {
			return nil, false
		}
		s.setEnd(src, child)
		slots[i] = s
		at = skipSpace(src, s.end)
	}
	return slots, true
}

// setKey locates the key and colon of an entry of a block map. An entry with "?" may have
// no colon, as in sets.
func (s *slot) setKey(src string, key *yaml.Node) bool {
	s.keyEnd, s.mark = endOf(src, key), -1
	explicit := src[s.start] == '?' && blankAfter(src, s.start)
	at := skipBlanks(src, s.keyEnd)
	switch {
	case !explicit && s.start != startOf(key):
		return false
	case explicit:
		at = skipSpace(src, s.keyEnd)
	}
	if at < len(src) && src[at] == ':' {
		s.mark = at + 1
	}
	return s.mark >= 0 || explicit
}

// setEnd sets the end of the value.
func (s *slot) setEnd(src string, child *yaml.Node) {
	s.end = s.valueStart()
	if !isEmpty(child) {
		s.end = endOf(src, child)
	} else if _, end, ok := properties(child); ok {
		s.end = end
	}
}

// setLines sets the lines of the slots of a block collection. No line before the offset
// from belongs to the first slot.
func setLines(src string, slots []slot, from int) {
	col := column(src, slots[0].start)
	for i := range slots {
		s := &slots[i]
		s.lead = s.start
		if beginsLine(src, s.start) {
			line := lineStart(src, s.start)
			s.lead = lead(src, line, col, from)
			if src[s.start] == '-' && isCommentedOut(src[s.lead:line]) {
				s.lead = line
			}
		}
		s.last = extent(src, s.end, col)
		from = s.last
	}
}

// isCommentedOut reports whether lines are items of a list that are commented out, such as
// "# - a": they are no comment about the item below them.
func isCommentedOut(lines string) bool {
	found := false
	for line := range strings.Lines(lines) {
		text, comment := strings.CutPrefix(strings.TrimSpace(line), "#")
		item := strings.HasPrefix(strings.TrimLeft(text, " "), "- ")
		below := found && strings.HasPrefix(text, "   ") // a line of the item above
		if !comment && text != "" || comment && !item && !below {
			return false
		}
		found = found || item
	}
	return found
}

// flowSlots returns the slots of a flow collection, or false if it cannot locate an item.
func flowSlots(src string, n *yaml.Node) ([]slot, bool) {
	slots := make([]slot, n.Len())
	at := skipSpace(src, int(n.At.Start)+1)
	for i := range slots {
		s, ok := flowSlot(src, n, i, at)
		if !ok {
			return nil, false
		}
		if !s.setComma(src) {
			if i < len(slots)-1 {
				return nil, false
			}
			// The blank of "{a: }" is part of the entry: in "{a:, b: 1}" the colon would be
			// part of the key.
			if s.mark == s.end && s.next == s.end && s.end < len(src) && src[s.end] == ' ' {
				s.end, s.next = s.end+1, s.next+1
			}
		}
		slots[i] = s
		at = skipSpace(src, s.next)
	}
	return slots, at < len(src) && at+1 == int(n.At.End)
}

// flowSlot returns the slot of an item of a flow collection, which begins at an offset, without
// the text after it.
func flowSlot(src string, n *yaml.Node, i, at int) (slot, bool) {
	s := slot{start: at, mark: -1}
	child := n.Child(i)
	first := child
	if n.Kind == yaml.MapNode {
		first = n.Entries[i].KeyNode()
	}
	missing := isEmpty(first) && startOf(first) == endOf(src, first) // without a tag or an anchor
	if n.Kind == yaml.MapNode && at < len(src) && src[at] == '?' && blankAfter(src, at) {
		if !missing {
			at = skipSpace(src, at+1)
		} else if at = int(first.At.Start); at != s.start+1 {
			return s, false
		}
	}
	if startOf(first) != at || missing && n.Kind != yaml.MapNode {
		return s, false
	}
	s.keyEnd = at
	if n.Kind == yaml.MapNode {
		s.keyEnd = endOf(src, first)
		if colon := skipSpace(src, s.keyEnd); colon < len(src) && src[colon] == ':' {
			s.mark = colon + 1
		}
	}
	s.setEnd(src, child)
	return s, true
}

// setComma locates the text after an item, and reports whether it begins with a comma.
func (s *slot) setComma(src string) bool {
	s.comma, s.next = -1, s.end
	if at := skipSpace(src, s.end); at < len(src) && src[at] == ',' {
		s.comma, s.next = at, at+1
	}
	if at := skipBlanks(src, s.next); at < len(src) && src[at] == '#' && at > s.next {
		s.next = lineEnd(src, at)
	}
	return s.comma >= 0
}

// A layout is the default for indentation and spacing of new text, where its neighbours
// give no example.
type layout struct {
	breaks string // the line break

	step int // columns from a key to the entries of the map below it
	dash int // columns from a key to the items of the list below it

	unit  string // JSON: indentation of a level; "" if it is not indented
	colon string // JSON: the space after a colon
	gap   string // JSON: the space after a comma on the same line
}

// maxLooked bounds the nodes that are read to determine the layout.
const maxLooked = 20_000

// layoutOf surveys how a text is indented, so that new parts look like the old ones. It looks at maxLooked nodes at
// most; a text without an example gets two blanks.
func layoutOf(src string, root *yaml.Node, blocks bool) layout {
	l := layout{breaks: breakOf(src), step: 2, unit: "  ", colon: " ", gap: " "}
	l.dash = l.step
	if root == nil {
		return l
	}
	s := survey{src: src, steps: map[int]int{}, dashes: map[int]int{}, looked: maxLooked}
	if !blocks {
		s.flow(root)
		l.unit, l.colon, l.gap = s.json(l)
		return l
	}
	s.block(root)
	l.step = mostOften(s.steps, 2)
	l.dash = mostOften(s.dashes, l.step)
	return l
}

// breakOf returns the line break at the end of the first line of a text.
func breakOf(src string) string {
	i := strings.IndexAny(src, "\r\n")
	if i < 0 {
		return "\n"
	}
	return src[i:afterBreak(src, i)]
}

// mostOften returns the number that was counted most often, the smaller one of two, otherwise for no numbers. The
// order of the map has no influence.
func mostOften(counts map[int]int, otherwise int) int {
	best, n := otherwise, 0
	for k, count := range counts {
		if count > n || count == n && k < best {
			best, n = k, count
		}
	}
	return best
}

// A survey counts the indentations and spaces of the collections of a document.
type survey struct {
	src           string
	steps, dashes map[int]int
	looked        int

	indented, compact bool // JSON
	unit              string
	colon, gap        string
	colons, gaps      bool // colon and gap are known
}

// block counts the columns between maps and the collections below them.
func (s *survey) block(n *yaml.Node) {
	if s.looked--; s.looked < 0 || n.Style != yaml.Block {
		return
	}
	for i := range n.Len() {
		child := n.Child(i)
		if n.Kind == yaml.MapNode && child.Style == yaml.Block && child.Len() > 0 {
			distance := column(s.src, int(child.At.Start)) - column(s.src, int(n.At.Start))
			if child.Kind == yaml.MapNode {
				s.steps[distance]++
			} else {
				s.dashes[distance]++
			}
		}
		s.block(child)
	}
}

// flow reads the spacing of a JSON document.
func (s *survey) flow(n *yaml.Node) {
	if s.looked--; s.looked < 0 {
		return
	}
	for i := range n.Len() {
		child := n.Child(i)
		s.item(n, i, child)
		s.flow(child)
	}
}

func (s *survey) item(n *yaml.Node, i int, child *yaml.Node) {
	start := int(child.At.Start)
	if n.Kind == yaml.MapNode {
		key := n.Entries[i].KeyNode()
		start = int(key.At.Start)
		if !s.colons {
			colon := skipSpace(s.src, int(key.At.End)) + 1
			s.colon, s.colons = s.src[colon:child.At.Start], true
		}
	}
	open := int(n.At.Start)
	switch {
	case i == 0 && !strings.ContainsAny(s.src[open:start], "\r\n"):
		s.compact = true
	case i == 0 && !s.indented:
		s.indented = true
		s.unit = strings.TrimPrefix(indentOf(s.src, start), indentOf(s.src, open))
	case i > 0 && !s.gaps && skipBlanks(s.src, lineStart(s.src, start)) < start:
		comma := strings.LastIndexByte(s.src[:start], ',')
		s.gap, s.gaps = s.src[comma+1:start], true
	}
}

// json returns the layout of a JSON document.
func (s *survey) json(l layout) (unit, colon, gap string) {
	unit, colon, gap = l.unit, l.colon, l.gap
	if s.indented {
		unit = s.unit
	} else if s.compact {
		unit = ""
	}
	if s.colons && !strings.ContainsAny(s.colon, "\r\n") {
		colon = s.colon
	}
	if s.gaps {
		gap = s.gap
	} else if s.colons && !s.indented {
		gap = colon
	}
	return unit, colon, gap
}

// indentOf returns the blanks that the line of offset i begins with.
func indentOf(s string, i int) string {
	start := lineStart(s, i)
	return s[start:min(skipBlanks(s, start), i)]
}
