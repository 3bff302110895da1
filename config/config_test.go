package config_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// layered returns a configuration whose layers are texts in YAML.
func layered(t testing.TB, texts ...string) *config.Config {
	t.Helper()
	c := config.New(context.Background(), yaytpl.Options{NoEnv: true})
	for i, text := range texts {
		if err := c.LoadText(fmt.Sprintf("layer%d.yaml", i+1), text); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// wantFinding checks that err is one finding with a code and words in its message.
func wantFinding(t *testing.T, what string, err error, code source.Code, words string) {
	t.Helper()
	found := source.Findings(err)
	if len(found) != 1 || found[0].Code != code || !strings.Contains(found[0].Message, words) {
		t.Errorf("%s: error %v, want one of code %s with %q", what, err, code, words)
	}
}

// wantData checks the data of the whole configuration.
func wantData(t *testing.T, c *config.Config, want any) {
	t.Helper()
	if got, err := c.Resolve(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Resolve() = %#v, %v; want %#v", got, err, want)
	}
}

type m = map[string]any

func TestLayersOfConfig(t *testing.T) {
	c := layered(t)
	wantData(t, c, m{})
	if err := c.LoadText("a.yaml", "a: {x: 1, y: 2}\nl: [1]\nn: {z: 1}\n"); err != nil {
		t.Fatal(err)
	}
	if err := c.LoadReader("b.json", strings.NewReader(`{"a": {"y": 3}, "t": "{{ a.x + a.y }}"}`)); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(m{"l": []int{7}, "n": nil, "a": m{"w": "{{ not a template }}"}}); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{
		"a": m{"x": int64(1), "y": int64(3), "w": "{{ not a template }}"},
		"l": []any{int64(7)}, "n": nil, "t": int64(4),
	})
	if err := c.LoadText("d.yaml", "a: {x: 10}\nn: {q: 1}\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Get("t").Int(); got != 13 || err != nil {
		t.Errorf("t = %v, %v over another layer", got, err)
	}
	if got, err := c.Get("n").Map(); !reflect.DeepEqual(got, m{"q": int64(1)}) {
		t.Errorf("n = %v, %v", got, err)
	}
	c.Clear()
	wantData(t, c, m{})
}

func TestConfigFiles(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	site := write(dir, "site.yaml", "+include: base.yaml\nport: 1\n")
	write(dir, "base.yaml", "port: 80\nhost: a\n")
	env := write(other, "env.json", `{"host": "b"}`)
	bad := write(other, "bad.yaml", "a: [\n")
	two := write(other, "two.yaml", "a: 1\n---\na: 2\n")

	c, err := config.Load(context.Background(), []string{site}, yaytpl.Options{Defines: []string{"extra=true"}, NoEnv: true})
	if err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"port": int64(1), "host": "a", "extra": true})
	if err := c.Load(env); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"port": int64(1), "host": "b", "extra": true})

	wantFinding(t, "a file that is not there", c.Load(filepath.Join(dir, "none.yaml")), source.Access, "none.yaml")
	wantFinding(t, "one of two is bad", c.Load(env, bad), source.Syntax, "")
	wantFinding(t, "two documents", c.Load(two), source.BadDocument, "2 documents")
	wantData(t, c, m{"port": int64(1), "host": "b", "extra": true})

	write(dir, "base.yaml", "port: 80\nhost: a\nnew: 1\n")
	wantData(t, c, m{"port": int64(1), "host": "b", "extra": true})
	if err := c.Reload(); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"port": int64(1), "host": "b", "extra": true, "new": int64(1)})
	write(other, "env.json", `{`)
	if c.Reload() == nil {
		t.Error("Reload of a broken file succeeds")
	}
	wantData(t, c, m{"port": int64(1), "host": "b", "extra": true, "new": int64(1)})
	if _, err := config.Load(context.Background(), []string{bad}, yaytpl.Options{}); err == nil {
		t.Error("Load of a broken file succeeds")
	}
}

