package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
)

// A layout is how a document is laid out where its surroundings do not say it.
type layout struct {
	breaks string // the line break

	step int // columns from a key to the entries of the map below it
	dash int // columns from a key to the items of the list below it

	unit  string // JSON: indentation of a level; "" if it is not indented
	colon string // JSON: what stands behind a colon
	gap   string // JSON: what stands behind a comma on the same line
}

// maxLooked bounds the nodes that are looked at to find out the layout.
const maxLooked = 20_000

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

// breakOf returns the line break of a text: that of its first line.
func breakOf(src string) string {
	i := strings.IndexAny(src, "\r\n")
	if i < 0 {
		return "\n"
	}
	return src[i:behindBreak(src, i)]
}

func mostOften(counts map[int]int, otherwise int) int {
	best, n := otherwise, 0
	for k, count := range counts {
		if count > n || count == n && k < best {
			best, n = k, count
		}
	}
	return best
}

// A survey counts how the collections of a document are laid out.
type survey struct {
	src           string
	steps, dashes map[int]int
	looked        int

	indented, compact bool // JSON
	unit              string
	colon, gap        string
	colons, gaps      bool // known
}

// block looks at a node of a document in block style.
func (s *survey) block(n *yaml.Node) {
	if s.looked--; s.looked < 0 || n.Style != yaml.Block {
		return
	}
	for i := range n.Len() {
		child := n.Child(i)
		if n.Kind == yaml.MapNode && child.Style == yaml.Block && child.Len() > 0 {
			s.below(n, child)
		}
		s.block(child)
	}
}

// below counts the distance from a map to a collection that is a value of it.
func (s *survey) below(n, child *yaml.Node) {
	distance := column(s.src, int(child.At.Start)) - column(s.src, int(n.At.Start))
	if child.Kind == yaml.MapNode {
		s.steps[distance]++
	} else {
		s.dashes[distance]++
	}
}

// flow looks at a node of a JSON document.
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
		key := n.Entries[i].KeyNode
		start = int(key.At.Start)
		if !s.colons {
			colon := skipSpace(s.src, int(key.At.End)) + 1
			s.colon, s.colons = s.src[colon:child.At.Start], true
		}
	}
	if i == 0 {
		s.first(int(n.At.Start), start)
		return
	}
	if s.gaps || beginsLine(s.src, start) {
		return
	}
	comma := strings.LastIndexByte(s.src[:start], ',')
	s.gap, s.gaps = s.src[comma+1:start], true
}

// first looks at the first item behind the bracket at open.
func (s *survey) first(open, item int) {
	if !strings.ContainsAny(s.src[open:item], "\r\n") {
		s.compact = true
		return
	}
	if !s.indented {
		s.indented = true
		s.unit = strings.TrimPrefix(indentOf(s.src, item), indentOf(s.src, open))
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
