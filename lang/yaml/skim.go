package yaml

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// # What an outline omits
//
// Most lines of a big file are simple, and an outline omits them. They need no lexemes and no nodes: it is enough to
// know that they are entries and items, where the last one ends, and that no key is there twice. In
//
//	services:
//	  shop:
//	    image: registry.example.com/shop:1.0   # a
//	    replicas: 2
//	    # b
//	    volumes:
//	      - name: data
//	        path: /var/lib/shop
//	    ports: *ports
//
// image is parsed, since the map begins with it, then replicas and volumes are skimmed, and ports is parsed, which
// is not simple. Where a skimmer is in doubt, it returns to the beginning of the outermost entry or item.

// A skimmer reads simple lists and maps of block style.
type skimmer struct {
	src  string
	line int      // start of the line of the next lexeme
	at   int      // offset of the next lexeme, or of a tab or return before it
	end  int      // of the last value
	keys []string // of the open maps
	room int      // nesting of lists and maps that is left
}

// skimRoom is the most nesting that a skimmer reads. A line in doubt that is nested deeper is read again so often.
const skimRoom = 4

// skim reads simple entries of the innermost map, or items of the innermost list, and what is between them, if the
// next lexeme is not known yet.
func (p *treeParser) skim(items bool) {
	if p.next < len(p.queue) || p.flow > 0 || p.reason != "" || p.indent < 1 || p.depth+2*skimRoom > p.maxDepth {
		return
	}
	s := &p.skimmer
	s.src, s.room = p.src, skimRoom
	s.line, s.at = nextLine(p.src, p.pos, p.lineStart)
	if s.line == p.lineStart && !p.keyAllowed { // on the line of the last value
		return
	}
	for s.column() == p.indent && s.at < len(s.src) && p.reason == "" {
		line, at := s.line, s.at
		s.keys = s.keys[:0]
		if items {
			if !s.item(p.indent) {
				s.line, s.at = line, at
				break
			}
		} else {
			key := simpleKeyEnd(s.src, at)
			if key < 0 || !s.value(key+1, p.indent) {
				s.line, s.at = line, at
				break
			}
			p.entryStack = append(p.entryStack, Entry{Key: value.K(s.src[at:key])})
			p.count()
		}
		p.end = s.end
		p.pos, p.lineStart, p.keyAllowed = s.at, s.line, true
	}
}

// column returns the column of the next lexeme.
func (s *skimmer) column() int { return s.at - s.line }

// advance moves to the next lexeme after offset at, which must be on another line, in a column of at most most.
func (s *skimmer) advance(at, most int) bool {
	line := s.line
	return s.next(at) && s.line != line && s.column() <= most
}

// next moves to the next lexeme after offset at. It returns false at a tab or a return.
func (s *skimmer) next(at int) bool {
	s.line, s.at = nextLine(s.src, at, s.line)
	return s.at >= len(s.src) || s.src[s.at] != '\t' && s.src[s.at] != '\r'
}

// block reads a list or map that begins at the next lexeme.
func (s *skimmer) block() bool {
	if s.room == 0 {
		return false
	}
	s.room--
	column, ok := s.column(), false
	if s.isItem() {
		ok = s.list(column)
	} else {
		ok = s.mapping(column)
	}
	s.room++
	return ok
}

// isItem reports whether the next lexeme is the "-" of an item.
func (s *skimmer) isItem() bool {
	return s.at+1 < len(s.src) && s.src[s.at] == '-' && s.src[s.at+1] == ' '
}

// mapping reads a map in a column.
func (s *skimmer) mapping(column int) bool {
	base := len(s.keys)
	for s.column() == column && s.at < len(s.src) {
		at := s.at
		key := simpleKeyEnd(s.src, at)
		if key < 0 || !s.value(key+1, column) {
			return false
		}
		s.keys = append(s.keys, s.src[at:key])
	}
	ok := distinct(s.keys[base:])
	s.keys = s.keys[:base]
	return ok
}

// list reads a list in a column.
func (s *skimmer) list(column int) bool {
	for s.column() == column && s.isItem() {
		if !s.item(column) {
			return false
		}
	}
	return true
}

// item reads an item of a list in a column.
func (s *skimmer) item(column int) bool {
	if !s.isItem() {
		return false
	}
	s.at = skipSpaces(s.src, s.at+1)
	if simpleKeyEnd(s.src, s.at) < 0 {
		return s.inline(s.at, column)
	}
	return s.block() && s.column() <= column
}

// value reads the value of a key in a column; at is the offset after the colon.
func (s *skimmer) value(at, column int) bool {
	start := skipSpaces(s.src, at)
	if start < len(s.src) && s.src[start] != '\n' && s.src[start] != '#' {
		return s.inline(start, column)
	}
	s.end = at
	if !s.next(start) || s.at >= len(s.src) {
		return false
	}
	if c := s.column(); c < column || c == column && !s.isItem() {
		return true // null
	}
	return s.block() && s.column() <= column
}

// inline reads a value that begins on the line of its key or item, which is in a column.
func (s *skimmer) inline(start, column int) bool {
	if start >= len(s.src) {
		return false
	}
	switch c := s.src[start]; c {
	case '[', '{':
		s.end = s.simpleFlowEnd(start)
	case '|', '>':
		return s.text(start+1, column)
	default:
		s.end = simpleScalarEnd(s.src, start)
	}
	return s.end > 0 && s.advance(s.end, column)
}

