package lint

import (
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// Spellings of YAML that are valid, and are probably not what the author meant (spec: everyday,
// A7). A finding repeats no value, which may be a secret.

// spelling checks the key and the value of an entry of a YAML map.
func (l *linter) spelling(e *graph.Entry) {
	if e.KeyAt.File == nil {
		return
	}
	if strings.ContainsRune(e.Key.Text, noBreakSpace) && e.KeyAt.Text() == e.Key.Text {
		l.warn(e.KeyAt, "the key %q has a no-break space", e.Key.Text).WithHint("write a space")
	}
	n, ok := e.Node.(*graph.Scalar)
	if !ok || n.At.File != e.KeyAt.File {
		return
	}
	switch {
	case n.Val.Is(value.NullKind):
		l.color(e)
	case n.Val.Is(value.StringKind):
		l.quotes(n)
		l.colons(e, n)
	}
}

const noBreakSpace = '\u00a0'

// hexColor matches the text after a key whose value is a comment:
//
//	color: #fff
var hexColor = lazy.Regexp{Text: `^["']?:[ \t]+(#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))[ \t\r]*(?:\n|$)`}

// color reports a value that is a comment and looks like a color. Words such as #add and #facade
// are colors only for a key that says so.
func (l *linter) color(e *graph.Entry) {
	f, after := e.KeyAt.File, int(e.KeyAt.End)
	if after > len(f.Text) {
		return
	}
	m := hexColor.Get().FindStringSubmatchIndex(f.Text[after:min(len(f.Text), after+200)])
	if m == nil {
		return
	}
	digits := strings.ToLower(f.Text[after+m[4] : after+m[5]])
	named := strings.Contains(strings.ToLower(e.Key.Text), "colo")
	if !named && !strings.ContainsAny(digits, "0123456789") && strings.Trim(digits, digits[:1]) != "" {
		return
	}
	l.warn(f.Span(after+m[2], after+m[3]), `"#" after a space begins a comment, so this value is null`).
		WithHint("quote the color: %q", "#"+f.Text[after+m[4]:after+m[5]])
}

// typographic matches a text between typographic quotes.
var typographic = lazy.Regexp{Text: `^(?:[“”„«][^“”„«»]*[“”»]|[‘’‚][^‘’‚]*[‘’])$`}

// quotes reports a plain text between typographic quotes, which are part of the text.
func (l *linter) quotes(n *graph.Scalar) {
	text := n.Val.Str()
	if typographic.Get().MatchString(text) && n.At.Text() == text {
		l.warn(n.At, "these quotes are part of the text: they are not the quotes of YAML").
			WithHint(`write " or '`)
	}
}

// portOnly and tightEntry match a line that lacks the space after its colon.
var (
	portOnly   = lazy.Regexp{Text: `^([A-Za-z_][A-Za-z0-9_-]*):(?:[0-9]+|true|false)$`}
	tightEntry = lazy.Regexp{Text: `^[ \t]*([A-Za-z_][A-Za-z0-9_-]*):[^:/\s]\S*[ \r]*$`}
)

// colons reports a text in the place of a map, on lines of its own below its key:
//
//	server:
//	  port:80
func (l *linter) colons(e *graph.Entry, n *graph.Scalar) {
	f := n.At.File
	if n.At.Start < e.KeyAt.End || strings.TrimSpace(f.Text[e.KeyAt.End:n.At.Start]) != ":" ||
		!strings.Contains(f.Text[e.KeyAt.End:n.At.Start], "\n") {
		return
	}
	text := n.At.Text()
	m := portOnly.Get().FindStringSubmatch(text)
	if strings.Contains(text, "\n") {
		for line := range strings.Lines(text) {
			next := tightEntry.Get().FindStringSubmatch(strings.TrimRight(line, "\n"))
			if next == nil {
				return
			}
			if m == nil {
				m = next
			}
		}
	}
	if m == nil {
		return
	}
	at := f.Span(int(n.At.Start), int(n.At.Start)+len(m[1])+1)
	l.warn(at, "%q begins a text, not a key: its colon has no space after it", m[1]+":").
		WithHint("add a space after the colon")
}
