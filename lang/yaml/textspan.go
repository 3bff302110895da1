package yaml

import (
	"sort"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TextSpan returns where the bytes [start, end) of the text of a string scalar
// stand in the source, whatever its quotes, escapes, folded lines or block
// indentation. Where the source has no such place (half an escape, a text that
// an alias or a tag made) it is the nearest one that contains it.
func (n *Node) TextSpan(start, end int) source.Span {
	if n.Kind != ScalarNode || !n.Value.Is(value.StringKind) || coreTag(n.Tag) == "!!binary" {
		return n.At
	}
	d := decodeText(n.At.Text(), n.Style, n.Value.Str())
	if len(d.segs) == 0 {
		return n.At
	}
	from := d.sourceStart(start)
	return n.At.Sub(from, max(d.sourceEnd(end), from))
}

// sourceStart returns the offset in the source of a byte of the text.
func (d *textDecoder) sourceStart(out int) int {
	i := sort.Search(len(d.segs), func(i int) bool { return d.segs[i].out > out }) - 1
	s := d.segs[max(i, 0)]
	switch {
	case out >= s.out+s.outLen:
		return s.src + s.srcLen
	case s.outLen == s.srcLen:
		return s.src + max(out-s.out, 0)
	}
	return s.src
}

// sourceEnd returns the offset in the source behind the byte before out.
func (d *textDecoder) sourceEnd(out int) int {
	i := sort.Search(len(d.segs), func(i int) bool { return d.segs[i].out >= out }) - 1
	if i < 0 {
		return d.segs[0].src
	}
	s := d.segs[i]
	if s.outLen == s.srcLen {
		return s.src + min(out-s.out, s.srcLen)
	}
	return s.src + s.srcLen
}