// text reads a block scalar whose header has no indentation and does not keep empty lines at its end; at is the
// offset after its first character. Its key or item is in a column.
func (s *skimmer) text(at, column int) bool {
	if at < len(s.src) && s.src[at] == '-' {
		at++
	}
	if at >= len(s.src) || s.src[at] != '\n' {
		return false
	}
	line := at + 1
	first := skipSpaces(s.src, line)
	text := first - line // the column of the text
	if text <= column {
		return false
	}
	for first-line >= text {
		if first >= len(s.src) || s.src[first] == '\n' || s.src[first] == '\r' {
			return false // an empty line above the text
		}
		n := strings.IndexByte(s.src[first:], '\n')
		if n < 0 || s.src[first+n-1] == '\r' {
			return false
		}
		s.end = first + n
		for line = s.end + 1; ; line = first + 1 { // empty lines
			if first = skipSpaces(s.src, line); first >= len(s.src) || s.src[first] != '\n' {
				break
			}
			if first-line > text {
				return false // a line of blanks
			}
		}
		if first >= len(s.src) {
			break
		}
	}
	return s.advance(s.end, column)
}

// simpleFlowEnd returns the end of a list or map in brackets that has only words and simple quoted texts, on one
// line. It returns -1 for any other.
func (s *skimmer) simpleFlowEnd(at int) int {
	isMap, base := s.src[at] == '{', len(s.keys)
	closer := s.src[at] + 2
	for at++; ; at++ {
		if at = skipSpaces(s.src, at); isMap {
			key := simpleKeyEnd(s.src, at)
			if key < 0 || s.src[key+1] != ' ' {
				return -1
			}
			s.keys = append(s.keys, s.src[at:key])
			at = skipSpaces(s.src, key+1)
		}
		if at = simpleWordEnd(s.src, at); at < 0 {
			return -1
		}
		if at = skipSpaces(s.src, at); at < len(s.src) && s.src[at] == closer {
			break
		}
		if at+1 >= len(s.src) || s.src[at] != ',' || s.src[at+1] != ' ' {
			return -1
		}
	}
	ok := distinct(s.keys[base:])
	if s.keys = s.keys[:base]; !ok {
		return -1
	}
	return at + 1
}

// distinct reports whether no key is there twice.
func distinct(keys []string) bool {
	if len(keys) > 8*fewKeys {
		seen := make(map[string]struct{}, len(keys))
		for _, k := range keys {
			seen[k] = struct{}{}
		}
		return len(seen) == len(keys)
	}
	var looks uint64 // a bit for each length and last byte: most keys differ in these
	for i, k := range keys {
		bit := uint64(1) << ((len(k)*7 + int(k[len(k)-1])) & 63)
		if looks&bit != 0 {
			if slices.Contains(keys[:i], k) {
				return false
			}
		}
		looks |= bit
	}
	return true
}

// nextLine returns the start of the line of the first byte after offset at that is no space, no line break and not in
// a comment, and its offset. It stops at tabs and returns. The line of at begins at start.
func nextLine(src string, at, start int) (line, first int) {
	line = start
	for at < len(src) {
		switch src[at] {
		case ' ':
			at++
		case '\n':
			at++
			line = at
		case '#':
			if at > line && src[at-1] != ' ' {
				return line, at
			}
			n := strings.IndexByte(src[at:], '\n')
			if n < 0 {
				return line, at
			}
			at += n
		default:
			return line, at
		}
	}
	return line, at
}

// skipSpaces returns the offset of the first byte from at on that is no space.
func skipSpaces(src string, at int) int {
	for at < len(src) && src[at] == ' ' {
		at++
	}
	return at
}

// simpleKeyEnd returns the end of a key at an offset that is a word and certainly text, with a colon and a blank or a
// line break after it. It returns -1 for any other key.
func simpleKeyEnd(src string, at int) int {
	if at >= len(src) || !isLetter(src[at]) {
		return -1
	}
	end := at + 1
	for end < len(src) && (isNameByte[src[end]] || src[end] == '.' || src[end] == '/') {
		end++
	}
	if end+1 >= len(src) || src[end] != ':' || src[end+1] != ' ' && src[end+1] != '\n' || end-at > maxKeyLength || ambiguous(src[at:end]) {
		return -1
	}
	return end
}

// simpleScalarEnd returns the end of a plain scalar or a simple quoted one in block style, or -1. What follows on the
// line may still show that it is something else.
func simpleScalarEnd(src string, at int) int {
	switch c := src[at]; {
	case c == '"' || c == '\'':
		return simpleQuotedEnd(src, at)
	case isNameByte[c] && c != '-', c == '/', c == '.':
		return simplePlainEnd(src, at)
	}
	return -1
}

// simpleQuotedEnd returns the end of a quoted scalar without quotes, escapes and line breaks in it, before a blank, a
// line break or what ends a value in brackets. It returns -1 for any other.
func simpleQuotedEnd(src string, at int) int {
	end := at + 1
	for end < len(src) && src[end] != src[at] && src[end] != '\\' && src[end] != '\n' && src[end] != '\r' {
		end++
	}
	if end+1 >= len(src) || src[end] != src[at] {
		return -1
	}
	switch src[end+1] {
	case ' ', '\n', ',', ']', '}':
		return end + 1
	}
	return -1
}

// simpleWordEnd returns the end of a word or a simple quoted scalar in brackets, -1 for anything else.
func simpleWordEnd(src string, at int) int {
	if at >= len(src) {
		return -1
	}
	if src[at] == '"' || src[at] == '\'' {
		return simpleQuotedEnd(src, at)
	}
	end := at
	for end < len(src) && (isNameByte[src[end]] || src[end] == '.' || src[end] == '/') {
		end++
	}
	if end == at || src[at] == '-' {
		return -1
	}
	return end
}
