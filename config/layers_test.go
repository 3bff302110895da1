package config_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/big"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

type refusing struct{}

func (refusing) MarshalText() ([]byte, error) { return nil, errors.New("not today") }

type readOnly struct{}

func (*readOnly) UnmarshalText([]byte) error { return nil }

func TestAddData(t *testing.T) {
	type named string
	type point struct {
		X int
		Y int `yaml:"why,omitempty"`
	}
	type all struct {
		point
		At    time.Time
		Wait  time.Duration
		Skip  int `yaml:"-"`
		Empty *point
		Rest  map[string]int `yaml:",inline"`
	}
	tests := []struct {
		data any
		want string // as Python writes it, or the words of an error
	}{
		{nil, "None"}, {true, "True"}, {-5, "-5"}, {uint64(math.MaxUint64), "18446744073709551615"}, {uint8(3), "3"},
		{1.5, "1.5"}, {float32(0.1), "0.1"}, {"x", "'x'"}, {named("x"), "'x'"}, {"{{ x }}", "'{{ x }}'"},
		{big.NewInt(7), "7"}, {*big.NewInt(7), "7"}, {json.Number("1.5"), "1.5"}, {json.Number("x"), "not a number"},
		{90 * time.Second, "'1m30s'"}, {time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), "'2024-05-01T00:00:00Z'"},
		{netip.MustParseAddr("10.0.0.1"), "'10.0.0.1'"}, {refusing{}, "not today"}, {readOnly{}, "no MarshalText"},
		{[]int{1, 2}, "[1, 2]"}, {[2]string{"a", "b"}, "['a', 'b']"}, {[]any{}, "[]"}, {[]int(nil), "[]"},
		{map[string]int{"b": 1, "a": 2}, "{'a': 2, 'b': 1}"}, {map[int]string{10: "x", 9: "y"}, "{9: 'y', 10: 'x'}"},
		{map[any]any{"z": 1, 2: 2, true: 3, 1.5: 4, "10": 5}, "{True: 3, 1.5: 4, 2: 2, '10': 5, 'z': 1}"},
		{map[any]int{1: 1, int8(1): 2}, `two keys are "1"`}, {map[[1]int]int{{1}: 1}, "a list cannot be a key"},
		{map[netip.Addr]int{netip.MustParseAddr("10.0.0.1"): 1}, "{'10.0.0.1': 1}"},
		{point{X: 1}, "{'x': 1}"}, {&point{1, 2}, "{'x': 1, 'why': 2}"}, {(*point)(nil), "None"},
		{all{point: point{X: 1}, Wait: time.Second, Rest: map[string]int{"r": 1}}, "{'x': 1, 'at': '0001-01-01T00:00:00Z', 'wait': '1s', 'empty': None, 'r': 1}"},
		{all{Rest: map[string]int{"x": 1}}, `two keys are "x"`},
		{value.ListOf(value.Int(1), value.String("x")), "[1, 'x']"},
		{[]value.Value{value.Null}, "[None]"},
		{func() {}, "type func() has no representation"}, {[]any{complex(1, 2)}, "complex128"}, {"\xff", "UTF-8"},
		{endless(), "contains itself"},
	}
	for _, test := range tests {
		c := layered(t)
		err := c.Add(map[string]any{"v": test.data})
		if err != nil {
			wantFinding(t, test.want, err, source.Usage, test.want)
			continue
		}
		v, err := c.Get("v").Value()
		if err != nil {
			t.Errorf("%v: %v", test.data, err)
			continue
		}
		if got, _ := value.Repr(v); got != test.want {
			t.Errorf("Add(%#v) = %s, want %s", test.data, got, test.want)
		}
	}
}

// endless returns data that contains itself.
func endless() any {
	l := []any{nil}
	l[0] = l
	return l
}

// TestAddedIsDecoded: a struct that is added is equal after decoding.
func TestAddedIsDecoded(t *testing.T) {
	type part struct {
		Names []string
		Sizes map[string]float64
	}
	type whole struct {
		part
		Addr  netip.Addr
		Wait  time.Duration
		Deep  *part `yaml:"deeper"`
		Count uint64
		Flags [3]bool
	}
	in := whole{
		part: part{Names: []string{"a", "{{ b }}"}, Sizes: map[string]float64{"x": 0.5}},
		Addr: netip.MustParseAddr("::1"), Wait: time.Hour, Count: math.MaxUint64, Flags: [3]bool{true, false, true},
		Deep: &part{Names: []string{}, Sizes: map[string]float64{}},
	}
	c := layered(t)
	if err := c.Add(in); err != nil {
		t.Fatal(err)
	}
	var out whole
	if err := c.Get().DecodeStrict(&out); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal([]any{in, in.Names, in.Sizes})
	b, _ := json.Marshal([]any{out, out.Names, out.Sizes})
	if string(a) != string(b) {
		t.Errorf("%s was added, %s decoded", a, b)
	}
}

func TestAddedValue(t *testing.T) {
	dict := value.NewMap(2)
	dict.Set(value.K("z"), value.Int(1))
	dict.Set(value.K("a"), value.String("s").Mark(value.Secret))
	c := layered(t)
	if err := c.Add(value.FromMap(dict)); err != nil {
		t.Fatal(err)
	}
	if keys, err := c.Get().Keys(); strings.Join(keys, " ") != "z a" || err != nil {
		t.Errorf("keys %v, %v: a value keeps its order", keys, err)
	}
	if got, err := c.Get("a").SafeText(); got != "*****" || err != nil {
		t.Errorf("a = %q, %v", got, err)
	}
	var n config.Node = c.Get("z")
	if at := n.At(); !at.IsZero() {
		t.Errorf("data of the program has the place %v", at)
	}
}

