package overlay

import (
	"errors"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestEditEnv(t *testing.T) {
	set := func(name, text string) roundtrip.Edit {
		return roundtrip.Edit{Op: roundtrip.Set, Path: value.Path{value.K(name)}, Value: value.String(text)}
	}
	remove := roundtrip.Edit{Op: roundtrip.Delete, Path: value.Path{value.K("A")}}
	rename := func(to string) roundtrip.Edit {
		return roundtrip.Edit{Op: roundtrip.Rename, Path: value.Path{value.K("A")}, Key: value.K(to)}
	}
	tests := []struct {
		text string
		edit roundtrip.Edit
		want string
	}{
		{"A=1  # main\nB=2\n", set("A", "81"), "A=81  # main\nB=2\n"},
		{"A=1", set("A", "a b"), `A="a b"`},
		{"A=1", set("A", "a#b"), `A="a#b"`},
		{"A=1\n", set("A", ""), "A=\n"},
		{`A="x" # c`, set("A", "y$\"\\`\n"), `A="y\$\"\\\` + "`" + "\n\" # c"},
		{"A='x'", set("A", `a$b"`), `A='a$b"'`},
		{"A=1\nB=2\n", set("A", "x\n\ty\n"), "A=\"x\n\ty\n\"\nB=2\n"},
		{"A=1\r\n", set("A", "x\ny"), "A=\"x\r\ny\"\r\n"},
		{"A=1\n", set("N", "x\r\ny"), "A=1\nN=\"x\\r\\ny\"\n"},
		{"A='x'", set("A", "it's"), `A="it's"`},
		{"A= # c\n", set("A", "5"), "A=5 # c\n"},
		{"A=#c\n", set("A", "5"), "A=5 #c\n"},
		{"A=\nB=\n", set("A", "5"), "A=5\nB=\n"},
		{"export A = 1\n", set("A", "5"), "export A = 5\n"},
		{"A='x\ny'\nB=1\n", set("A", "z"), "A='z'\nB=1\n"},
		{"\ufeffA=1\n", set("A", "2"), "\ufeffA=2\n"},
		{"", set("N", "1"), "N=1\n"},
		{"A=1", set("N", "1"), "A=1\nN=1"},
		{"A=1\r\nB=2", set("N", "1"), "A=1\r\nB=2\r\nN=1"},
		{"export A=1\n", set("N", "1"), "export A=1\nexport N=1\n"},
		{"A=1\r\n", set("N", "1"), "A=1\r\nN=1\r\n"},
		{"A=1\n", set("N M", "1"), ""},
		{"A=1\n", set("9", "1"), ""},
		{"# c\nexport A=\"x\ny\" # d\nB=1\n", remove, "# c\nB=1\n"},
		{"B=1\nA=1", remove, "B=1"},
		{"B=1\r\nA=1", remove, "B=1"},
		{"A=1\nB=1", remove, "B=1"},
		{"A=1 # c\n", rename("B"), "B=1 # c\n"},
		{"A=1\nB=2\n", rename("B"), ""},
		{"A=1\n", rename("x y"), ""},
		{"A=1\n", roundtrip.Edit{Op: roundtrip.Append, Path: value.Path{value.K("A")}}, ""},
		{"A=1\n", roundtrip.Edit{Op: roundtrip.Set, Path: value.Path{value.K("A")}, Value: value.Int(1)}, ""},
	}
	for _, tt := range tests {
		got, err := patchEnv([]roundtrip.Edit{tt.edit}, source.NewFile("a.env", tt.text), yaml.ParseOptions{})
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%q: %q, %v, want %q", tt.text, got, err, tt.want)
		}
		var refusal *source.Refusal
		if err != nil && !errors.As(err, &refusal) {
			t.Errorf("%q: %v is no refusal", tt.text, err)
		}
	}
}

// FuzzEditEnv sets a value in any text: reading the result gives the value, and the others stay.
func FuzzEditEnv(f *testing.F) {
	f.Add("A=1 # c\nexport B='x\ny'\nC= #d\n", "A", "a b")
	f.Add("A=\"\\n\"\r\n", "A", "$x\n'")
	f.Add("", "N", "#")
	f.Fuzz(func(t *testing.T, text, name, s string) {
		file := source.NewFile("a.env", text)
		before, err := envRoot(file, yaml.ParseOptions{})
		if err != nil {
			return
		}
		edit := roundtrip.Edit{Op: roundtrip.Set, Path: value.Path{value.K(name)}, Value: value.String(s)}
		got, err := patchEnv([]roundtrip.Edit{edit}, file, yaml.ParseOptions{})
		if err != nil {
			return
		}
		after, err := envRoot(source.NewFile("a.env", got), yaml.ParseOptions{})
		if err != nil {
			t.Fatalf("%q cannot be read: %v", got, err)
		}
		want := map[string]string{}
		for _, e := range before.Entries {
			want[e.Key.Text] = e.Value.Value.Str()
		}
		if want[name] = s; !holdsEnv(after, want) {
			t.Errorf("%q, set %q to %q: %q", text, name, s, got)
		}
	})
}
