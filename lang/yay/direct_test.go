package yay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A secretHost has a file whose values are secret.
type secretHost struct{ hostOf }

// Load implements graph.Loader.
func (h secretHost) Load(ref *graph.Ref, _ *graph.Doc) (*graph.Doc, error) {
	f := source.NewFile(ref.File, h.hostOf[ref.File])
	f.Secret = strings.HasPrefix(ref.File, "secret")
	tree, findings := Parse(f, Options{})
	if tree == nil {
		return nil, findings[0]
	}
	return Lower(tree), nil
}

var secretFiles = secretHost{hostOf{
	"secret.yay": "s: 3\nt: {{ s + 1 }}\nmacro hush:\n  a: {{ x + s }}\n  b: {{ here.a else 0 }}\n  c: 7\n  d: {{ x + 1 }}\n",
	"lib.yay":    "macro far:\n  a: {{ x + gone }}\n  b: {{ 2 * x }}\n  c: {{ m0(x=x).a }}\n",
}}

// answers evaluates each key of a document and returns the values, the errors with their notes and the warnings. taken
// is the number of expressions that were always evaluated by direct calls.
func answers(t *testing.T, text string, onCells bool) (all []string, taken int) {
	t.Helper()
	tree, findings := Parse(source.NewFile("main.yay", text), Options{})
	if tree == nil {
		t.Fatalf("%v\n%s", findings[0], text)
	}
	rt := secretFiles.runtime()
	rt.onCells, rt.Lint = onCells, true
	var warnings []string
	e := graph.New(context.Background(), []graph.RootLayer{{Doc: Lower(tree), Name: "main.yay"}}, graph.Options{
		Loader: secretFiles, Runtimes: map[string]any{Language: rt}, Limits: graph.Limits{Includes: 12, Steps: 300_000},
		Warn: func(d *source.Diagnostic) { warnings = append(warnings, told(d)) },
	})
	for _, key := range e.Root().TextKeys() {
		e.Begin()
		v, _, err := e.Root().Named(key)
		answer := key + ": "
		if err == nil {
			var shown string
			var marks value.Marks
			if shown, err = value.Repr(v); err == nil {
				marks, err = value.DeepMarks(v)
			}
			answer += fmt.Sprint(shown, marks)
		}
		if err != nil {
			answer = key + ": " + told(err)
		}
		all = append(all, answer)
	}
	for _, k := range rt.directKeys {
		if k.node != nil && k.failed == 0 {
			taken++
		}
	}
	return append(all, warnings...), taken
}

// told returns all that an error says.
func told(err error) string {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return err.Error()
	}
	text := fmt.Sprintf("%v %v %s %s", d.At, d.Code, d.Message, d.Hint)
	for _, n := range d.Notes {
		text += fmt.Sprintf("; %v %s", n.At, n.Message)
	}
	for _, at := range d.Includes {
		text += fmt.Sprintf("; from %v", at)
	}
	return text
}

