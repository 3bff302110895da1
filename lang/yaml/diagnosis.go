package yaml

import (
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// badCharacter reports the first byte that YAML allows nowhere.
func badCharacter(f *source.File) *source.Diagnostic {
	for i := 0; i < len(f.Text); {
		r, n := utf8.DecodeRuneInString(f.Text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return source.Errorf(f.Span(i, i+1), source.Syntax, "the text is not UTF-8: byte %#02x", f.Text[i])
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r >= 0x7F && r < 0xA0 && r != 0x85, r == 0xFFFE, r == 0xFFFF:
			return source.Errorf(f.Span(i, i+n), source.Syntax, "the control character %U is not allowed", r).
				WithHint("write it as an escape in double quotes")
		}
		i += n
	}
	return nil
}

// templateHint returns a hint if there is a template on the line of the error, or if the
// whole text is a template, which lines of statements show.
func templateHint(f *source.File, at, line int) string {
	const words = `if|else|end|range|with|define|include|template|block`
	statement := regexp.MustCompile(`(?m)^[ \t]*(\{%|\{\{-?[ \t]*((` + words + `)\b|/\*|\$\w+ *:?=))`) // of Go or Jinja
	if statement.MatchString(f.Text) {
		return "the file looks like a template for YAML: render it with its own tool first"
	}
	own, _ := f.Position(at)
	for _, n := range []int{own, line, line + 1} {
		if text := f.Line(n); strings.Contains(text, "{{") || strings.Contains(text, "{%") {
			return "quote the template"
		}
	}
	return ""
}

// A problem is a mistake in the structure of a text.
type problem struct {
	start, end    int
	message, hint string
	sure          bool // the hint fits, whatever else the line has
	quotes        bool // the message has words of the text
	note          string
	noteAt        int
}

// diagnose returns the first known mistake in a text that the parser refused, or nil. The parser
// stops where a list or a map cannot go on, which is often after the mistake. For
//
//	a:
//	    b: 1
//	  c: 2
//
// the problem is "the indentation matches no line above" at 3:3.
func diagnose(f *source.File, opts ParseOptions) *problem {
	s := newScanner(f.Text, opts)
	s.run()
	text := s.standIns()
	d := &diagnosis{src: text, written: f.Text, columns: []column{{at: -1}}, open: true}
	s = newScanner(text, opts)
	s.observe = d.see
	s.run()
	if t := d.loose; d.found == nil && t != nil {
		d.missingColon(*t, false)
	}
	if d.found == nil && len(s.flow) > 0 {
		d.unclosed(s.flow[len(s.flow)-1], len(text))
	}
	if t := d.noKey; d.found == nil && t != nil {
		d.fail(t.start, t.end, `there is no key before this ":"`, "write the key, or quote the text")
	}
	d.tabs()
	return d.found
}

// A diagnosis observes the tokens of a text and looks for mistakes.
type diagnosis struct {
	src     string
	written string   // with templates in place of their stand-ins
	found   *problem // the first mistake

	columns   []column // of the block collections that are open
	prev      token
	key       token // the last key of a block map, before its colon
	block     token // the last block text
	seen      bool
	open      bool // a value may follow: after ":", "-", "?" or at the start
	line      int  // offset of the current line
	first     int  // offset of the first token of the current line
	entry     int  // offset after the indicators that begin there, or -1: see entryColumn
	colons    int  // on the current line
	looked    int  // offset up to which line breaks were counted
	loose     *token
	noKey     *token  // a colon that begins a line of a map
	brackets  []int   // offsets of the open brackets
	flowColon bool    // after a colon and before a comma
	texts     []token // scalars and flow collections, which may have several lines
	handles   map[string]bool
}

// A column is where the entries of a block collection begin.
type column struct {
	at   int
	kind collection
}

type collection int

const (
	unknown   collection = iota
	mapping              // its keys
	list                 // its items
	valueList            // the items of a loose list: the keys around it are in the same column
)

// fail records a mistake, unless there is one already.
func (d *diagnosis) fail(start, end int, message, hint string) *problem {
	if d.found == nil {
		d.found = &problem{start: start, end: end, message: message, hint: hint}
	}
	return d.found
}

// see checks the next token.
func (d *diagnosis) see(t token) {
	if d.found != nil {
		return
	}
	newLine := d.countLines(t.start) || !d.seen
	if newLine {
		d.first, d.entry, d.colons = t.start, -1, 0
	}
	if t.kind == openToken {
		d.brackets = append(d.brackets, t.start)
	}
	if t.kind <= literalToken && (t.kind != plainToken || t.flow) || t.kind == closeToken {
		start := t.start
		if t.flow && d.seen {
			start = min(d.prev.end, start)
		}
		d.texts = append(d.texts, token{start: start, end: t.end})
	}
	switch {
	case t.kind == quotedToken && !t.closed:
		d.openQuote(t)
	case t.kind == quotedToken && d.badEscape(t):
	case t.kind == literalToken && d.badBlock(t), d.badName(t), d.badTag(t):
	case t.kind == badToken:
		switch c := d.src[t.start:t.end]; c {
		case "]", "}":
			d.fail(t.start, t.end, fmt.Sprintf("%q closes nothing", c), "remove it, or open it before")
		case ",":
			if d.seen && d.prev.isValue() && d.lineStart(d.prev.end) == d.lineStart(t.start) {
				d.fail(t.start, t.end, "a comma after the end of a value", "remove it")
			}
			d.fail(t.start, t.end, "a plain text cannot begin with a comma", d.quoteLine(t.start))
		default:
			d.fail(t.start, t.end, fmt.Sprintf("a plain text cannot begin with %q", c), d.quoteLine(t.start))
		}
	case t.kind == documentToken:
		*d = diagnosis{src: d.src, written: d.written, columns: []column{{at: -1}}, looked: d.looked, line: d.line, first: d.first, entry: d.entry, texts: d.texts, handles: d.handles}
		t.kind = dashToken
	case t.flow || t.kind == closeToken:
		d.inFlow(t)
	default:
		d.inBlock(t, newLine)
	}
	if t.kind == literalToken {
		d.block = t
	}
	d.prev, d.seen = t, true
	d.countLines(t.end)
	d.open = t.kind >= commaToken || t.kind == openToken || t.kind == anchorToken || t.kind == tagToken
}

// badName reports an anchor or alias without a valid name, or with a bracket directly
// after it.
func (d *diagnosis) badName(t token) bool {
	if t.kind != anchorToken && t.kind != aliasToken {
		return false
	}
	switch {
	case !isAnchorName(d.src[t.start+1 : t.end]):
		d.fail(t.start, t.end, "an anchor or alias needs a name without spaces and ,[]{}", "quote the text if it is not an anchor or alias")
	case t.end < len(d.src) && (d.src[t.end] == '[' || d.src[t.end] == '{'):
		d.fail(t.start, t.end+1, "missing space after the name", "")
	default:
		return false
	}
	return true
}

// badEscape reports an escape in double quotes that YAML does not have.
func (d *diagnosis) badEscape(t token) bool {
	text := d.src[t.start:t.end]
	if text[0] != '"' {
		return false
	}
	for i := 1; i < len(text)-1; i++ {
		if text[i] != '\\' {
			continue
		}
		i++
		digits := hexDigits(text[i])
		_, ok := hex(text[i-1:], digits)
		if digits > 0 && !ok || digits == 0 && strings.IndexByte(simpleEscapes+"\r\n", text[i]) < 0 && text[i] < utf8.RuneSelf {
			_, n := utf8.DecodeRuneInString(text[i:])
			d.fail(t.start+i-1, t.start+i+n, "double quotes have no such escape", "write the backslash twice, or use single quotes")
			return true
		}
	}
	return false
}

// countLines moves to the line of an offset and reports whether that is a new line.
func (d *diagnosis) countLines(to int) (newLine bool) {
	for ; d.looked < to; d.looked++ {
		if n := breakAt(d.src, d.looked); n > 0 {
			d.line, newLine = d.looked+n, true
		}
	}
	return newLine
}

// isValue reports whether a token is, or ends, a value.
func (t token) isValue() bool {
	return t.kind <= aliasToken || t.kind == closeToken
}

// inFlow checks a token in flow style: brackets and commas.
func (d *diagnosis) inFlow(t token) {
	if n := len(d.brackets); t.kind == closeToken && n > 0 {
		open, closer := d.src[d.brackets[n-1]], d.src[t.start]
		d.brackets = d.brackets[:n-1]
		if (open == '[') != (closer == ']') {
			d.wrongCloser(t, d.brackets[:n])
		}
	}
	if t.kind == plainToken && strings.HasPrefix(d.src[t.start:t.end], "- ") {
		d.fail(t.start, t.start+1, `"-" is not allowed in brackets`, `separate the items with ","`)
	}
	if t.kind == commaToken && d.seen && (d.prev.kind == commaToken || d.prev.kind == openToken) {
		d.fail(t.start, t.end, "nothing before this comma", "remove it")
	}
	if d.seen && d.prev.flow && d.prev.isValue() && (t.kind <= openToken) && !d.outdented(t.start) {
		if d.prev.kind == quotedToken && d.prev.end == t.start && t.kind == plainToken {
			d.textAfter(t)
		}
		d.fail(t.start, t.end, "missing comma before this", `write "," after the value before it`)
	}
	if t.kind == colonToken && d.flowColon && !d.outdented(d.lastLine(d.prev)) {
		d.flowEntry(t)
	}
	d.flowColon = t.kind == colonToken || d.flowColon && t.kind != commaToken && t.kind != openToken && t.kind != closeToken
}

// inBlock checks a token in block style: indentation, keys and items, a value after a value.
func (d *diagnosis) inBlock(t token, newLine bool) {
	if newLine {
		d.indentation(t)
		d.looseKey(t)
	}
	switch {
	case t.kind == colonToken:
		if (!d.seen || d.open) && d.noKey == nil {
			d.noKey = &t
		}
		d.colon(t)
	case t.kind == dashToken && !newLine && d.prev.kind == colonToken:
		d.fail(t.start, t.end, "a list cannot begin on the line of its key", "begin it on the next line")
	case t.kind == dashToken:
		d.dash(t)
	case t.kind == questionToken:
		d.push(t.start-d.line, mapping)
	case newLine && d.seen && d.prev.isValue() && len(d.columns) == 1 && t.kind <= openToken:
		d.fail(t.start, t.end, "a second value after the end of the document", `put "---" between documents`)
	case !newLine && d.seen && d.prev.kind == quotedToken && strings.Contains(d.src[d.prev.start:d.prev.end], "\n") && t.kind <= openToken:
		d.fail(d.prev.start, d.prev.start+1, "this quote is closed lines below, before other text", "add the missing closing quote")
	case !newLine && d.seen && d.prev.isValue() && t.kind <= openToken:
		d.textAfter(t)
	}
}

// indentation checks the column of the first token of a line.
func (d *diagnosis) indentation(t token) {
	col := t.start - d.line
	top := d.top().at
	for top > col {
		inner := top
		d.columns = d.columns[:len(d.columns)-1]
		if top = d.top().at; top < col && !d.open {
			d.fail(t.start, t.end, "the indentation matches no line above", fmt.Sprintf("indent by %d or by %d", max(top, 0), inner))
		}
	}
	if col > top && top >= 0 && !d.open && t.kind != colonToken {
		d.fail(t.start, t.end, "indented deeper than its block", fmt.Sprintf("indent by %d", top))
	}
}

// looseKey reports a scalar in the column of keys that has no colon, once the next line
// shows that it does not continue.
func (d *diagnosis) looseKey(next token) {
	col := next.start - d.line
	if t := d.loose; t != nil && col == d.top().at && next.kind != colonToken {
		d.missingColon(*t, d.top().kind == list)
	}
	d.loose = nil
	if next.isValue() && !d.open && d.seen && col == d.top().at {
		d.loose = &next
	}
}

// colon checks the key before a colon and records its column.
func (d *diagnosis) colon(t token) {
	d.loose = nil
	d.colons++
	switch {
	case d.seen && d.prev.kind == plainToken && strings.ContainsAny(d.src[d.prev.start:d.prev.end], "\r\n"):
		d.keyInText(t)
	case d.colons > 1 && d.prev.isValue():
		hint := "quote the value"
		if fixed := quotedFix(d.restOfLine(d.prev.start)); fixed != "" && !t.flow {
			hint += ": " + fixed
		}
		d.fail(t.start, t.end, `a second ":" on the line`, hint)
	}
	d.key = d.prev
	col := d.entryColumn()
	if top := d.top(); top.at == col && top.kind == list && d.seen && d.prev.isValue() {
		d.fail(d.first, t.end, "a key among the items of a list", `write "- " before it, or indent it to match its map`)
	}
	d.push(col, mapping)
}

// entryColumn returns the column of the first key on the current line.
func (d *diagnosis) entryColumn() int {
	if d.entry < 0 {
		d.entry = afterIndicators(d.src, d.first, len(d.src))
	}
	return d.entry - d.line
}

// dash notes the item of a list, and reports one among the keys of a map.
func (d *diagnosis) dash(t token) {
	col, kind := t.start-d.line, list
	if top := d.top(); top.at == col && top.kind != list {
		if top.kind == mapping && !d.open {
			d.fail(t.start, t.end, "an item of a list among the keys of a map", d.itemHint(t))
		}
		kind = valueList
	}
	d.push(col, kind)
}

// top returns the innermost block collection.
func (d *diagnosis) top() *column { return &d.columns[len(d.columns)-1] }

// push records that an entry of a collection begins in a column.
func (d *diagnosis) push(col int, kind collection) {
	if col > d.top().at {
		d.columns = append(d.columns, column{at: col})
	}
	if col == d.top().at {
		d.top().kind = kind
	}
}

// tabs reports a tab in the indentation before any other mistake.
func (d *diagnosis) tabs() {
	limit := len(d.src)
	if d.found != nil {
		limit = d.found.end
	}
	start := 0
	for line := range strings.Lines(d.src) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		i := strings.IndexByte(indent, '\t')
		if i >= 0 && strings.TrimSpace(line) != "" && start < limit && !d.inText(start+i) {
			d.found = &problem{start: start + i, end: start + i + 1, message: "a tab in the indentation", hint: "YAML allows only spaces there"}
			return
		}
		start += len(line)
	}
}

// inText reports whether an offset is inside a scalar or flow collection, where tabs are
// allowed.
func (d *diagnosis) inText(at int) bool {
	i := sort.Search(len(d.texts), func(i int) bool { return d.texts[i].end > at })
	return i < len(d.texts) && d.texts[i].start < at
}
