package yaml

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

// explain turns an error of the library into a finding. The library often names
// the line where a list or map begins, not the one that is wrong, so the text is
// looked at once more for what people get wrong.
func explain(f *source.File, text string, err error, opts ParseOptions) *source.Diagnostic {
	line, message := splitError(err)
	if d := badCharacter(f); d != nil {
		return d
	}
	if strings.Contains(message, "exceeded max depth") {
		at := f.LineStart(line)
		return tooDeep(f, at, opts)
	}
	if strings.HasPrefix(message, "unknown anchor '") {
		return unknownAlias(f, opts)
	}
	p := diagnose(text, opts)
	if p == nil {
		p = &problem{message: message}
		p.start, p.end = contentOfLine(f, line)
	}
	d := source.Errorf(f.Span(p.start, p.end), source.Syntax, "%s", p.message)
	d.Hint = p.hint
	if hint := templateHint(f, p.start, line); hint != "" {
		d.Hint = hint
	}
	d.Cause = err
	return d
}

var errorLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)
})

// splitError returns the line that an error of the library names, or 1, and its text.
func splitError(err error) (line int, message string) {
	message = err.Error()
	m := errorLine().FindStringSubmatch(message)
	line, convErr := strconv.Atoi(m[1])
	if convErr != nil {
		line = 1
	}
	return line, message[len(m[0]):]
}

// badCharacter finds the first byte that YAML does not allow anywhere.
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

// unknownAlias finds the first alias that no anchor of its name precedes.
func unknownAlias(f *source.File, opts ParseOptions) *source.Diagnostic {
	known := map[string]bool{}
	var found *token
	s := newScanner(f.Text, opts)
	s.observe = func(t token) {
		switch {
		case found != nil:
		case t.kind == documentToken:
			clear(known)
		case t.kind == anchorToken:
			known[f.Text[t.start+1:t.end]] = true
		case t.kind == aliasToken && !known[f.Text[t.start+1:t.end]]:
			found = &t
		}
	}
	s.run()
	if found == nil {
		found = &token{}
	}
	return noAnchor(f.Span(found.start, found.end), strings.TrimPrefix(f.Text[found.start:found.end], "*"))
}

func noAnchor(at source.Span, name string) *source.Diagnostic {
	return source.Errorf(at, source.Syntax, "no anchor &%s comes before this alias", name).
		WithHint("quote the text if it is not an alias")
}

// templateHint advises what to do if there is a template on a line at fault, or if
// lines of statements tell that the whole text is a template.
func templateHint(f *source.File, at, line int) string {
	if hasStatementLine(f.Text) {
		return "the file looks like a template that makes YAML: its own tool must render it first"
	}
	own, _ := f.Position(at)
	for _, n := range []int{own, line, line + 1} {
		if text := f.Line(n); strings.Contains(text, "{{") || strings.Contains(text, "{%") {
			return "quote the template"
		}
	}
	return ""
}

// hasStatementLine reports whether a line is a statement of a template: of Helm and
// other Go programs, or of Jinja.
func hasStatementLine(text string) bool {
	const words = `if|else|end|range|with|define|include|template|block`
	return regexp.MustCompile(`(?m)^[ \t]*(\{%|\{\{-?[ \t]*((` + words + `)\b|/\*|\$\w+ *:?=))`).MatchString(text)
}

func contentOfLine(f *source.File, line int) (start, end int) {
	text := f.Line(line)
	trimmed := strings.TrimLeft(text, " \t")
	start = f.LineStart(line) + len(text) - len(trimmed)
	return start, start + len(strings.TrimRight(trimmed, " \t"))
}
