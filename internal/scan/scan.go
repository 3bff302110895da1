// Package scan splits expressions into tokens.
//
//	x[0] ** 2 | default('none')
//	Name x, Op [, Number 0, Op ], Op **, Number 2, Op |, Name default, Op (, String none, Op ), End
//
// The languages of this module have the same kinds of tokens. A [Syntax] has their
// operators, and says which spellings of names, numbers and strings they take. A
// [Scanner] returns tokens on demand, since a parser may stop anywhere, and may be
// copied to look ahead.
package scan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// A Kind is the kind of a [Token].
type Kind uint8

// The kinds of tokens.
const (
	End Kind = iota
	Name
	Number
	String
	Op
	Bad // text that is not a token: see [Token.Message]
)

// A Token is one word of an expression.
type Token struct {
	Kind       Kind
	Start, End int         // its bytes in the text
	Text       string      // the name, the operator, or what a string literal evaluates to
	Number     value.Value // of a Number; otherwise not defined
}

// Is reports whether t is the given name or operator.
func (t *Token) Is(word string) bool {
	return t.Text == word && (t.Kind == Name || t.Kind == Op)
}

// Message says what is wrong with a Bad token of a text. It quotes the token with
// quote, which may cut it or hide it.
func (t *Token) Message(text string, quote func(string) string) string {
	return strings.Replace(t.Text, "%s", quote(text[t.Start:t.End]), 1)
}

// A Syntax describes the tokens of a language.
type Syntax struct {
	Blanks  string   // characters that separate tokens
	Pairs   []string // operators of two characters, which win over operators of one
	Singles string   // operators of one character

	Letters     bool // names may have letters of any script: größe
	Underscores bool // digits may be separated, and zero has any number of digits: 1_000, 00
	Points      bool // a float may begin or end with its point (.5, 5.); otherwise x.0.1 has two integers
	Words       bool // a number that runs into letters is an error (5px); otherwise two tokens
	Triple      bool // strings may have three quotes on either side
	Python      bool // numbers may be written 0x_1f and 5.e3
	Prefixes    bool // strings may have the prefixes u, r and ur, in any case; r keeps backslashes
}

// A Scanner reads the tokens of the bytes [Pos, End) of Text.
type Scanner struct {
	Syntax   *Syntax
	Text     string
	Pos, End int
	afterDot bool
}

// Next sets t to the token after the blanks at Pos, and moves Pos past it. At the end the
// kind of all tokens is [End].
func (s *Scanner) Next(t *Token) {
	for s.Pos < s.End && strings.IndexByte(s.Syntax.Blanks, s.Text[s.Pos]) >= 0 {
		s.Pos++
	}
	s.Scan(t)
}

// Scan is Next for callers that skip blanks themselves, and comments with them.
func (s *Scanner) Scan(t *Token) {
	s.scan(t)
	s.Pos = t.End
	s.afterDot = t.Kind == Op && t.Text == "."
}

func (s *Scanner) scan(t *Token) {
	if s.Pos >= s.End {
		s.token(t, End, s.Pos, "")
		return
	}
	c := s.Text[s.Pos]
	switch {
	case isDigit(c), c == '.' && s.Syntax.Points && s.digitAt(s.Pos+1):
		s.number(t)
		return
	case c == '"' || c == '\'':
		s.string(t, s.Pos, false)
		return
	}
	if end := s.nameEnd(s.Pos, false); end > s.Pos {
		s.name(t, end)
		return
	}
	if s.Pos+1 < s.End {
		next := s.Text[s.Pos+1]
		for _, op := range s.Syntax.Pairs {
			if op[0] == c && op[1] == next {
				s.token(t, Op, s.Pos+2, op)
				return
			}
		}
	}
	if strings.IndexByte(s.Syntax.Singles, c) >= 0 {
		s.token(t, Op, s.Pos+1, s.Text[s.Pos:s.Pos+1])
		return
	}
	_, size := utf8.DecodeRuneInString(s.Text[s.Pos:s.End])
	s.token(t, Bad, s.Pos+size, "unexpected character %s")
}

// token sets t to the token of the bytes from Pos to end.
func (s *Scanner) token(t *Token, kind Kind, end int, text string) {
	t.Kind, t.Start, t.End, t.Text = kind, s.Pos, end, text
}

// nameEnd returns the end of the letters at i, and of the digits unless they would be
// the first.
func (s *Scanner) nameEnd(i int, digits bool) int {
	for i < s.End {
		c := s.Text[i]
		if isLetter(c) || c == '_' || digits && isDigit(c) {
			i++
			digits = true
			continue
		}
		if c < utf8.RuneSelf || !s.Syntax.Letters {
			return i
		}
		r, size := utf8.DecodeRuneInString(s.Text[i:s.End])
		if !startsName(r) && (!digits || !continuesName(r)) {
			return i
		}
		i += size
		digits = true
	}
	return i
}

// startsName and continuesName tell the characters of names as Python does: XID_Start and
// XID_Continue of Unicode.
func startsName(r rune) bool {
	return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_ID_Start)
}

func continuesName(r rune) bool {
	return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Other_ID_Continue)
}

