package template

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

func TestReadLiteral(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"42", "42"}, {"-5", "-5"}, {"+5", "5"}, {"- 5", "-5"}, {"1_000", "1000"}, {"0x1F", "31"}, {"0o17", "15"},
		{"0b101", "5"}, {"0", "0"}, {"00", "0"}, {"1.5", "1.5"}, {"1.10", "1.10"}, {".5", ".5"}, {"5.", "5."},
		{"1e3", "1e3"}, {"1E-2", "1E-2"}, {"1_0.5", "10.5"}, {"-1.5", "-1.5"},
		{"123456789012345678901234567890", "123456789012345678901234567890"},
		{"True", "True"}, {"False", "False"}, {"None", "None"},
		{"[]", "[]"}, {"()", "[]"}, {"{}", "{}"}, {"[1, 2,]", "[1, 2]"}, {"(1, 2)", "[1, 2]"}, {"(1)", "1"},
		{"(1,)", "[1]"}, {"1, 2", "[1, 2]"}, {"1,", "[1]"}, {"[1,\n 2]", "[1, 2]"}, {"\n5", "5"}, {"5 ", "5"},
		{"{'a': 1, 2: [None]}", "{'a': 1, 2: [None]}"}, {`["a\n\x41\u00e9", 'b' "c"]`, `['a\nAé', 'bc']`},
		{"[(1, 2), {'k': (3,)}]", "[[1, 2], {'k': [3]}]"}, {`['''a"b''']`, `['a"b']`},
		{"0x_1f", "31"}, {"5.e3", "5.e3"}, {"[1.10, -1.10, + 1.10, 1.5]", "[1.10, -1.10, 1.1, 1.5]"}, {"{1: (2.0e3,)}", "{1: [2.0e3]}"}, {"1_0.10", "10.1"}, {"[1\n,2], 3\t,4", "[[1, 2], 3, 4]"}, {"['''a\nb''', 'c\\\nd']", `['a\nb', 'cd']`},
		{`["\ud83d\ude00", '\\N']`, `['😀', '\\N']`},
	} {
		v, ok, _ := readLiteral(c.text, nil)
		if !ok {
			t.Errorf("readLiteral(%q) is no literal, want %s", c.text, c.want)
			continue
		}
		if got, err := value.Repr(v); err != nil || got != c.want {
			t.Errorf("readLiteral(%q) = %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}

func TestReadLiteralLeavesText(t *testing.T) {
	for _, text := range []string{
		"", " 5", "\n 5", "true", "null", "007", "10.0.0.1", "2024-01-02", "3-1", "1 + 1", "'quoted'", `"a" "b"`, "1__0", "_1",
		"1_", "0x", "0xg", "0b2", "1e", "1e+", "e5", ".", "-", "--5", "1.5.2", "1e999", "12e4567", "{1, 2}", "[1", "[1}", "(1",
		"[,]", "1,,2", "{1}", "{[]: 1}", "Truex", "None None", "1 2", "b'x'", "[b'x']", "['a]", `['\x4']`, "5 # five", "1:30", "1m",
		"0x1__f", "0x__1", "1e_5", "1, 2\n, 3", "['a\nb']", `['\N{DIGIT ONE}']`, strings.Repeat("[", 201) + strings.Repeat("]", 201),
		strings.Repeat("[", 100_000), strings.Repeat("9", 100_000), strings.Repeat("9", 4301), "-None", "-[1]", "nan", "inf", "[a]",
	} {
		if v, ok, _ := readLiteral(text, nil); ok {
			got, _ := value.Repr(v)
			t.Errorf("readLiteral(%.40q) = %s, want text", text, got)
		}
	}
}

func TestLiteralKeepsSpelling(t *testing.T) {
	for _, c := range []struct{ text, want string }{{"1.10", "1.10"}, {"-2.50", "-2.50"}, {"1e3", "1e3"}} {
		v, _, _ := readLiteral(c.text, nil)
		if s := v.Source(); s == nil || s.Spelling != c.want {
			t.Errorf("readLiteral(%q) has the source %+v, want the spelling %q", c.text, s, c.want)
		}
	}
	for _, text := range []string{"1_0.5", "5", "[1.10]"} {
		if v, _, _ := readLiteral(text, nil); v.Source() != nil {
			t.Errorf("readLiteral(%q) has a spelling, which YAML would read otherwise", text)
		}
	}
}

func FuzzReadLiteral(f *testing.F) {
	for _, s := range []string{"42", "[1, (2,), {'a': None}]", "'a' \"b\"", "1e-5", "{'a': {1: '''x'''}}", "0x_1f", "['\\N{x}\\u12', 1.5j]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok, _ := readLiteral(text, nil)
		if !ok || !utf8.ValidString(text) {
			return
		}
		written, err := value.Repr(v)
		if err != nil {
			t.Fatalf("Repr of literal %q: %v", text, err)
		}
		if v.Is(value.FloatKind) || v.Is(value.StringKind) {
			return
		}
		again, ok, _ := readLiteral(written, nil)
		if eq, err := value.Equal(v, again); !ok || err != nil || !eq {
			t.Errorf("literal %q is written %q, which reads differently", text, written)
		}
	})
}

// A bounded refuses more steps than it has.
type bounded struct{ left int }

var errEnough = errors.New("enough")

func (b *bounded) Step(n int) error {
	if b.left -= n; b.left < 0 {
		return errEnough
	}
	return nil
}

func TestReadingALiteralIsCharged(t *testing.T) {
	for _, text := range []string{"[" + strings.Repeat("1,", 100_000) + "]", strings.Repeat("(),", 100_000), "{" + strings.Repeat("1: [],", 100_000) + "}"} {
		if _, ok, err := readLiteral(text, &bounded{100_000}); ok || err != errEnough {
			t.Errorf("readLiteral(%.10q...) = %v, %v, want the error of the charge", text, ok, err)
		}
		if _, ok, err := readLiteral(text, nil); !ok || err != nil {
			t.Errorf("readLiteral(%.10q...) = %v, %v, want a value", text, ok, err)
		}
	}
}

func BenchmarkReadLiteral(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"int", "8080"}, {"float", "1.10"}, {"version", "1.10.3-rc1"}, {"address", "10.0.0.1"}, {"word", "True"}, {"text", "http://a/"},
		{"ints", "[" + strings.Repeat("1234, ", 1000) + "]"},
		{"texts", "[" + strings.Repeat("'eight 8\\n', 'nine', ", 500) + "]"},
		{"maps", "[" + strings.Repeat("{'a': 1, 'b': [None, 1.5]}, ", 300) + "]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := readLiteral(c.text, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
