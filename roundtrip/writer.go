package roundtrip

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// This is how the writer turns a draft into patches. The text
//
//	# site
//	web:
//	  port:  80  # http
//	  # all
//	  hosts: [a, c]
//	db: 1
//
// gets four edits: set web.port 8080, insert b at web.hosts[1], insert tls: true after
// web.port, delete db. The draft has a kid for each entry of the root, of web and of hosts;
// orig is the index of a kid in the old map or list, -1 for "b" and "tls".
//
// A slot is the position of an old entry or item (slots.go). blockSlots and setLines
// locate the slots of the root and of web, by column, colon and the end of the value:
//
//	            start  mark  end  lead  last
//	web            7    11    55     7    55   "web:" to "hosts: [a, c]"
//	db            56    59    61    56    61
//	web.port      14    19    23    12    31   "  port:  80  # http"
//	web.hosts     42    48    55    32    55   "  # all" to "hosts: [a, c]"
//
// The lines of an entry, [lead, last), include the comment above it and the one on its last
// line. They are the unit that a deletion removes and a move takes along. In the flow list
// flowSlots locates "a" at [50, 51) with a comma at 51, and "c" at [53, 54) without one.
//
// value is called with a draft and a place. A place is the slot as its value sees it: the
// offset at which the value is due (the mark), the column of the entry, whether it follows
// a dash, where its lines end. value returns the rope of the value and the offset from
// which the old text continues. It goes from the outside to the inside:
//
//	value(root)    block map: blockValue
//	  value(web)   at 11, column 0; block map: blockValue
//	    port       changed: "  port:" stays, value(80) is replaced at 21
//	    tls        new: lines in the column of port, after its slot
//	    hosts      changed: value([a, c]) at 48; flow list: flowValue
//	  db           has no kid: the gap to the next slot leaves its lines out
//
// A rope is the list of the pieces. Adjacent old ranges join, so that what no edit touches
// is one piece however many entries it has:
//
//	old [0, 21)     "# site" to "port:  "
//	new             "8080"
//	old [23, 31)    "  # http"
//	new             "\n  tls: true"
//	old [31, 52)    "\n  # all\n  hosts: [a,"
//	new             " " "b" ","
//	old [52, 55)    " c]"
//	old [61, 62)    "\n"
//
// A patch is the new text between two old ranges and the gap between these: [21, 23)
// becomes "8080", "\n  tls: true" is inserted at 31 and " b," at 52, [55, 61) is deleted.
// Comments and spaces need no care: they are in old ranges.
//
// Where the slots cannot be located, or a value changes its kind, replaced writes the value
// from scratch (fresh.go), which is refused if that would lose comments.

// A piece is a range of the old text, or new text.
type piece struct {
	start, end int // range of the old text if end is not negative
	text       string
}

// A rope is a text of ranges of the old text and new pieces. The old ranges are in the
// order of the text; the gaps between them and the new pieces become the patches.
type rope []piece

// old adds a range of the old text. A range that begins where the last one ends continues it, so that no patch is
// between them.
func (r rope) old(start, end int) rope {
	if start >= end {
		return r
	}
	if k := len(r) - 1; k >= 0 && r[k].end == start {
		r[k].end = end
		return r
	}
	return append(r, piece{start: start, end: end})
}

// new adds new text.
func (r rope) new(text string) rope {
	if text == "" {
		return r
	}
	return append(r, piece{end: -1, text: text})
}

func (r rope) add(other rope) rope {
	for _, p := range other {
		if p.end < 0 {
			r = r.new(p.text)
		} else {
			r = r.old(p.start, p.end)
		}
	}
	return r
}

// string returns the text of the rope.
func (r rope) string(src string) string {
	var b strings.Builder
	for _, p := range r {
		b.WriteString(p.of(src))
	}
	return b.String()
}

// of returns the text of a piece; src is the old text.
func (p piece) of(src string) string {
	if p.end < 0 {
		return p.text
	}
	return src[p.start:p.end]
}

// trimLeft drops blanks and line breaks at the beginning.
func (r rope) trimLeft(src string) rope {
	for i, p := range r {
		text := p.of(src)
		rest := strings.TrimLeft(text, " \t\r\n")
		if rest == "" {
			continue
		}
		out := rope{}
		if p.end < 0 {
			out = out.new(rest)
		} else {
			out = out.old(p.end-len(rest), p.end)
		}
		return out.add(r[i+1:])
	}
	return nil
}

// trimRight drops blanks at the end.
func (r rope) trimRight(src string) rope {
	for k := len(r) - 1; k >= 0; k-- {
		p := r[k]
		if rest := strings.TrimRight(p.of(src), " \t"); rest != "" {
			out := append(rope{}, r[:k]...)
			if p.end < 0 {
				return out.new(rest)
			}
			return out.old(p.start, p.start+len(rest))
		}
	}
	return nil
}

