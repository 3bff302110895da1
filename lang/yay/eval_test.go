package yay

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A world is a document without the graph: names with a value, or with an expression
// that is evaluated when somebody asks for them.
type world struct {
	values  map[string]value.Value
	formula map[string]expr.Node
	busy    map[string]bool

	steps, maxSteps int
	depth           int
	maxText         int
	missing         int // how often Missing was asked
}

func newWorld(t testing.TB) *world {
	w := &world{
		values:   map[string]value.Value{},
		formula:  map[string]expr.Node{},
		busy:     map[string]bool{},
		maxSteps: 1_000_000, maxText: 1000,
	}
	w.values["n"] = value.Int(4)
	w.values["zero"] = value.Int(0)
	w.values["half"] = value.Float(0.5)
	w.values["w"] = value.String("ab")
	w.values["empty"] = value.String("")
	w.values["yes"] = value.True
	w.values["nothing"] = value.Null
	w.values["spelt"] = value.Float(1.5).WithSource(value.Scalar{Spelling: "1.50", Plain: true})
	w.values["padded"] = value.Int(7).WithSource(value.Scalar{Spelling: "007", Plain: true})
	w.values["l"] = list(value.Int(10), value.Int(20), value.Int(30))
	w.values["words"] = list(value.String("b"), value.String("a"))
	w.values["m"] = mapping("port", value.Int(80), "name", value.String("web"), "1", value.String("one"), "inner", mapping("deep", value.Int(1)))
	numbered := value.NewMap(2)
	numbered.Set(value.Key{Text: "80", Kind: value.IntKind}, value.String("http"))
	numbered.Set(value.Key{Text: "true", Kind: value.BoolKind}, value.String("t"))
	w.values["numbered"] = value.FromMap(numbered)
	w.values["undefined"] = value.Undefined(errors.New("the template has no such name"))
	w.values["make"] = value.FromFunc(&value.Func{Name: "make", Definition: "make"})
	w.values["secret"] = value.String("hunter2").Mark(value.Secret)
	w.values["pin"] = value.Int(1234).Mark(value.Secret)
	w.values["sensitive"] = value.String("s3same").Mark(value.Sensitive)
	w.values["vault"] = mapping("password", value.String("hunter2").Mark(value.Secret)).Mark(value.Secret)
	w.define(t, "alias", "m")
	w.define(t, "dangling", "nowhere")
	w.define(t, "dangling_sum", "nowhere + 1")
	w.define(t, "dangling_items", "[nowhere, 2]")
	w.define(t, "loop", "loop")
	w.define(t, "loop_sum", "loop_sum + 1")
	w.define(t, "self_list", "[7, self_list[0]]")
	w.define(t, "self_map", `{"a": 1, "b": self_map.a + 1}`)
	w.define(t, "ring", "[ring[0]]")
	w.define(t, "mirror", "{'a': mirror}")
	w.define(t, "deep_mirror", "{'a': [1, {'b': deep_mirror}]}")
	w.define(t, "list_mirror", "[1, list_mirror[1:][0]]")
	return w
}

func list(items ...value.Value) value.Value { return value.ListOf(items...) }

func mapping(pairs ...any) value.Value {
	m := value.NewMap(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		m.Set(value.K(pairs[i].(string)), pairs[i+1].(value.Value))
	}
	return value.FromMap(m)
}

func (w *world) define(t testing.TB, name, text string) { w.formula[name] = parsed(t, text) }

