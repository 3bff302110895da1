package yay

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// substitute is sub(pattern, replacement, text): regular expressions as in RE2, and
// replacements as in Python (spec: yay, section 4.6).
func substitute(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	re, err := patterns.compile(t[0])
	if err != nil {
		return value.Null, c.badPattern(err)
	}
	if err := c.step(1 + len(t[2])*re.size/bytesPerStep); err != nil {
		return value.Null, err
	}
	pieces, err := parseReplacement(t[1], re.Regexp)
	if err != nil {
		d := source.Errorf(c.at(1), source.WrongType, "expected a replacement: %s", err)
		if c.args[1].Marks() != 0 || isSecret(c.at(1)) {
			d.Message = "expected a replacement: the text is none"
		}
		return value.Null, d
	}
	return c.replaceMatches(re.Regexp, pieces, t[2])
}

// What a match takes while a text is worked on, and each of its groups.
const (
	bytesPerMatch = 24
	bytesPerGroup = 16
)

func (c *builtinCall) replaceMatches(re *regexp.Regexp, pieces []replacementPiece, text string) (value.Value, error) {
	most := c.in.MaxText() / (bytesPerMatch + bytesPerGroup*(re.NumSubexp()+1))
	matches := re.FindAllStringSubmatchIndex(text, most+1)
	if len(matches) > most {
		return value.Null, source.Errorf(c.node.At, source.Limit, "the pattern has more than %d matches", most)
	}
	var b strings.Builder
	end := 0
	for _, m := range matches {
		b.WriteString(text[end:m[0]])
		end = m[1]
		for _, p := range pieces {
			b.WriteString(p.literal)
			if p.literal == "" && m[2*p.group] >= 0 {
				b.WriteString(text[m[2*p.group]:m[2*p.group+1]])
			}
		}
		if err := c.step(1 + len(pieces)); err != nil {
			return value.Null, err
		}
		if b.Len()+len(text)-end > c.in.MaxText() {
			return value.Null, tooLong(c.node.At, c.in.MaxText())
		}
	}
	b.WriteString(text[end:])
	return c.made(b.String()), nil
}

// badPattern says what is wrong with a pattern, as far as it may be shown.
func (c *builtinCall) badPattern(err error) error {
	d := source.Errorf(c.at(0), source.WrongType, "expected a regular expression: the string is none")
	var bad *syntax.Error
	if !errors.As(err, &bad) || c.args[0].Marks() != 0 || isSecret(c.at(0)) {
		return d
	}
	d.Message = "expected a regular expression: " + bad.Code.String() + " " + strconv.Quote(shorten(bad.Expr))
	switch bad.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidNamedCapture:
		return d.WithHint("patterns are those of RE2: without lookahead, lookbehind and references to groups")
	}
	return d
}

// A replacementPiece is a literal text, or what a group matched if that is empty.
type replacementPiece struct {
	literal string
	group   int
}

// parseReplacement reads a replacement as Python does: \1, \g<1>, \g<name>, \\ and the
// escapes of control characters.
func parseReplacement(s string, re *regexp.Regexp) ([]replacementPiece, error) {
	var pieces []replacementPiece
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			pieces = append(pieces, replacementPiece{literal: s[:i]})
			s = s[i:]
			continue
		}
		p, n, err := parseEscape(s, re)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, p)
		s = s[n:]
	}
	return pieces, nil
}

// parseEscape reads the escape at the start of s and returns its length.
func parseEscape(s string, re *regexp.Regexp) (replacementPiece, int, error) {
	if len(s) == 1 {
		return replacementPiece{}, 0, errors.New("a backslash ends it")
	}
	if s[1] == 'g' {
		return namedGroup(s, re)
	}
	if s[1] >= '1' && s[1] <= '9' {
		n := 2
		if len(s) > 2 && s[2] >= '0' && s[2] <= '9' {
			n = 3
		}
		p, err := numberedGroup(s[1:n], re)
		return p, n, err
	}
	if i := strings.IndexByte(`\nrtabfv0`, s[1]); i >= 0 {
		return replacementPiece{literal: "\\\n\r\t\a\b\f\v\x00"[i : i+1]}, 2, nil
	}
	if s[1] >= 'a' && s[1] <= 'z' || s[1] >= 'A' && s[1] <= 'Z' {
		return replacementPiece{}, 0, errors.New(strconv.Quote(s[:2]) + " is no escape")
	}
	return replacementPiece{literal: s[:2]}, 2, nil
}

func namedGroup(s string, re *regexp.Regexp) (replacementPiece, int, error) {
	name, _, ok := strings.Cut(strings.TrimPrefix(s, `\g<`), ">")
	if !ok || !strings.HasPrefix(s, `\g<`) {
		return replacementPiece{}, 0, errors.New(`a group is named as in \g<name>`)
	}
	n := len(`\g<>`) + len(name)
	if i := re.SubexpIndex(name); i >= 0 {
		return replacementPiece{group: i}, n, nil
	}
	p, err := numberedGroup(name, re)
	return p, n, err
}

func numberedGroup(digits string, re *regexp.Regexp) (replacementPiece, error) {
	i, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || int(i) > re.NumSubexp() {
		return replacementPiece{}, errors.New("the pattern has no group " + strconv.Quote(shorten(digits)))
	}
	return replacementPiece{group: int(i)}, nil
}

// A pattern is a regular expression with the number of its instructions: matching
// takes time in proportion to that and to the length of the text.
type pattern struct {
	*regexp.Regexp
	size int
}

func compilePattern(text string) (pattern, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return pattern{}, err
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return pattern{}, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return pattern{}, err
	}
	return pattern{re, len(program.Inst)}, nil
}

// A patternCache remembers patterns that were compiled, since a call in a loop has the
// same one each time.
type patternCache struct {
	lock sync.Mutex
	done map[string]pattern
}

const (
	maxPatterns      = 100
	maxCachedPattern = 1000 // bytes
)

var patterns patternCache

func (c *patternCache) compile(text string) (pattern, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if p, ok := c.done[text]; ok {
		return p, nil
	}
	p, err := compilePattern(text)
	if err != nil || len(text) > maxCachedPattern {
		return p, err
	}
	if c.done == nil || len(c.done) == maxPatterns {
		c.done = map[string]pattern{}
	}
	c.done[strings.Clone(text)] = p
	return p, nil
}