// A patch replaces a range of the old text.
type patch struct {
	start, end int
	text       string
}

// patches returns the patches that turn the old text into the rope. The old ranges of the
// rope must be in the order of the text.
func (r rope) patches(src string) []patch {
	var out []patch
	cursor, pending := 0, strings.Builder{}
	flush := func(upTo int) {
		if text := pending.String(); text != src[cursor:upTo] {
			out = append(out, patch{cursor, upTo, text})
		}
		pending.Reset()
		cursor = upTo
	}
	for _, p := range r {
		if p.end < 0 {
			pending.WriteString(p.text)
			continue
		}
		flush(p.start)
		cursor = p.end
	}
	flush(len(src))
	return out
}

// applied returns the text with patches, which are in order, applied.
func applied(src string, patches []patch) string {
	var b strings.Builder
	cursor := 0
	for _, p := range patches {
		b.WriteString(src[cursor:p.start])
		b.WriteString(p.text)
		cursor = p.end
	}
	b.WriteString(src[cursor:])
	return b.String()
}

// window returns the new text of the range [start, end) of the old text, or false if a
// patch crosses one of its ends. A patch that inserts at an end is inside.
func window(src string, patches []patch, start, end int) (string, bool) {
	var inside []patch
	for _, p := range patches {
		switch {
		case p.end < start || p.start > end:
		case p.end == start && p.start < start || p.start == end && p.end > end:
		case p.start < start || p.end > end:
			return "", false
		default:
			inside = append(inside, patch{p.start - start, p.end - start, p.text})
		}
	}
	return applied(src[start:end], inside), true
}

// A writer writes a draft as a rope: see the top of this file. Unchanged parts are ranges of the old text. After the
// first failure its output is not used.
type writer struct {
	*editor
	layout layout
	slots  map[*yaml.Node][]slot // cache of oldSlots
	depth  int
	parts  int // number of values that were written from scratch
	err    error
}

func newWriter(e *editor) *writer {
	layout := layoutOf(e.src, e.docs[e.number].Root, e.syntax.blocks())
	return &writer{editor: e, layout: layout, slots: map[*yaml.Node][]slot{}}
}

// fail records the first error.
func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// A site is the position of a value and its surroundings.
type site struct {
	at   int  // offset after ":" or "-", or where the value begins
	col  int  // column of its entry or item; -1 for the root
	dash bool // it is an item of a block list
	last int  // end of the lines of its entry; -1 if other new lines follow

	flow  bool // in a flow collection
	colon bool // in a flow map: the ":" is missing

	style  yaml.Style // of a new scalar, if that can have it
	inline bool       // a new collection is in flow style, or JSON on one line

	near  bool // below is set:
	below int  // columns from its entry to a collection in block style

	comment string // of a new entry: the comment on its line, with a blank before it
}

// document writes the whole text.
func (w *writer) document() (rope, error) {
	root := w.root
	if root.node == nil {
		return w.filled(root), w.err
	}
	last := extent(w.src, endOf(w.src, root.node), 0)
	r, resume := w.value(root, site{col: -1, last: last})
	return r.old(resume, len(w.src)), w.err
}

// filled writes the text of an empty document that gets content.
func (w *writer) filled(d *draft) rope {
	at := int(w.docs[w.number].At.End)
	if at < len(w.src) || w.number > 0 {
		at = lineEnd(w.src, at)
	}
	if line := lineStart(w.src, at); line > 0 && strings.HasPrefix(w.src[line:], "...") { // the end of the document
		at = beforeBreak(w.src, line)
	}
	p := site{at: at, col: -1, last: at}
	body := w.after(d, p, "")
	body = strings.TrimLeft(body, " \r\n")
	r := rope{}.old(0, at)
	switch {
	case at == lineStart(w.src, at):
		return r.new(body).new(w.layout.breaks).old(afterBreak(w.src, at), len(w.src))
	case at < len(w.src):
		return r.new(w.layout.breaks+body).old(at, len(w.src))
	}
	return r.new(w.layout.breaks + body)
}

