package yaml

import "strings"

// A scanner splits a text with a mistake into quoted, plain and block scalars, comments and
// indicators of flow style. It is not a parser: it knows just enough to explain an error, and
// goes on after it.
//
// Templates, and other texts that this package reads in another way than most YAML, are replaced by stand-ins of
// the same length, so that all offsets stay the same. The second line replaces the first:
//
//	url: {{ host }}:80     {+?/base: }
//	url: xxxxxxxxxx:80     {+x/base: }
type scanner struct {
	src       string
	templates templateFinder
	maxDepth  int
	maxValues int
	observe   func(token) // if not nil, it is called for each token

	pos       int
	lineStart int
	start     lineStart
	indent    int // column of the block collection that encloses the next value
	flow      []int
	tooDeep   int // offset of the first bracket beyond maxDepth, or -1
	values    int // about the number of items and entries
	tooMany   int // offset of the first value beyond maxValues, or -1

	jsonKey bool
	edits   []edit
}

// A lineStart is how far the indicators at the beginning of a line were skipped. They are looked at
// once, since a line may have many keys, all wrong but the first.
type lineStart struct {
	line       int // the offset of the line
	text       int // of its first byte that is not a space
	indicators int // after its spaces and indicators, as far as they were skipped
}

// An edit is a range of the source that stand-in bytes replace.
type edit struct {
	start, end int
	with       byte
}

// A token is a scalar, an indicator or a property of a node.
type token struct {
	kind       tokenKind
	start, end int
	indent     int  // column of the enclosing block collection
	flow       bool // in flow style
	closed     bool // false for a quoted scalar without a closing quote
}

type tokenKind uint8

const (
	plainToken tokenKind = iota
	quotedToken
	literalToken
	aliasToken
	anchorToken
	tagToken
	openToken
	closeToken
	commaToken
	colonToken
	dashToken
	questionToken
	documentToken
	badToken // a character that cannot begin anything
)

func newScanner(src string, opts ParseOptions) *scanner {
	s := &scanner{src: src, templates: templateFinder{src: src, off: opts.NoTemplates}, indent: -1, tooDeep: -1, tooMany: -1, start: lineStart{line: -1}}
	s.maxDepth, s.maxValues = opts.maxDepth(), opts.maxValues()
	s.pos = afterMark(src)
	s.lineStart = s.pos
	return s
}

// run scans the whole text.
func (s *scanner) run() {
	s.atLineStart()
	for s.pos < len(s.src) && s.tooDeep < 0 && s.tooMany < 0 {
		if n := breakAt(s.src, s.pos); n > 0 {
			s.pos += n
			s.lineStart = s.pos
			s.atLineStart()
			continue
		}
		c := s.src[s.pos]
		switch {
		case c == ' ' || c == '\t':
			s.pos++
		case c == '#' && (s.pos == s.lineStart || isBlank(s.src[s.pos-1])):
			s.skipLine()
		case len(s.flow) > 0:
			s.flowToken(c)
		default:
			s.blockToken(c)
		}
	}
}

// atLineStart handles document markers and directives, which begin in the first column.
func (s *scanner) atLineStart() {
	rest := s.src[s.pos:]
	if rest == "" || len(s.flow) > 0 {
		return
	}
	switch {
	case isMarker(rest):
		s.emit(documentToken, s.pos, s.pos+3, true)
		s.indent = -1
		s.pos += 3
	case rest[0] == '%':
		s.directive()
	}
}

// directive hides "%YAML 1.2" and unknown directives.
func (s *scanner) directive() {
	start := s.pos
	s.skipLine()
	line := s.src[start:s.pos]
	if strings.HasPrefix(line, "%TAG") || strings.HasPrefix(line, "%YAML") && !strings.HasPrefix(strings.TrimLeft(line[5:], " \t"), "1.") {
		return
	}
	if s.indent == -1 && len(line) > 1 && line[1]|0x20 >= 'a' && line[1]|0x20 <= 'z' {
		s.replace(start, s.pos, ' ')
	}
}

