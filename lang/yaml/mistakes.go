package yaml

import (
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// What the usual mistakes are called, and their corrections in the words of the text (spec:
// everyday, A7).

// lastLine returns the offset of the first character of a token on its last line.
func (d *diagnosis) lastLine(t token) int {
	i := strings.LastIndexAny(d.src[t.start:t.end], "\r\n")
	if i < 0 {
		return t.start
	}
	return skipBlanks(d.src, t.start+i+1)
}

// lineOf returns the number of the line of an offset, from 1.
func (d *diagnosis) lineOf(at int) int { return 1 + strings.Count(d.src[:at], "\n") }

// lineStart returns the offset of the line of an offset.
func (d *diagnosis) lineStart(at int) int { return strings.LastIndexAny(d.src[:at], "\r\n") + 1 }

// indentOf returns the column, from 0, of the first character on the line of an offset.
func (d *diagnosis) indentOf(at int) int {
	start := d.lineStart(at)
	return skipBlanks(d.src, start) - start
}

// restOfLine returns the text from an offset to the end of its line, without a comment.
func (d *diagnosis) restOfLine(at int) string {
	text := d.written[at:lineEnd(d.src, at)]
	if i := strings.Index(text, " #"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " \t")
}

// maxFix bounds the texts that a correction repeats.
const maxFix = 60

// quoteLine returns the hint to quote the text from an offset to the end of its line.
func (d *diagnosis) quoteLine(at int) string {
	if fixed := quotedFix(d.restOfLine(at)); fixed != "" && d.prev.kind != openToken && d.prev.kind != commaToken {
		return "quote the text: " + fixed
	}
	return "quote the text"
}

// quotedFix returns a text in quotes, "" if it is too long to be repeated.
func quotedFix(text string) string {
	switch {
	case text == "" || len(text) > maxFix:
		return ""
	case !strings.ContainsAny(text, `"\\`):
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// textAfter reports a text after the end of a value. After a quoted value it is often the rest
// of that value, which has quotes inside:
//
//	'it's'             a quote inside of single quotes is written twice: 'it''s'
//	"{{ x["y"] }}"     the inner quotes end the value: "{{ x['y'] }}"
//	"x" y              quote the whole value: '"x" y'
func (d *diagnosis) textAfter(t token) {
	value := d.restOfLine(d.prev.start)
	if t.flow { // the line has more than the value
		value = d.written[d.prev.start:t.end]
	}
	cut := len(value) < d.prev.end-d.prev.start // " #" in the quotes looks like a comment
	if d.prev.kind != quotedToken || cut || strings.ContainsAny(d.src[d.prev.start:d.prev.end], "\r\n") {
		d.fail(t.start, t.end, "text after the end of a value", "quote the whole value")
		return
	}
	q := value[:1]
	last := strings.LastIndexByte(value, q[0])
	if last == 0 { // the rest of the line ends at the " #" inside of the quotes
		d.fail(t.start, t.end, "text after the end of a value", "quote the whole value")
		return
	}
	if last < d.prev.end-d.prev.start || last != len(value)-1 && t.start != d.prev.end {
		hint, fixed := "quote the whole value", quotedFix(value)
		if t.start == d.prev.end {
			hint, fixed = "move the closing quote to the end", q+value[1:last]+value[last+1:]+q
		}
		if fixed != "" && len(fixed) <= maxFix && !t.flow {
			hint += ": " + fixed
		}
		d.fail(t.start, t.end, "text after the end of a value", hint)
		return
	}
	hint, content := "", ""
	if isTemplate := strings.Contains(value, "{{"); last == len(value)-1 && !(isTemplate && t.flow) {
		content = value[1:last]
	}
	other := map[string]string{`"`: "'", "'": `"`}[q]
	switch {
	case strings.Contains(value, "{{") || strings.Contains(value, "{%"):
		hint = "use the other quotes inside"
		if content != "" && !strings.Contains(content, other) {
			hint += ": " + q + strings.ReplaceAll(content, q, other) + q
		}
	case q == "'":
		hint = "a single quote inside is written twice"
		if content != "" {
			hint += ": '" + strings.ReplaceAll(content, "'", "''") + "'"
		}
	default:
		hint = `a double quote inside is written \"`
		if fixed := quotedFix(content); content != "" && fixed != "" {
			hint = "use single quotes around it: " + fixed
		}
	}
	if len(hint) > 3*maxFix {
		hint, _, _ = strings.Cut(hint, ": ")
	}
	d.fail(d.prev.end-1, d.prev.end, "this inner quote ends the value", hint).sure = true
}

// badTag reports a tag that is not closed or has an unknown prefix.
func (d *diagnosis) badTag(t token) bool {
	text := d.src[t.start:t.end]
	if t.kind != tagToken {
		return false
	}
	prefix, name, handle := strings.Cut(text[1:], "!")
	switch {
	case strings.HasPrefix(text, "!<") && !strings.HasSuffix(text, ">"):
		d.fail(t.start, t.end, "the tag is never closed", `add ">"`)
	case handle && prefix != "" && !d.hasHandle(prefix):
		d.fail(t.start, t.end, fmt.Sprintf("unknown prefix %q of a tag", "!"+short(prefix)+"!"),
			fmt.Sprintf(`a tag has one "!" in front, as in !%s; %%TAG defines other prefixes`, short(name))).quotes = true
	default:
		return false
	}
	return true
}

// hasHandle reports whether a %TAG of the text defines "!name!".
func (d *diagnosis) hasHandle(name string) bool {
	if d.handles == nil {
		d.handles = map[string]bool{}
		for rest, more := d.src, true; more; {
			if _, rest, more = strings.Cut(rest, "%TAG !"); more {
				d.handles[rest[:nameLength(rest)]] = true
			}
		}
	}
	return d.handles[name]
}

// openQuote reports a quote that is never closed.
func (d *diagnosis) openQuote(t token) {
	line := d.restOfLine(t.start)
	hint := "add the closing " + d.src[t.start:t.start+1]
	if strings.HasSuffix(line, "\u201d") || strings.HasSuffix(line, "\u2019") {
		hint = "the quote at the end of the line is a typographic one: write " + d.src[t.start:t.start+1]
	}
	d.fail(t.start, t.start+1, "the quote is never closed", hint)
}

// noBreakSpace is what editors and web pages write in place of a space.
const noBreakSpace = "\u00a0"

// missingColon reports a text in the column of keys, or of items.
func (d *diagnosis) missingColon(t token, item bool) {
	text := d.written[t.start:t.end]
	key, val, assigned := strings.Cut(text, "=")
	key, val = strings.TrimSpace(key), strings.TrimSpace(val)
	before, after, glued := strings.Cut(text, ":")
	switch {
	case strings.Contains(text, noBreakSpace):
		d.fail(t.start, t.end, `missing ":" after this key`, "there is a no-break space in it: write an ordinary space")
	case d.blockBefore(t):
		d.fail(t.start, t.end, fmt.Sprintf("this line ends the block text of line %d and is no key", d.lineOf(d.block.start)),
			fmt.Sprintf("indent it by %d or more to continue the text", d.blockIndent(d.block)))
	case strings.HasPrefix(text, "-") && len(text) > 1 && text[1] != '-':
		d.fail(t.start, t.end, `missing space after the "-" of this item`, fmt.Sprintf("write %q", "- "+short(text[1:])))
	case item:
		d.fail(t.start, t.end, "a text among the items of a list", fmt.Sprintf("write %q", "- "+short(text)))
	case glued && before != "":
		d.fail(t.start, t.end, `missing ":" after this key`, fmt.Sprintf("add a space after the colon: %q", short(before+": "+after)))
	case assigned && key != "" && !strings.ContainsAny(key, " \t"):
		d.fail(t.start, t.end, `missing ":" after this key`, fmt.Sprintf("write %q", short(key+": "+val)))
	default:
		d.fail(t.start, t.end, `missing ":" after this key`, "add it; or, if it continues the text above, indent it")
	}
}

// short returns a text of a hint, cut if it is long.
func short(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if len(text) > maxFix {
		return strings.ToValidUTF8(text[:maxFix], "") + "..."
	}
	return strings.TrimRight(text, " \t\r")
}

// blockBefore reports whether the last thing before a token is a block text.
func (d *diagnosis) blockBefore(t token) bool {
	return d.block.end > 0 && d.block.end <= t.start && strings.TrimSpace(d.src[d.block.end:t.start]) == ""
}

// keyInText reports a key on a later line of a plain text: the text was not meant to go on. t is
// its colon, and the token before it is the text.
//
//	a: 1         a:1          missing space after the ":"
//	  b: 2       b: 2
func (d *diagnosis) keyInText(t token) {
	at := d.lastLine(d.prev)
	first := d.restOfLine(d.prev.start)
	word, rest, glued := strings.Cut(first, ":")
	line := d.lineStart(d.prev.start)
	sameColumn := d.prev.start-line == at-d.lineStart(at) && afterIndicators(d.src, line, len(d.src)) == d.prev.start
	key := d.written[d.key.start:d.key.end]
	indent := d.indentOf(d.key.start)
	owned := d.key.end > 0 && d.lineStart(d.key.start) == line && !strings.ContainsAny(key, "\r\n")
	switch {
	case sameColumn && strings.Contains(first, noBreakSpace):
		d.fail(d.prev.start, d.prev.start+len(first), `missing ":" after this key`, "there is a no-break space in it: write an ordinary space")
	case sameColumn && strings.HasPrefix(first, "-") && len(first) > 1 && first[1] == '\t':
		d.fail(d.prev.start+1, d.prev.start+2, "a tab after the dash", "write a space")
	case sameColumn && glued && word != "" && !strings.ContainsAny(word, " \t"):
		d.fail(d.prev.start, d.prev.start+len(first), `missing ":" after this key`, fmt.Sprintf("add a space after the colon: %q", short(word+": "+rest)))
	case sameColumn:
		hint := fmt.Sprintf("write %q", short(first)+":")
		if strings.ContainsAny(first, " \t") {
			hint = "write it, or indent the line below to continue the text"
		}
		d.fail(d.prev.start, d.prev.start+len(first), `missing ":" after this key`, hint)
	case owned && strings.ContainsAny(strings.TrimSpace(d.src[at:t.start]), " \t"):
		d.fail(at, t.end, fmt.Sprintf("a key in the middle of the text of %q", short(key)), `if it is text, quote the whole of it, or write it below "|"`).quotes = true
	case owned:
		col := d.key.start - d.lineStart(d.key.start)
		d.fail(at, t.end, fmt.Sprintf("a key below %q, which has the value %q already", short(key), short(first)),
			fmt.Sprintf("indent it by %d to put it next to %q, or remove that value", max(col, indent), short(key))).quotes = true
	default:
		d.fail(at, t.end, "a key in the middle of a text", "check the indentation, or the line above")
	}
}

// itemHint returns the hint for an item in the column of the keys of a map.
func (d *diagnosis) itemHint(t token) string {
	if d.key.end == 0 {
		return "indent it to match its list"
	}
	key := short(d.written[d.key.start:d.key.end])
	if d.key.start-d.lineStart(d.key.start) == t.start-d.line && d.prev.isValue() {
		return fmt.Sprintf("%q has a value already: give the list a key of its own", key)
	}
	return "indent it to match its list, or give the list a key of its own"
}

// badBlock reports a text on the first line of a block text, and a line that is indented less
// than its first line.
func (d *diagnosis) badBlock(t token) bool {
	header, body, _ := strings.Cut(d.src[t.start:t.end], "\n")
	rest := strings.TrimLeft(header[1:], "+-0123456789")
	if rest = strings.TrimSpace(rest); rest != "" && rest[0] != '#' {
		hint := "begin it there"
		if fixed := quotedFix(d.restOfLine(t.start)); fixed != "" {
			hint += ", or quote it if it is no block text: " + fixed
		}
		d.fail(t.start, t.start+len(header), "the text must begin on the next line", hint)
		return true
	}
	indent := d.blockIndent(t)
	at := t.start + len(header) + 1
	for line := range strings.Lines(body) {
		text := strings.TrimLeft(line, " ")
		col := len(line) - len(text)
		if text = strings.TrimRight(text, " \t\r\n"); text != "" && text[0] != '#' && col < indent {
			d.fail(at+col, at+col+len(text), fmt.Sprintf("the block text that begins in line %d ends too early: this line is indented by %d, its first by %d", d.lineOf(t.start), col, indent),
				fmt.Sprintf("indent it by %d", indent))
			return true
		}
		at += len(line)
	}
	return false
}

// blockIndent returns the indentation of a block text: the indentation of its first line, or the number in
// its header.
func (d *diagnosis) blockIndent(t token) int {
	header, body, _ := strings.Cut(d.src[t.start:t.end], "\n")
	if i := strings.IndexAny(header, "123456789"); i > 0 && i < 3 {
		return max(t.indent, 0) + int(header[i]-'0')
	}
	for line := range strings.Lines(body) {
		if text := strings.TrimLeft(line, " "); strings.TrimSpace(text) != "" {
			return len(line) - len(text)
		}
	}
	return max(t.indent, 0) + 2
}

// unclosed reports a bracket that is never closed. before is where it was noticed.
func (d *diagnosis) unclosed(at, before int) {
	closer := "]"
	if d.src[at] == '{' {
		closer = "}"
	}
	hint := fmt.Sprintf("add the closing %q", closer)
	if strings.HasPrefix(d.src[at:], "{{") || at > 0 && strings.HasPrefix(d.src[at-1:], "{{") {
		hint = `add the closing "}}", and quote the template`
	}
	if before < len(d.src) && d.lineOf(before) != d.lineOf(at) {
		hint += fmt.Sprintf(" before line %d", d.lineOf(before))
	}
	p := d.fail(at, at+1, fmt.Sprintf("the %q is never closed", d.src[at:at+1]), hint)
	p.sure = true
}

// outdented reports a bracket that was not closed, if the line of an offset shows that: it is
// not indented deeper than the line of the bracket.
//
//	l: [1,
//	  2
//	b: 3
func (d *diagnosis) outdented(at int) bool {
	n := len(d.brackets)
	if n == 0 {
		return false
	}
	open := d.brackets[0] // the first on its line: the others may be closed on theirs
	for _, b := range d.brackets {
		if d.lineStart(b) != d.lineStart(at) && d.indentOf(at) <= d.indentOf(b) {
			open = b
		}
	}
	if d.lineStart(open) == d.lineStart(at) || d.indentOf(at) > d.indentOf(open) || !d.startsLine(at) {
		return false
	}
	d.unclosed(open, at)
	return true
}

// startsLine reports whether an offset is at the first character of its line.
func (d *diagnosis) startsLine(at int) bool { return skipBlanks(d.src, d.lineStart(at)) == at }

// wrongCloser reports a closing bracket of the other kind. If it closes a bracket around the
// innermost one, that one was forgotten.
func (d *diagnosis) wrongCloser(t token, open []int) {
	inner, closer := open[len(open)-1], d.src[t.start:t.end]
	for _, b := range open[:len(open)-1] {
		if (d.src[b] == '[') == (closer == "]") {
			d.unclosed(inner, t.start)
			d.found.note, d.found.noteAt = fmt.Sprintf("this %q closes the %q around it", closer, d.src[b:b+1]), t.start
			return
		}
	}
	p := d.fail(t.start, t.end, fmt.Sprintf("%q cannot close %q", closer, d.src[inner:inner+1]), "")
	p.note, p.noteAt = "opened here", inner
}

// flowEntry reports a second colon without a comma before it, in a map or list in brackets.
func (d *diagnosis) flowEntry(t token) {
	text := d.written[d.prev.start:d.prev.end]
	hint := `separate the entries with ","`
	if i := strings.LastIndexAny(strings.TrimSpace(text), " \t\r\n"); i > 0 {
		hint = `write "," before ` + short(strings.TrimSpace(text[i:]))
	}
	d.fail(d.prev.start, t.end, "missing comma in this", hint)
}

// unknownAlias returns the error for the alias where the parser stopped.
func (p *treeParser) unknownAlias() *source.Diagnostic {
	name, later, ended := p.src[p.failedAt+1:p.failed], source.Span{}, false
	s := newScanner(p.file.Text, p.opts)
	s.observe = func(t token) {
		switch {
		case t.start < p.failed || ended:
		case t.kind == documentToken:
			ended = true
		case t.kind == anchorToken && later.IsZero() && p.src[t.start+1:t.end] == name:
			later = p.file.Span(t.start, t.end)
		}
	}
	s.run()
	return noAnchor(p.file.Span(p.failedAt, p.failed), name, maps.Keys(p.anchors), later)
}

// noAnchor returns the error for an alias without an anchor before it. names are the anchors
// before it; later is an anchor of its name that comes after it.
func noAnchor(at source.Span, name string, names iter.Seq[string], later source.Span) *source.Diagnostic {
	d := source.Errorf(at, source.Syntax, "no anchor &%s comes before this alias", name)
	if !later.IsZero() {
		d.Note(later, "the anchor")
		return d.WithHint("move the anchor above its aliases")
	}
	if near := source.Suggest(name, names); near != "" {
		return d.WithHint("did you mean *%s?", near)
	}
	return d.WithHint(`quote the text if it is not an alias: %q`, "*"+short(name))
}
