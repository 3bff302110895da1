package graph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// What guards see of themselves and of each other. Most are written as layers of
// the document; a rule of the join does not matter to them.
var guardRows = []row{
	{"override", "a: 1\n---\na: 2", "a", "2"},
	{"maps join", "a: {x: 1}\n---\na: {y: 2}", "a", "{'x': 1, 'y': 2}"},
	{"extend", "a: [1]\n---\nextend a: [2]", "a", "[1, 2]"},
	{"a computed value sees later layers", "a: 1, b: =a\n---\na: 3", "b", "3"},
	{"self", "foo: =foo", "foo", "!cycle foo needs its own value"},
	{"flip flop", "flip: =flop, flop: =flip", "flip", "!cycle flip needs"},
	{"a sibling is no cycle", "foo: {a: =foo.b, b: 7}", "foo.a", "7"},
	{"include undoes its own name", "foo: 1\n---\ninclude foo == 1 {true: {foo: 0}}", "", "!paradox foo was 1 and became 0"},
	{"include undoes its own name, settled above", "include foo == 1 {true: {foo: 0}}\n---\nfoo: 1", "foo", "1"},
	{"include named by a later layer", "include lang {fr: {hi: Bonjour}}\n---\nlang: fr", "hi", "'Bonjour'"},
	{"select undoes itself", "out: {foo: bar}\n---\nout: {select out.foo {bar: {foo: qux}}}", "out.foo", "!paradox"},
	{"select undoes itself, settled above",
		"out: {foo: bar}\n---\nout: {select out.foo {bar: {foo: qux}, ok: {foo: qux}}}\n---\nout: {foo: ok}", "out.foo", "'ok'"},
	{"if that changes nothing", "flip: 1, flop: =flip\n---\nif flop {flip: =flop}", "flip", "1"},
	{"if undoes itself", "bar: 1, foo: =bar\n---\nif foo {bar: 0}", "bar", "!paradox"},
	{"if undoes itself, settled above", "bar: 1, foo: =bar\n---\nif foo {bar: 0}\n---\nbar: 1", "bar", "1"},
	{"include changes its name", "lol: foo\n---\ninclude lol {foo: {lol: bar}, bar: {never: ever}}", "never", "!paradox"},
	{"include changes its name, settled above",
		"lol: foo\n---\ninclude lol {foo: {lol: bar}, bar: {never: ever}}\n---\nlol: bar", "never", "'ever'"},
	{"two ifs", "foo: 1\n---\nif foo {a: 1}\n---\nif foo {b: 2}", "", "{'foo': 1, 'a': 1, 'b': 2}"},
	{"chained ifs", `lol: foo
---
if lol == "foo" {bar: baz}
---
if bar == "baz" {fizz: zinga}`, "lol", "'foo'"},
	{"chained ifs, all", `lol: foo
---
if lol == "foo" {bar: baz}
---
if bar == "baz" {fizz: zinga}`, "", "{'lol': 'foo', 'bar': 'baz', 'fizz': 'zinga'}"},
	{"chained ifs, the second undoes the first", `lol: foo
---
if lol == "foo" {bar: baz}
---
if lol != "baz" {lol: zinga}`, "", "{'lol': 'zinga'}"},
	{"include named by an include", `include second {b: {found: 2}}
---
include "a" {a: {second: b}}`, "found", "2"},
	{"chained ifs contradict", `lol: foo
---
if lol == "foo" {bar: baz}
---
if bar == "baz" {lol: zinga}`, "lol", "!paradox"},

	{"not asked for a key it cannot have", "a: 1\n---\nif nothing {b: 2}", "a", "1"},
	{"asked for a key it may have", "b: 1\n---\nif nothing {b: 2}", "b", "!undefined no nothing"},
	{"an if that does not apply hides nothing", "b: 1\n---\nif b == 2 {b: 3}", "b", "1"},
	{"guard in a map", "x: 1, m: {a: 1, if x {b: 2}, c: 3}", "m", "{'a': 1, 'b': 2, 'c': 3}"},
	{"guard in a map that contributes nothing", "x: 0, m: {if x {b: 2}}", "m", "{}"},
	{"guard in a guard", "x: 1\n---\nif x {if x {a: 1}}", "a", "1"},
	{"guard reads the map around it", "m: {on: 1, if here.on {a: 1}}", "m.a", "1"},
	{"guard reads a later sibling", "m: {if here.on {a: 1}, on: 1}", "m", "{'a': 1, 'on': 1}"},
	{"a list condition that stays", "l: [1]\n---\nif l {extend l: [2]}", "l", "[1, 2]"},
	{"a condition that stays true", "bar: 1\n---\nif bar {bar: 5}", "bar", "5"},
	{"a list condition that does not stay", "l: [1]\n---\nif l {l: 0}", "l", "!paradox"},
	{"guard in a list", "x: 1, l: [0, if x {a: 1}]", "l", "[0, {'a': 1}]"},
	{"guard in a list that is refused", "x: 0, l: [0, if x {a: 1}]", "l", "[0]"},
	{"reads through the map that it adds to", "out: {on: 1}\n---\nout: {if out.on {x: 1}}", "out", "{'on': 1, 'x': 1}"},
	{"reads through the map that it adds to, opaque", "out: {on: 1}\n---\nout: {include out.on {1: {x: 1}}}", "out", "{'on': 1, 'x': 1}"},
	{"reads a map as a whole", "out: {on: 1}\n---\nout: {if out {x: 1}}", "out", "{'on': 1, 'x': 1}"},
	{"reads an item of a list that it extends", "l: [1]\n---\nif l.0 {extend l: [2]}", "l", "[1, 2]"},
	{"settles whichever is asked first", `lol: foo
---
if bar == "qux" {lol: zinga}
---
if lol == "foo" {bar: baz}`, "bar", "'baz'"},
	{"settles whichever is asked first, the other", `lol: foo
---
if bar == "qux" {lol: zinga}
---
if lol == "foo" {bar: baz}`, "lol", "'foo'"},
	{"fails whatever the others decide", "a: 1\n---\nif add(a nope) {a: 2}", "a", "!undefined no nope"},
	{"consistent pair", "a: 1\n---\nif b == 2 {a: 1}\n---\nif a == 1 {b: 2}", "", "{'a': 1, 'b': 2}"},
	{"condition through a reference", "base: {on: 1}\nm: {on /base, if here.on {x: 1}}", "m", "{'on': 1, 'x': 1}"},
	{"opaque guards see each other", `a: 1
---
include a {1: {b: 2}}
---
include b {2: {c: 3}}
---
include c {3: {d: 4}}`, "", "{'a': 1, 'b': 2, 'c': 3, 'd': 4}"},
	{"opaque guards in the other order", `include c {3: {d: 4}}
---
include b {2: {c: 3}}
---
include a {1: {b: 2}}
---
a: 1`, "", "{'d': 4, 'c': 3, 'b': 2, 'a': 1}"},
}