// compareAnswers compares the answers with direct calls and on cells, and returns the number of direct expressions.
func compareAnswers(t *testing.T, text string) int {
	t.Helper()
	want, _ := answers(t, text, true)
	got, taken := answers(t, text, false)
	for i := range max(len(want), len(got)) {
		if i < min(len(want), len(got)) && (want[i] == got[i] || hasSteps(want[i]) || hasSteps(got[i])) {
			continue
		}
		t.Fatalf("with direct calls:\n%s\non cells:\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), text)
	}
	return taken
}

// hasSteps reports whether an answer is the error of too many steps. How many there are is no part of the meaning.
func hasSteps(answer string) bool { return strings.Contains(answer, "steps (--max-steps)") }

func TestDirectCalls(t *testing.T) {
	const fib = "prototype Fib:\n  n: 1\n  sum: {{ 1 if self.n < 2 else fib(n=self.n - 1).it.sum + fib(n=self.n - 2).it.sum }}\n" +
		"macro fib:\n  it:\n    new Fib:\n      n: {{ n }}\n"
	for _, tt := range []struct {
		name, text, want string
		none             bool // no call is direct
	}{
		{"recursion", fib + "out: {{ fib(n=5).it.sum }}\n", "out: 80", true},
		{"an instance in an instance", "prototype P:\n  n: 4\n  a:\n    new P:\n      n: {{ self.n - 1 }}\n  sum: {{ k if self.n < 1 else self.n + self.a.sum }}\n" +
			"macro m:\n  p:\n    new P:\nout: {{ m(k=5).p.sum }}\n", "out: 150", true},
		{"a default", fib + "macro one:\n  it:\n    new Fib:\nout: {{ one().it.sum }}\n", "out: 10", true},
		{"too deep", fib + "out: {{ fib(n=14).it.sum }}\n", "nested more than 12 deep", true},
		{"an argument that is not read", "macro m:\n  a: {{ x }}\nout: {{ m(x=1, y=gone).a }}\n", "out: 10", false},
		{"an argument of a caller", "macro m:\n  a: {{ x + y }}\nmacro n:\n  b: {{ m(x=1).a }}\nout: {{ n(y=2).b }}\n", "out: 30", false},
		{"self of a caller", "macro m:\n  a: {{ self.k }}\nprototype P:\n  k: 4\n  b: {{ m().a }}\nmacro n:\n  p:\n    new P:\nout: {{ n().p.b }}\n", "out: 40", false},
		{"here", "macro m:\n  a: 2\n  b: {{ here.a + here.c.d }}\n  c:\n    d: {{ here.e }}\n    e: 5\nout: {{ m().b }}\n", "out: 70", true},
		{"a map of the document", "m:\n  k: 6\nmacro f:\n  a: {{ x }}\nout: {{ f(x=m).a.k }}\n", "out: 60", true},
		{"an else", "macro f:\n  a: {{ x.gone else x.missing else x.k }}\nm:\n  k: 1\nout: {{ f(x=m).a }}\n", "out: 10", false},
		{"an else outside", "macro f:\n  a: {{ x }}\nout: {{ f(x=1).b else 8 }}\n", "out: 80", true},
		{"a text", "macro f:\n  a: {{ x }}-{{ y }}\n  b: z\nout: {{ f(x=1, y='z').a }}\n", "out: '1-z'0", false},
		{"a loop", "macro f:\n  a: {{ [g(y=i + x).b for i in range(3)] }}\nmacro g:\n  b: {{ y * 2 }}\nout: {{ f(x=1).a }}\n", "out: [2, 4, 6]0", false},
		{"a loop around", "macro g:\n  b: {{ y * 2 }}\nout: {{ [g(y=i).b for i in range(3)] }}\n", "out: [0, 2, 4]0", false},
		{"a whole map", "macro f:\n  a:\n    b: 1\nout: {{ f().a }}\n", "out: {'b': 1}0", true},
		{"a display", "macro f:\n  a: {{ [x, here.b] }}\n  b: 2\nout: {{ f(x=1).a }}\n", "out: [1, 2]0", true},
		{"a condition", "macro f:\n  if x:\n    a: 1\nout: {{ f(x=1).a }}\n", "out: 10", true},
		{"a condition for another key", "macro f:\n  b: 1\n  if gone:\n    a: 1\n  c: {{ here.b }}\nout: {{ f(x=1).c }}\n", "out: 10", true},
		{"a condition in a prototype", "prototype P:\n  b: 1\n  if gone:\n    a: 1\nmacro f:\n  p:\n    new P:\nout: {{ f(x=1).p.b }}\n", "could not find", true},
		{"a name", "macro f:\n  set l = x + 1\n  set l = l2 + x\n  set l2 = y else 4\n  a: {{ l * l }}\nout: {{ f(x=1).a }}\n", "out: 250", true},
		{"a name of a caller", "macro f:\n  set l = x + 1\n  a: {{ g(x=3).b + here.c }}\n  c: 1\nmacro g:\n  b: {{ l * x }}\nout: {{ f(x=1).a }}\n", "out: 70", false},
		{"a cycle", "macro f:\n  a: {{ here.b + 1 }}\n  b: {{ here.a + 1 }}\nout: {{ f().a }}\n", "needs its own value: out.a (main.yay:2:6) needs out.b (main.yay:3:6) needs out.a", true},
		{"a cycle through the document", "macro f:\n  a: {{ k + 1 }}\nout: {{ f().a }}\nk: {{ out }}\n", "needs its own value: out.a (main.yay:2:6) needs k (main.yay:4:4) needs out (main.yay:3:6) needs out.a", true},
		{"itself", "out:\n  b: {{ f().a }}\nmacro f:\n  a: {{ out }}\n", "out.b.a would contain itself: its value is out", true},
		{"an error", "macro f:\n  a: {{ x + gone }}\nout: {{ f(x=1).a }}\n", "main.yay:3:9 used here", true},
		{"a secret", "include 'secret.yay'\nout: {{ hush(x=1).a }}\n", "out: 42", false},
		{"a secret expression", "include 'secret.yay'\nout: {{ hush(x=1).d }}\n", "out: 22", false},
		{"arguments that are read again", chain(10, "macro m%d:\n  a: {{ m%d(x=x + x + x + x).a }}\n") + "macro m10:\n  a: {{ x }}\nout: {{ m0(x=1).a }}\n", "out: 10485760", false},
		{"keys that are read again", "macro m:\n" + chain(30, "  a%d: {{ here.a%[2]d + here.a%[2]d }}\n") + "  a30: 1\nout: {{ m().a0 }}\n", "out: 10737418240", true},
		{"a key that fails again", "macro m:\n" + chain(30, "  a%d: {{ here.a%[2]d else here.a%[2]d }}\n") + "  a30: {{ gone }}\nout: {{ m().a0 else 6 }}\n", "out: 60", true},
		{"a secret that decides", "include 'secret.yay'\nmacro f:\n  a: {{ 1 if x > 2 else 2 }}\nout: {{ f(x=s).a }}\n", "out: 12", true},
		{"a secret that is a condition", "include 'secret.yay'\nmacro f:\n  a: {{ 1 if x else 2 }}\nout: {{ f(x=s).a }}\n", "out: 12", true},
		{"a secret that is an operand", "include 'secret.yay'\nmacro f:\n  a: {{ x and 5 }}\nout: {{ f(x=s).a }}\n", "out: 52", true},
		{"a word", "macro f:\n  a: {{ 1 if x else 2 }}\nout: {{ f(x='no').a }}\n", "the word no is a text", true},
		{"a word in a loop", "macro f:\n  a: {{ [i for i in [x] if i] }}\nout: {{ f(x='no').a }}\n", "the word no is a text", true},
		{"a word before what is missing", "macro f:\n  a: {{ gone if 'off' else 0 }}\nout: {{ f(x=1).a else 3 }}\n", "the word off is a text", true},
		{"a secret before what is missing", "include 'secret.yay'\nmacro f:\n  a: {{ (gone if x else 2) else 3 }}\nout: {{ f(x=s).a }}\n", "out: 32", true},
		{"two macros by one name", "macro f:\n  a: {{ g(y=x).b }}\nmacro h:\n  b: {{ y + 1 }}\nmacro i:\n  b: {{ 5 }}\nout: {{ f(g=h, x=f(g=i, x=1).a).a }}\n", "out: 60", false},
		{"a macro as an argument", "macro f:\n  a: {{ g(y=1).b }}\nmacro h:\n  b: {{ y + 1 }}\nout: {{ f(g=h).a }}\n", "out: 20", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			taken := compareAnswers(t, tt.text)
			got, _ := answers(t, tt.text, false)
			if !strings.Contains(strings.Join(got, "\n"), tt.want) {
				t.Errorf("%s, want %s", strings.Join(got, "\n"), tt.want)
			}
			if (taken == 0) != tt.none {
				t.Errorf("%d direct calls", taken)
			}
		})
	}
}