func TestEnv(t *testing.T) {
	vars := map[string]string{"APP_SERVER__PORT": "81", "APP_HOSTS__0": "a", "APP_KEY": "from env", "OTHER_KEY": "other"}
	c := config.New(context.Background(), yaytpl.Options{
		NoEnv:   true,
		Environ: func() []string { return slices.Sorted(maps.Keys(vars)) },
		Getenv:  func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		Defines: []string{"defined=1"},
	})
	if err := c.LoadText("site.yaml", "server: {Port: 80}\nkey: a\nlast: a\n"); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(config.Env("APP_")); err != nil {
		t.Fatal(err)
	}
	if err := c.Add(m{"last": "b"}); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"server": m{"Port": int64(81)}, "key": "from env", "last": "b", "hosts": []any{"a"}, "defined": int64(1)})
	if at := c.Get("server.Port").At().String(); at != "APP_SERVER__PORT:1:1" {
		t.Errorf("at %s", at)
	}

	vars["APP_KEY"] = "changed"
	if err := c.Reload(); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Get("key").Text(); got != "changed" || err != nil {
		t.Errorf("after Reload: %q, %v", got, err)
	}
	vars["APP_KEY__"] = "x"
	if err := c.Reload(); err != nil {
		t.Fatal(err)
	}
	_, err := c.Get("key").Text("default")
	wantFinding(t, "a bad name", err, source.Usage, "APP_KEY__ names no key")
	wantFinding(t, "no prefix", c.Add(config.Env("")), source.Usage, "needs a prefix")
	c.Clear()
	wantData(t, c, m{"defined": int64(1)})

	c = config.New(context.Background(), yaytpl.Options{
		EnvPrefix: "OTHER_", Defines: []string{"b=3"},
		Environ: func() []string { return []string{"OTHER_KEY", "OTHER_B"} },
		Getenv:  func(name string) (string, bool) { return "2", true },
	})
	if err := c.Add(m{"key": 1, "b": 1}); err != nil {
		t.Fatal(err)
	}
	wantData(t, c, m{"key": int64(2), "b": int64(3)})
}

func TestFS(t *testing.T) {
	fsys := fstest.MapFS{
		"conf/site.yaml":      {Data: []byte("+include: parts/web.yaml\nname: site\nport: 80\n")},
		"conf/parts/web.yaml": {Data: []byte("web: {port: \"{{ port }}\"}\n+include: ../more.yaml\n")},
		"conf/more.yaml":      {Data: []byte("more: 1\n")},
		"over.yay":            {Data: []byte("name: over\n")},
		"bad.yaml":            {Data: []byte("a: [\n")},
		"two.yaml":            {Data: []byte("a: 1\n---\nb: 1\n")},
		"out.yaml":            {Data: []byte("+include: ../../etc/passwd.yaml\n")},
		"gone.yaml":           {Data: []byte("+include: nothing.yaml\n")},
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte("+include: part.yaml\nport: 81\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "part.yaml"), []byte("real: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := config.New(context.Background(), yaytpl.Options{Dir: dir, NoEnv: true})
	for _, step := range []func() error{
		func() error { return c.Add(config.FS(fsys, "conf/site.yaml", "over.yay")) },
		func() error { return c.Load("site.yaml") },
		func() error {
			return c.Add(config.FS(fstest.MapFS{"site.yaml": {Data: []byte("second: 2\n")}}, "site.yaml"))
		},
		func() error { return c.LoadText("text.yaml", "+include: part.yaml\n") },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	want := m{"name": "over", "port": int64(81), "web": m{"port": int64(81)}, "more": int64(1), "real": int64(1), "second": int64(2)}
	wantData(t, c, want)
	for path, at := range map[string]string{"more": "conf/more.yaml:1:7", "second": "site.yaml:1:9", "name": "over.yay:1:7"} {
		if got := filepath.ToSlash(c.Get(path).At().String()); got != at {
			t.Errorf("%s is at %s, want %s", path, got, at)
		}
	}
	fsys["conf/more.yaml"] = &fstest.MapFile{Data: []byte("more: 2\n")}
	if err := c.Reload(); err != nil {
		t.Fatal(err)
	}
	want["more"] = int64(2)
	wantData(t, c, want)

	for _, bad := range []struct {
		name, words string
		code        source.Code
	}{
		{"bad.yaml", "", source.Syntax},
		{"two.yaml", "2 documents", source.BadDocument},
		{"none.yaml", "no such file: none.yaml", source.Access},
		{"conf", "", source.Access},
		{"../x.yaml", "no name of a file", source.Usage},
		{"/x.yaml", "no name of a file", source.Usage},
	} {
		err := c.Add(config.FS(fsys, "conf/site.yaml", bad.name))
		if d := source.AsDiagnostic(err, source.Span{}, ""); err == nil || d.Code != bad.code || !strings.Contains(d.Message, bad.words) {
			t.Errorf("%s: %v", bad.name, err)
		}
		wantData(t, c, want)
	}
	wantFinding(t, "no names", c.Add(config.FS(fsys)), source.Usage, "needs the names")
	for name, code := range map[string]source.Code{"out.yaml": source.Forbidden, "gone.yaml": source.MissingInclude} {
		c := config.New(context.Background(), yaytpl.Options{Dir: dir})
		if err := c.Add(config.FS(fsys, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Resolve(); err == nil || source.Findings(err)[0].Code != code {
			t.Errorf("%s: %v, want %s", name, err, code)
		}
	}
}
