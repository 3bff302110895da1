package engine_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
)

// withEnviron opens main.yaml with variables, each NAME=VALUE, and returns its value as JSON.
func withEnviron(t *testing.T, text string, vars ...string) (string, error) {
	t.Helper()
	values := map[string]string{}
	for _, v := range vars {
		name, text, _ := strings.Cut(v, "=")
		values[name] = text
	}
	var o engine.Options
	o.EnvPrefix = "A_"
	o.Load.Environ = func() []string { return slices.Collect(maps.Keys(values)) }
	o.Load.Getenv = func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	p, err := open(t, o, map[string]string{"main.yaml": text}, "main.yaml")
	if err != nil {
		return "", err
	}
	d := p.Documents()[len(p.Documents())-1]
	v, err := d.Value()
	if err != nil {
		return "", err
	}
	e, err := d.Eval()
	if err != nil {
		return "", err
	}
	data, err := godata.FromValue(v, e)
	if err != nil {
		return "", err
	}
	out, err := json.Marshal(data)
	return string(out), err
}

func TestEnviron(t *testing.T) {
	for _, c := range []struct {
		name, text string
		vars       []string
		want       string // or the code of an error and words of the message
	}{
		{"a key, a new key", "server: {port: 80, host: a}", []string{"A_SERVER__PORT=81", "A_SERVER__NAME=yes"}, `{"server":{"host":"a","name":"yes","port":81}}`},
		{"letter case", "maxConn: 1\nPort: 2\nport: 3\nPORT: 4", []string{"A_MAXCONN=9", "A_PORT=8", "A_Port=7", "A_port=6"}, `{"PORT":8,"Port":7,"maxConn":9,"port":6}`},
		{"without letter case that is there", "Key: 1\nkEY: 2", []string{"A_KEY=3"}, `{"Key":3,"kEY":2}`},
		{"values", "{}", []string{"A_A= x", "A_B=", "A_C=null", "A_D=[1, x]", "A_E={a: 1}", "A_F=a: b # c", "A_G=1.50", "A_H=\"5\""},
			`{"a":" x","b":"","c":null,"d":[1,"x"],"e":{"a":1},"f":"a: b # c","g":1.5,"h":"5"}`},
		{"a map replaces", "m: {a: 1, b: 2}", []string{"A_M={c: 3}"}, `{"m":{"c":3}}`},
		{"a list replaces", "l: [1, 2]", []string{"A_L=[3]"}, `{"l":[3]}`},
		{"null replaces", "m: {a: 1}", []string{"A_M=null"}, `{"m":null}`},
		{"a template", "a: 1", []string{"A_B={{ a + 1 }}"}, `{"a":1,"b":2}`},
		{"items", "l: [a, {b: 1}, [x]]", []string{"A_L__0=z", "A_L__1__B=2", "A_L__1__C=3", "A_L__2__0=y", "A_L__3=d", "A_L__4__E=5"},
			`{"l":["z",{"b":2,"c":3},["y"],"d",{"e":5}]}`},
		{"a new list", "{}", []string{"A_L__1=b", "A_L__0=a", "A_M__0__0=x", "A_M__0__1=y"}, `{"l":["a","b"],"m":[["x","y"]]}`},
		{"more than ten items", "{}", []string{"A_L__0=0", "A_L__1=1", "A_L__2=2", "A_L__3=3", "A_L__4=4", "A_L__5=5", "A_L__6=6", "A_L__7=7", "A_L__8=8", "A_L__9=9", "A_L__10=10"},
			`{"l":[0,1,2,3,4,5,6,7,8,9,10]}`},
		{"repeated items", "l: [a]", []string{"A_L__1=a", "A_L__2=a"}, `{"l":["a","a","a"]}`},
		{"numbers as keys", "codes: {404: a, \"500\": b}", []string{"A_CODES__404=x", "A_CODES__500=y", "A_CODES__301=z"}, `{"codes":{"301":"z","404":"x","500":"y"}}`},
		{"over a scalar", "a: 1\nb:\nc: [1]", []string{"A_A__X=1", "A_B__X=2", "A_B__Y__Z=3"}, `{"a":{"x":1},"b":{"x":2,"y":{"z":3}},"c":[1]}`},
		{"a map, then its keys", "a: 1", []string{"A_A={x: 1}", "A_A__Y=2"}, `{"a":{"x":1,"y":2}}`},
		{"underscores", "max_conn: 1\n_x: 2", []string{"A_MAX_CONN=5", "A__X=6"}, `{"_x":6,"max_conn":5}`},
		{"other prefixes", "{}", []string{"B_X=1", "a_x=2", "A=3", "A_=4"}, `{}`},
		{"included maps", "+private: [p]\np: {q: 1}\nr: {+/p: }", []string{"A_P__Q=2", "A_R__Q=3"}, `{"r":{"q":3}}`},
		{"the last document", "a: {B: 1}\n---\na: {b: 1, C: 2}", []string{"A_A__B=5", "A_A__C=6"}, `{"a":{"B":5,"C":6,"b":1}}`},
		{"an empty document", "", []string{"A_A__B=1"}, `{"a":{"b":1}}`},

		{"an empty part", "{}", []string{"A_A__=1"}, "usage: A_A__ names no key"},
		{"no part", "{}", []string{"A___A=1"}, "usage: A___A names no key"},
		{"one place twice", "{}", []string{"A_A__B=1", "A_a__b=2"}, "usage: A_A__B and A_a__b are both a.b"},
		{"a key of a scalar", "{}", []string{"A_A=x", "A_A__B=2"}, "usage: A_A__B is a key of a, and A_A sets that to a string"},
		{"a gap", "l: [1]", []string{"A_L__2=x"}, "usage: A_L__2 leaves a gap"},
		{"a gap in a new list", "{}", []string{"A_L__404=x"}, "usage: A_L__404 leaves a gap"},
		{"a name in a list", "l: [1]", []string{"A_L__X=x"}, "usage: A_L__X needs a number"},
		{"a huge number", "l: [1]", []string{"A_L__99999999999999999999=x"}, "usage: needs a number"},
		{"no YAML", "{}", []string{"A_PW=[hunter2"}, "usage: A_PW: the value begins as a list"},
		{"an undefined name", "{}", []string{"A_X={{ nothing }}"}, "undefined: nothing"},
	} {
		got, err := withEnviron(t, c.text, c.vars...)
		if err != nil {
			d := source.Findings(err)[0]
			code, words, _ := strings.Cut(c.want, ": ")
			if string(d.Code) != code || !strings.Contains(d.Message, words) || strings.Contains(d.Message+d.Hint, "hunter2") {
				t.Errorf("%s: %v, want %s", c.name, d, c.want)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The place of a value is its variable.
func TestEnvironPlace(t *testing.T) {
	var o engine.Options
	o.EnvPrefix = "A_"
	o.Load.Getenv = func(string) (string, bool) { return "5", true }
	o.Load.Environ = func() []string { return []string{"A_B"} }
	p, err := open(t, o, map[string]string{"main.yaml": "b: 1\n"}, "main.yaml")
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Documents()[0].Eval()
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Root().Find([]string{"b"})
	if err != nil {
		t.Fatal(err)
	}
	facts, err := c.Explain()
	if err != nil || len(facts) != 2 || facts[0].Role != graph.Sets || facts[0].At.String() != "A_B:1:1" || facts[0].Layer != "A_B" || facts[1].Role != graph.Beaten {
		t.Errorf("facts %+v, %v", facts, err)
	}
}