// TestDirectCallsNest checks that values in each other are not nested more deeply than with cells.
func TestDirectCallsNest(t *testing.T) {
	for _, macro := range []string{
		"macro f:\n  a: {{ 1 + x }}\n",
		"macro f:\n  a: {{ 1 + here.b }}\n  b: {{ 1 + x }}\n",
		"prototype P:\n  a: {{ 1 + self.b }}\nmacro f:\n  p:\n    new P:\n      b: {{ x }}\n  a: {{ 1 + here.p.a }}\n",
	} {
		tree, _ := Parse(source.NewFile("main.yay", macro+chain(50, "k%d: {{ f(x=k%d).a }}\n")+"k50: 1\n"), Options{})
		fits := func(depth int, onCells bool) bool {
			rt := hostOf{}.runtime()
			rt.onCells = onCells
			e := graph.New(t.Context(), []graph.RootLayer{{Doc: Lower(tree)}}, graph.Options{
				Runtimes: map[string]any{Language: rt}, Limits: graph.Limits{Depth: depth},
			})
			_, _, err := e.Root().Named("k0")
			if err != nil && !errors.Is(err, source.ErrLimit) {
				t.Fatal(err)
			}
			return err == nil
		}
		depth := 1
		for !fits(depth, true) {
			depth++
		}
		if !fits(depth, false) {
			t.Errorf("%d levels are not enough:\n%s", depth, macro)
		}
	}
}