// TestConfigReloadKeepsTheRest: layers of texts and data keep their positions.
func TestConfigReloadKeepsTheRest(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.yaml")
	if err := os.WriteFile(file, []byte("a: 1\nb: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := layered(t, "a: 0\nc: 0\n")
	if err := c.Load(file); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(m{"b": 2}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("a: 3\nb: 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Reload(); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"a": int64(3), "b": int64(2), "c": int64(0)})
}

func TestConfigStandardInputAndValues(t *testing.T) {
	dir := t.TempDir()
	top := filepath.Join(dir, "top.yaml")
	if err := os.WriteFile(top, []byte("a: top\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(context.Background(), []string{"-"}, yaytpl.Options{Dir: dir, Values: []string{top}, Stdin: strings.NewReader("a: 1\nb: 1\n")})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Add(m{"a": 2}); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"a": "top", "b": int64(1)})
	if err := c.Reload(); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"a": "top", "b": int64(1)})
}

func TestRefusedLayers(t *testing.T) {
	tests := []struct {
		name  string
		load  func(*config.Config) error
		code  source.Code
		words string
	}{
		{"syntax", func(c *config.Config) error { return c.LoadText("a.yaml", "a: [\n") }, source.Syntax, ""},
		{"not UTF-8", func(c *config.Config) error { return c.LoadText("a.yaml", "a: \xff\n") }, source.Syntax, "UTF-8"},
		{"several documents", func(c *config.Config) error { return c.LoadText("a.yaml", "a: 1\n---\nb: 1\n") }, source.BadDocument, "2 documents"},
		{"broken reader", func(c *config.Config) error { return c.LoadReader("a.yaml", iotest.ErrReader(io.ErrUnexpectedEOF)) }, source.Access, "EOF"},
		{"too long", func(c *config.Config) error {
			return c.LoadReader("a.yaml", strings.NewReader(strings.Repeat("#", 200)))
		}, source.Limit, "100 bytes"},
		{"a list", func(c *config.Config) error { return c.Add([]int{1}) }, source.Usage, "[]int"},
		{"nil", func(c *config.Config) error { return c.Add(nil) }, source.Usage, "nil"},
		{"a channel", func(c *config.Config) error { return c.Add(m{"a": m{"b": []any{make(chan int)}}}) }, source.Usage, "a.b[0]"},
	}
	for _, test := range tests {
		c := config.New(context.Background(), yaytpl.Options{Limits: graph.Limits{Bytes: 100}})
		if err := c.Add(m{"kept": 1}); err != nil {
			t.Fatal(err)
		}
		wantFinding(t, test.name, test.load(c), test.code, test.words)
		wantData(t, c, m{"kept": int64(1)})
	}
}

// A limit may be the greatest number there is.
func TestGreatestLimit(t *testing.T) {
	c := config.New(context.Background(), yaytpl.Options{Limits: graph.Limits{Bytes: math.MaxInt}})
	if err := c.LoadReader("a.yaml", strings.NewReader("a: 1\n")); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"a": int64(1)})
}

// The error of a second document has its place.
func TestPlaceOfSecondDocument(t *testing.T) {
	d := source.AsDiagnostic(config.New(context.Background(), yaytpl.Options{}).LoadText("a.yaml", "a: 1\n---\nb: 1\n"), source.Span{}, source.Internal)
	if got := d.At.String(); got != "a.yaml:3:1" {
		t.Errorf("the place is %s", got)
	}
}

func TestBadDefine(t *testing.T) {
	c := config.New(context.Background(), yaytpl.Options{Defines: []string{"nothing"}})
	if err := c.Add(m{"a": 1}); err != nil {
		t.Fatal(err)
	}
	_, err := c.Get("a").Int(5)
	wantFinding(t, "a bad definition", err, source.Usage, "PATH=VALUE")
}

func TestNavigation(t *testing.T) {
	c := layered(t, "network:\n  proxy: {type: socks, port: 8000}\n  allowed: [127.0.0.1, 10.0.0.1]\n80: n\n\"81\": s\nalias: '{{ network }}'\nnil:\nbroken: '{{ 1 + [] }}'\nundefined: '{{ nothing }}'\n1.5: f\ntrue: t\n")
	tests := []struct {
		keys []any
		want string // of a text, or the start of a code
		path string
	}{
		{[]any{"network", "allowed", 0}, "127.0.0.1", "network.allowed[0]"},
		{[]any{"network", "allowed", -1}, "10.0.0.1", "network.allowed[-1]"},
		{[]any{"network", "allowed", "1"}, "10.0.0.1", "network.allowed.1"},
		{[]any{"network", "allowed", uint8(1)}, "10.0.0.1", "network.allowed[1]"},
		{[]any{"alias", "proxy", "type"}, "socks", "alias.proxy.type"},
		{[]any{80}, "n", "[80]"},
		{[]any{"80"}, "n", "80"},
		{[]any{81}, "s", "[81]"},
		{[]any{"1.5"}, "f", "1.5"},
		{[]any{"true"}, "t", "true"},
		{[]any{value.Key{Text: "true", Kind: value.BoolKind}}, "t", `"true"`},
		{[]any{"network", "allowed", 2}, "no-matching", "network.allowed[2]"},
		{[]any{"network", "allowed", -3}, "no-matching", "network.allowed[-3]"},
		{[]any{"network", "allowed", uint64(1) << 63}, "no-matching", "network.allowed[9223372036854775808]"},
		{[]any{"network", "no"}, "no-matching", "network.no"},
		{[]any{"no", "way", 3}, "no-matching", "no.way[3]"},
		{[]any{"network", "allowed", "first"}, "type", "network.allowed.first"},
		{[]any{"network", "proxy", "type", "x"}, "type", "network.proxy.type.x"},
		{[]any{"nil", "x"}, "type", "nil.x"},
		{[]any{"broken", "x"}, "bad-type", "broken.x"},
		{[]any{"undefined"}, "undefined", "undefined"},
		{[]any{"undefined", "x"}, "undefined", "undefined.x"},
		{[]any{1.5}, "usage", "."},
		{[]any{nil, "x"}, "usage", "x"},
	}
	for _, test := range tests {
		n := c.Get(test.keys...)
		if n.Path() != test.path || fmt.Sprint(n) != test.path {
			t.Errorf("Get(%v).Path() = %s, printed as %v, want %s", test.keys, n.Path(), n, test.path)
		}
		got, err := n.Text()
		if err != nil {
			got = string(source.Findings(err)[0].Code)
		}
		if got != test.want {
			t.Errorf("Get(%v).Text() = %q, %v; want %q", test.keys, got, err, test.want)
		}
		missing := test.want == "no-matching"
		if errors.Is(err, config.NoMatching) != missing {
			t.Errorf("Get(%v): errors.Is(%v, NoMatching) = %t", test.keys, err, !missing)
		}
		if missing && !errors.Is(err, source.ErrMissing) {
			t.Errorf("Get(%v): errors.Is(%v, ErrMissing) = false", test.keys, err)
		}
		got, err = n.Text("default")
		if missing != (got == "default" && err == nil) {
			t.Errorf("Get(%v).Text(default) = %q, %v", test.keys, got, err)
		}
		exists, err := n.Exists()
		if exists != (got != "default" && err == nil) {
			t.Errorf("Get(%v).Exists() = %t, %v", test.keys, exists, err)
		}
	}
	if got := c.Get("network").Get("allowed").Get(0).Path(); got != "network.allowed[0]" {
		t.Errorf("step by step: %s", got)
	}
	if c.Get().Path() != "." || c.Get().Key() != "" || c.Get("a", 3).Key() != "3" {
		t.Error("the root has a name, or an item has none")
	}
}

// TestNodesAreIndependent: nodes made from one node share no keys.
func TestNodesAreIndependent(t *testing.T) {
	n := layered(t, "a: {b: {c: 1, d: 2}}\n").Get("a", "b")
	x, y := n.Get("c"), n.Get("d")
	for node, want := range map[*config.Node]int{&x: 1, &y: 2} {
		if got, err := node.Int(); got != want || err != nil {
			t.Errorf("%v = %v, %v; want %d", node, got, err, want)
		}
	}
}

func TestNearKey(t *testing.T) {
	_, err := layered(t, "network: {proxy: 1}\nl: [1, 2]\n").Get("network", "prxoy").Int()
	d := source.Findings(err)[0]
	if d.Hint != `did you mean "proxy"?` || d.At.String() != "layer1.yaml:1:10" {
		t.Errorf("%v with hint %q", d, d.Hint)
	}
	_, err = layered(t, "l: [1, 2]\n").Get("l", 2).Int()
	if d := source.Findings(err)[0]; d.Hint != "the list has 2 items, [0] to [1]" {
		t.Errorf("%v with hint %q", d, d.Hint)
	}
}

func TestNodeOfNoConfig(t *testing.T) {
	var n config.Node
	_, err := n.Get("a").Int(1)
	wantFinding(t, "the zero Node", err, source.Usage, "Config.Get")
	if n.Path() != "." || n.Get("a").Path() != "a" || !n.At().IsZero() {
		t.Error("the zero Node has a path or a place")
	}
	wantFinding(t, "the zero Node", n.Decode(&n), source.Usage, "Config.Get")
}

func TestKind(t *testing.T) {
	c := layered(t, "i: 1\nf: 1.5\ns: x\nb: true\nn:\nl: []\nm: {}\nt: '{{ [1] }}'\n")
	for key, want := range map[string]value.Kind{
		"i": value.IntKind, "f": value.FloatKind, "s": value.StringKind, "b": value.BoolKind,
		"n": value.NullKind, "l": value.ListKind, "m": value.MapKind, "t": value.ListKind,
	} {
		if got, err := c.Get(key).Kind(); got != want || err != nil {
			t.Errorf("%s is %v, %v; want %v", key, got, err, want)
		}
	}
	_, err := c.Get("none").Kind()
	wantFinding(t, "nothing", err, source.NoMatching, "none")
}

func TestPlace(t *testing.T) {
	c := layered(t, "proxy:\n  type: http\n  port: 80\nlist:\n- a\n- b: 1\nshown: '{{ proxy }}'\nmade: '{{ [1, {\"k\": 2}] }}'\nbad: {x: '{{ nothing }}'}\n", "proxy:\n  type: socks\n")
	if err := c.Add(m{"host": 1}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		keys []any
		want string
	}{
		{[]any{"proxy", "type"}, "layer2.yaml:2:9"},
		{[]any{"proxy", "port"}, "layer1.yaml:3:9"},
		{[]any{"proxy"}, "layer2.yaml:2:3"},
		{[]any{"list", 0}, "layer1.yaml:5:3"},
		{[]any{"list", 1, "b"}, "layer1.yaml:6:6"},
		{[]any{"shown"}, "layer1.yaml:7:8"},
		{[]any{"shown", "port"}, "layer1.yaml:3:9"},
		{[]any{"made"}, "layer1.yaml:8:7"},
		{[]any{"made", 1, "k"}, "layer1.yaml:8:7"},
		{[]any{"bad", "x"}, "layer1.yaml:9:10"},
		{[]any{"bad", "x", "y"}, "layer1.yaml:9:10"},
		{[]any{"proxy", "port", "x"}, "layer1.yaml:3:9"},
		{[]any{"host"}, ""},
		{[]any{"none"}, ""},
		{[]any{"proxy", "none"}, ""},
		{[]any{1.5}, ""},
	}
	for _, test := range tests {
		n := c.Get(test.keys...)
		if got := n.At().String(); got != test.want {
			t.Errorf("%v is at %q, want %q", n, got, test.want)
		}
		file, line, col := n.Position()
		if test.want == "" {
			if file != "" || line != 0 || col != 0 {
				t.Errorf("%v is at %s:%d:%d, want nowhere", n, file, line, col)
			}
		} else if got := fmt.Sprintf("%s:%d:%d", file, line, col); got != test.want {
			t.Errorf("%v is at %s, want %s", n, got, test.want)
		}
	}
}

func TestIteration(t *testing.T) {
	c := layered(t, "l: [a, b, '{{ nothing }}', c]\nm: {x: 1, y: '{{ nothing }}', 3: z}\ns: text\nempty: []\n")
	var got []string
	for n, err := range c.Get("l").Items() {
		if err != nil {
			t.Fatal(err)
		}
		s, err := n.Text()
		got = append(got, n.Path()+"="+s)
		if err != nil {
			break
		}
	}
	for n, err := range c.Get("m").Entries() {
		if err != nil {
			t.Fatal(err)
		}
		s, _ := n.Text()
		got = append(got, n.Key()+"="+s)
	}
	for range c.Get("empty").Items() {
		t.Error("an empty list has an item")
	}
	if want := "[l[0]=a l[1]=b l[2]= x=1 y= 3=z]"; fmt.Sprint(got) != want {
		t.Errorf("items and entries %v, want %s", got, want)
	}
	if keys, err := c.Get("m").Keys(); fmt.Sprint(keys) != "[x y 3]" || err != nil {
		t.Errorf("keys %v, %v", keys, err)
	}
	for key, want := range map[string]int{"l": 4, "m": 3, "empty": 0} {
		if n, err := c.Get(key).Len(); n != want || err != nil {
			t.Errorf("%s has length %d, %v", key, n, err)
		}
	}
}

func TestIterationOfOthers(t *testing.T) {
	c := layered(t, "l: [a]\nm: {x: 1}\ns: text\nbad: '{{ 1 + [] }}'\n")
	only := func(seq func(func(config.Node, error) bool)) (err error) {
		n := 0
		for _, err = range seq {
			n++
		}
		if n != 1 {
			t.Errorf("%d steps, want one with the error", n)
		}
		return err
	}
	wantFinding(t, "items of a map", only(c.Get("m").Items()), source.WrongType, "expected list, but m is a mapping")
	wantFinding(t, "items of a text", only(c.Get("s").Items()), source.WrongType, "list")
	wantFinding(t, "items of nothing", only(c.Get("none").Items()), source.NoMatching, "none")
	wantFinding(t, "items of an error", only(c.Get("bad").Items()), source.BadType, "")
	wantFinding(t, "entries of a list", only(c.Get("l").Entries()), source.WrongType, "expected mapping, but l is a list")
	wantFinding(t, "entries of nothing", only(c.Get("none").Entries()), source.NoMatching, "none")
	_, err := c.Get("l").Keys()
	wantFinding(t, "keys of a list", err, source.WrongType, "mapping")
	_, err = c.Get("s").Len()
	wantFinding(t, "length of a text", err, source.WrongType, "list or mapping")
}

func TestResolve(t *testing.T) {
	c := layered(t, "i: 1\nbig: 123456789012345678901234567890\nf: 1.5\ns: x\nb: true\nn:\nl: [1, [2]]\nm: {80: a}\nt: '{{ i + 1 }}'\n")
	big1, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	wantData(t, c, m{
		"i": int64(1), "big": big1, "f": 1.5, "s": "x", "b": true, "n": nil,
		"l": []any{int64(1), []any{int64(2)}}, "m": m{"80": "a"}, "t": int64(2),
	})
	v, err := c.Value()
	if s, rerr := value.Repr(v); err != nil || rerr != nil || !strings.HasPrefix(s, "{'i': 1, 'big': 1234") || !strings.HasSuffix(s, "'t': 2}") {
		t.Errorf("Value() = %s, %v, %v", s, err, rerr)
	}
	list := layered(t, "[1, 2]\n")
	wantData(t, list, []any{int64(1), int64(2)})
	if got, err := list.Get(1).Int(); got != 2 || err != nil {
		t.Errorf("item of a root list: %d, %v", got, err)
	}
	wantData(t, layered(t, "# nothing\n"), m{})
}

func TestResolveFailures(t *testing.T) {
	_, err := layered(t, "a: '{{ x }}'\nb: [1, '{{ 1 + [] }}']\nc: ok\n").Resolve()
	if found := source.Findings(err); len(found) != 2 {
		t.Errorf("findings %v, want 2", found)
	}
	_, err = layered(t, "80: a\n\"80\": b\n").Resolve()
	wantFinding(t, "two keys", err, source.BadKey, `"80"`)
	_, err = layered(t, "a: 1\n").Get("b").Resolve()
	wantFinding(t, "nothing", err, source.NoMatching, `"b"`)
	_, err = layered(t, "a: {b: '{{ x }}'}\n").Get("a").Map(nil)
	wantFinding(t, "an error inside", err, source.Undefined, "x")
}

// TestDefaultsDoNotHideMissingFiles: a missing file is another error than a missing key.
func TestDefaultsDoNotHideMissingFiles(t *testing.T) {
	c := layered(t, "a:\n  +include: none.yaml\n  b: 1\n")
	_, err := c.Get("a", "c").Text("default")
	wantFinding(t, "a missing include", err, source.MissingInclude, "none.yaml")
	if errors.Is(err, config.NoMatching) {
		t.Errorf("errors.Is(%v, NoMatching)", err)
	}
}

func TestLimitsOfConfig(t *testing.T) {
	c := config.New(context.Background(), yaytpl.Options{Limits: graph.Limits{Steps: 1000}})
	if err := c.LoadText("a.yaml", "a: '{% for i in range(100000) %}{{ i }}{% endfor %}'\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get("a").Text("default"); !errors.Is(err, source.ErrLimit) {
		t.Errorf("error %v, want a limit", err)
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	late := config.New(ctx, yaytpl.Options{})
	if err := late.LoadText("a.yaml", "a: '{% for i in range(100000) %}{{ i }}{% endfor %}'\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := late.Get("a").Text(); !errors.Is(err, source.ErrLimit) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that the time is up", err)
	}
}

func TestWarningsOfConfig(t *testing.T) {
	var got []string
	c := config.New(context.Background(), yaytpl.Options{Lenient: true, Warn: func(d *source.Diagnostic) { got = append(got, d.Error()) }})
	if err := c.LoadText("a.yaml", "a: 1\na: 2\n"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		wantData(t, c, m{"a": int64(2)})
	}
	if len(got) != 1 || !strings.Contains(got[0], "duplicate-key") {
		t.Errorf("warnings %v, want one of a duplicate key", got)
	}
}

// TestConfigFromGoroutines reads and changes a configuration from many goroutines.
func TestConfigFromGoroutines(t *testing.T) {
	c := layered(t, "a: {b: [1, '{{ c }}']}\nc: 3\n")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				if got, err := c.Get("a", "b", 1).Int(); got != 3 || err != nil {
					t.Errorf("a.b[1] = %d, %v", got, err)
				}
				for n, err := range c.Get("a", "b").Items() {
					if _, ierr := n.Int(); err != nil || ierr != nil {
						t.Error(err, ierr)
					}
				}
			}
			if err := c.Add(m{fmt.Sprint("k", i): i}); err != nil {
				t.Error(err)
			}
			if _, err := c.Resolve(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n, err := c.Get().Len(); n != 10 || err != nil {
		t.Errorf("%d keys, %v; want 10", n, err)
	}
}

func TestEval(t *testing.T) {
	c := layered(t, "net: {ports: [80, 443], host: web}\nlist: [{n: a, v: 1}, {n: b, v: 2}]\ni: 1\n")
	tests := []struct{ expression, want, path string }{
		{"::net::host", "web", "::net::host"},
		{"::list::[n=b]::v", "2", "::list::[n=b]::v"},
		{"{{ net.ports[i - 1] }}", "80", "{{ net.ports[i - 1] }}"},
		{"{{ net.ports | sum }} in all", "523 in all", "{{ net.ports | sum }} in all"},
		{"{eval: {add: [1, {eval: ::i}]}}", "2", "{eval: {add: [1, {eval: ::i}]}}"},
		{"::net::no", "no-matching", "::net::no"},
		{"{{ nothing }}", "undefined", "{{ nothing }}"},
		{"{eval: ", "syntax", "{eval: "},
	}
	for _, test := range tests {
		n := c.Eval(test.expression)
		got, err := n.Text()
		if err != nil {
			got = string(source.Findings(err)[0].Code)
		}
		if got != test.want || n.Path() != test.path {
			t.Errorf("Eval(%q) = %q, %v at %s; want %q", test.expression, got, err, n.Path(), test.want)
		}
		if missing := test.want == "no-matching"; errors.Is(err, config.NoMatching) != missing {
			t.Errorf("Eval(%q): errors.Is(%v, NoMatching) = %t", test.expression, err, !missing)
		}
	}
	n := c.Eval("::net").Get("ports", 1)
	if got, err := n.Int(); got != 443 || err != nil || n.Path() != "(::net).ports[1]" || n.At().String() != "layer1.yaml:1:19" {
		t.Errorf("%v = %d, %v at %v", n, got, err, n.At())
	}
	if got := c.Eval("::list").Get(0, "n").Path(); got != "(::list)[0].n" {
		t.Errorf("path below an expression: %s", got)
	}
	if got, err := c.Eval("::net::no").Int(7); got != 7 || err != nil {
		t.Errorf("default of an expression: %d, %v", got, err)
	}
	if got, err := c.Eval("::list::v").List(); fmt.Sprint(got) != "[1 2]" || err != nil {
		t.Errorf("several matches: %v, %v", got, err)
	}
	if err := c.Add(m{"i": 2}); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Eval("{{ net.ports[i - 1] }}").Int(); got != 443 || err != nil {
		t.Errorf("with another layer: %d, %v", got, err)
	}
}

// TestMissingAtTop: a missing key of the root has no place, since it is missing in all layers.
func TestMissingAtTop(t *testing.T) {
	c := config.New(t.Context(), yaytpl.Options{Defines: []string{"size=1"}})
	if err := c.LoadText("a.yaml", "name: x\n"); err != nil {
		t.Fatal(err)
	}
	_, err := c.Get("nmae").Int()
	if want := `no "nmae" in the configuration [no-matching]`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if hint := source.Findings(err)[0].Hint; hint != `did you mean "name"?` {
		t.Errorf("hint %q", hint)
	}
}