func parsed(t testing.TB, text string) expr.Node {
	t.Helper()
	n, err := parseText(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func parseText(text string) (expr.Node, error) {
	f := source.NewFile("main.yay", text)
	return parseExpression(f, source.Span{File: f, End: uint32(len(text))})
}

func (w *world) Lookup(name string) (value.Value, bool, error) {
	if v, ok := w.values[name]; ok {
		return v, true, nil
	}
	n, ok := w.formula[name]
	if !ok {
		return value.Null, false, nil
	}
	if w.busy[name] {
		return value.Null, false, source.Errorf(n.Span(), source.Cycle, "a cycle of %s", name)
	}
	w.busy[name] = true
	defer delete(w.busy, name)
	v, err := eval(n, w, nil)
	if err == nil {
		w.values[name] = v
	}
	return v, err == nil, err
}

func (w *world) Missing(n *expr.Name) error {
	w.missing++
	return source.Errorf(n.At, source.NoMatching, "could not find %q", n.Name)
}

// Call evaluates the arguments and returns them as a mapping.
func (w *world) Call(n *expr.CallExpr, _ value.Value, ev evaluator) (value.Value, error) {
	m := value.NewMap(len(n.Args))
	for _, a := range n.Args {
		v, err := ev.eval(a.Value)
		if err != nil {
			return value.Null, err
		}
		m.Set(value.K(a.Name), v)
	}
	return value.FromMap(m), nil
}

func (w *world) Ahead(value.Value, string) {}

func (w *world) Step(n int) error {
	if w.steps += n; w.steps > w.maxSteps {
		return source.Errorf(source.Span{}, source.Limit, "more than %d steps", w.maxSteps)
	}
	return nil
}

func (w *world) Enter() error {
	if w.depth == 100 {
		return source.Errorf(source.Span{}, source.Limit, "too deep")
	}
	w.depth++
	return nil
}

func (w *world) Leave()   { w.depth-- }
func (w *world) Decided() {}

func (w *world) Keeps() bool { return true }

func (w *world) MaxText() int { return w.maxText }

// result evaluates a text completely and returns it as Python would write it.
func (w *world) result(t testing.TB, text string) (string, value.Value, error) {
	t.Helper()
	v, err := eval(parsed(t, text), w, nil)
	if err != nil {
		return "", v, err
	}
	s, err := value.Repr(v)
	return s, v, err
}

func checkResults(t *testing.T, cases map[string]string) {
	t.Helper()
	for text, want := range cases {
		w := newWorld(t)
		got, _, err := w.result(t, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
		if w.depth != 0 {
			t.Errorf("%s: %d levels were not left", text, w.depth)
		}
	}
}

// A failure is the expected error of an expression: the code, the text at its place, and
// words of the message or the hint.
type failure struct {
	text  string
	code  source.Code
	at    string
	words []string
}

func checkFailures(t *testing.T, cases []failure) {
	t.Helper()
	for _, c := range cases {
		w := newWorld(t)
		got, _, err := w.result(t, c.text)
		var d *source.Diagnostic
		if !errors.As(err, &d) {
			t.Errorf("%s = %s, %v; want an error", c.text, got, err)
			continue
		}
		if d.Code != c.code || d.At.Text() != c.at {
			t.Errorf("%s: code %s at %q, want %s at %q (%v)", c.text, d.Code, d.At.Text(), c.code, c.at, err)
		}
		for _, word := range c.words {
			if !strings.Contains(d.Message+" / "+d.Hint, word) {
				t.Errorf("%s: %q (%s) lacks %q", c.text, d.Message, d.Hint, word)
			}
		}
		if w.depth != 0 {
			t.Errorf("%s: %d levels were not left", c.text, w.depth)
		}
	}
}

func TestNames(t *testing.T) {
	checkResults(t, map[string]string{
		"n": "4", "w": "'ab'", "yes": "True", "nothing": "None", "alias.port": "80",
		"[n for n in [1]]": "[1]", "[w for n in [1]]": "['ab']",
	})
	checkFailures(t, []failure{
		{"nowhere", source.NoMatching, "nowhere", []string{"nowhere"}},
		{"1 + nowhere", source.NoMatching, "nowhere", nil},
		{"[i for i in [1]][0] + i", source.NoMatching, "i", nil},
		{"undefined", source.Undefined, "undefined", []string{"no such name"}},
		{"loop", source.Cycle, "loop", []string{"cycle"}},
	})
}

func TestConditional(t *testing.T) {
	checkResults(t, map[string]string{
		"1 if 1 else nowhere":              "1",
		"nowhere if 0 else 2":              "2",
		`"up" if n == 4 else "down"`:       "'up'",
		"1 if 0 else 2 if 0 else 3":        "3",
		"1 if empty else 2":                "2",
		"1 if 'false' else 2":              "1",
		"1 if nothing else 2":              "2",
		"1 if [] else 2":                   "2",
		"1 if l else 2":                    "1",
		"1 if {} else 2":                   "2",
		"1 if m else 2":                    "1",
		"(l if 1 else m)[1]":               "20",
		"(nowhere if 0 else m).port":       "80",
		"(nowhere if 1 else m) else 5":     "5",
		"(1 if nowhere else 2) else 5":     "5",
		"(1 if nowhere + 1 else 2) else 5": "5",
	})
	checkFailures(t, []failure{
		{"1 if make else 2", source.WrongType, "make", []string{"condition", "macro"}},
		{"1 if nowhere else 2", source.NoMatching, "nowhere", nil},
		{"1 if dangling_sum else 2", source.NoMatching, "nowhere", nil},
	})
}

func TestElse(t *testing.T) {
	checkResults(t, map[string]string{
		"m.port else 2":                 "80",
		"m.nil else 2":                  "2",
		"nowhere else nohow else 'end'": "'end'",
		"nowhere.a.b[3].c else []":      "[]",
		"nowhere else {}":               "{}",
		"l[4] else 'none'":              "'none'",
		"m['nil'] else 'none'":          "'none'",
		"m[1] else 'none'":              "'none'",
		"m[nowhere] else 'none'":        "'none'",
		"m[nowhere + 'x'] else 'none'":  "'none'",
		"l[nowhere] else 'none'":        "'none'",
		"nowhere[1:2] else 'none'":      "'none'",
		"l[nowhere:2] else 'none'":      "'none'",
		"l[dangling_sum:] else 'none'":  "'none'",
		"dangling else 1":               "1",
		"(dangling) else 1":             "1",
		"(nowhere else nohow) else 3":   "3",
		"no_function(1) else 3":         "3",
		"nowhere.name(1) else 3":        "3",
		"range(nowhere) else []":        "[]",
		"range(nowhere + 1) else []":    "[]",
		"make(a=nowhere) else 1":        "1",
		"dangling_items[0] else 9":      "9",
		"[nowhere][0] else 9":           "9",
		"{'a': nowhere}.a else 9":       "9",
		"dangling_items[1] else 9":      "2",
		"1 + (nowhere else 2)":          "3",
		"nowhere else 1 + 1":            "2",
		"m.nil else n if 0 else w":      "'ab'",
		"1 if yes else nowhere else 2":  "1",
	})
	checkFailures(t, []failure{
		{"1 + nowhere else 2", source.NoMatching, "nowhere", []string{"nowhere"}},
		{"nowhere == 1 else 2", source.NoMatching, "nowhere", nil},
		{"-nowhere else 2", source.NoMatching, "nowhere", nil},
		{"not nowhere else 2", source.NoMatching, "nowhere", nil},
		{"nowhere and 1 else 2", source.NoMatching, "nowhere", nil},
		{"1 in nowhere else 2", source.NoMatching, "nowhere", nil},
		{"[nowhere] else 2", source.NoMatching, "nowhere", nil},
		{"{'a': nowhere} else 2", source.NoMatching, "nowhere", nil},
		{"{nowhere: 1} else 2", source.NoMatching, "nowhere", nil},
		{"[nowhere for i in l] else 2", source.NoMatching, "nowhere", nil},
		{"[i for i in nowhere] else 2", source.NoMatching, "nowhere", nil},
		{"dangling_sum else 2", source.NoMatching, "nowhere", nil},
		{"dangling_items else 2", source.NoMatching, "nowhere", nil},
		{"loop else 1", source.Cycle, "loop", nil},
		{"loop_sum else 1", source.Cycle, "loop_sum + 1", nil},
		{"1 / 0 else 1", source.ZeroDivision, "0", nil},
		{"n.q else 1", source.WrongType, "n", nil},
		{"undefined else 1", source.Undefined, "undefined", nil},
		{"nowhere else nohow", source.NoMatching, "nohow", nil},
	})
}

// TestElseIsCheap: an "else" does not build the messages of the errors that it catches.
func TestElseIsCheap(t *testing.T) {
	w := newWorld(t)
	for _, text := range []string{"nowhere else 1", "nowhere.a.b[3] else 1", "m[nowhere] else 1", "range(nowhere) else 1"} {
		if _, _, err := w.result(t, text); err != nil {
			t.Error(err)
		}
	}
	if w.missing != 0 {
		t.Errorf("Missing was asked %d times", w.missing)
	}
}

func TestDisplays(t *testing.T) {
	checkResults(t, map[string]string{
		"[1, 'two', n]":                     "[1, 'two', 4]",
		"[]":                                "[]",
		"()":                                "[]",
		"[5]":                               "[5]",
		"[[1, 2], [n, 4]]":                  "[[1, 2], [4, 4]]",
		"1, 2":                              "[1, 2]",
		"{'a': 1, 'b': n}":                  "{'a': 1, 'b': 4}",
		"{'a': 1, 'a': 2}":                  "{'a': 2}",
		"{w + '1': 1, 2: 3, half: 4}":       "{'ab1': 1, '2': 3, '0.5': 4}",
		"{'a': {'b': {'c': n}}}.a.b.c":      "4",
		"[1, nowhere][0]":                   "1",
		"{'a': 1, 'b': nowhere}.a":          "1",
		"[1, 1 / 0, 3][2]":                  "3",
		"len([nowhere, nowhere])":           "2",
		"self_list":                         "[7, 7]",
		"self_map":                          "{'a': 1, 'b': 2}",
		"{spelt: 1}":                        "{'1.50': 1}",
		"{'a': [1, {'b': n}]}['a'][1]['b']": "4",
	})
	checkFailures(t, []failure{
		{"{l: 1}", source.WrongType, "l", []string{"string", "list"}},
		{"[{l: 1}]", source.WrongType, "l", []string{"string", "list"}},
		{"ring", source.Cycle, "ring[0]", []string{"cycle"}},
		{"mirror", source.Cycle, "mirror", []string{"cycle", "contain itself"}},
		{"deep_mirror", source.Cycle, "deep_mirror", []string{"cycle", "contain itself"}},
		{"list_mirror", source.Cycle, "list_mirror[1:][0]", []string{"cycle"}},
		{"{'a': 1 / 0}", source.ZeroDivision, "0", nil},
	})
}

func TestComprehensions(t *testing.T) {
	checkResults(t, map[string]string{
		"[i * i for i in range(4)]":                         "[0, 1, 4, 9]",
		"[i for i in range(6) if i > 3]":                    "[4, 5]",
		"[i for i in range(20) if i > 3 if i % 5 == 0]":     "[5, 10, 15]",
		"[x * 10 + y for x in range(2) for y in range(3)]":  "[0, 1, 2, 10, 11, 12]",
		"[x + y for x in ['a', 'b'] for y in [x, 'c']]":     "['aa', 'ac', 'bb', 'bc']",
		"[k for k in m]":                                    "['1', 'inner', 'name', 'port']",
		"[k for k in numbered]":                             "['80', 'true']",
		"[s.a for s in [{'a': 1}, {'a': 2}]]":               "[1, 2]",
		"[a + b for a, b in [[1, 2], [3, 4]]]":              "[3, 7]",
		"{k: m[k] for k in ['port', 'name']}":               "{'port': 80, 'name': 'web'}",
		"{k: v for k, v in [['a', 1], ['b', 2], ['a', 3]]}": "{'a': 3, 'b': 2}",
		"[[i, {'v': i}] for i in range(2)]":                 "[[0, {'v': 0}], [1, {'v': 1}]]",
		"[[j + i for j in range(2)] for i in range(2)]":     "[[0, 1], [1, 2]]",
		"[[i + 1] for i in range(3)]":                       "[[1], [2], [3]]",
		"[i for i in []]":                                   "[]",
		"[x for x in l if words]":                           "[10, 20, 30]",
		"[make(v=i).v for i in range(3)]":                   "[0, 1, 2]",
		"[i for i in (nowhere else [])]":                    "[]",
	})
	checkFailures(t, []failure{
		{"[i for i in n]", source.WrongType, "n", []string{"list", "integer"}},
		{"[i for i in w]", source.WrongType, "w", []string{"list", "string"}},
		{"[a for a, b in l]", source.WrongType, "a, b", []string{"list of 2", "integer"}},
		{"[a for a, b in [[1]]]", source.WrongType, "a, b", []string{"list of 2", "of 1"}},
		{"[i for i in range(10) if nowhere]", source.NoMatching, "nowhere", nil},
		{"[1 / i for i in range(2)]", source.ZeroDivision, "i", nil},
		{"{l: 1 for i in l}", source.WrongType, "l", []string{"string", "list"}},
		{"[i for i in range(10 ** 8)]", source.Limit, "i", []string{"steps"}},
	})
}

func TestCalls(t *testing.T) {
	checkResults(t, map[string]string{
		"make()":                        "{}",
		"make(a=1, b=n)":                "{'a': 1, 'b': 4}",
		"make(a=make(b=2)).a.b":         "2",
		"[make][0](a=1)":                "{'a': 1}",
		"[make(a=i).a for i in [1, 2]]": "[1, 2]",
	})
	checkFailures(t, []failure{
		{"m(x=1)", source.WrongType, "m", []string{"call", "mapping"}},
		{"n()", source.WrongType, "n", []string{"call", "integer"}},
		{"m.port()", source.WrongType, "m.port", []string{"call m.port"}},
		{"[1][0]()", source.WrongType, "[1][0]", []string{"call"}},
		{"make(1)", source.WrongType, "1", []string{"by name"}},
		{"make(a=nowhere)", source.NoMatching, "nowhere", nil},
		{"foo(1)", source.NoMatching, "foo", []string{"call", "foo"}},
		{"replce('a', 'b', 'c')", source.NoMatching, "replce", []string{"call", `did you mean "replace"`}},
		{"[f(1) for f in l]", source.WrongType, "f", []string{"call f", "integer"}},
	})
}

func TestUserNamesHideBuiltins(t *testing.T) {
	w := newWorld(t)
	w.values["range"] = value.Int(3)
	_, _, err := w.result(t, "range(3)")
	if d := source.AsDiagnostic(err, source.Span{}, ""); d == nil || d.Code != source.WrongType || !strings.Contains(d.Message, "call range") {
		t.Errorf("range(3) with a key of that name: %v", err)
	}
}

// TestSharedErrors: an operator changes a copy of an error that others may hold.
func TestSharedErrors(t *testing.T) {
	shared := source.Errorf(source.Span{}, source.NoMatching, "missing")
	if err := within(shared); shared.Within || !err.(*source.Diagnostic).Within {
		t.Errorf("within: %v, %v", shared.Within, err)
	}
	if within(nil) != nil {
		t.Error("within(nil) is an error")
	}
	wrapped := fmt.Errorf("around: %w", shared)
	if !isMissing(wrapped) || isMissing(within(wrapped)) || !isMissing(reached(within(wrapped))) {
		t.Error("a wrapped error is not recognised")
	}
}

// TestNodesThatNoParserMakes: the evaluator takes any tree.
func TestNodesThatNoParserMakes(t *testing.T) {
	at := expr.Range{}
	one := &expr.Lit{Range: at, Value: value.Int(1)}
	nodes := []expr.Node{
		&expr.Binary{Range: at, Op: "?", X: one, Y: one},
		&expr.Unary{Range: at, Op: "?", X: one},
		&expr.Compare{Range: at, First: one},
		&expr.Compare{Range: at, First: one, Rest: []expr.Comparison{{Op: "?", Y: one}}},
		&expr.Cond{Range: at, Test: &expr.Lit{Value: value.False}, Then: one},
		&expr.Template{Range: at},
	}
	for _, n := range nodes {
		if v, err := eval(n, newWorld(t), nil); err == nil {
			t.Errorf("%T: %v", n, v)
		}
	}
}

func TestBuiltinsAreDescribed(t *testing.T) {
	for _, b := range Builtins() {
		if b.Doc == "" || !strings.HasPrefix(b.Usage, b.Name+"(") {
			t.Errorf("%s: usage %q, doc %q", b.Name, b.Usage, b.Doc)
		}
	}
	if names := builtinNames(); !slices.Contains(names, "range") {
		t.Errorf("no range in %v", names)
	}
}

func benchmarkEval(b *testing.B, text string) {
	w := newWorld(b)
	w.maxSteps = 1 << 60
	n := parsed(b, text)
	vars := (*variables)(nil).with("i", value.Int(7))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := eval(n, w, vars); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArithmetic(b *testing.B)    { benchmarkEval(b, "i * i + 1") }
func BenchmarkAttribute(b *testing.B)     { benchmarkEval(b, "m.inner.deep") }
func BenchmarkFallback(b *testing.B)      { benchmarkEval(b, "m.nil else i") }
func BenchmarkComparison(b *testing.B)    { benchmarkEval(b, "i < 10 and i == 7") }
func BenchmarkPlusText(b *testing.B)      { benchmarkEval(b, "w + 'x'") }
func BenchmarkComprehension(b *testing.B) { benchmarkEval(b, "[x * x for x in range(100)]") }

func BenchmarkJoinText(b *testing.B) {
	w := newWorld(b)
	w.maxSteps = 1 << 60
	p := parts(b, "server-{n}.{w}.example.org")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := joinText(p, w); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzEval evaluates any expression completely: it ends in a value or in an error with
// a place, within the limits, and nothing secret loses its mark or gets into a message.
func FuzzEval(f *testing.F) {
	for _, text := range []string{
		"n + 1 if l[0] > 3 else m.port", "[x * y for x in range(9) for y in l if x % 2]", "{k: m[k] for k in m}", "nowhere else m['nil'] else 'x' + secret",
		"replace(secret, 'h', w)", "sub('(a)', '\\\\1b', w)[0]", "sorted(words)[::-1][1:]", "min(1, 2.5, yes)", "make(a=secret, b=[n])", "2 ** 70 // 3 << 2 & ~1",
		"join(split(secret, 'n'), pin)", "self_list == self_map", "ring", "loop_sum else 1", "vault.password in 'x'", "sum([i ** 2 for i in range(10)]) / 0", "-'3' - +'4e1'",
		"'x' if not (nothing or empty) and n else dangling_items[0]", "range(0, 10 ** 9, 10 ** 8)[3]", "int(float('1.5')) % -2", "1, 2, [3, ()]", "numbered['80'] not in words", "keys(vault)[0]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parseText(text)
		if err != nil {
			return
		}
		w := newWorld(t)
		v, err := eval(n, w, nil)
		if err == nil {
			err = checkMarks(t, text, v, 0)
		}
		if w.depth != 0 || w.steps > w.maxSteps+1_000_000 {
			t.Errorf("%s: depth %d, %d steps", text, w.depth, w.steps)
		}
		if err != nil {
			checkMessage(t, text, err)
		}
	})
}

// checkMarks looks at everything in v. Marks of a list or mapping are those of its
// items, too.
func checkMarks(t *testing.T, text string, v value.Value, marks value.Marks) error {
	marks |= v.Marks()
	if v.Is(value.StringKind) && strings.Contains(v.Str(), "hunter2") && marks&value.Secret == 0 && !strings.Contains(text, "hunter") {
		t.Errorf("%s: %q is not secret", text, v.Str())
	}
	switch v.Kind() {
	case value.ListKind:
		for i := range min(v.List().Len(), 100) {
			item, err := v.List().At(i)
			if err == nil {
				err = checkMarks(t, text, item, marks)
			}
			if err != nil {
				return err
			}
		}
	case value.MapKind:
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err == nil {
				err = checkMarks(t, text, item, marks)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func checkMessage(t *testing.T, text string, err error) {
	d, ok := err.(*source.Diagnostic)
	if !ok || d.At.IsZero() || d.Code == "" || d.Code == source.Internal {
		t.Errorf("%s: %#v", text, err)
		return
	}
	if strings.Contains(d.Message+d.Hint, "hunter2") && !strings.Contains(text, "hunter") {
		t.Errorf("%s: %q (%s)", text, d.Message, d.Hint)
	}
}