// chain returns n lines, each with its number and the next one.
func chain(n int, format string) (text string) {
	for i := range n {
		text += fmt.Sprintf(format, i, i+1)
	}
	return text
}

// TestDirectCallsOfRandomPrograms compares the answers of random programs.
func TestDirectCallsOfRandomPrograms(t *testing.T) {
	taken := 0
	for seed := range uint64(1200) {
		taken += compareAnswers(t, randomProgram(rand.New(rand.NewPCG(seed, 1))))
	}
	if taken < 600 {
		t.Errorf("only %d expressions were direct", taken)
	}
}

func FuzzDirectCalls(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, uint64(2))
	}
	f.Fuzz(func(t *testing.T, a, b uint64) { compareAnswers(t, randomProgram(rand.New(rand.NewPCG(a, b)))) })
}

// randomProgram returns a document with macros and prototypes that use each other.
func randomProgram(r *rand.Rand) string {
	w := &programWriter{Rand: r}
	if w.IntN(4) == 0 {
		w.line(0, "include 'secret.yay'")
	}
	if w.IntN(4) == 0 {
		w.line(0, "include 'lib.yay'")
	}
	if w.IntN(3) == 0 {
		w.line(0, "set g = %s", w.expr(2))
	}
	for i := range 2 {
		w.line(0, "prototype P%d:", i)
		w.body(2, true)
	}
	for i := range 3 {
		w.line(0, "macro m%d:", i)
		w.macros = i
		w.body(2, false)
	}
	w.macros, w.free = 3, true
	for i := range 4 {
		switch w.IntN(8) {
		case 0:
			w.line(0, "k%d:", i)
			w.body(2, true)
		case 1:
			w.line(0, "k%d:", i)
			w.line(2, "call m%d:", w.IntN(3))
			w.line(4, "x: %d", w.IntN(3))
		case 2:
			w.line(0, "k%d:", i)
			w.line(2, "if %s:", w.expr(1))
			w.line(4, "a: {{ %s }}", w.expr(2))
			w.line(2, "b: {{ %s }}", w.expr(2))
		default:
			w.line(0, "k%d: {{ %s }}", i, w.expr(3))
		}
	}
	return w.String()
}

type programWriter struct {
	*rand.Rand
	strings.Builder
	macros int  // that are written so far
	free   bool // no arguments are bound
}

// macro returns the number of a macro to call, most often one that is written above, so that most recursions end.
func (w *programWriter) macro() int {
	if w.macros == 0 || w.IntN(12) == 0 {
		return w.IntN(3)
	}
	return w.IntN(w.macros)
}

func (w *programWriter) line(indent int, format string, args ...any) {
	w.WriteString(strings.Repeat(" ", indent) + fmt.Sprintf(format, args...) + "\n")
}

