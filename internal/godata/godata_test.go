package godata_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"gopkg.in/yaml.v3"
)

type inner struct {
	Port int
	Note string `yaml:",omitempty"`
}

type outer struct {
	Name   string `yaml:"host"`
	hidden int
	Skip   int `yaml:"-"`
	inner
	Also *struct{ Extra int } `yaml:",inline"`
	More map[string]any       `yaml:",inline"`
}

// FromValue returns the data that ToValue was given, in plain types.
func TestThereAndBack(t *testing.T) {
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	tests := []struct{ in, out any }{
		{nil, nil},
		{true, true},
		{uint8(7), int64(7)},
		{huge, huge},
		{float32(0.1), 0.1},
		{"text", "text"},
		{json.Number("12"), int64(12)},
		{2 * time.Hour, "2h0m0s"},
		{netip.MustParseAddr("::1"), "::1"},
		{[2]int{1, 2}, []any{int64(1), int64(2)}},
		{map[int]string{2: "b", 1: "a"}, map[string]any{"1": "a", "2": "b"}},
		{outer{Name: "h", hidden: 1, Skip: 2, inner: inner{Port: 80}, More: map[string]any{"x": 1}}, map[string]any{"host": "h", "port": int64(80), "x": int64(1)}},
		{(*outer)(nil), nil},
		{value.Int(3), int64(3)},
	}
	e := graph.New(context.Background(), nil, graph.Options{})
	for _, test := range tests {
		v, err := godata.ToValue(test.in)
		if err != nil {
			t.Errorf("%#v: %v", test.in, err)
			continue
		}
		plain, err := godata.Plain(v, e)
		if err != nil {
			t.Errorf("%#v: %v", test.in, err)
		}
		if out, err := godata.FromValue(plain, e); err != nil || !reflect.DeepEqual(out, test.out) {
			t.Errorf("%#v came back as %#v, %v, want %#v", test.in, out, err, test.out)
		}
	}
}

func TestUnfit(t *testing.T) {
	loop := []any{nil}
	loop[0] = loop
	tests := []struct {
		data  any
		words string
	}{
		{make(chan int), "chan int"},
		{map[string]any{"a": []any{1, func() {}}}, "a[1] cannot"},
		{"\xff", "not UTF-8"},
		{json.Number("1x"), "not a number"},
		{loop, "contains itself"},
		{map[any]any{1: 1, int8(1): 2}, "two keys"},
		{map[[1]int]int{{1}: 1}, "cannot be a key"},
		{struct {
			A, B int `yaml:"x"`
		}{}, `two fields of struct`},
		{struct {
			A int `yaml:",inline"`
		}{}, "cannot be inline"},
		{outer{More: map[string]any{"host": 1}}, "two keys"},
	}
	for _, test := range tests {
		_, err := godata.ToValue(test.data)
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Code != source.Usage || !strings.Contains(d.Message, test.words) {
			t.Errorf("%T: %v, want %q", test.data, err, test.words)
		}
	}
}

// Two keys of a document may have the same text; in a Go map they would be one key.
func TestKeysOfOneText(t *testing.T) {
	m := value.NewMap(2)
	m.Set(value.K("1"), value.Null)
	m.Set(value.Index(1), value.Null)
	_, err := godata.FromValue(value.FromMap(m), graph.New(context.Background(), nil, graph.Options{}))
	if d := source.AsDiagnostic(err, source.Span{}, source.Internal); d == nil || d.Code != source.BadKey {
		t.Errorf("%v, want bad-key", err)
	}
}

func TestTypeName(t *testing.T) {
	for want, data := range map[string]any{"nil": nil, "int": 1, "map[string]int": map[string]int{}} {
		if got := godata.TypeName(data); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A version is zero if it says so, as yaml.IsZeroer.
type version struct{ Major int }

func (v version) IsZero() bool { return v.Major == 1 }

// TestOmitted requires that fields with omitempty are left out as yaml.v3 leaves them out.
func TestOmitted(t *testing.T) {
	type pair struct {
		List []int
		text string
	}
	type fields struct {
		V       version             `yaml:"v,omitempty"`
		W       version             `yaml:"w,omitempty"`
		Pair    pair                `yaml:"pair,omitempty"`
		Set     pair                `yaml:"set,omitempty"`
		Time    time.Time           `yaml:"time,omitempty"`
		Pointer *version            `yaml:"pointer,omitempty"`
		Number  int                 `yaml:"number,omitempty"`
		Any     any                 `yaml:"any,omitempty"`
		Kept    version             `yaml:"kept"`
		In      pair                `yaml:",inline"`
		Nested  struct{ V version } `yaml:"nested,omitempty"`
	}
	data := fields{V: version{1}, W: version{0}, Pair: pair{[]int{}, "x"}, Set: pair{List: []int{1}}, Pointer: &version{1}, Kept: version{1}}
	data.Nested.V = version{1}
	v, err := godata.ToValue(data)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := godata.FromValue(v, graph.New(context.Background(), nil, graph.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	var theirs map[string]any
	if err := yaml.Unmarshal(text, &theirs); err != nil {
		t.Fatal(err)
	}
	if o, th := fmt.Sprint(ours), fmt.Sprint(theirs); o != th {
		t.Errorf("%s, yaml.v3 has %s", o, th)
	}
}
