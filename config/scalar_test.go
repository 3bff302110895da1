package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// everyKind lists values with the results of the getters (spec: yay, section 10.3): int, number,
// bool, string; "-" is an error of code type.
var everyKind = []struct{ yaml, int, number, bool, text string }{
	{"1", "1", "1", "true", "1"},
	{"-7", "-7", "-7", "true", "-7"},
	{"0", "0", "0", "false", "0"},
	{"1.5", "1", "1.5", "true", "1.5"},
	{"-1.5", "-1", "-1.5", "true", "-1.5"},
	{"1.50", "1", "1.5", "true", "1.50"},
	{"0.0", "0", "0.0", "false", "0.0"},
	{"1e3", "1000", "1000.0", "true", "1e3"},
	{"0x1F", "31", "31", "true", "0x1F"},
	{".inf", "-", "inf", "true", ".inf"},
	{".nan", "-", "nan", "true", ".nan"},
	{"12345678901234567890", "-", "12345678901234567890", "true", "12345678901234567890"},
	{"1e300", "-", "1e+300", "true", "1e300"},
	{`"12"`, "12", "12", "-", "12"},
	{`"007"`, "7", "7", "-", "007"},
	{`"+5"`, "5", "5", "-", "+5"},
	{`"1.5"`, "-", "1.5", "-", "1.5"},
	{`".5"`, "-", "0.5", "-", ".5"},
	{`"5."`, "-", "5.0", "-", "5."},
	{`"1e3"`, "-", "1000.0", "-", "1e3"},
	{`"1e999"`, "-", "-", "-", "1e999"},
	{`"1_000"`, "-", "-", "-", "1_000"},
	{`"0x1F"`, "-", "-", "-", "0x1F"},
	{`"inf"`, "-", "-", "-", "inf"},
	{`"nan"`, "-", "-", "-", "nan"},
	{`"+-1"`, "-", "-", "-", "+-1"},
	{`"-"`, "-", "-", "-", "-"},
	{`"."`, "-", "-", "-", "."},
	{`"e"`, "-", "-", "-", "e"},
	{`""`, "-", "-", "-", ""},
	{`" 1"`, "-", "-", "-", " 1"},
	{"socks", "-", "-", "-", "socks"},
	{`"false"`, "-", "-", "-", "false"},
	{"true", "1", "1", "true", "true"},
	{"false", "0", "0", "false", "false"},
	{"'{{ 1 == 1 }}'", "1", "1", "true", "true"},
	{"'{{ 1 == 2 }}'", "0", "0", "false", "false"},
	{"'{{ 6 / 2 }}'", "3", "3.0", "true", "3.0"},
	{"'{{ 2 ** 3 }}'", "8", "8", "true", "8"},
	{"null", "-", "-", "false", "null"},
	{"~", "-", "-", "false", "null"},
	{"", "-", "-", "false", "null"},
	{"[]", "-", "-", "false", "-"},
	{"[0]", "-", "-", "true", "-"},
	{"{}", "-", "-", "false", "-"},
	{"{a: 0}", "-", "-", "true", "-"},
}

func TestGetters(t *testing.T) {
	for _, test := range everyKind {
		n := layered(t, "v: "+test.yaml+"\n").Get("v")
		check := func(getter, want string, got any, err error) {
			t.Helper()
			text := fmt.Sprint(got)
			if err != nil {
				text = "-"
				if d := source.Findings(err)[0]; d.Code != source.WrongType || d.At.IsZero() || !strings.Contains(d.Message, "expected ") {
					t.Errorf("%s.%s: error %v, want one of type with a place", test.yaml, getter, err)
				}
				if errors.Is(err, config.NoMatching) || errors.Is(err, source.ErrMissing) {
					t.Errorf("%s.%s: %v counts as missing", test.yaml, getter, err)
				}
			}
			if text != want {
				t.Errorf("%s.%s = %s, %v; want %s", test.yaml, getter, text, err, want)
			}
		}
		i, err := n.Int(99)
		check("Int", test.int, i, err)
		b, err := n.Bool(true)
		check("Bool", test.bool, b, err)
		s, err := n.Text("default")
		check("String", test.text, s, err)
		safe, err := n.SafeText()
		check("SafeString", test.text, safe, err)
		v, err := n.Number(value.Null)
		text, _ := value.Text(v.WithoutSource())
		check("Number", test.number, text, err)
		f, err := n.Float(99)
		check("Float", test.number, floatText(v, f), err)
	}
}

