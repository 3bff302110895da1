package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

type Base struct {
	Name string
	Tags []string `yaml:"labels"`
}

type limits struct {
	CPU float32 `yaml:"cpu"`
}

type hidden struct{ Level int }

type server struct {
	Base    `yaml:",inline"`
	*limits `yaml:"limits"`
	hidden
	Port    uint16
	Host    *string
	Timeout time.Duration
	Addr    netip.Addr
	Since   time.Time
	Size    big.Int
	Weight  json.Number
	Any     any
	Raw     value.Value
	Pair    [2]int
	Env     map[string]string
	ByPort  map[int]bool `yaml:"by_port"`
	Skipped string       `yaml:"-"`
	private int
	Debug   bool
	Kept    string
	Rest    map[string]any `yaml:",inline"`
}

func TestDecodeStruct(t *testing.T) {
	c := layered(t, `
name: web
labels: [a, '{{ name }}']
level: 3
port: '{{ 79 + 1 }}'
host: h
timeout: 1m30s
addr: 10.0.0.1
since: 2024-05-01T10:00:00Z
size: 123456789012345678901234567890
weight: 1.5
any: {k: [1]}
raw: 1.50
pair: [1, 2]
env: {A: 1, B: x}
by_port: {80: true, 443: false}
skipped: no
private: 7
debug: true
extra: 1
more: [x]
`)
	s := server{Kept: "kept", Env: map[string]string{"Z": "z"}}
	if err := c.Decode(&s); err != nil {
		t.Fatal(err)
	}
	size, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	checks := []struct {
		name      string
		got, want any
	}{
		{"Name", s.Name, "web"}, {"Tags", s.Tags, []string{"a", "web"}}, {"Level", s.Level, 3},
		{"limits", s.limits, (*limits)(nil)}, {"Port", s.Port, uint16(80)}, {"Host", *s.Host, "h"},
		{"Timeout", s.Timeout, 90 * time.Second}, {"Addr", s.Addr, netip.MustParseAddr("10.0.0.1")},
		{"Since", s.Since, time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)}, {"Size", s.Size.Cmp(size), 0},
		{"Weight", s.Weight, json.Number("1.5")}, {"Any", s.Any, m{"k": []any{int64(1)}}},
		{"Raw", s.Raw.Source().Spelling, "1.50"}, {"Pair", s.Pair, [2]int{1, 2}},
		{"Env", s.Env, map[string]string{"A": "1", "B": "x", "Z": "z"}}, {"ByPort", s.ByPort, map[int]bool{80: true, 443: false}},
		{"Skipped", s.Skipped, ""}, {"private", s.private, 0}, {"Debug", s.Debug, true}, {"Kept", s.Kept, "kept"},
		{"Rest", s.Rest, m{"skipped": "no", "private": int64(7), "extra": int64(1), "more": []any{"x"}}},
	}
	for _, check := range checks {
		if !reflect.DeepEqual(check.got, check.want) {
			t.Errorf("%s = %#v, want %#v", check.name, check.got, check.want)
		}
	}
}

