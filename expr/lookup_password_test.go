package expr

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// evalText evaluates an expression to a text; it fails with the error as text.
func evalText(t *testing.T, e *testEnv, text string) (string, string) {
	t.Helper()
	n, err := ParseJinja(text, Nowhere{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := Eval(n, e.scope())
	if err != nil {
		return "", err.Error()
	}
	if v.Is(value.StringKind) && v.Marks()&value.Secret == 0 && strings.HasPrefix(text, "lookup('password'") {
		t.Errorf("%s is no secret", text)
	}
	return v.Str(), ""
}

func TestPasswordsAreKept(t *testing.T) {
	e := newEnv(t, "{}")
	e.host.files["/doc/old"] = "of old salt=abcdefgh\n"
	first, err := evalText(t, e, "lookup('password', 'made length=12 chars=ascii_lowercase,5')")
	if len(first) != 12 || strings.Trim(first, "abcdefghijklmnopqrstuvwxyz5") != "" || err != "" {
		t.Errorf("made %q, %s", first, err)
	}
	if got := e.host.files["/doc/made"]; got != first+"\n" {
		t.Errorf("the file has %q", got)
	}
	for _, text := range []string{"lookup('password', 'made')", "lookup('password', 'made', length=3, seed=1)"} {
		if again, _ := evalText(t, e, text); again != first {
			t.Errorf("%s = %q, not %q", text, again, first)
		}
	}
	if old, _ := evalText(t, e, "lookup('password', 'old')"); old != "of old" {
		t.Errorf("read %q", old)
	}
	if len(e.host.files["/dev/null"]) != 0 {
		t.Error("wrote /dev/null")
	}
}

func TestPasswordOptions(t *testing.T) {
	e := newEnv(t, "{}")
	e.host.files["/doc/short"] = "x salt=abc\n"
	for _, c := range []struct{ text, want, err string }{
		{"lookup('password', '/dev/null length=4 chars=x')", "xxxx", ""},
		{"lookup('password', '/dev/null', length=2, chars=['z'])", "zz", ""},
		{"lookup('password', '/dev/null length=3 chars=,,')", ",,,", ""},
		{`lookup('password', '/dev/null', length=2, chars='"y\'')`, "yy", ""},
		{"lookup('password', '/dev/null length=8 chars=digits seed=s') == lookup('password', '/dev/null', chars='digits', length=8, seed='s')", "", ""},
		{"lookup('password')", "", "needs the name of a file"},
		{"lookup('password', 'length=3')", "", "needs the name of a file"},
		{"lookup('password', '/dev/null length=0')", "", `from 1 to 4096, not "0"`},
		{"lookup('password', '/dev/null length=4097')", "", "from 1 to 4096"},
		{"lookup('password', '/dev/null', chars='')", "", "has no characters"},
		{"lookup('password', '/dev/null', chars=['\\n'])", "", "cannot have the character"},
		{"lookup('password', '/dev/null', chars=3)", "", "is a string or a list of strings"},
		{"lookup('password', '/dev/null size=3')", "", `has no option "size"`},
		{"lookup('password', '/dev/null encrypt=md4')", "", `unknown hash "md4"`},
		{"lookup('password', '/dev/null encrypt=md5 ident=2b')", "", "is for encrypt=bcrypt"},
		{"lookup('password', '/dev/null encrypt=bcrypt ident=2c')", "", `unknown ident "2c"`},
		{"lookup('password', 'short encrypt=bcrypt')", "", "less than the 22 characters"},
	} {
		got, err := evalText(t, e, c.text)
		if got != c.want || c.err != "" && !strings.Contains(err, c.err) || c.err == "" && err != "" {
			t.Errorf("%s = %q, %s; want %q, %s", c.text, got, err, c.want, c.err)
		}
	}
}

func TestPasswordSalts(t *testing.T) {
	for in, want := range map[string]storedPassword{
		"a b\n": {"a b", "", ""}, "a salt=b": {"a", "b", ""}, "a salt=b salt=c \n": {"a salt=b", "c", ""}, "a salt=b ident=2b\n": {"a", "b", "2b"},
	} {
		e := newEnv(t, "{}")
		e.host.files["/doc/f"] = in
		c := lookupCall{caller: caller{s: e.scope()}, name: "password", chosen: new(value.Marks)}
		got, found, err := c.readPassword("f")
		if got != want || !found || err != nil {
			t.Errorf("%q is read as %+v, %v, %v", in, got, found, err)
		}
		if want.ident+want.salt != "" && strings.TrimSpace(in) != strings.TrimSpace(got.line()) {
			t.Errorf("%q is written as %q", in, got.line())
		}
	}
}