// name reads a name, or the string that it is the prefix of.
func (s *Scanner) name(t *Token, end int) {
	word := s.Text[s.Pos:end]
	if s.Syntax.Prefixes && end < s.End && (s.Text[end] == '"' || s.Text[end] == '\'') {
		switch strings.ToLower(word) {
		case "r", "ur":
			s.string(t, end, true)
			return
		case "u":
			s.string(t, end, false)
			return
		}
	}
	s.token(t, Name, end, word)
}

// MaxDigits bounds integers written out: reading decimal digits takes quadratic time.
const MaxDigits = 5000

// number reads a number: the short integers of base ten, which are nearly all numbers,
// in one loop.
func (s *Scanner) number(t *Token) {
	i, n := s.Pos, int64(0)
	for ; i < s.End && i < s.Pos+18 && isDigit(s.Text[i]); i++ {
		n = n*10 + int64(s.Text[i]-'0')
	}
	if i > s.Pos && (s.Text[s.Pos] != '0' || i == s.Pos+1) && (i == s.End || endsNumber(s.Text[i])) {
		s.token(t, Number, i, "")
		t.Number = value.Int(n)
		return
	}
	s.anyNumber(t)
}

// endsNumber reports whether a number cannot go on with c.
func endsNumber(c byte) bool {
	return c < utf8.RuneSelf && c != '.' && c != '_' && !isDigit(c) && !isLetter(c)
}

func (s *Scanner) anyNumber(t *Token) {
	if base := s.base(); base != 0 {
		end := s.digits(s.Pos+2, isHexDigit)
		if word := s.nameEnd(end, true); s.Syntax.Words && word > end {
			s.token(t, Bad, word, "%s is not a number")
			return
		}
		s.integer(t, end, s.Text[s.Pos+2:end], base)
		return
	}
	end, float := s.digits(s.Pos, isDigit), false
	if s.afterDot && !s.Syntax.Points {
		s.integer(t, end, s.Text[s.Pos:end], 10)
		return
	}
	if end < s.End && s.Text[end] == '.' && (s.digitAt(end+1) || s.Syntax.Points && s.nameEnd(end+1, false) == end+1 ||
		s.Syntax.Python && s.exponent(end+1) > end+1) {
		end, float = s.digits(end+1, isDigit), true
	}
	if e := s.exponent(end); e > end {
		end, float = e, true
	}
	if word := s.nameEnd(end, true); s.Syntax.Words && word > end {
		s.token(t, Bad, word, "%s is not a number")
		return
	}
	text := s.Text[s.Pos:end]
	if float {
		f, err := strconv.ParseFloat(s.withoutUnderscores(text), 64)
		if err != nil {
			s.token(t, Bad, end, "number %s is too large")
			return
		}
		s.token(t, Number, end, "")
		t.Number = value.Float(f)
		return
	}
	if len(text) > 1 && text[0] == '0' && (!s.Syntax.Underscores || strings.Trim(text, "0_") != "") {
		s.token(t, Bad, end, "a number cannot begin with 0: %s (base eight is 0o17)")
		return
	}
	s.integer(t, end, text, 10)
}

// base returns the base that a prefix such as 0x names, or 0. A digit must follow, and
// the number must not be the index of x.0.
func (s *Scanner) base() int {
	first := s.Pos + 2
	if s.Syntax.Python && first < s.End && s.Text[first] == '_' {
		first++
	}
	if first >= s.End || s.Text[s.Pos] != '0' || !isHexDigit(s.Text[first]) || s.afterDot && !s.Syntax.Points {
		return 0
	}
	return value.BaseOf(s.Text[s.Pos+1] | 0x20)
}

// digits returns the end of the digits at i.
func (s *Scanner) digits(i int, is func(byte) bool) int {
	for i < s.End {
		switch {
		case is(s.Text[i]):
			i++
		case s.Syntax.Underscores && s.Text[i] == '_' && i+1 < s.End && is(s.Text[i+1]):
			i += 2
		default:
			return i
		}
	}
	return i
}

// exponent returns the end of the exponent that begins at i, or i.
func (s *Scanner) exponent(i int) int {
	if i >= s.End || s.Text[i]|0x20 != 'e' {
		return i
	}
	j := i + 1
	if j < s.End && (s.Text[j] == '+' || s.Text[j] == '-') {
		j++
	}
	if end := s.digits(j, isDigit); end > j && (s.digitAt(j) || !s.Syntax.Words) {
		return end
	}
	return i
}

func (s *Scanner) integer(t *Token, end int, digits string, base int) {
	digits = s.withoutUnderscores(digits)
	if len(digits) > MaxDigits {
		s.token(t, Bad, end, fmt.Sprintf("integer has more than %d digits", MaxDigits))
		return
	}
	v, ok := value.ParseInt(digits, base)
	if !ok {
		s.token(t, Bad, end, "%s is not a number")
		return
	}
	s.token(t, Number, end, "")
	t.Number = v
}

func (s *Scanner) withoutUnderscores(digits string) string {
	if s.Syntax.Underscores {
		return strings.ReplaceAll(digits, "_", "")
	}
	return digits
}

func (s *Scanner) digitAt(i int) bool { return i < s.End && isDigit(s.Text[i]) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
