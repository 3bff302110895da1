package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

var (
	jinja = &Syntax{Blanks: " \t\n", Pairs: []string{"**", "=="}, Singles: "+-*.,()[]=", Letters: true, Underscores: true}
	yay   = &Syntax{Blanks: " \t", Pairs: []string{"**", "<<"}, Singles: "+-*.,()[]<{}", Points: true, Words: true, Triple: true, Prefixes: true}
)

// tokens writes the tokens of a text: names and operators as they are, numbers in angle
// brackets, strings in quotes, errors after a "!".
func tokens(syntax *Syntax, text string) string {
	s := Scanner{Syntax: syntax, Text: text, End: len(text)}
	var t Token
	var out []string
	for {
		s.Next(&t)
		switch t.Kind {
		case End:
			return strings.Join(out, " ")
		case Number:
			shown, _ := value.Repr(t.Number)
			out = append(out, "<"+shown+">")
		case String:
			out = append(out, fmt.Sprintf("%q", t.Text))
		case Bad:
			quote := func(s string) string { return "'" + s + "'" }
			return strings.Join(append(out, fmt.Sprintf("!%d:%s", t.Start, t.Message(text, quote))), " ")
		default:
			out = append(out, t.Text)
		}
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ rule, text, jinja, yay string }{
		{"operators of two characters win", "a**b*c", "a ** b * c", "a ** b * c"},
		{"names", "größe_1 x2", "größe_1 x2", "gr !2:unexpected character 'ö'"},
		{"a combining mark does not begin a name", "\u0301a", "!0:unexpected character '\u0301'", "!0:unexpected character '\u0301'"},
		{"numbers", "0 10 0x1F 0O17 0b101", "<0> <10> <31> <15> <5>", "<0> <10> <31> <15> <5>"},
		{"floats", "1.5 1e3 1.5e-3", "<1.5> <1000.0> <0.0015>", "<1.5> <1000.0> <0.0015>"},
		{"18, 19 and 20 digits", "123456789012345678 1234567890123456789 12345678901234567890",
			"<123456789012345678> <1234567890123456789> <12345678901234567890>", "<123456789012345678> <1234567890123456789> <12345678901234567890>"},
		{"a number before other letters", "5é", "<5> é", "<5> !1:unexpected character 'é'"},
		{"a number before an operator", "5:5/5]", "<5> !1:unexpected character ':'", "<5> !1:unexpected character ':'"},
		{"underscores", "1_000", "<1000>", "!0:'1_000' is not a number"},
		{"zeros", "00", "<0>", "!0:a number cannot begin with 0: '00' (base eight is 0o17)"},
		{"leading zero", "07", "!0:a number cannot begin with 0: '07' (base eight is 0o17)", "!0:a number cannot begin with 0: '07' (base eight is 0o17)"},
		{"points", ".5", ". <5>", "<0.5>"},
		{"points at the end", "5. + 1", "<5> . + <1>", "<5.0> + <1>"},
		{"methods of numbers", "5.real", "<5> . real", "<5> . real"},
		{"indexes after a point", "x.0.1", "x . <0> . <1>", "x <0.0> <0.1>"},
		{"numbers that run into letters", "5px", "<5> px", "!0:'5px' is not a number"},
		{"digits of another base", "0b12", "!0:'0b12' is not a number", "!0:'0b12' is not a number"},
		{"a prefix without digits", "0xg", "<0> xg", "!0:'0xg' is not a number"},
		{"an exponent without digits", "1e", "<1> e", "!0:'1e' is not a number"},
		{"large floats", "1e999", "!0:number '1e999' is too large", "!0:number '1e999' is too large"},
		{"many digits", strings.Repeat("1", MaxDigits+1), "!0:integer has more than 5000 digits", "!0:integer has more than 5000 digits"},
		{"strings", `'a"b' "c'd" ''`, `"a\"b" "c'd" ""`, `"a\"b" "c'd" ""`},
		{"escapes", `'\n\x41\u00e9\101\q\\\''`, `"\nAéA\\q\\'"`, `"\nAéA\\q\\'"`},
		{"pairs of UTF-16", `'\ud83d\ude00'`, `"😀"`, `"😀"`},
		{"half a pair", `'\ud83d'`, `!1:bad escape '\ud83d' in a string`, `!1:bad escape '\ud83d' in a string`},
		{"half an escape before a character of two bytes", `'\x4ü'`, `!1:bad escape '\x4' in a string`, `!1:bad escape '\x4' in a string`},
		{"half an escape", `'\x4'`, `!1:bad escape '\x4' in a string`, `!1:bad escape '\x4' in a string`},
		{"unclosed strings", `'a\'`, "!0:string has no closing '", "!0:string has no closing '"},
		{"triple quotes", `'''it's'''`, `"" "it" s "" !9:string has no closing '`, `"it's"`},
		{"prefixes", `r'\n' UR"\n" u'\n'`, `r "\n" UR "\n" u "\n"`, `"\\n" "\\n" "\n"`},
		{"characters of no token", "a ? b", "a !2:unexpected character '?'", "a !2:unexpected character '?'"},
	} {
		if got := tokens(jinja, c.text); got != c.jinja {
			t.Errorf("%s: %s in Jinja is %s, want %s", c.rule, c.text, got, c.jinja)
		}
		if got := tokens(yay, c.text); got != c.yay {
			t.Errorf("%s: %s in Yay is %s, want %s", c.rule, c.text, got, c.yay)
		}
	}
}

func TestPythonNumbers(t *testing.T) {
	python := &Syntax{Blanks: " ", Singles: ".,", Underscores: true, Points: true, Words: true, Python: true}
	for _, c := range []struct{ text, want string }{
		{"0x_1f, 0b1_0, 5.e3, 5., .5, 1_0.5e1_0", "<31> , <2> , <5000.0> , <5.0> , <0.5> , <105000000000.0>"},
		{"0x1__f", "!0:'0x1__f' is not a number"},
		{"0x__1", "!0:'0x__1' is not a number"},
		{"1_", "!0:'1_' is not a number"},
		{"1e_5", "!0:'1e_5' is not a number"},
	} {
		if got := tokens(python, c.text); got != c.want {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
}

func TestPartOfText(t *testing.T) {
	s := Scanner{Syntax: yay, Text: "ab 'cd'", Pos: 1, End: 5}
	var got Token
	if s.Next(&got); got.Text != "b" || got.End != 2 {
		t.Errorf("the name is %+v", got)
	}
	if s.Next(&got); got.Kind != Bad || got.Start != 3 || got.End != 5 {
		t.Errorf("the string that goes on after the end is %+v", got)
	}
}