// TestDecodeValues decodes one value into one type.
func TestDecodeValues(t *testing.T) {
	type inner struct{ X, Y int }
	type list struct {
		V    int
		Next *list
	}
	tests := []struct {
		yaml string
		into any // what it is before
		want any // or the code of an error
	}{
		{"5", new(int8), int8(5)}, {"128", new(int8), source.WrongType}, {"-1", new(uint), source.WrongType},
		{"2.0", new(int), 2}, {"2.5", new(int), source.WrongType}, {`"7"`, new(int), 7}, {`"7.0"`, new(int), 7}, {"true", new(int), source.WrongType},
		{".inf", new(int), source.WrongType}, {"18446744073709551615", new(uint64), uint64(1<<64 - 1)}, {"18446744073709551616", new(uint64), source.WrongType},
		{"1", new(float64), 1.0}, {`"1.5"`, new(float32), float32(1.5)}, {"x", new(float64), source.WrongType},
		{"1e300", new(float32), source.WrongType}, {"-.inf", new(float32), float32(math.Inf(-1))}, {"1" + strings.Repeat("0", 400), new(float64), source.WrongType},
		{"1.50", new(string), "1.50"}, {"0x10", new(string), "0x10"}, {"[]", new(string), source.WrongType},
		{"true", new(bool), true}, {`"false"`, new(bool), false}, {"1", new(bool), true}, {"0", new(bool), false},
		{"2", new(bool), source.WrongType}, {"maybe", new(bool), source.WrongType}, {`""`, new(bool), source.WrongType},
		{"250ms", new(time.Duration), 250 * time.Millisecond}, {"5", new(time.Duration), source.WrongType}, {"0", new(time.Duration), time.Duration(0)}, {"0.0", new(time.Duration), source.WrongType}, {"false", new(time.Duration), source.WrongType}, {"soon", new(time.Duration), source.WrongType},
		{"10.0.0.300", new(netip.Addr), source.BadValue}, {"{}", new(netip.Addr), source.WrongType}, {"x", new(big.Int), source.WrongType}, {"x", new(json.Number), source.WrongType},
		{"1.50", new(json.Number), json.Number("1.50")}, {"1e400", new(json.Number), json.Number("1e400")}, {"0x10", new(json.Number), json.Number("16")}, {"+1", new(json.Number), json.Number("1")},
		{"'1.50'", new(json.Number), json.Number("1.5")}, {"true", new(json.Number), json.Number("1")}, {".inf", new(json.Number), source.WrongType}, {".nan", new(json.Number), source.WrongType},
		{"[1, 2]", new([]int), []int{1, 2}}, {"[]", new([]int), []int{}}, {"{}", new([]int), source.WrongType}, {"[1]", new([2]int), source.WrongType},
		{"{a: 1}", new(map[string]int), map[string]int{"a": 1}}, {"[1]", new(map[string]int), source.WrongType}, {"{a: 1}", new(map[int]int), source.WrongType},
		{"{80: 1, '80': 2}", new(map[string]int), source.BadKey}, {"{80: a}", new(map[any]any), map[any]any{int64(80): "a"}},
		{"{10.0.0.1: a}", new(map[netip.Addr]string), map[netip.Addr]string{netip.MustParseAddr("10.0.0.1"): "a"}},
		{"{x: 1}", &inner{X: 5, Y: 6}, inner{X: 1, Y: 6}}, {"{X: 1}", new(inner), inner{X: 1}}, {"text", new(inner), source.WrongType},
		{"{v: 1, next: {v: 2}}", new(list), list{V: 1, Next: &list{V: 2}}},
		{"null", &[]int{1}, []int(nil)}, {"null", &map[string]int{}, map[string]int(nil)}, {"null", ptr(any(1)), any(nil)}, {"null", ptr(7), 7}, {"null", ptr(new(int)), (*int)(nil)},
		{"3", ptr((*int)(nil)), ptr(3)}, {"[[1], [2, 3]]", new([][]int), [][]int{{1}, {2, 3}}},
		{"[x, 1, null]", new([]any), []any{"x", int64(1), nil}}, {"x", new(fmt.Stringer), source.Usage}, {"x", new(chan int), source.Usage}, {"1", new(complex128), source.Usage},
		{"'{{ nothing }}'", new(string), source.Undefined}, {"[1, '{{ nothing }}']", new([]int), source.Undefined}, {"['{{ nothing }}']", new(any), source.Undefined},
		{"'{{ nothing }}'", new(value.Value), source.Undefined}, {"['{{ nothing }}']", new(value.Value), source.Undefined},
		{"x", new(struct {
			A int
			B int `yaml:"a"`
		}), source.Usage},
		{"x", new(struct {
			A int `yaml:",inline"`
		}), source.Usage},
		{"x", new(struct {
			*list `yaml:",inline"`
		}), source.Usage},
	}
	for _, test := range tests {
		err := layered(t, "v: "+test.yaml+"\n").Get("v").Decode(test.into)
		if code, fails := test.want.(source.Code); fails {
			found := source.Findings(err)
			if len(found) != 1 || found[0].Code != code || code != source.Usage && found[0].At.IsZero() {
				t.Errorf("%s into %T: error %v, want one of %s with a place", test.yaml, test.into, err, code)
			}
			continue
		}
		if got := reflect.ValueOf(test.into).Elem().Interface(); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s into %T = %#v, %v; want %#v", test.yaml, test.into, got, err, test.want)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// A field that package reflect cannot set is the error, not the kind of its type.
func TestDecodeEmbeddedPointer(t *testing.T) {
	var s struct{ *hidden }
	err := layered(t, "level: 1\n").Decode(&s)
	if err == nil || !strings.Contains(err.Error(), "hidden cannot be inline: it is a pointer to a struct type that is not exported") {
		t.Error(err)
	}
}

func TestDecodeErrors(t *testing.T) {
	var s struct {
		Servers []struct {
			Port  int
			Hosts map[string]netip.Addr
		}
	}
	err := layered(t, "servers:\n- port: 80\n- port: eighty\n  hosts: {a: x, b: 10.0.0.1}\n").Decode(&s)
	found := source.Findings(err)
	want := []string{
		`layer1.yaml:3:9: expected integer, but servers[1].port is the string "eighty" (for Servers[1].Port) [type]`,
		`layer1.yaml:4:14: servers[1].hosts.a, the string "x", cannot be parsed as netip.Addr: ParseAddr("x"): unable to parse IP (for Servers[1].Hosts[a]) [bad-value]`,
	}
	if len(found) != len(want) {
		t.Fatalf("findings %v, want %d", found, len(want))
	}
	for i, d := range found {
		if d.Error() != want[i] {
			t.Errorf("finding %d is\n%s, want\n%s", i, d, want[i])
		}
	}
	if s.Servers[0].Port != 80 || s.Servers[1].Hosts["b"].String() != "10.0.0.1" {
		t.Errorf("what is right is not stored: %+v", s)
	}
}

func TestDecodeIsLazy(t *testing.T) {
	var s struct{ A int }
	if err := layered(t, "a: 1\nbroken: '{{ nothing }}'\n").Decode(&s); err != nil || s.A != 1 {
		t.Errorf("A = %d, %v", s.A, err)
	}
}

func TestDecodeTargets(t *testing.T) {
	c := layered(t, "a: 1\n")
	for _, into := range []any{nil, 5, struct{}{}, (*int)(nil)} {
		wantFinding(t, fmt.Sprintf("Decode(%T)", into), c.Decode(into), source.Usage, "pointer")
	}
	var i int
	if err := c.Get("none").Decode(&i); !errors.Is(err, config.NoMatching) {
		t.Errorf("error %v, want NoMatching", err)
	}
}

func TestDecodeStrict(t *testing.T) {
	type inner struct{ Port int }
	var s struct {
		Web  inner
		Free map[string]int
	}
	text := "web: {port: 1, prot: 2}\nfree: {any: 1}\nother: 3\n"
	if err := layered(t, text).Decode(&s); err != nil {
		t.Fatal(err)
	}
	err := layered(t, text).Get().DecodeStrict(&s)
	found := source.Findings(err)
	if len(found) != 2 || found[0].Hint != `did you mean "port"?` || found[0].At.String() != "layer1.yaml:1:22" || found[1].At.String() != "layer1.yaml:3:8" || found[0].Code != source.NotFound {
		t.Errorf("findings %v", found)
	}
	if errors.Is(err, config.NoMatching) {
		t.Errorf("errors.Is(%v, NoMatching)", err)
	}
	var rest struct {
		Rest map[string]any `yaml:",inline"`
	}
	if err := layered(t, text).DecodeStrict(&rest); err != nil || len(rest.Rest) != 3 {
		t.Errorf("rest %v, %v", rest, err)
	}
}

func TestDecodeManyErrors(t *testing.T) {
	var l []int
	err := layered(t, "l: ["+strings.Repeat("x, ", 500)+"]\n").Get("l").Decode(&l)
	if n := len(source.Findings(err)); n != 50 {
		t.Errorf("%d findings, want the first 50", n)
	}
}

// FuzzDecode: any document can be decoded into any type, or the result is an error. Decoding into
// an any gives what Resolve returns.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"a: 1\n", "- x\n- {y: [1, 2.5, null]}\n", "t: \"{{ 1 + 1 }}\"\ne: {eval: ::t}\n", "name: web\nport: 80\nenv: {a: 1}\n", "pair: [1, 2]\nbase: null\nrest: {x: y}\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := config.New(t.Context(), yaytpl.Options{NoEnv: true, Limits: graph.Limits{Steps: 100_000, Depth: 300, Memory: 300 << 20}})
		if c.LoadText("fuzz.yaml", text) != nil {
			return
		}
		var s server
		if err := c.Decode(&s); err != nil && len(source.Findings(err)) == 0 {
			t.Errorf("%q: an error without findings: %v", text, err)
		}
		var a any
		aerr := c.Decode(&a)
		r, rerr := c.Resolve()
		if (aerr == nil) != (rerr == nil) {
			t.Errorf("%q: Decode %v, Resolve %v", text, aerr, rerr)
		}
		if aerr == nil && fmt.Sprint(a) != fmt.Sprint(r) {
			t.Errorf("%q decodes to %v, resolves to %v", text, a, r)
		}
	})
}
