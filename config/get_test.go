package config_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// The path of Get is that of the command line: the exact key wins over its split.
func TestPaths(t *testing.T) {
	c := layered(t, "db: {pool: 5, host.name: h}\na.b: exact\na: {b: split, c: {d.e: deep}}\nl: [{name: x, v: 1}, {name: y, v: 2}, {name: y}]\n\"/k\": slash\n\"\": empty\n\"x[0]\": bracket\nx: [0]\n")
	for _, test := range []struct {
		path []any
		want string // a text, or a code and words of the message
	}{
		{[]any{"db.pool"}, "5"},
		{[]any{"db.host.name"}, "h"},
		{[]any{"db", "host.name"}, "h"},
		{[]any{"db", "host", "name"}, `no-matching: no "host" in db`},
		{[]any{"a.b"}, "exact"},
		{[]any{"a", "b"}, "split"},
		{[]any{"a::b"}, "split"},
		{[]any{"/a/b"}, "split"},
		{[]any{`a."b"`}, "split"},
		{[]any{value.K("a.b")}, "exact"},
		{[]any{"a.c.d.e"}, "deep"},
		{[]any{"a.c", "d.e"}, "deep"},
		{[]any{"l[0].v"}, "1"},
		{[]any{"l.1.v"}, "2"},
		{[]any{"l", -2, "v"}, "2"},
		{[]any{"l[-3].name"}, "x"},
		{[]any{"l[name=x].v"}, "1"},
		{[]any{"l[name=z].v"}, "no-matching: no [name=z] in l"},
		{[]any{"l[name=y].v"}, "not-found: items 1 and 2 of l both match"},
		{[]any{"db[name=y].v"}, "type: expected list, but db is a mapping"},
		{[]any{value.K("/k")}, "slash"},
		{[]any{value.K("")}, "empty"},
		{[]any{value.K("x[0]")}, "bracket"},
		{[]any{"x[0]"}, "0"},
		{[]any{"db.pol"}, `no-matching: no "pol" in db`},
		{[]any{"db."}, "syntax: ends in a dot"},
		{[]any{"x["}, "syntax: the \"[\" is never closed"},
		{[]any{".", "db", "", "pool"}, "5"},
	} {
		n := c.Get(test.path...)
		got, err := n.Text()
		if err != nil {
			d := source.Findings(err)[0]
			got = string(d.Code) + ": " + d.Message
		}
		if got != test.want && !(err != nil && sameError(got, test.want)) {
			t.Errorf("Get(%v) = %q, want %q", test.path, got, test.want)
		}
		missing := strings.HasPrefix(test.want, "no-matching")
		if got, err := n.Text("default"); (got == "default") != missing || missing && err != nil {
			t.Errorf("Get(%v) with a default: %q, %v", test.path, got, err)
		}
	}
	if _, err := c.Get("db.pol").Int(); source.Findings(err)[0].Hint != `did you mean "pool"?` {
		t.Errorf("%v has no hint", err)
	}
}

// sameError reports whether got begins with the code of want and has its words.
func sameError(got, want string) bool {
	code, words, _ := strings.Cut(want, ": ")
	return strings.HasPrefix(got, code+": ") && strings.Contains(got, words)
}

func TestGetAs(t *testing.T) {
	c := layered(t, "n: 5\ntext: five\nnull_: null\nlist: [1, 2]\nlabels: {a: b}\nwait: 2s\non: yes\nquoted: \"true\"\nserver: {port: 1}\nbroken: \"{{ nothing }}\"\n")
	type server struct{ Host, Port any }
	check := func(name string, got, want any, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %#v, %v; want %#v", name, got, err, want)
		}
	}
	n, err := config.Get(c, "n", 7)
	check("n", n, 5, err)
	n, err = config.Get(c, "none.deep", 7)
	check("none", n, 7, err)
	f, err := config.Get[float64](c, "n")
	check("float", f, 5.0, err)
	l, err := config.Get[[]int](c, "list")
	check("list", l, []int{1, 2}, err)
	m, err := config.Get(c, "labels", map[string]string{"default": "x"})
	check("labels", m, map[string]string{"a": "b"}, err)
	d, err := config.Get(c, "wait", time.Second)
	check("wait", d, 2*time.Second, err)
	p, err := config.Get[*int](c, "null_", nil)
	check("null as a pointer", p, (*int)(nil), err)
	a, err := config.Get[any](c, "null_", 1)
	check("null as any", a, nil, err)
	s, err := config.Get(c, "server", server{Host: "default"})
	check("server", s, server{Port: int64(1)}, err)
	b, err := config.Get[bool](c, "quoted")
	check("quoted", b, true, err)
	n, err = config.Get(c.Get("server"), "port", 7)
	check("below a node", n, 1, err)

	_, err = config.Get[int](c, "none")
	if !errors.Is(err, config.NoMatching) {
		t.Errorf("without a default: %v", err)
	}
	for _, wrong := range []struct {
		path string
		code source.Code
	}{{"text", source.WrongType}, {"null_", source.WrongType}, {"list", source.WrongType}, {"text.deep", source.WrongType}, {"broken", source.Undefined}, {"a[", source.Syntax}} {
		got, err := config.Get(c, wrong.path, 7)
		if err == nil || got != 0 || source.Findings(err)[0].Code != wrong.code || wrong.code != source.Syntax && source.Findings(err)[0].At.File.Name != "layer1.yaml" {
			t.Errorf("%s: %v, %v; want an error of %s with a place, not the default", wrong.path, got, err, wrong.code)
		}
	}
	_, err = config.Get(c, "on", false)
	if err == nil || !strings.Contains(source.Findings(err)[0].Hint, "YAML 1.1") {
		t.Errorf("on: %v", err)
	}
}

