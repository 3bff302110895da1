package yaml

import (
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A segment maps a part of a scalar's text to its source. Equal lengths mean that the
// bytes are the same; otherwise the source is an escape or a folded line break. The scalar
// "a\tb" has the segments
//
//	text "a"   source `a`
//	text "\t"  source `\t`
//	text "b"   source `b`
type segment struct {
	out, outLen int
	src, srcLen int
}

// A textDecoder decodes the source of a scalar to its text and records the segments.
type textDecoder struct {
	src  string
	text strings.Builder
	segs []segment
}

// add appends text whose source is src[at : at+length].
func (d *textDecoder) add(text string, at, length int) {
	if text == "" {
		return
	}
	out := d.text.Len()
	d.text.WriteString(text)
	if k := len(d.segs) - 1; k >= 0 && len(text) == length {
		if last := &d.segs[k]; last.outLen == last.srcLen && last.src+last.srcLen == at {
			last.outLen += length
			last.srcLen += length
			return
		}
	}
	d.segs = append(d.segs, segment{out, len(text), at, length})
}

// decodeText decodes a scalar of any style. The text of a block scalar must be known: the
// source does not show how many of the blanks before its first line are indentation.
func decodeText(src string, style Style, text string) textDecoder {
	d := textDecoder{src: src}
	switch {
	case style == Plain && src == text: // also a text that is no YAML: see [Form.Parse]
		d.add(text, 0, len(text))
	case (style == SingleQuoted || style == DoubleQuoted) && len(src) >= 2 && src[1:len(src)-1] == text: // nothing to decode
		d.add(text, 1, len(text))
	case style == Literal || style == Folded:
		d.block(style == Folded, text)
	case style == Plain || len(src) < 2:
		d.flow(0, len(src), 0)
	default:
		d.flow(1, len(src)-1, src[0])
	}
	return d
}

// flow decodes src[i:end], which is plain or the inside of the quotes q.
func (d *textDecoder) flow(i, end int, q byte) {
	for i < end {
		switch c := d.src[i]; {
		case c == '\'' && q == '\'':
			d.add("'", i, 2)
			i += 2
		case c == '\\' && q == '"':
			i = d.escape(i, end)
		case spaceAt(d.src, i) > 0:
			start, breaks := i, 0
			for i < end {
				n := spaceAt(d.src, i)
				if n == 0 {
					break
				}
				if !isBlank(d.src[i]) {
					breaks++
				}
				i += n
			}
			text := d.src[start:i]
			if breaks == 1 {
				text = " "
			} else if breaks > 1 {
				text = strings.Repeat("\n", breaks-1)
			}
			d.add(text, start, i-start)
		default:
			d.add(d.src[i:i+1], i, 1)
			i++
		}
	}
}

// escape decodes the escape at i and returns the offset after it.
func (d *textDecoder) escape(i, end int) int {
	if i+1 >= end {
		return end
	}
	if breakAt(d.src, i+1) > 0 { // it joins the lines, unless empty lines follow
		start, breaks := i, -1
		for i++; i < end && spaceAt(d.src, i) > 0; i += spaceAt(d.src, i) {
			if breakAt(d.src, i) > 0 {
				breaks++
			}
		}
		d.add(strings.Repeat("\n", breaks), start, i-start)
		return i
	}
	c := d.src[i+1]
	if digits := hexDigits(c); digits > 0 {
		r, n := unescapeHex(d.src[i:end], digits)
		d.add(string(r), i, n)
		return i + n
	}
	_, n := utf8.DecodeRuneInString(d.src[i+1:])
	d.add(simpleEscape(c, d.src[i+1:i+1+n]), i, 1+n)
	return i + 1 + n
}

// hexDigits returns the number of hexadecimal digits in the escape of c, or 0.
func hexDigits(c byte) int {
	switch c {
	case 'x':
		return 2
	case 'u':
		return 4
	case 'U':
		return 8
	}
	return 0
}

// unescapeHex decodes \xXX, \uXXXX and \UXXXXXXXX, and two \u that are a surrogate pair. It
// returns the character and the length of its source.
func unescapeHex(s string, digits int) (rune, int) {
	r, ok := hex(s, digits)
	if !ok {
		return utf8.RuneError, min(len(s), 2)
	}
	n := 2 + digits
	if digits == 4 && utf16.IsSurrogate(r) && strings.HasPrefix(s[n:], `\u`) {
		if low, ok := hex(s[n:], 4); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 2 * n
			}
		}
	}
	return r, n
}

