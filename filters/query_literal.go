package filters

import (
	"encoding/json"
	"strings"
)

// A writtenQuery is an expression of JMESPath in which every literal is JSON, and where
// quotes were added to make it so.
type writtenQuery struct {
	text  string
	added []int // offsets in text, in order
}

// withQuotedLiterals puts the literals of an expression that are no JSON into double quotes.
// JMESPath read `web` as the text "web" before it asked for JSON. Its implementation in Python,
// which Ansible's json_query runs, still does, and the guides of Ansible write it.
//
//	[?kind==`web` && n==`5`].n    [?kind==`"web"` && n==`5`].n
func withQuotedLiterals(expr string) writtenQuery {
	var w writtenQuery
	var b strings.Builder
	for i := 0; i < len(expr); {
		c := expr[i]
		end := i + 1
		if c == '`' || c == '\'' || c == '"' {
			end = queryQuoteEnd(expr, i)
		}
		if c == '`' && end-i > 1 && expr[end-1] == '`' {
			inner := expr[i+1 : end-1]
			blanks := len(inner) - len(strings.TrimLeft(inner, " \t\r\n"))
			if quoted := inner[:blanks] + `"` + inner[blanks:] + `"`; !isLiteral(inner) && isLiteral(quoted) {
				b.WriteByte('`')
				w.added = append(w.added, b.Len()+blanks, b.Len()+len(quoted)-1)
				b.WriteString(quoted)
				b.WriteByte('`')
				i = end
				continue
			}
		}
		b.WriteString(expr[i:end])
		i = end
	}
	w.text = b.String()
	return w
}

// isLiteral reports whether the inside of a literal is JSON.
func isLiteral(inner string) bool {
	return json.Valid([]byte(strings.ReplaceAll(inner, "\\`", "`")))
}

// queryQuoteEnd returns the offset behind the quote that closes the one at i, or the end.
func queryQuoteEnd(expr string, i int) int {
	for j := i + 1; j < len(expr); j++ {
		switch expr[j] {
		case '\\':
			j++
		case expr[i]:
			return j + 1
		}
	}
	return len(expr)
}

// offset returns the offset in the expression as it was written.
func (w *writtenQuery) offset(at int) int {
	before := 0
	for _, a := range w.added {
		if a < at {
			before++
		}
	}
	return at - before
}