// body writes the keys of a map.
func (w *programWriter) body(indent int, plain bool) {
	if w.IntN(6) == 0 {
		w.line(indent, "set l = %s", w.expr(1))
	}
	for _, key := range []string{"a", "b", "c"} {
		switch w.IntN(14) {
		case 0:
			w.line(indent, "%s:", key)
			w.line(indent+2, "d: {{ %s }}", w.expr(2))
			w.line(indent+2, "e: {{ %s }}", w.expr(1))
		case 1:
			w.line(indent, "%s: {{ %s }}-{{ %s }}", key, w.expr(2), w.expr(1))
		case 2, 3:
			w.line(indent, "%s: %d", key, w.IntN(4))
		case 4, 5:
			if plain {
				w.line(indent, "%s: {{ %s }}", key, w.expr(1))
				break
			}
			w.line(indent, "%s:", key)
			w.line(indent+2, "new P%d:", w.IntN(2))
			w.line(indent+4, "a: {{ %s }}", w.expr(1))
			if w.IntN(3) == 0 {
				w.line(indent+4, "b: %d", w.IntN(5))
			}
			if w.IntN(6) == 0 {
				w.line(indent+4, "c:")
				w.line(indent+6, "d: {{ %s }}", w.expr(1))
			}
		case 6:
			if w.IntN(2) == 0 {
				w.line(indent, "if %s:", w.expr(1))
				w.line(indent+2, "%s: 1", w.pick(key, "z"))
				break
			}
			fallthrough
		default:
			w.line(indent, "%s: {{ %s }}", key, w.expr(3))
		}
	}
}

func (w *programWriter) pick(all ...string) string { return all[w.IntN(len(all))] }

// key returns a key, or a way of keys.
func (w *programWriter) key() string {
	if w.IntN(8) == 0 {
		return w.pick("a", "b", "c") + "." + w.pick("a", "b", "d", "e", "f")
	}
	return w.pick("a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c", "z")
}

// expr returns an expression.
func (w *programWriter) expr(depth int) string {
	if depth == 0 {
		switch w.IntN(24) {
		case 0:
			if w.IntN(3) > 0 {
				return w.pick("x", "y", "2")
			}
			return w.pick("gone", "g", "l", "s", "here", "self", "k0", "k1")
		case 1:
			return w.pick("'t'", "1.5", "''", "'7'", "8", "'off'")
		case 2, 3:
			return w.pick("self", "here") + "." + w.key()
		case 4:
			return w.pick("k0", "k1", "k2.a", "k3.b")
		case 5, 6, 7, 8, 9:
			if !w.free || w.IntN(12) == 0 {
				return w.pick("x", "x", "y")
			}
		}
		return fmt.Sprint(w.IntN(4))
	}
	sub := func() string { return w.expr(w.IntN(depth)) }
	n := w.IntN(24)
	if n > 10 && n < 17 && w.IntN(3) > 0 { // most of these are errors, or need cells
		n = w.IntN(8)
	}
	switch n {
	case 0, 1:
		return "(" + sub() + w.pick(" + ", " - ", " * ", " + ", " - ", " // ", " % ") + sub() + ")"
	case 2, 3:
		return "(" + sub() + w.pick(" < ", " == ", " != ", " >= ", " == ", " in ") + sub() + ")"
	case 4, 5:
		return "(" + sub() + " if " + sub() + " else " + sub() + ")"
	case 6, 7, 8:
		if w.free {
			break
		}
		return fmt.Sprintf("(%s if x < 1 else m%d(x=x - 1, y=%s).%s)", sub(), w.macro(), sub(), w.key())
	case 9:
		return "(" + sub() + " else " + sub() + ")"
	case 10:
		return "(" + sub() + w.pick(" and ", " or ") + sub() + ")"
	case 11:
		return "(" + w.pick("not ", "-") + sub() + ")"
	case 12:
		return w.pick("len", "str", "int", "sum") + "(" + sub() + ")"
	case 13:
		return "[" + sub() + " for " + w.pick("i", "x") + " in range(" + fmt.Sprint(w.IntN(3)) + ")]"
	case 14:
		return w.pick("["+sub()+", "+sub()+"]", "{'a': "+sub()+"}", "["+sub()+"][0]", "max("+sub()+", "+sub()+")")
	case 15:
		return fmt.Sprintf("m%d(x=%s)", w.macro(), sub())
	case 16:
		return w.pick("hush", "far", "x", "k0", "P0") + "(x=" + sub() + ")." + w.key()
	case 17:
		return fmt.Sprintf("[m%d(x=i, y=%s).%s for i in range(2)]", w.macro(), sub(), w.key())
	case 18:
		return fmt.Sprintf("m%d(x=%s, m%d=m%d).%s", w.macro(), sub(), w.IntN(3), w.macro(), w.key())
	}
	return fmt.Sprintf("m%d(x=%s, %s=%s).%s", w.macro(), sub(), w.pick("y", "y", "y", "y", "y", "y", "z", "self"), sub(), w.key())
}
