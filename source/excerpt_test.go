package source_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
)

func ExampleDiagnostic_WriteText() {
	f := source.NewFile("site.yay", "host: {{ name }}\nname: {{ host }}\n")
	d := source.Errorf(f.Span(9, 13), source.Cycle, "%q needs itself", "host")
	d.Note(f.Span(26, 30), `"name" reads "host" here`).WithHint("break the cycle")
	d.WriteText(os.Stdout, source.TextStyle{})
	// Output:
	// site.yay:1:10: error: "host" needs itself [cycle]
	//     1 | host: {{ name }}
	//       |          ^^^^ break the cycle
	// site.yay:2:10: note: "name" reads "host" here
}

func ExampleDiagnostic_MarshalJSON() {
	f := source.NewFile("site.yaml", "port: x\n")
	d := source.Errorf(f.Span(6, 7), source.BadType, "a < b & c")
	b, _ := d.MarshalJSON()
	os.Stdout.Write(b)
	// Output:
	// {"severity":"error","kind":"bad-type","message":"a < b & c","file":"site.yaml","line":1,"col":7,"endLine":1,"endCol":8}
}

func TestWriteText(t *testing.T) {
	secret := source.NewFile("s.yaml", "pw: hunter2\n")
	secret.Secret = true
	long := source.NewFile("l.yaml", strings.Repeat("a", 500)+"BAD"+strings.Repeat("b", 500))
	main := source.NewFile("main.yaml", "a:\n  +include: x\n")
	tests := []struct {
		rule string
		d    *source.Diagnostic
		want string
	}{
		{"no place", source.Errorf(source.Span{}, source.Usage, "no FILE").WithHint("name one"), "error: no FILE [usage]\n  hint: name one\n"},
		{"warning", source.Warnf(source.NewFile("a", "x").Span(0, 1), "", "odd"), "a:1:1: warning: odd\n    1 | x\n      | ^\n"},
		{"tabs stay", source.Errorf(source.NewFile("a", "\tkey: v").Span(6, 7), "", "m"), "a:1:7: error: m\n    1 | \tkey: v\n      | \t     ^\n"},
		{"wide characters take two columns", source.Errorf(source.NewFile("a", "日本: 語").Span(8, 11), "", "m"), "a:1:5: error: m\n    1 | 日本: 語\n      |       ^^\n"},
		{"at the end of the text", source.Errorf(source.NewFile("a", "x:\n").Span(3, 3), "", "m"), "a:2:1: error: m\n    2 | \n      | ^\n"},
		{"carets end with the line", source.Errorf(source.NewFile("a", "x: y\nz").Span(3, 6), "", "m"), "a:1:4: error: m\n    1 | x: y\n      |    ^\n"},
		{"a byte order mark has no width", source.Errorf(source.NewFile("a", "\uFEFFxy").Span(4, 5), "", "m"), "a:1:2: error: m\n    1 | xy\n      |  ^\n"},
		{"secret text is not shown", source.Errorf(secret.Span(4, 11), "", "m"), "s.yaml:1:5: error: m\n"},
		{"long lines are cut", source.Errorf(long.Span(500, 503), "", "m"), "l.yaml:1:501: error: m\n    1 | …" + strings.Repeat("a", 80) + "BAD" + strings.Repeat("b", 77) + "…\n      | " + strings.Repeat(" ", 81) + "^^^\n"},
		{"control characters are not sent", source.Errorf(source.NewFile("a", "\x1b[2J").Span(1, 2), "", "\x1bm"), "a:1:2: error: \uFFFDm\n    1 | \uFFFD[2J\n      |  ^\n"},
		{"includes", &source.Diagnostic{Message: "m", Includes: []source.Span{main.Span(5, 13)}}, "error: m\n  included from main.yaml:2:3\n"},
	}
	for _, tt := range tests {
		var b strings.Builder
		if err := tt.d.WriteText(&b, source.TextStyle{}); err != nil || b.String() != tt.want {
			t.Errorf("%s: WriteText = %q, %v, want %q", tt.rule, b.String(), err, tt.want)
		}
	}
}