// blockToken reads the token that begins with c in block style.
func (s *scanner) blockToken(c byte) {
	switch {
	case (c == '-' || c == '?' || c == ':') && s.blankAfter(s.pos):
		s.emit(kindOf(c), s.pos, s.pos+1, true)
		if c != ':' || s.startOfLine().text == s.pos {
			s.indent = s.pos - s.lineStart
		}
		s.pos++
	case c == '"' || c == '\'':
		s.quoted(c)
		s.keyIfColon()
	case c == '|' || c == '>':
		s.blockScalar()
	case c == '&' || c == '*' || c == '!':
		s.property(c)
	case c == '{' && s.templates.end(s.pos) > 0:
		s.plain()
	case c == '[' || c == '{':
		s.open()
	case c == '@' || c == '`' || c == '%' || c == ']' || c == '}' || c == ',':
		s.emit(badToken, s.pos, s.pos+1, true)
		s.plain()
	default:
		s.plain()
	}
}

// keyIfColon makes the last token a key if a colon follows it.
func (s *scanner) keyIfColon() {
	if i := skipBlanks(s.src, s.pos); i < len(s.src) && s.src[i] == ':' && s.blankAfter(i) {
		s.indent = s.keyColumn()
	}
}

// keyColumn returns the column of the key on the current line.
func (s *scanner) keyColumn() int {
	at := s.startOfLine()
	at.indicators = afterIndicators(s.src, at.indicators, s.pos)
	return at.indicators - s.lineStart
}

// startOfLine returns the start of the current line.
func (s *scanner) startOfLine() *lineStart {
	if s.start.line != s.lineStart {
		s.start = lineStart{s.lineStart, skipSpaces(s.src, s.lineStart), s.lineStart}
	}
	return &s.start
}

// afterIndicators skips the blanks and the block indicators "- " and "? " in
// src[i:end].
func afterIndicators(src string, i, end int) int {
	for i+1 < end && (src[i] == ' ' || (src[i] == '-' || src[i] == '?') && isBlank(src[i+1])) {
		i++
	}
	return i
}

// flowToken reads the token that begins with c in flow style.
func (s *scanner) flowToken(c byte) {
	json := s.jsonKey
	s.jsonKey = false
	switch {
	case c == '"' || c == '\'':
		s.quoted(c)
		s.jsonKey = true
	case c == '{' && s.templates.end(s.pos) > 0:
		s.plain()
	case c == '[' || c == '{':
		s.open()
	case c == ']' || c == '}':
		s.emit(closeToken, s.pos, s.pos+1, true)
		s.flow = s.flow[:len(s.flow)-1]
		s.pos++
		s.jsonKey = true
		if len(s.flow) == 0 {
			s.keyIfColon()
		}
	case c == ',':
		s.emit(commaToken, s.pos, s.pos+1, true)
		s.pos++
	case c == '?' && s.endsFlowPlain(s.pos+1):
		s.emit(questionToken, s.pos, s.pos+1, true)
		s.pos++
	case c == ':' && (json || s.endsFlowPlain(s.pos+1)):
		s.emit(colonToken, s.pos, s.pos+1, true)
		s.pos++
	case c == '&' || c == '*' || c == '!':
		s.property(c)
	case c == '@' || c == '`' || c == '%':
		s.emit(badToken, s.pos, s.pos+1, true)
		s.pos++
	default:
		if c == '?' || c == ':' {
			s.replace(s.pos, s.pos+1, standIn)
		}
		s.plain()
	}
}

// standIn replaces bytes. It is a letter, so that a plain
// scalar stays one, and no number, boolean or null begins with it.
const standIn = 'x'

// open reads an opening bracket.
func (s *scanner) open() {
	s.emit(openToken, s.pos, s.pos+1, true)
	s.flow = append(s.flow, s.pos)
	s.jsonKey = false // a key before the bracket does not count inside of it
	if len(s.flow) > s.maxDepth {
		s.tooDeep = s.pos
	}
	s.pos++
}

