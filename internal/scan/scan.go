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
	Number     value.Value // of a Number
}

// Is reports whether t is the given name or operator.
func (t Token) Is(word string) bool {
	return t.Text == word && (t.Kind == Name || t.Kind == Op)
}

// Message says what is wrong with a Bad token of a text. It quotes the token with
// quote, which may cut it or hide it.
func (t Token) Message(text string, quote func(string) string) string {
	return strings.Replace(t.Text, "%s", quote(text[t.Start:t.End]), 1)
}

// A Syntax describes the tokens of a language.
type Syntax struct {
	Blanks  string   // characters that separate tokens
	Pairs   []string // operators of two characters, which win over those of one
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

// Next returns the token after the blanks at Pos, and moves Pos past it. At the end it
// returns tokens of kind [End].
func (s *Scanner) Next() Token {
	for s.Pos < s.End && strings.IndexByte(s.Syntax.Blanks, s.Text[s.Pos]) >= 0 {
		s.Pos++
	}
	return s.Scan()
}

// Scan is Next for callers that skip blanks themselves, and comments with them.
func (s *Scanner) Scan() Token {
	t := s.scan()
	s.Pos = t.End
	s.afterDot = t.Kind == Op && t.Text == "."
	return t
}

func (s *Scanner) scan() Token {
	if s.Pos >= s.End {
		return Token{Kind: End, Start: s.Pos, End: s.Pos}
	}
	c := s.Text[s.Pos]
	switch {
	case isDigit(c), c == '.' && s.Syntax.Points && s.digitAt(s.Pos+1):
		return s.number()
	case c == '"' || c == '\'':
		return s.string(s.Pos, false)
	}
	if end := s.nameEnd(s.Pos, false); end > s.Pos {
		return s.name(end)
	}
	if s.Pos+1 < s.End {
		for _, op := range s.Syntax.Pairs {
			if s.Text[s.Pos:s.Pos+2] == op {
				return s.token(Op, s.Pos+2, op)
			}
		}
	}
	if strings.IndexByte(s.Syntax.Singles, c) >= 0 {
		return s.token(Op, s.Pos+1, s.Text[s.Pos:s.Pos+1])
	}
	_, size := utf8.DecodeRuneInString(s.Text[s.Pos:s.End])
	return s.token(Bad, s.Pos+size, "unexpected character %s")
}

func (s *Scanner) token(kind Kind, end int, text string) Token {
	return Token{Kind: kind, Start: s.Pos, End: end, Text: text}
}

// nameEnd returns the end of the letters at i, and of the digits unless they would be
// the first.
func (s *Scanner) nameEnd(i int, digits bool) int {
	for i < s.End {
		c, size := s.Text[i], 1
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c == '_', digits && isDigit(c):
		case c < utf8.RuneSelf || !s.Syntax.Letters:
			return i
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(s.Text[i:s.End])
			if !unicode.IsLetter(r) && (!digits || !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)) {
				return i
			}
		}
		i += size
		digits = true
	}
	return i
}

// name returns a name, or the string that it is the prefix of.
func (s *Scanner) name(end int) Token {
	word := s.Text[s.Pos:end]
	if s.Syntax.Prefixes && end < s.End && (s.Text[end] == '"' || s.Text[end] == '\'') {
		switch strings.ToLower(word) {
		case "r", "ur":
			return s.string(end, true)
		case "u":
			return s.string(end, false)
		}
	}
	return s.token(Name, end, word)
}

// MaxDigits bounds integers written out: reading decimal digits takes quadratic time.
const MaxDigits = 5000

func (s *Scanner) number() Token {
	if base := s.base(); base != 0 {
		end := s.digits(s.Pos+2, isHexDigit)
		if word := s.nameEnd(end, true); s.Syntax.Words && word > end {
			return s.token(Bad, word, "%s is not a number")
		}
		return s.integer(end, s.Text[s.Pos+2:end], base)
	}
	end, float := s.digits(s.Pos, isDigit), false
	if s.afterDot && !s.Syntax.Points {
		return s.integer(end, s.Text[s.Pos:end], 10)
	}
	if end < s.End && s.Text[end] == '.' && (s.digitAt(end+1) || s.Syntax.Points && s.nameEnd(end+1, false) == end+1 ||
		s.Syntax.Python && s.exponent(end+1) > end+1) {
		end, float = s.digits(end+1, isDigit), true
	}
	if e := s.exponent(end); e > end {
		end, float = e, true
	}
	if word := s.nameEnd(end, true); s.Syntax.Words && word > end {
		return s.token(Bad, word, "%s is not a number")
	}
	text := s.Text[s.Pos:end]
	if float {
		f, err := strconv.ParseFloat(s.withoutUnderscores(text), 64)
		if err != nil {
			return s.token(Bad, end, "number %s is too large")
		}
		return Token{Kind: Number, Start: s.Pos, End: end, Number: value.Float(f)}
	}
	if len(text) > 1 && text[0] == '0' && (!s.Syntax.Underscores || strings.Trim(text, "0_") != "") {
		return s.token(Bad, end, "a number cannot begin with 0: %s (base eight is 0o17)")
	}
	return s.integer(end, text, 10)
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
	switch s.Text[s.Pos+1] | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
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

func (s *Scanner) integer(end int, digits string, base int) Token {
	digits = s.withoutUnderscores(digits)
	if len(digits) > MaxDigits {
		return s.token(Bad, end, fmt.Sprintf("integer has more than %d digits", MaxDigits))
	}
	v, ok := value.ParseInt(digits, base)
	if !ok {
		return s.token(Bad, end, "%s is not a number")
	}
	return Token{Kind: Number, Start: s.Pos, End: end, Number: v}
}

func (s *Scanner) withoutUnderscores(digits string) string {
	if s.Syntax.Underscores {
		return strings.ReplaceAll(digits, "_", "")
	}
	return digits
}

func (s *Scanner) digitAt(i int) bool { return i < s.End && isDigit(s.Text[i]) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