func TestWriteTextColor(t *testing.T) {
	d := source.Errorf(source.NewFile("a", "x").Span(0, 1), "", "m")
	var b strings.Builder
	if err := d.WriteText(&b, source.TextStyle{Color: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[1ma:1:1:\x1b[0m ", "\x1b[1;31merror\x1b[0m: m", "\x1b[1;31m^\x1b[0m"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("WriteText with colour = %q, want it to contain %q", b.String(), want)
		}
	}
}

func TestMarshalJSON(t *testing.T) {
	f := source.NewFile("a.yaml", "é: 1\nb: 2\n")
	d := source.Warnf(f.Span(3, 7), source.Suspicious, "m").Note(source.Span{}, "n").WithHint("h")
	d.Includes = []source.Span{f.Span(0, 1)}
	tests := []struct {
		rule string
		d    *source.Diagnostic
		want string
	}{
		{"everything, columns in characters", d, `{"severity":"warning","kind":"suspicious","message":"m","file":"a.yaml","line":1,"col":3,"endLine":2,"endCol":2,"notes":[{"message":"n"}],"includes":["a.yaml:1:1"],"hint":"h"}`},
		{"no place", source.Errorf(source.Span{}, source.Usage, "m"), `{"severity":"error","kind":"usage","message":"m"}`},
	}
	for _, tt := range tests {
		got, err := json.Marshal(tt.d)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: Marshal = %s, %v, want %s", tt.rule, got, err, tt.want)
		}
	}
}

func FuzzWriteText(f *testing.F) {
	f.Add("a: \t日本\r\nb", 3, 7)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		d := source.Errorf(source.NewFile("f", text).Span(start, end), "x", "m").WithHint("h")
		var b strings.Builder
		if err := d.WriteText(&b, source.TextStyle{Width: 40}); err != nil || strings.Count(b.String(), "\n") != 3 {
			t.Errorf("WriteText(%q, %d, %d) = %q, %v, want three lines", text, start, end, b.String(), err)
		}
	})
}

// A quoted text may be long. The words of the message are before and after it.
func TestLongMessagesAreShortened(t *testing.T) {
	word := strings.Repeat("é", 5000)
	d := source.Errorf(source.Span{}, source.Syntax, "the word %q is none", word).WithHint("not %s", word)
	d.Note(source.Span{}, "see %s there", word)
	var text strings.Builder
	if err := d.WriteText(&text, source.TextStyle{}); err != nil {
		t.Fatal(err)
	}
	b, err := d.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{text.String(), string(b), d.Error()} {
		if len(shown) > 4000 || !utf8.ValidString(shown) || !strings.Contains(shown, "é…é") || !strings.Contains(shown, " is none") {
			t.Errorf("%d bytes: %s", len(shown), shown)
		}
	}
}

// A line that may hold a secret is not shown, whatever the finding is about.
func TestLinesWithSecrets(t *testing.T) {
	for line, shown := range map[string]bool{
		"pw: {eval: {sensitive: hunter2}}":    false,
		"pw: \"{{ 'hunter2' | sensitive }}\"": false,
		"pw: !vault hunter2":                  false,
		"case-sensitive: yes":                 true,
		"insensitive: yes":                    true,
		"pw: x":                               true,
	} {
		d := source.Errorf(source.NewFile("a.yaml", "x: 1\n"+line+"\n").Span(5, 7), source.BadValue, "wrong").WithHint("right")
		var out strings.Builder
		if err := d.WriteText(&out, source.TextStyle{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), line); got != shown || !strings.Contains(out.String(), "right") {
			t.Errorf("%s: %s", line, out.String())
		}
	}
}

// TestEscaped: a line for people has escapes in place of characters that a terminal acts on.
func TestEscaped(t *testing.T) {
	for line, want := range map[string]string{
		"a\tb ü 漢 👩": "a\tb ü 漢 👩", "x\x7fy": `x\u007fy`, "\x1b[31mx": `\u001b[31mx`, "a\u0085b\u009b": `a\u0085b\u009b`,
		"\u202ea\u2069\u200f": `\u202ea\u2069\u200f`, "a\nb\r": `a\nb\u000d`, "a\u2028": `a\u2028`, "\xffa\xe2\x80": `\xffa\xe2\x80`,
	} {
		if got := source.Escaped(line); got != want {
			t.Errorf("%q is shown as %q, want %q", line, got, want)
		}
	}
}
