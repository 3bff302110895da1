package pattern

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Matching without regular expressions: a project file may have thousands of patterns, and each file of the
// project is compared with them. A text and a list of parts are matched in the same way, with one step back
// to the latest wildcard.

// A token is a piece of one part of a pattern.
type token struct {
	kind    tokenKind
	literal string // of text
	class   []span // of oneOf and noneOf
}

type tokenKind uint8

const (
	text   tokenKind = iota // itself
	anyOne                  // ?
	star                    // *
	oneOf                   // [ab]
	noneOf                  // [!ab]
	word                    // {node}
)

// A span is the characters from lo to hi.
type span struct{ lo, hi rune }

// parseClass returns the class of characters [ab], [a-z] or [!a].
func parseClass(body string) (token, error) {
	t := token{kind: oneOf}
	if body[0] == '!' || body[0] == '^' {
		if t.kind, body = noneOf, body[1:]; body == "" {
			return t, errors.New("a class of characters is empty")
		}
	}
	runes := []rune(body)
	for i := 0; i < len(runes); i++ {
		s := span{runes[i], runes[i]}
		if i+2 < len(runes) && runes[i+1] == '-' {
			s.hi = runes[i+2]
			i += 2
		}
		if s.lo > s.hi {
			return t, errors.New("a class of characters has only single ones and ranges, such as [a-z0]")
		}
		if s.lo < '/' && '/' < s.hi { // which is never in a name
			t.class = append(t.class, span{s.lo, '/' - 1})
			s.lo = '/' + 1
		}
		t.class = append(t.class, s)
	}
	return t, nil
}

// next returns the text after the token if s begins with it. A star is not asked.
func (t *token) next(s string) (rest string, ok bool) {
	if t.kind == text {
		return strings.CutPrefix(s, t.literal)
	}
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || r == '/' {
		return s, false
	}
	if t.kind != anyOne {
		in := slices.ContainsFunc(t.class, func(c span) bool { return c.lo <= r && r <= c.hi })
		if in != (t.kind == oneOf) {
			return s, false
		}
	}
	return s[size:], true
}

// matchesName reports whether tokens match a name, which has no "/".
func matchesName(tokens []token, name string) bool {
	back, from := -1, "" // the latest star, and what is left after the least that it can match
	for at := 0; ; {
		switch {
		case at == len(tokens) && name == "":
			return true
		case at < len(tokens) && tokens[at].kind == star:
			back, from = at, name
			at++
			continue
		case at < len(tokens):
			if rest, ok := tokens[at].next(name); ok {
				name = rest
				at++
				continue
			}
		}
		if back < 0 || from == "" {
			return false
		}
		_, size := utf8.DecodeRuneInString(from)
		from = from[size:]
		name, at = from, back+1
	}
}

// matchesPath reports whether parts match a path: "**" any number of directories, and at the end at least one
// name.
func matchesPath(parts []part, path string) bool {
	back, from, more := -1, "", false // the latest "**", and the path after the least that it can match
	at, left := 0, true               // whether path has another name, which may be empty
	for {
		switch {
		case at == len(parts) && !left:
			return true
		case at < len(parts) && parts[at].many && at == len(parts)-1:
			if left && path != "" {
				return true
			}
		case at < len(parts) && parts[at].many:
			back, from, more = at, path, left
			at++
			continue
		case at < len(parts) && left:
			name, rest, found := strings.Cut(path, "/")
			if parts[at].matches(name) {
				path, left = rest, found
				at++
				continue
			}
		}
		if back < 0 || !more {
			return false
		}
		var name string
		if name, from, more = strings.Cut(from, "/"); name == "" || !more {
			return false
		}
		path, left, at = from, more, back+1
	}
}

// matches reports whether the part matches a name.
func (p *part) matches(name string) bool {
	switch {
	case p.match != nil:
		return p.match.MatchString(name)
	case p.tokens != nil:
		return matchesName(p.tokens, name)
	}
	return p.literal == name
}

// expression returns the tokens as a regular expression.
func expression(tokens []token) string {
	var b strings.Builder
	for _, t := range tokens {
		switch t.kind {
		case star:
			b.WriteString("[^/]*")
		case word:
			b.WriteString("([^/]+?)")
		case anyOne:
			b.WriteString("[^/]")
		case oneOf, noneOf:
			b.WriteByte('[')
			if t.kind == noneOf {
				b.WriteString("^/")
			}
			for _, s := range t.class {
				fmt.Fprintf(&b, `\x{%x}-\x{%x}`, s.lo, s.hi)
			}
			b.WriteByte(']')
		default:
			b.WriteString(regexp.QuoteMeta(t.literal))
		}
	}
	return b.String()
}