// quoted skips a quoted scalar.
func (s *scanner) quoted(q byte) {
	start := s.pos
	end, closed := quotedEnd(s.src, start)
	s.emit(quotedToken, start, end, closed)
	if q == '"' && strings.IndexByte(s.src[start:end], '\\') >= 0 {
		s.jsonEscapes(start, end)
	}
	for i := start; i < end; {
		if n := breakAt(s.src, i); n > 0 {
			i += n
			s.lineStart = i
			continue
		}
		i++
	}
	s.pos = end
}

// jsonEscapes hides the escapes that YAML 1.2 took from JSON: "\/", and pairs of \u that are one character.
func (s *scanner) jsonEscapes(start, end int) {
	const pair = len(`\ud83d\ude00`)
	for i := start; i+1 < end; i++ {
		if s.src[i] != '\\' {
			continue
		}
		n := 2
		hide := s.src[i+1] == '/'
		if s.src[i+1] == 'u' {
			_, n = unescapeHex(s.src[i:end], 4)
			hide = n == pair
		}
		if hide {
			s.replace(i, i+n, standIn)
		}
		i += n - 1
	}
}

// quotedEnd returns the end of the quoted scalar at start, and whether it is closed.
func quotedEnd(src string, start int) (end int, closed bool) {
	q := src[start]
	for i := start + 1; i < len(src); i++ {
		switch {
		case src[i] == '\\' && q == '"':
			i++
		case src[i] == q && q == '\'' && i+1 < len(src) && src[i+1] == q:
			i++
		case src[i] == q:
			return i + 1, true
		}
	}
	return len(src), false
}

// property skips an anchor, an alias or a tag.
func (s *scanner) property(c byte) {
	kind := kindOf(c)
	start := s.pos
	s.pos++
	if kind == tagToken {
		for s.pos < len(s.src) && !s.blankAfter(s.pos-1) {
			s.pos++
		}
	} else {
		s.pos = anchorEnd(s.src, s.pos)
		if name := s.src[start+1 : s.pos]; isAnchorName(name) && nameLength(name) < len(name) {
			s.replace(start+1, s.pos, standIn) // two names may become the same: see converter.anchors
		}
	}
	s.emit(kind, start, s.pos, true)
	if kind == aliasToken && len(s.flow) == 0 {
		s.keyIfColon()
	}
}

// blockScalar skips a block scalar: its header, and the lines that are blank or deeper
// than the enclosing collection.
func (s *scanner) blockScalar() {
	start, indent := s.pos, s.indent
	s.skipLine()
	least := indent + 1 // the least column of the content
	for _, c := range []byte(s.src[start+1 : min(start+3, s.pos)]) {
		if c >= '1' && c <= '9' {
			least = max(indent, 0) + int(c-'0')
			break
		}
	}
	for s.pos < len(s.src) {
		i := s.pos + breakAt(s.src, s.pos)
		col := skipSpaces(s.src, i)
		blank := col >= len(s.src) || breakAt(s.src, col) > 0
		if !blank && (col-i < least || indent < 0 && isMarker(s.src[i:])) {
			break
		}
		s.pos, s.lineStart = col, i
		s.skipLine()
	}
	s.emit(literalToken, start, s.pos, true)
}

// plain skips a plain scalar and replaces the bytes that would end it in most YAML.
func (s *scanner) plain() {
	start := s.pos
	end, more := s.plainLine(true)
	for more && s.continues() {
		end, more = s.plainLine(false)
	}
	s.emit(plainToken, start, end, true)
}