// floatText returns the text of v if f is the same number.
func floatText(v value.Value, f float64) string {
	if v.IsNumber() && f != v.Float() && f == f {
		return fmt.Sprint(f)
	}
	text, _ := value.Text(v.WithoutSource())
	return text
}

func TestDefaults(t *testing.T) {
	c := layered(t, "a: {b: 1}\nl: [1]\n")
	for _, n := range []config.Node{c.Get("none"), c.Get("a", "none"), c.Get("none", 0, "x"), c.Get("l", 1), c.Eval("::none")} {
		if got, err := n.Int(8000); got != 8000 || err != nil {
			t.Errorf("%v.Int = %d, %v", n, got, err)
		}
		if got, err := n.Float(0.5); got != 0.5 || err != nil {
			t.Errorf("%v.Float = %v, %v", n, got, err)
		}
		if got, err := n.Number(value.Int(1)); !got.Is(value.IntKind) || err != nil {
			t.Errorf("%v.Number = %v, %v", n, got, err)
		}
		if got, err := n.Bool(true); !got || err != nil {
			t.Errorf("%v.Bool = %t, %v", n, got, err)
		}
		if got, err := n.Text("x"); got != "x" || err != nil {
			t.Errorf("%v.String = %q, %v", n, got, err)
		}
		if got, err := n.SafeText("x"); got != "x" || err != nil {
			t.Errorf("%v.SafeString = %q, %v", n, got, err)
		}
		if got, err := n.List([]any{1}); len(got) != 1 || err != nil {
			t.Errorf("%v.List = %v, %v", n, got, err)
		}
		if got, err := n.List(nil); got != nil || err != nil {
			t.Errorf("%v.List = %v, %v", n, got, err)
		}
		if got, err := n.Map(m{"k": 1}); len(got) != 1 || err != nil {
			t.Errorf("%v.Map = %v, %v", n, got, err)
		}
		if _, err := n.Int(); !errors.Is(err, config.NoMatching) {
			t.Errorf("%v.Int without default: %v", n, err)
		}
	}
}

func TestListAndMap(t *testing.T) {
	c := layered(t, "l: [1, {a: b}]\nm: {a: [1]}\ns: x\nn:\nw: {k: '{{ l }}'}\n")
	if got, err := c.Get("l").List(); fmt.Sprint(got) != "[1 map[a:b]]" || err != nil {
		t.Errorf("l = %v, %v", got, err)
	}
	if got, err := c.Get("m").Map(); fmt.Sprint(got) != "map[a:[1]]" || err != nil {
		t.Errorf("m = %v, %v", got, err)
	}
	if got, err := c.Get("w").Map(); fmt.Sprint(got) != "map[k:[1 map[a:b]]]" || err != nil {
		t.Errorf("w = %v, %v", got, err)
	}
	for _, key := range []string{"m", "s", "n"} {
		_, err := c.Get(key).List([]any{})
		wantFinding(t, key+".List", err, source.WrongType, "expected list, but "+key+" is ")
	}
	for _, key := range []string{"l", "s", "n"} {
		_, err := c.Get(key).Map(m{})
		wantFinding(t, key+".Map", err, source.WrongType, "expected mapping, but "+key+" is ")
	}
}

func TestSecretsAreMasked(t *testing.T) {
	c := layered(t, "pw: !vault hunter2\nurl: 'http://{{ pw }}@db'\nn: 5\n")
	for _, key := range []string{"pw", "url"} {
		n := c.Get(key)
		if got, err := n.Text(); !strings.Contains(got, "hunter2") || err != nil {
			t.Errorf("%s.String = %q, %v", key, got, err)
		}
		if got, err := n.SafeText(); strings.Contains(got, "hunter2") || got == "" || err != nil {
			t.Errorf("%s.SafeString = %q, %v", key, got, err)
		}
		var d struct {
			PW, URL struct{}
			N       []int
		}
		_, ierr := n.Int()
		_, lerr := n.List()
		_, gerr := n.Get("x").Text()
		for _, err := range []error{ierr, lerr, gerr, c.Decode(&d)} {
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: error %v", key, err)
			}
		}
		if out := fmt.Sprintf("%v %+v %s %d", n, n, n, n); strings.Contains(out, "hunter2") {
			t.Errorf("printed as %s", out)
		}
	}
	if got, err := c.Get("n").SafeText(); got != "5" || err != nil {
		t.Errorf("n.SafeString = %q, %v", got, err)
	}
}