// value writes the value at a place and returns the offset from which the old text
// continues.
func (w *writer) value(d *draft, p site) (r rope, resume int) {
	if !d.isChanged() {
		return rope{}.old(p.at, p.last), p.last
	}
	if w.depth++; w.depth > maxDepth {
		w.tooDeep(d)
		return nil, p.last
	}
	defer func() { w.depth-- }()
	if d.retagged != nil && !d.fresh {
		return w.withTag(d, p)
	}
	if d.fresh || d.rewrite {
		return w.replaced(d, p)
	}
	ok := false
	switch {
	case len(d.kids) > 0 && w.isBare(d.node, p) && !d.wantsFlow():
		old := w.partsOf(d.node, p)
		return w.replacedByBlock(d, p, old), old.resume
	case d.node.Style == yaml.Flow:
		r, resume, ok = w.flowValue(d, p)
	case len(d.kids) == 0:
		r, resume, ok = w.emptied(d, p)
	default:
		r, resume, ok = w.blockValue(d, p)
	}
	if ok || w.err != nil {
		return r, resume
	}
	return w.replaced(d, p)
}

// A parts says which parts of an old value stay when it is replaced: the text up to
// before, and the rest of its line, [tailStart, tailEnd). The old text continues at
// resume. In
//
//	a: &x 1  # one
//
// with 1 replaced, before is the offset of 1, and the tail is "  # one".
type parts struct {
	before             int
	tailStart, tailEnd int
	resume             int
}

// partsOf returns the parts of n, the old value at a place, that stay.
func (w *writer) partsOf(n *yaml.Node, p site) parts {
	at := n.At
	begin, end := int(at.Start), endOf(w.src, n)
	mark := w.markOf(n, p)
	rest := func(before, from int) parts {
		if p.flow || !isRest(w.src, from) {
			return parts{before, from, from, from}
		}
		stop := lineEnd(w.src, from)
		return parts{before, from, stop, stop}
	}
	switch {
	case isEmpty(n):
		out := rest(mark, mark)
		if strings.TrimSpace(w.src[out.tailStart:out.tailEnd]) == "" {
			out.tailStart = out.tailEnd
		}
		return out
	case isBlockScalar(n):
		header := begin + len(blockIndicators(w.src[begin:end]))
		out := rest(begin, header)
		out.resume = end
		return out
	case n.Style == yaml.Block && begin > lineEnd(w.src, mark):
		out := rest(mark, mark)
		out.resume = p.last
		return out
	case n.Style == yaml.Block:
		return parts{begin, p.last, p.last, p.last}
	}
	return rest(begin, end)
}

// markOf returns the end of the text that a value follows: its ":" or "-", or its tag and
// anchor.
func (w *writer) markOf(n *yaml.Node, p site) int {
	if _, end, ok := properties(n); ok {
		return max(end, p.at)
	}
	if p.col < 0 {
		return int(n.At.Start)
	}
	return p.at
}

// blockIndicators returns the indicators of the header of a block scalar, "|2-" for
// example.
func blockIndicators(s string) string {
	i := 1
	for i < len(s) && strings.IndexByte("+-0123456789", s[i]) >= 0 {
		i++
	}
	return s[:i]
}

// before writes the old text from the place of a value up to where the value begins, with
// the tag of the new value.
func (w *writer) before(d *draft, p site, upTo int) rope {
	r := rope{}
	from := p.at
	if d.node != nil && d.node.Kind != yaml.AliasNode {
		if d.node.Tag != "" && d.node.Tag != d.tagName() {
			stop := skipBlanks(w.src, int(d.node.TagAt.End))
			r = r.old(from, int(d.node.TagAt.Start))
			from = min(stop, upTo)
		} else if d.node.Tag != "" {
			return r.old(from, upTo)
		}
	}
	r = r.old(from, upTo)
	if tag := d.tagName(); tag != "" {
		r = r.new(w.gapAfter(r, d, p) + tag)
	}
	return r
}

// gapAfter returns the blank that is needed after r, the text of an entry so far. In flow
// style and at the root a value may begin exactly where the old one began.
func (w *writer) gapAfter(r rope, d *draft, p site) string {
	text := strings.TrimPrefix(r.string(w.src), bom)
	adjacent := p.colon || p.col < 0 || p.flow && !isEmpty(d.node)
	if text == "" && adjacent || text != "" && strings.ContainsRune(" \t\r\n", rune(text[len(text)-1])) {
		return ""
	}
	return " "
}