// plainLine skips the part of a plain scalar on one line. It returns its end, and whether
// the next line may continue it.
func (s *scanner) plainLine(first bool) (end int, more bool) {
	from := s.pos
	end = s.pos
	for s.pos < len(s.src) && breakAt(s.src, s.pos) == 0 {
		c := s.src[s.pos]
		switch {
		case isBlank(c):
			s.pos++
			continue
		case c == '#' && s.pos > from && isBlank(s.src[s.pos-1]):
			s.skipLine()
			return end, false
		case c == ':' && s.blankAfter(s.pos):
			if first && len(s.flow) == 0 {
				s.indent = s.keyColumn()
			}
			return end, false
		case c == '{' && s.hide(from):
			end = s.pos
			continue
		case len(s.flow) > 0 && isFlowIndicator(c):
			return end, false
		case len(s.flow) > 0 && c == '?' && s.pos > from:
			s.replace(s.pos, s.pos+1, standIn)
		}
		s.pos++
		end = s.pos
	}
	return end, true
}

// hide skips the template at the current place and replaces it by stand-ins if it is no plain
// text. It returns false if there is no template.
func (s *scanner) hide(from int) bool {
	end := s.templates.end(s.pos)
	if end == 0 {
		return false
	}
	text := s.src[s.pos:end]
	if s.pos == from || len(s.flow) > 0 || strings.Contains(text, ": ") || strings.Contains(text, " #") {
		s.replace(s.pos, end, standIn)
	}
	s.pos = end
	return true
}

// continues reports whether the plain scalar continues after the line break at the current
// place, and skips to its next line.
func (s *scanner) continues() bool {
	i, line := s.pos, s.lineStart
	for i < len(s.src) {
		if n := breakAt(s.src, i); n > 0 {
			i += n
			line = i
		} else if isBlank(s.src[i]) {
			i++
		} else {
			break
		}
	}
	if i >= len(s.src) || s.src[i] == '#' || isMarker(s.src[line:]) {
		return false
	}
	if len(s.flow) > 0 {
		if isFlowIndicator(s.src[i]) || s.src[i] == ':' && s.blankAfter(i) {
			return false
		}
	} else if i-line <= s.indent {
		return false
	}
	s.pos, s.lineStart = i, line
	return true
}

// standIns returns the text with its stand-ins.
func (s *scanner) standIns() string {
	if len(s.edits) == 0 {
		return s.src
	}
	b := []byte(s.src)
	for _, e := range s.edits {
		for i := e.start; i < e.end; i++ {
			b[i] = e.with
		}
	}
	return string(b)
}

func (s *scanner) skipLine() { s.pos = lineEnd(s.src, s.pos) }

// replace adds an edit. Edits count as values, since they take as much memory.
func (s *scanner) replace(start, end int, with byte) {
	if len(s.edits) < s.maxValues {
		s.edits = append(s.edits, edit{start, end, with})
	} else if s.tooMany < 0 {
		s.tooMany = start
	}
}

// emit passes a token to the observer. It counts the values that tokens begin or
// separate.
func (s *scanner) emit(kind tokenKind, start, end int, closed bool) {
	counts := kind == dashToken || kind == questionToken || kind == commaToken || kind == openToken ||
		kind == colonToken && (len(s.flow) == 0 || s.src[s.flow[len(s.flow)-1]] != '{') // in braces the comma counts
	if counts {
		s.values++
		if s.values > s.maxValues && s.tooMany < 0 {
			s.tooMany = start
		}
	}
	if s.observe != nil {
		s.observe(token{kind, start, end, s.indent, len(s.flow) > 0, closed})
	}
}

// blankAfter reports whether a blank, a line break or the end follows offset i.
func (s *scanner) blankAfter(i int) bool {
	i++
	return i >= len(s.src) || isBlank(s.src[i]) || breakAt(s.src, i) > 0
}

// endsFlowPlain reports whether a plain scalar cannot go on at i in flow style.
func (s *scanner) endsFlowPlain(i int) bool {
	return s.blankAfter(i-1) || isFlowIndicator(s.src[i])
}

// kindOf returns the kind of the token that begins with an indicator.
func kindOf(c byte) tokenKind {
	switch c {
	case '-':
		return dashToken
	case '?':
		return questionToken
	case ':':
		return colonToken
	case '&':
		return anchorToken
	case '*':
		return aliasToken
	case '!':
		return tagToken
	}
	return badToken
}