// hex returns the number in the digits of the escape at the beginning of s.
func hex(s string, digits int) (rune, bool) {
	if len(s) < 2+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	return rune(n), err == nil
}

// simpleEscapes are the characters of escapes without digits, except for line breaks.
const simpleEscapes = "0abtnvfreN_LP\t \"\\/"

// simpleEscape returns the text of the escape of c, or text, which is the character itself,
// if c has no other meaning.
func simpleEscape(c byte, text string) string {
	const from = "0abtnvfreN_LP\t"
	to := [...]string{"\x00", "\a", "\b", "\t", "\n", "\v", "\f", "\r", "\x1b", "\u0085", "\u00a0", "\u2028", "\u2029", "\t"}
	if i := strings.IndexByte(from, c); i >= 0 {
		return to[i]
	}
	return text
}

// block decodes a block scalar with its header. It has the given text.
func (d *textDecoder) block(folded bool, text string) {
	i := lineEnd(d.src, 0)
	header := d.src[:min(i, 3)]
	i += breakAt(d.src, i)
	indent := contentIndent(d.src[i:], text)

	var lineBreak segment // of the last line with text, not written yet
	var empty []segment   // the empty lines after it
	pending, wasBlank := false, false
	writeBreak := func() {
		if pending {
			d.add("\n", lineBreak.src, lineBreak.srcLen)
		}
	}
	writeEmpty := func() {
		for _, s := range empty {
			d.add("\n", s.src, s.srcLen)
		}
		empty = empty[:0]
	}
	for i < len(d.src) {
		line := i
		for i < len(d.src) && d.src[i] == ' ' && i-line < indent {
			i++
		}
		if n := breakAt(d.src, i); n > 0 {
			empty = append(empty, segment{src: i, srcLen: n})
			i += n
			continue
		}
		if i >= len(d.src) {
			break
		}
		blank := isBlank(d.src[i])
		if fold := folded && pending && !wasBlank && !blank; !fold {
			writeBreak()
		} else if len(empty) == 0 {
			d.add(" ", lineBreak.src, i-lineBreak.src)
		}
		writeEmpty()
		start := i
		i = lineEnd(d.src, i)
		d.add(d.src[start:i], start, i-start)
		lineBreak = segment{src: i, srcLen: breakAt(d.src, i)} // empty at the end of a span
		pending, wasBlank = true, blank
		i += lineBreak.srcLen
	}
	switch {
	case strings.IndexByte(header, '-') > 0:
	case strings.IndexByte(header, '+') > 0:
		writeBreak()
		writeEmpty()
	default:
		writeBreak()
	}
}

// contentIndent returns the indentation of the lines of a block scalar with the given text. The empty
// lines before the first line of text are line breaks of the text.
func contentIndent(content, text string) int {
	body := strings.TrimLeft(text, "\n")
	if body == "" {
		return len(content)
	}
	i := 0
	for range len(text) - len(body) {
		i = lineEnd(content, i)
		i += breakAt(content, i)
	}
	return leadingSpaces(content[i:]) - leadingSpaces(body)
}

// TextSpan returns the span in the source of the bytes [start, end) of a string scalar's
// text, through quotes, escapes, folded lines and block indentation. For half an escape it
// is the whole escape; for a text that is not in the source, such as the bytes of !!binary, the
// whole scalar.
func (n *Node) TextSpan(start, end int) source.Span { return n.TextMap().TextSpan(start, end) }

// A TextMap answers many calls of [Node.TextSpan] for one scalar, which it decodes once.
// Several goroutines may use it.
type TextMap struct {
	node *Node
	once sync.Once
	segs segments
}

// TextMap returns the map of a scalar.
func (n *Node) TextMap() *TextMap { return &TextMap{node: n} }

// TextSpan is [Node.TextSpan].
func (m *TextMap) TextSpan(start, end int) source.Span {
	m.once.Do(func() {
		if n := m.node; n.Kind == ScalarNode && n.Value.Is(value.StringKind) && coreTag(n.Tag) != "!!binary" {
			m.segs = decodeText(n.At.Text(), n.Style, n.Value.Str()).segs
		}
	})
	if len(m.segs) == 0 {
		return m.node.At
	}
	from := m.segs.sourceStart(start)
	return m.node.At.Sub(from, max(m.segs.sourceEnd(end), from))
}

// segments map the text of one scalar to its source, in order.
type segments []segment

// sourceStart returns the source offset of a byte of the text.
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

// sourceEnd returns the source offset after the byte before out.
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

// leadingSpaces returns the number of blanks at the beginning of a text.
func leadingSpaces(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }
