package roundtrip

import (
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// annotate gives a new kid the comments and the form that its source had.
func (k *kid) annotate(note *value.Annotation) {
	if note == nil {
		return
	}
	k.note = note
	k.spelling = note.KeySpelling
	k.d.form = formOf(note)
	if k.d.tag == "" {
		k.d.tag = note.Tag
	}
}

func formOf(note *value.Annotation) form {
	if note.Flow {
		return inFlow
	}
	return inBlock
}

// keyValue returns the key as a scalar, with the spelling that it brings. JSON has only
// text.
func (w *writer) keyValue(k *kid) value.Value {
	v := k.key.Value()
	switch {
	case !w.syntax.blocks():
		return value.String(k.key.Text)
	case k.spelling == "":
		return v
	case v.Is(value.StringKind):
		return v.WithSource(value.Scalar{Plain: k.spelling == k.key.Text})
	}
	return v.WithSource(value.Scalar{Plain: true, Spelling: k.spelling})
}

// head returns the comments above a new entry in a column, with the line breaks and
// blanks behind them.
func (w *writer) head(k *kid, col int) string {
	if k.note == nil {
		return ""
	}
	var b strings.Builder
	for _, line := range commentLines(k.note.Head) {
		b.WriteString(line + w.layout.breaks + blanks(col))
	}
	return b.String()
}

// foot returns the comments below a new entry in a column, with what stands before
// them. An empty line tells them from what comes next.
func (w *writer) foot(d *draft, k *kid, col int) string {
	if k.note == nil {
		return ""
	}
	var b strings.Builder
	for _, line := range commentLines(k.note.Foot) {
		b.WriteString(w.layout.breaks + blanks(col) + line)
	}
	if b.Len() > 0 && k.at < len(d.kids)-1 {
		b.WriteString(w.layout.breaks)
	}
	return b.String()
}

// lineComment returns the comment on the line of a new entry, with the blank before it.
func lineComment(k *kid) string {
	if k.note == nil {
		return ""
	}
	comment := strings.Join(commentLines(k.note.Line), " ")
	if comment == "" {
		return ""
	}
	return " " + comment
}

// commentLines returns the lines of a comment, each of which is one.
func commentLines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(strings.Map(printable, line))
		if line != "" && line[0] != '#' {
			line = "# " + line
		}
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

// printable drops what a comment cannot have.
func printable(r rune) rune {
	if r == '\t' || r == ' ' || unicode.IsPrint(r) {
		return r
	}
	return -1
}

// isNoted reports whether there are comments in the new value of a draft, for which flow
// style has no place.
func isNoted(d *draft) bool {
	looked := maxLooked
	return hasNotes(d, &looked, 0)
}

func hasNotes(d *draft, looked *int, depth int) bool {
	if !d.fresh && !d.open || d.kind() == yaml.ScalarNode || depth > maxDepth {
		return false
	}
	kids, err := d.children()
	if err != nil {
		return false
	}
	for _, k := range kids {
		if *looked--; *looked < 0 {
			return false
		}
		if k.note != nil && (k.note.Head != "" || k.note.Line != "" || k.note.Foot != "") || hasNotes(k.view(), looked, depth+1) {
			return true
		}
	}
	return false
}
