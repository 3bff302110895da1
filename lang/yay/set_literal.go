package yay

import (
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// SetLiteral returns the text of f with a constant replaced by v. The constant is a
// number, a text on one line or in a block, "{}", "[]", or a blank value. at is its place
// in the graph and in trees; for a blank value it is the key with its colon. v is a scalar,
// or an empty list or map. Its spelling is kept if it means the same in Yay. The form of
// the old text is kept where possible: without quotes, in quotes, or a block. If the
// constant has the value already, the text is unchanged.
//
// The new text is parsed again: everything but the constant must be the same. A text that
// ends with empty lines ("|+") takes over the empty lines below it.
//
// Codes: output with a [source.Refusal] for a place or value that cannot be edited or
// written, not-found if there is no value at the place, and the codes of [Parse].
func SetLiteral(f *source.File, at source.Span, v value.Value, o Options) (string, error) {
	ed, i, err := newEditor(f, at, o)
	if err != nil {
		return "", err
	}
	e := literalEdit{editor: ed, at: i}
	if err := e.refused(at, v); err != nil {
		return "", err
	}
	if isSpelled(e.mark().value, v) {
		return f.Text, nil
	}
	for _, p := range e.spellings(v) {
		text, between, ok := e.try(p, i, i+1)
		if ok && len(between) == 1 && isValue(between[0].value, v) {
			return text, nil
		}
	}
	return "", noSpelling(at, v)
}

// A literalEdit replaces a constant.
type literalEdit struct {
	*editor
	at int // the index of the mark
}

func (e *literalEdit) mark() *mark { return &e.outline[e.at] }

// refused returns an error unless the old and the new value are constants.
func (e *literalEdit) refused(at source.Span, v value.Value) error {
	switch e.mark().kind {
	case textMark:
		return source.Refuse(at, source.ResultOfExpr, "the text has expressions in it").
			WithHint("edit it by hand, or edit the values that its expressions read")
	case expressionMark:
		return source.Refuse(at, source.ResultOfExpr, "the value is an expression").
			WithHint("edit it by hand, or edit the values that it reads")
	case blankMark:
		if after := skipBlanks(e.text, int(at.End), lineEnd(e.text, int(at.End))); strings.HasPrefix(e.text[after:], "#") {
			return source.Refuse(at, source.LosesComments, "the comment after the key would become a part of the value").
				WithHint("move the comment to a line of its own")
		}
	}
	if !v.IsScalar() && !isEmptyCollection(v) {
		return source.Refuse(at, source.NoSpelling, "%s is not a constant of Yay", value.Article(v.Kind())).
			WithHint("edit the file by hand")
	}
	return nil
}

func isEmptyCollection(v value.Value) bool {
	return v.Is(value.ListKind) && v.List().Len() == 0 || v.Is(value.MapKind) && v.Map().Len() == 0
}

// noSpelling returns the error of a value that cannot be written as a constant.
func noSpelling(at source.Span, v value.Value) error {
	switch {
	case v.Is(value.StringKind) && strings.Contains(v.Str(), "{{"):
		return source.Refuse(at, source.NoSpelling, `a text with "{{" is not a constant of Yay`).
			WithHint(`write it as an expression, {{ "text" }}, by hand`)
	case v.Is(value.StringKind):
		return source.Refuse(at, source.NoSpelling, "no constant of Yay can spell this text").
			WithHint(`write it as an expression, {{ "text" }}, by hand`)
	}
	return source.Refuse(at, source.NoSpelling, "%s of this value has no spelling in Yay", value.Article(v.Kind())).
		WithHint("--yaml-scalars reads true, null and .inf as YAML does; without it they are texts")
}

// isSpelled reports whether a constant has a value already, in the same spelling.
func isSpelled(old Value, v value.Value) bool {
	if !isValue(old, v) {
		return false
	}
	s, ok := old.(*Scalar)
	want := v.Source()
	return !ok || want == nil || want.Spelling == "" || v.Is(value.StringKind) || want.Spelling == s.At.Text()
}

// isValue reports whether got is a constant with the value v.
func isValue(got Value, v value.Value) bool {
	switch got := got.(type) {
	case nil:
		return v.Is(value.StringKind) && v.Str() == ""
	case *Empty:
		return isEmptyCollection(v) && got.List == v.Is(value.ListKind)
	case *Scalar:
		return sameScalar(got.Val, v)
	}
	return false
}

// sameScalar reports whether two scalars are the same: 1 and 1.0 are not.
func sameScalar(a, b value.Value) bool {
	if a.Kind() != b.Kind() || !b.IsScalar() {
		return false
	}
	if a.Is(value.FloatKind) {
		return value.FormatFloat(a.Float()) == value.FormatFloat(b.Float())
	}
	same, err := value.Equal(a, b)
	return same && err == nil
}

// spellings returns the patches that may replace the constant by v, the best first. Some
// of them may change the meaning of the text: SetLiteral tries them in turn.
func (e *literalEdit) spellings(v value.Value) []patch {
	var out []patch
	for _, s := range e.inline(v) {
		if s != "" {
			out = append(out, e.onLine(s))
		}
	}
	if !v.Is(value.StringKind) || v.Str() == "" {
		return out
	}
	blocks := e.blocks(v.Str())
	if e.oldBlock() != "" {
		return append(blocks, out...)
	}
	// A text that is quoted in part, such as "a ""b", is harder to read than a block.
	if n := len(out); n > 0 {
		if last := strings.TrimLeft(out[n-1].text, " "); strings.HasPrefix(last, `"`) && !isWholeQuoted(last) {
			return append(append(out[:n-1:n-1], blocks...), out[n-1])
		}
	}
	return append(out, blocks...)
}

// inline returns the spellings of a value on one line.
func (e *literalEdit) inline(v value.Value) []string {
	var out []string
	if s := v.Source(); s != nil && !v.Is(value.StringKind) {
		out = append(out, s.Spelling)
	}
	switch v.Kind() {
	case value.NullKind:
		return append(out, "null")
	case value.BoolKind:
		return append(out, map[bool]string{true: "true", false: "false"}[v.Bool()])
	case value.IntKind:
		if v.BigInt().BitLen() > scan.MaxDigits*4 {
			return out
		}
		return append(out, v.BigInt().String())
	case value.FloatKind:
		return append(out, value.FormatFloat(v.Float()))
	case value.ListKind:
		return []string{"[]"}
	case value.MapKind:
		return []string{"{}"}
	}
	return e.inlineText(v.Str())
}

// inlineText returns the spellings of a text on one line. A text that is quoted in part is
// the last.
func (e *literalEdit) inlineText(s string) []string {
	if strings.ContainsAny(s, "\r\n") {
		return nil
	}
	if i := strings.IndexByte(s, '"'); i >= 0 {
		half := `"` + s[:i] + `"` + s[i:]
		if isSuspicious(s) {
			return []string{half}
		}
		return []string{s, half}
	}
	quoted := `"` + s + `"`
	if m := e.mark(); m.value != nil && isWholeQuoted(e.text[m.start:m.end]) || isSuspicious(s) {
		return []string{quoted, s}
	}
	if v, err := plainScalar(s, source.Span{}, e.opts.YAMLScalars); err != nil || !v.Is(value.StringKind) {
		return []string{quoted, s} // without quotes it is a number or another word
	}
	return []string{s, quoted}
}

// isSuspicious reports whether [LintText] would warn about a text without quotes.
func isSuspicious(s string) bool {
	f := source.NewFile("", s)
	message, _ := foreignText(s)
	return message != "" || lintPart(f.Span(0, len(s))) != nil || flowHint(s) != ""
}

// isWholeQuoted reports whether a constant is one text in quotes.
func isWholeQuoted(s string) bool {
	return len(s) > 1 && s[0] == '"' && strings.IndexByte(s[1:], '"') == len(s)-2
}

// oldBlock returns the introducer of the constant, "" if it is not a block.
func (e *literalEdit) oldBlock() string {
	if s, ok := e.mark().value.(*Scalar); ok {
		return s.Block
	}
	return ""
}

// onLine returns the patch that replaces the constant by a spelling. Empty lines at its
// end remain. A blank constant is replaced after the colon.
func (e *literalEdit) onLine(spelling string) patch {
	m := e.mark()
	if m.value == nil {
		return patch{m.end, lineEnd(e.text, m.end), " " + spelling}
	}
	return patch{m.start, e.lastLine(), spelling}
}

// lastLine returns the end of the last line of the constant that is not empty.
func (e *literalEdit) lastLine() int {
	m := e.mark()
	if e.oldBlock() == "" {
		return m.end
	}
	return lineEnd(e.text, m.start+len(strings.TrimRight(e.text[m.start:m.end], " \t\r\n")))
}

// blocks returns the patches that replace the constant by a block.
func (e *literalEdit) blocks(s string) []patch {
	body := strings.TrimRight(s, "\n")
	if body == "" {
		return nil
	}
	w := newLineWriter(e)
	var out []patch
	if old := e.oldBlock(); strings.HasPrefix(old, ">") && !strings.Contains(s, "\n") {
		out = append(out, w.patch(old, w.folded(body), 0))
	}
	breaks := len(s) - len(body)
	introducer := "|+"
	if breaks < 2 {
		introducer = [...]string{"|-", "|"}[breaks]
	}
	return append(out, w.patch(introducer, w.rewritten(strings.Split(body, "\n")), breaks))
}

// A lineWriter writes the lines of a block. The lines at its start and end that the old
// block has as well remain as they are written.
type lineWriter struct {
	edit   *literalEdit
	indent string
	eol    string
	raw    []string // the old lines as they are written
	lines  []string // the old lines without their indentation
}

func newLineWriter(e *literalEdit) *lineWriter {
	m := e.mark()
	w := &lineWriter{edit: e, eol: "\n"}
	if first := lineEnd(e.text, 0); first < len(e.text) {
		w.eol = e.text[first:nextLine(e.text, first)]
	}
	end := e.lastLine()
	start := nextLine(e.text, lineEnd(e.text, m.start))
	if e.oldBlock() == "" || start >= end {
		owner := e.outline[m.statement].start
		w.indent = strings.Repeat(" ", owner-startOfLine(e.text, owner)+e.step())
		return w
	}
	n := blockIndent(e.text, start, end)
	w.indent = strings.Repeat(" ", n)
	for pos := start; pos < end; {
		stop := lineEnd(e.text, pos)
		w.raw = append(w.raw, e.text[pos:stop])
		w.lines = append(w.lines, e.text[min(pos+n, stop):stop])
		pos = nextLine(e.text, stop)
	}
	return w
}

// step returns the indentation of the first indented block of the file.
func (e *literalEdit) step() int {
	before := -1
	for _, m := range e.outline {
		if m.kind < pairMark {
			continue
		}
		col := m.start - startOfLine(e.text, m.start)
		if before >= 0 && col > before {
			return col - before
		}
		before = col
	}
	return indentation
}

// patch returns the patch for a block of lines. breaks is the number of line breaks at the
// end of its text; those after the first are empty lines.
func (w *lineWriter) patch(introducer string, lines []string, breaks int) patch {
	e := w.edit
	p := e.onLine(introducer + w.eol + strings.Join(lines, w.eol))
	if introducer == "|+" {
		p.end = e.afterEmpty(p.end)
		p.text += strings.Repeat(w.eol, breaks-1)
		if p.end == len(e.text) {
			p.text += w.eol
		}
	}
	return p
}

// afterEmpty returns the end of the last empty line below the line that ends at an offset.
func (e *literalEdit) afterEmpty(end int) int {
	for {
		start := nextLine(e.text, end)
		next := lineEnd(e.text, start)
		if start == end || next == len(e.text) || skipBlanks(e.text, start, next) < next {
			return end
		}
		end = next
	}
}

// rewritten returns lines, keeping the old lines that are equal at the start and the end.
func (w *lineWriter) rewritten(lines []string) []string {
	n := min(len(lines), len(w.lines))
	head, tail := 0, 0
	for head < n && lines[head] == w.lines[head] {
		head++
	}
	for tail < n-head && lines[len(lines)-1-tail] == w.lines[len(w.lines)-1-tail] {
		tail++
	}
	return w.between(head, lines[head:len(lines)-tail], tail)
}

// between returns the first head old lines, the new lines, and the last tail old lines.
func (w *lineWriter) between(head int, lines []string, tail int) []string {
	out := append([]string(nil), w.raw[:head]...)
	for _, line := range lines {
		if line != "" {
			line = w.indent + line
		}
		out = append(out, line)
	}
	return append(out, w.raw[len(w.raw)-tail:]...)
}

// foldWidth bounds the length of new lines in a folded text, in characters.
const foldWidth = 80

// folded returns the lines of a text whose line breaks are blanks. The old lines that
// still fit at the start and the end are kept; the text between them is wrapped.
func (w *lineWriter) folded(s string) []string {
	head, tail, width := 0, 0, foldWidth
	for _, line := range w.lines {
		width = max(width, utf8.RuneCountInString(line))
	}
	for head < len(w.lines)-1 && strings.HasPrefix(s, w.lines[head]+" ") {
		s = s[len(w.lines[head])+1:]
		head++
	}
	for tail < len(w.lines)-1-head && strings.HasSuffix(s, " "+w.lines[len(w.lines)-1-tail]) {
		s = s[:len(s)-1-len(w.lines[len(w.lines)-1-tail])]
		tail++
	}
	return w.between(head, wrap(s, width), tail)
}

// wrap breaks a text at single blanks into lines of at most width characters, where that is
// possible.
func wrap(s string, width int) []string {
	var out []string
	for at := breakAt(s, width); at >= 0; at = breakAt(s, width) {
		out = append(out, s[:at])
		s = s[at+1:]
	}
	return append(out, s)
}

// breakAt returns the offset of the last single blank that ends a line which is not too
// long, or of the first one after that, or -1 if the text fits on a line.
func breakAt(s string, width int) int {
	at, count := -1, 0
	for i := range s {
		if count++; count > width+1 && at >= 0 {
			return at
		}
		if i > 0 && i+1 < len(s) && s[i] == ' ' && !isBlank(s[i-1]) && !isBlank(s[i+1]) {
			at = i
		}
	}
	if count <= width {
		return -1
	}
	return at
}