func TestGuards(t *testing.T) {
	for _, rule := range []*Rule{MergeRule, StackRule} {
		t.Run(rule.Name, func(t *testing.T) { runRows(t, rule, guardRows) })
	}
}

// Guards in a row must not cost the square of their number.
func TestGuardsAreAskedOnce(t *testing.T) {
	for _, kind := range []string{"if foo {k%d: 1}", "include foo {1: {k%d: 1}}"} {
		for _, n := range []int{200, max(long.Scale(2000), 400)} {
			var b strings.Builder
			b.WriteString("foo: 1\n")
			for i := range n {
				fmt.Fprintf(&b, "---\n"+kind+"\n", i)
			}
			f := load(t, b.String(), StackRule, Options{})
			v, _, err := f.Root().Value()
			if err != nil {
				t.Fatal(err)
			}
			if got := v.Map().Len(); got != n+1 {
				t.Errorf("%s: %d keys, want %d", kind, got, n+1)
			}
			got, err := f.get("k7")
			check(t, got, err, "1")
			if f.config.asked > 3*n {
				t.Errorf("%s: %d guards were asked %d times", kind, n, f.config.asked)
			}
			t.Logf("%s: n=%d asked=%d steps=%d", kind, n, f.config.asked, f.steps)
		}
	}
}

// The example at the top of guard.go, which says how often which guard is asked: A to decide it, B, A
// whether it picks the same, A to decide it again, B whether it picks the same.
func TestGuardsAtRest(t *testing.T) {
	text := "size: 1, level: 1, trace: 0\n---\nif level == 1 {trace: 1}\n---\nif %s {level: 3}"
	f := load(t, fmt.Sprintf(text, "or(trace size) == 1"), StackRule, Options{})
	for _, q := range [][2]string{{"size", "1"}, {"level", "3"}, {"trace", "0"}} {
		got, err := f.get(q[0])
		check(t, got, err, q[1])
		if want := map[string]int{"size": 0, "level": 5, "trace": 5}[q[0]]; f.config.asked != want {
			t.Errorf("%s: guards were asked %d times, want %d", q[0], f.config.asked, want)
		}
	}
	f = load(t, fmt.Sprintf(text, "trace == 1"), StackRule, Options{})
	got, err := f.get("level")
	check(t, got, err, "!paradox conditions that depend on each other never agree")
}