// Words that YAML 1.1 takes for booleans are texts, and no text is a boolean.
func TestBoolOfText(t *testing.T) {
	c := layered(t, "a: yes\nb: \"false\"\nc: Off\nd: other\ne: ''\npw: !vault yes\nt: true\n")
	for key, hint := range map[string]string{"a": "write true", "b": "without quotes", "c": "write false", "d": "", "e": "", "pw": ""} {
		_, err := c.Get(key).Bool(true)
		d := source.AsDiagnostic(err, source.Span{}, "")
		if err == nil || d.Code != source.WrongType || !strings.Contains(d.Hint, hint) || hint == "" && d.Hint != "" || d.At.IsZero() {
			t.Errorf("%s: %v with hint %q", key, err, d.Hint)
		}
	}
	if got, err := c.Get("t").Bool(); !got || err != nil {
		t.Errorf("true: %t, %v", got, err)
	}
}

type shared struct {
	ID    int
	Level string
}

type tagged struct {
	shared
	Both    int `yaml:"y" json:"j"`
	JSON    int `json:"from_json,omitempty"`
	Mixed   int `yaml:",omitempty" json:"mixed_name"`
	MaxConn int
	Skip    int `json:"-"`
	//lint:ignore SA5008 encoding/json takes "-," as the key "-"
	Dash  int `json:"-,"`
	Level int // hides that of shared
	Sub   struct {
		X int
	} `json:"sub,inline"`
}

// The key of a field is its yaml tag, else its json tag, else its own name in any letter case.
func TestFieldKeys(t *testing.T) {
	var s tagged
	c := layered(t, "id: 1\ny: 2\nj: 9\nfrom_json: 3\nmixed_name: 4\nmaxConn: 5\nSkip: 9\n\"-\": 6\nlevel: 7\nx: 8\n")
	if err := c.Decode(&s); err != nil {
		t.Fatal(err)
	}
	want := tagged{shared: shared{ID: 1}, Both: 2, JSON: 3, Mixed: 4, MaxConn: 5, Dash: 6, Level: 7}
	want.Sub.X = 8
	if s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	if err := c.DecodeStrict(&s); len(source.Findings(err)) != 2 || !strings.Contains(err.Error(), `"j"`) || !strings.Contains(err.Error(), `"Skip"`) {
		t.Errorf("strictly: %v", err)
	}

	for text, want := range map[string]int{"maxConn: 1": 1, "MAXCONN: 1": 1, "maxconn: 1\nMAXCONN: 2": 1, "MaxConn: 1\nmaxconn: 2": 1, "max_conn: 1": 0} {
		var s struct{ MaxConn int }
		if err := layered(t, text+"\n").Decode(&s); err != nil || s.MaxConn != want {
			t.Errorf("%q: %d, %v", text, s.MaxConn, err)
		}
	}
	var one struct{ MaxConn int }
	wantFinding(t, "two keys", layered(t, "maxConn: 1\nMAXCONN: 2\n").Decode(&one), source.BadKey, "in other letter case")
	var exact struct {
		Port int `yaml:"port"`
	}
	if err := layered(t, "Port: 1\n").Decode(&exact); err != nil || exact.Port != 0 {
		t.Errorf("a tag is taken as it is: %d, %v", exact.Port, err)
	}
}

// Data of the program has the same keys; what is empty and may be omitted is.
func TestAddFieldKeys(t *testing.T) {
	c := config.New(t.Context(), yaytpl.Options{})
	err := c.Add(struct {
		shared
		A     []int          `json:"a,omitempty"`
		B     map[string]int `yaml:"b,omitempty"`
		C     *int           `json:"c,omitempty"`
		D     time.Time      `json:"d,omitzero"`
		E     []int          `json:"e"`
		Level int
	}{shared: shared{ID: 1}, A: []int{}, B: map[string]int{}, E: []int{}, Level: 2})
	if err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"id": int64(1), "e": []any{}, "level": int64(2)})
}

// What lists or copies a whole map leaves private keys out; a path that leads to one finds it.
func TestPrivateKeys(t *testing.T) {
	c := layered(t, "+private: [versions]\nversions: {web: 12}\nimage: \"web:{{ versions.web }}\"\nsub: {+private: [a], a: 1, b: 2}\n")
	wantData(t, c, m{"image": "web:12", "sub": m{"b": int64(2)}})
	if got, err := config.Get[int](c, "versions.web"); got != 12 || err != nil {
		t.Errorf("versions.web = %d, %v", got, err)
	}
	var s struct {
		Image    string
		Versions map[string]int
		Sub      map[string]any
	}
	if err := c.DecodeStrict(&s); err != nil || s.Versions != nil || len(s.Sub) != 1 || s.Image != "web:12" {
		t.Errorf("%+v, %v", s, err)
	}
	if keys, err := c.Get().Keys(); strings.Join(keys, " ") != "image sub" || err != nil {
		t.Errorf("keys %v, %v", keys, err)
	}
	if n, err := c.Get("sub").Len(); n != 1 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
	v, err := c.Value()
	if keys := v.Map().Len(); keys != 2 || err != nil {
		t.Errorf("Value has %d keys, %v", keys, err)
	}
}
