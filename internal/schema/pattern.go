package schema

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A pattern is a regular expression of ECMA 262, which a text matches somewhere.
//
// The standard library runs it in linear time where it can. Look-around and back references need
// a backtracking engine, which gives up after a time.
type pattern struct {
	text string
	fast *value.Regexp
	slow *regexp2.Regexp
}

// Costs and limits of patterns.
const (
	stepsOfMatch    = 16
	matchTimeout    = time.Second
	timeOfStep      = 20 * time.Nanosecond // as filters count it
	maxPattern      = 64 << 10             // bytes of one
	maxPatternParts = 1 << 20              // instructions of all compiled patterns of a schema
)

// A patternSet has the compiled patterns of a schema.
type patternSet struct {
	known map[string]*pattern
	parts int
}

// compile compiles a pattern. It returns the code and text of a problem.
func (s *patternSet) compile(text string) (p *pattern, code source.Code, problem string) {
	if p := s.known[text]; p != nil {
		return p, "", ""
	}
	if len(text) > maxPattern {
		return nil, source.Limit, "the pattern has more than " + strconv.Itoa(maxPattern) + " bytes"
	}
	p = &pattern{text: text}
	translated := translate(text)
	if fast, err := value.CompileRegexp(translated); err == nil {
		p.fast = fast
		s.parts += fast.Size
	} else {
		slow, err := regexp2.Compile(text, regexp2.ECMAScript)
		if err != nil {
			slow, err = regexp2.Compile(text, regexp2.None) // it has named groups, or classes of Unicode
		}
		if err != nil {
			return nil, source.BadValue, "the pattern is not a valid regular expression"
		}
		slow.MatchTimeout = matchTimeout
		p.slow = slow
		s.parts += len(text)
	}
	if s.parts > maxPatternParts {
		return nil, source.Limit, "the patterns of the schema are too large"
	}
	if s.known == nil {
		s.known = map[string]*pattern{}
	}
	s.known[text] = p
	return p, "", ""
}

// match reports whether the pattern matches somewhere in a text.
func (p *pattern) match(text string, charge func(steps int) error) (bool, error) {
	if err := charge(stepsOfMatch + len(text)); err != nil {
		return false, err
	}
	if p.fast != nil {
		if err := charge(p.fast.Steps(len(text))); err != nil {
			return false, err
		}
		return p.fast.MatchString(text), nil
	}
	began := time.Now()
	ok, err := p.slow.MatchString(text)
	if err != nil {
		return false, source.Errorf(source.Span{}, source.Limit, "the pattern %s takes too long on a text", cut(p.text))
	}
	return ok, charge(int(time.Since(began) / timeOfStep))
}

// matches is match for a pattern at a place below n.
func (n *node) matches(p *pattern, text string, charge func(steps int) error, at ...value.Key) (bool, error) {
	ok, err := p.match(text, charge)
	if d, ok0 := errors.AsType[*source.Diagnostic](err); ok0 {
		return ok, d.Located(n.doc.place(n.below(at...)))
	}
	return ok, err
}

// What ECMA 262 means by "\s" and ".".
const (
	blanks  = `\s\v\x{a0}\x{feff}\x{2028}\x{2029}\p{Zs}`
	anyChar = `[^\n\r\x{2028}\x{2029}]`
)

// translate rewrites what the standard library reads in another way: \uXXXX, \cX, \s, "." and \/.
func translate(text string) string {
	var b strings.Builder
	inClass := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '[' && inClass:
			b.WriteString(`\[`)
		case c == '[':
			inClass = true
			b.WriteByte(c)
		case c == ']':
			inClass = false
			b.WriteByte(c)
		case c == '.' && !inClass:
			b.WriteString(anyChar)
		case c == '\\' && i+1 < len(text):
			i++
			i += escape(&b, text[i:], inClass)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escape writes an escape whose text after the backslash begins rest. It returns the number of bytes
// after the first one.
func escape(b *strings.Builder, rest string, inClass bool) int {
	switch c := rest[0]; {
	case c == 'u' && len(rest) >= 5 && isHex(rest[1:5]):
		b.WriteString(`\x{` + rest[1:5] + `}`)
		return 4
	case c == 'u' && strings.HasPrefix(rest, "u{"):
		b.WriteString(`\x`)
		return 0
	case c == 'c' && len(rest) > 1:
		b.WriteString(`\x{` + strconv.FormatInt(int64(rest[1]%32), 16) + `}`)
		return 1
	case c == 's' && inClass:
		b.WriteString(blanks)
	case c == 's':
		b.WriteString("[" + blanks + "]")
	case c == 'S' && !inClass:
		b.WriteString("[^" + blanks + "]")
	case c == '0':
		b.WriteString(`\x{0}`)
	case c == 'b' && inClass:
		b.WriteString(`\x{8}`)
	case c == 'A' || c == 'z' || c == 'Q' || c == 'E' || c == 'C' || c == 'a': // escapes that only the library has
		b.WriteByte(c)
	default:
		b.WriteString(`\` + rest[:1])
	}
	return 0
}

func isHex(text string) bool {
	_, err := strconv.ParseUint(text, 16, 32)
	return err == nil
}