// replaced writes a new value in the place of an old one, or an old one from scratch.
func (w *writer) replaced(d *draft, p site) (rope, int) {
	old := w.partsOf(d.node, p)
	if !d.fresh && w.hasComment(d.node) {
		w.fail(source.Refuse(w.span(d), source.LosesComments, "this can only be edited by writing it anew, but it has comments").
			WithHint("edit it by hand"))
		return nil, old.resume
	}
	if !d.fresh {
		word := "list"
		if d.kind() == yaml.MapNode {
			word = "map"
		}
		w.anew = append(w.anew, source.Warnf(w.span(d), source.Suspicious, "this %s is written anew", word))
	}
	kept := w.keptComments(d, p)
	if w.inBlock(d, p) {
		return w.replacedByBlock(d, p, old).new(kept), old.resume
	}
	r := rope{}
	if p.colon {
		r = r.new(": ")
	}
	r = r.add(w.before(d, p, old.before))
	gap := w.gapAfter(r, d, p)
	if d.kind() == yaml.ScalarNode {
		p.last = old.resume
		style := yaml.Plain
		var was *yaml.Node
		if d.node.Kind == yaml.ScalarNode {
			was, style = d.node, d.node.Style
		}
		text, lines := w.scalar(d.scalar(), style, p, was)
		if lines != "" { // indented comments would be part of the text
			kept = w.commentLines(kept, max(p.col, 0))
		}
		return r.new(gap+text).old(old.tailStart, old.tailEnd).new(lines + kept), old.resume
	}
	indent := indentOf(w.src, int(d.node.At.Start))
	return r.new(gap+w.flowText(d, indent, w.spreads(d, p))).old(old.tailStart, old.tailEnd).new(kept), old.resume
}

// inBlock reports whether a draft with a node is written as a block collection.
func (w *writer) inBlock(d *draft, p site) bool {
	kind := d.kind()
	if p.flow || !w.syntax.blocks() || kind != yaml.MapNode && kind != yaml.SeqNode || w.count(d) == 0 {
		return false
	}
	switch n := d.node; {
	case n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode:
		return !p.inline && !d.wantsFlow()
	case w.isBare(n, p):
		return !d.wantsFlow()
	default:
		return n.Style == yaml.Block
	}
}

// wantsFlow reports whether a collection should be in flow style, and can be.
func (d *draft) wantsFlow() bool { return d.form == inFlow && !isNoted(d) }

// isBare reports whether a node is "{}" or "[]" in block style, where it is the only way
// to write an empty collection. It becomes block style when it gets entries.
func (w *writer) isBare(n *yaml.Node, p site) bool {
	text := n.At.Text()
	return !p.flow && w.syntax.blocks() && n.Style == yaml.Flow && (text == "{}" || text == "[]")
}

// count returns the number of kids.
func (w *writer) count(d *draft) int { return len(w.kids(d)) }

// kids returns the kids of a draft and counts them against maxParts.
func (w *writer) kids(d *draft) []*kid {
	kids, err := d.children()
	if err != nil {
		w.fail(w.failed(d, err))
	}
	if w.parts += len(kids); w.parts > maxParts {
		w.fail(source.Errorf(w.span(d), source.Limit, "the value has more than %d parts", maxParts))
		return nil
	}
	return kids
}

// maxParts bounds the items and entries that are written from scratch: a value whose lists
// share items can have more of them than memory can hold.
const maxParts = 1_000_000

// replacedByBlock writes a block collection in the place of an old value.
func (w *writer) replacedByBlock(d *draft, p site, old parts) rope {
	before := w.before(d, p, old.before)
	text := before.string(w.src)
	tail := w.src[old.tailStart:old.tailEnd]
	col := column(w.src, old.before)
	switch {
	case p.col < 0 && beginsLine(w.src, old.before), p.col >= 0 && strings.ContainsAny(text, "\r\n"):
		if strings.TrimSpace(tail) != "" { // the comment goes on the line above
			before = before.old(skipBlanks(w.src, old.tailStart), old.tailEnd).new(w.layout.breaks + blanks(col))
		} else if p.col < 0 && strings.TrimPrefix(text, bom) != "" && !strings.HasSuffix(text, "\n") { // a tag of the root
			before = before.new(w.layout.breaks + blanks(col))
		}
		return before.new(w.body(d, col, old.resume))
	case p.dash && strings.Trim(text, " ") == "" && strings.TrimSpace(tail) == "":
		if text == "" {
			before, text = before.new(" "), " "
		}
		return before.new(w.body(d, p.col+1+len(text), old.resume))
	}
	r := before.trimRight(w.src).old(old.tailStart, old.tailEnd)
	col = w.columnBelow(d, p)
	return r.new(w.layout.breaks + blanks(col) + w.body(d, col, old.resume))
}

// columnBelow returns the column of a block collection on the lines below its entry.
func (w *writer) columnBelow(d *draft, p site) int {
	if n := d.node; n != nil && n.Kind == d.kind() && n.Style == yaml.Block && n.Len() > 0 {
		return column(w.src, int(n.At.Start))
	}
	switch {
	case p.col < 0:
		return 0
	case p.near:
		return p.col + p.below
	case p.dash:
		return p.col + 2
	case d.kind() == yaml.SeqNode:
		return p.col + w.layout.dash
	}
	return p.col + w.layout.step
}

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }
