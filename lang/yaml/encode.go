package yaml

import (
	"io"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// Encode writes v as one YAML document without "---": in block style with two blanks per
// level, or in flow style if the source has it and it fits on a line. Values from a source
// keep their spelling, tag and comments.
//
// Codes: output (a function), limit. Errors of computed lists and maps are returned as they
// are. After an error the output is incomplete.
func Encode(w io.Writer, v value.Value, opts EncodeOptions) error {
	return EncodeDocuments(w, []value.Value{v}, opts)
}

// EncodeDocuments writes several documents with "---" between them. See [Encode].
func EncodeDocuments(w io.Writer, docs []value.Value, opts EncodeOptions) error {
	e := &encoder{output: newOutput(w, opts)}
	for i, v := range docs {
		if i > 0 {
			e.write("---\n")
			e.gap = false
		}
		if i == 0 {
			e.foot(opts.Head, 0)
		}
		v = e.shown(v)
		tag := ""
		if i == 0 && !opts.DropTags {
			tag = e.root(v).Tag
		}
		if e.gap && (v.IsScalar() || tag != "") {
			e.gap = false
			e.write("\n")
		}
		if tag != "" {
			e.write(tag + "\n")
		}
		if v.IsScalar() {
			e.scalar(v, -2, "")
			e.write("\n")
		} else {
			e.block(v, 0, atLineStart)
		}
		if i == 0 && opts.Foot != "" && !opts.NoComments {
			if !e.endsInEmptyLine() { // a block text that keeps its empty lines would keep another one
				e.write("\n")
			}
			e.comment(opts.Foot, 0)
		}
	}
	return e.end()
}

// An encoder writes YAML.
type encoder struct {
	*output
	gap bool // the last line is a foot comment: an empty line separates it from a head
}

// A lead is the text on the line before a block collection.
type lead uint8

const (
	atLineStart lead = iota
	afterKey         // "key:", so that it needs a line of its own
	afterDash        // "- ", so that its first entry is on the same line
)

// A collectionEncoder writes the entries or items of a list or map in block style.
type collectionEncoder struct {
	*encoder
	col   int // of the entries
	at    lead
	first bool // nothing is written yet
}

// block writes a list or map in block style with its entries at column col.
func (e *encoder) block(v value.Value, col int, at lead) {
	if l := e.lasting(v); l != nil {
		e.remember(l, memoForm{language: memoYAML, column: int32(col), at: at}, &e.gap, func() { e.collection(v, col, at) })
		return
	}
	e.collection(v, col, at)
}

// collection is block without the memo.
func (e *encoder) collection(v value.Value, col int, at lead) {
	c := collectionEncoder{encoder: e, col: col, at: at, first: true}
	switch v.Kind() {
	case value.MapKind:
		m := v.Map()
		e.entries(m, func(i int, k value.Key, v value.Value) {
			a := annotationOf(m, i)
			c.begin(a.Head)
			c.key(k, a.KeySpelling, c.col)
			c.value(a, v, c.col, c.flowText(a, v, c.col))
			c.foot(a.Foot, c.col)
		})
	case value.ListKind:
		l := v.List()
		e.items(l, func(i int, v value.Value) {
			a := annotationOf(l, i)
			c.begin(a.Head)
			c.write("-")
			flow := c.flowText(a, v, c.col)
			switch {
			case v.IsScalar() || a.Tag != "" || a.Line != "" || flow != "":
				c.value(a, v, c.col, flow)
			case firstHead(v) != "" && !c.NoComments:
				c.block(v, c.col+2, afterKey)
			default:
				c.write(" ")
				c.block(v, c.col+2, afterDash)
			}
			c.foot(a.Foot, c.col)
		})
	default:
		e.unwritable(v)
	}
	if c.first {
		if at == afterKey {
			e.write(" ")
		}
		e.write(emptyText(v) + "\n")
	}
}

// firstHead returns the comments above the first entry or item of a list or map.
func firstHead(v value.Value) string {
	switch {
	case isEmpty(v):
	case v.Is(value.MapKind):
		return annotationOf(v.Map(), 0).Head
	case v.Is(value.ListKind):
		return annotationOf(v.List(), 0).Head
	}
	return ""
}

// begin writes the comments above an entry or item and moves to its column. After a "-" there are
// none.
func (c *collectionEncoder) begin(head string) {
	if c.gap {
		c.gap = false
		c.write("\n")
	}
	onDash := c.first && c.at == afterDash
	if c.first && c.at == afterKey {
		c.write("\n")
	}
	c.first = false
	if onDash {
		return
	}
	if head != "" && !c.NoComments {
		c.comment(head, c.col)
	}
	c.indent(c.col)
}

// value writes the value after a "key:" or "-" at column col. Its flow form is "" if it
// is not written in flow style.
func (e *encoder) value(a value.Annotation, v value.Value, col int, flow string) {
	if a.Tag != "" && !e.DropTags && (v.Is(value.ListKind) || v.Is(value.MapKind)) {
		e.write(" " + a.Tag)
	}
	comment := ""
	if a.Line != "" && !e.NoComments {
		comment = " " + commentLine(strings.ReplaceAll(a.Line, "\n", " "))
	}
	switch {
	case v.IsScalar():
		e.write(" ")
		e.scalar(v, col, comment)
		e.write("\n")
	case flow != "":
		e.write(" " + flow + comment + "\n")
	case isEmpty(v):
		e.write(" " + emptyText(v) + comment + "\n")
	default:
		e.write(comment)
		e.block(v, col+2, afterKey)
	}
}

func isEmpty(v value.Value) bool {
	return v.Is(value.MapKind) && v.Map().Len() == 0 || v.Is(value.ListKind) && v.List().Len() == 0
}

// emptyText returns the text of an empty list or map.
func emptyText(v value.Value) string {
	if v.Is(value.MapKind) {
		return "{}"
	}
	return "[]"
}

// scalar writes a scalar and its line comment. Its key or "-" is at column col, which is
// negative for the root.
func (e *encoder) scalar(v value.Value, col int, comment string) {
	src := v.Source()
	if src != nil && src.Tag != "" && src.Tag != "!!binary" && !e.DropTags {
		if e.write(src.Tag); tagOnly(v) {
			e.write(comment)
			return
		}
		e.write(" ")
	}
	if !v.Is(value.StringKind) {
		e.write(spelling(v))
		e.write(comment)
		return
	}
	if src == nil && isWord(v.Str()) { // most often
		e.write(v.Str())
		e.write(comment)
		return
	}
	if len(v.Str()) > e.left {
		e.write(v.Str()) // fails: no form is shorter
		return
	}
	if strings.Contains(v.Str(), "\n") && !isBinary(v.Str(), src) {
		if b, ok := BlockTextOf(v.Str(), Literal, 0); ok && (col >= 0 || !b.Blank) {
			e.literal(b, col, comment)
			return
		}
	}
	if s := v.Str(); len(s) > longText && !isBinary(s, src) && !isPlain(s, src, false) && !quotable(s) {
		e.quotedText(s)
		e.write(comment)
		return
	}
	e.write(stringText(v, false))
	e.write(comment)
}

// literal writes a literal scalar whose key or "-" is at column col, without its last line
// break.
func (e *encoder) literal(b BlockText, col int, comment string) {
	header := "|"
	if b.Blank {
		header = "|2" // else the blanks of the first line would be indentation
	}
	e.write(header + [...]string{"-", "", "+"}[min(b.Breaks, 2)] + comment)
	for _, line := range b.Lines {
		e.write("\n")
		if line != "" {
			e.indent(max(col, 0) + 2)
			e.write(line)
		}
	}
	for range b.Breaks - 1 {
		e.write("\n")
	}
}

// tagOnly reports whether a tagged scalar has no value, as in "command: !reset". For tools
// this differs from a tagged empty text.
func tagOnly(v value.Value) bool {
	return v.Is(value.StringKind) && v.Str() == "" && v.Source().Plain
}

// longKey is the most bytes of a key before its colon: YAML allows 1024 characters.
const longKey = 1000

// key writes a key and its colon.
func (e *encoder) key(k value.Key, written string, col int) {
	text := keyText(k, written, false)
	if len(text) <= longKey {
		e.write(text)
		e.write(":")
		return
	}
	e.write("? " + text + "\n")
	e.indent(col)
	e.write(":")
}

// keyText returns the spelling of a key, or another text that reads as the same key.
func keyText(k value.Key, written string, flow bool) string {
	switch {
	case written != "" && (!flow || flowPlain(written)) && sameKey(k, written):
		return written
	case k.Kind == value.StringKind:
		if isWord(k.Text) && (!flow || flowPlain(k.Text)) {
			return k.Text
		}
		return stringText(k.Value(), flow)
	}
	return k.Text
}

// sameKey reports whether a plain spelling reads as the key.
func sameKey(k value.Key, written string) bool {
	if !plainSyntax(written) {
		return false
	}
	got, ok := value.KeyOf(plainScalar(written).WithoutSource())
	return ok && got == k
}

// foot writes the comments below an entry. An empty line will separate them from the head
// of the next entry.
func (e *encoder) foot(text string, col int) {
	if text == "" || e.NoComments {
		return
	}
	e.comment(text, col)
	e.gap = true
}

// comment writes the lines of a comment at a column.
func (e *encoder) comment(text string, col int) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = commentLine(line); line != "" {
			e.indent(col)
		}
		e.write(line)
		e.write("\n")
	}
}

// commentLine returns a line of a comment with a "#" and without characters that YAML does
// not allow.
func commentLine(line string) string {
	line = strings.Map(func(r rune) rune {
		if r != '\t' && r != ' ' && !plainRune(r) {
			return -1
		}
		return r
	}, line)
	if line = strings.TrimRight(line, " \t"); line == "" || line[0] == '#' {
		return line
	}
	return "# " + line
}

// flowWidth is the maximum length of a line in flow style.
const flowWidth = 80

// flowText returns a list or map in flow style. It returns "" if the source has block
// style, or if the text does not fit on the line.
func (e *encoder) flowText(a value.Annotation, v value.Value, col int) string {
	if !a.Flow || e.err != nil || isEmpty(v) {
		return ""
	}
	f := &flowWriter{encoder: e, room: flowWidth - min(col, flowWidth/2)}
	f.value(v)
	if f.gaveUp || f.b.Len() > f.room {
		return ""
	}
	return f.b.String()
}

// A flowWriter writes one line of flow style. It gives up if the line gets too long, and at
// a comment, a tagged collection or a value that fails.
type flowWriter struct {
	*encoder
	b      strings.Builder
	room   int
	depth  int
	gaveUp bool
}

// maxFlowDepth is the maximum nesting in flow style.
const maxFlowDepth = 8

func (f *flowWriter) value(v value.Value) {
	v = f.shown(v)
	switch {
	case f.gaveUp || f.b.Len() > f.room || f.depth > maxFlowDepth:
		f.gaveUp = true
	case v.Is(value.MapKind):
		f.mapping(v.Map())
	case v.Is(value.ListKind):
		f.list(v.List())
	case v.IsScalar():
		f.scalar(v)
	default:
		f.gaveUp = true
	}
}

func (f *flowWriter) scalar(v value.Value) {
	if s := v.Source(); s != nil && s.Tag != "" && s.Tag != "!!binary" && !f.DropTags {
		if f.b.WriteString(s.Tag + " "); tagOnly(v) {
			return
		}
	}
	if !v.Is(value.StringKind) {
		f.b.WriteString(spelling(v))
		return
	}
	if strings.Contains(v.Str(), "\n") || len(v.Str()) > f.room {
		f.gaveUp = true
		return
	}
	f.b.WriteString(stringText(v, true))
}

// plainEnough reports whether an item with this annotation can be written in flow style.
func (f *flowWriter) plainEnough(a value.Annotation) bool {
	comments := a.Head != "" || a.Line != "" || a.Foot != ""
	return a.Tag == "" && (!comments || f.NoComments)
}

func (f *flowWriter) list(l value.List) {
	if f.tooMany(l.Len(), len("x, ")) {
		return
	}
	f.depth++
	f.b.WriteByte('[')
	for i := range l.Len() {
		v, err := l.At(i)
		if f.gaveUp = f.gaveUp || err != nil || !f.plainEnough(annotationOf(l, i)); f.gaveUp {
			return
		}
		if i > 0 {
			f.b.WriteString(", ")
		}
		f.value(v)
	}
	f.b.WriteByte(']')
	f.depth--
}

// tooMany gives up if n parts of at least size bytes cannot fit on the line, so that most
// long lists are not written in vain.
func (f *flowWriter) tooMany(n, size int) bool {
	f.gaveUp = f.gaveUp || n*size > f.room-f.b.Len()+size
	return f.gaveUp
}

func (f *flowWriter) mapping(m value.Map) {
	if f.tooMany(m.Len(), len("k: v, ")) {
		return
	}
	f.depth++
	f.b.WriteByte('{')
	i, written := -1, false
	for k := range m.Keys() {
		i++
		a := annotationOf(m, i)
		v, ok, err := m.Get(k)
		if f.gaveUp = f.gaveUp || err != nil || !f.plainEnough(a); f.gaveUp {
			return
		}
		if !ok {
			continue
		}
		if written {
			f.b.WriteString(", ")
		}
		written = true
		f.b.WriteString(keyText(k, a.KeySpelling, true) + ": ")
		f.value(v)
	}
	f.b.WriteByte('}')
	f.depth--
}
