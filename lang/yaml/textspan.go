package yaml

import (
	"sort"
	"sync"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TextSpan returns where the bytes [start, end) of the text of a string scalar
// stand in the source, whatever its quotes, escapes, folded lines or block
// indentation. Where the source has no such place (half an escape, a text that
// an alias or a tag made) it is the nearest one that contains it.
func (n *Node) TextSpan(start, end int) source.Span { return n.TextMap().TextSpan(start, end) }

// A TextMap answers [Node.TextSpan] many times: it decodes the scalar once. It may be
// used by several goroutines.
type TextMap struct {
	node *Node
	once sync.Once
	segs segments
}

// TextMap returns the map of a scalar.
func (n *Node) TextMap() *TextMap { return &TextMap{node: n} }

// TextSpan is [Node.TextSpan].
func (m *TextMap) TextSpan(start, end int) source.Span {
	m.once.Do(m.decode)
	if len(m.segs) == 0 {
		return m.node.At
	}
	from := m.segs.sourceStart(start)
	return m.node.At.Sub(from, max(m.segs.sourceEnd(end), from))
}

func (m *TextMap) decode() {
	n := m.node
	if n.Kind == ScalarNode && n.Value.Is(value.StringKind) && coreTag(n.Tag) != "!!binary" {
		m.segs = decodeText(n.At.Text(), n.Style, n.Value.Str()).segs
	}
}

// segments are those of one scalar, in order.
type segments []segment

// sourceStart returns the offset in the source of a byte of the text.
func (segs segments) sourceStart(out int) int {
	i := sort.Search(len(segs), func(i int) bool { return segs[i].out > out }) - 1
	s := segs[max(i, 0)]
	switch {
	case out >= s.out+s.outLen:
		return s.src + s.srcLen
	case s.outLen == s.srcLen:
		return s.src + max(out-s.out, 0)
	}
	return s.src
}

// sourceEnd returns the offset in the source behind the byte before out.
func (segs segments) sourceEnd(out int) int {
	i := sort.Search(len(segs), func(i int) bool { return segs[i].out >= out }) - 1
	if i < 0 {
		return segs[0].src
	}
	s := segs[i]
	if s.outLen == s.srcLen {
		return s.src + min(out-s.out, s.srcLen)
	}
	return s.src + s.srcLen
}
