package system_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// soon is how long hostile input may keep us busy where a test sets limits. It is
// far more than is needed, for machines that do other work meanwhile.
const soon = 2 * time.Minute

// ends runs f and fails if it takes too long.
func ends(t *testing.T, f func() (string, error)) (string, error) {
	t.Helper()
	type result struct {
		out string
		err error
	}
	done := make(chan result, 1)
	go func() { out, err := f(); done <- result{out, err} }()
	select {
	case r := <-done:
		return r.out, r.err
	case <-time.After(soon):
		t.Fatal("no end in sight")
		return "", nil
	}
}

// small are limits that hostile input meets at once.
var small = graph.Limits{Steps: 1_000_000, Output: 1 << 20, Bytes: 64 << 20, Memory: 400 << 20}

// each writes n lines of a format that takes the number of the line and of the next.
func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, i+1)
	}
	return b.String()
}

// doubling is a text in which each of 60 lines has the line before it twice.
func doubling(first, format string) string { return first + each(60, format) }

func TestHostileDocuments(t *testing.T) {
	bigMap := "a: &a\n" + each(20_000, "  k%[1]d: %[1]d\n") + "l:\n"
	deep := func(open, end string) string { return strings.Repeat(open, 100_000) + strings.Repeat(end, 100_000) }
	tests := []struct {
		rule, text string
		code       source.Code
		says       string
	}{
		{"billion laughs by aliases", doubling("a0: &a0 [x]\n", "a%[2]d: &a%[2]d [*a%[1]d, *a%[1]d]\n"), source.Limit, ""},
		{"billion laughs by anchors of directives", doubling("a0: &a0 {x: 1}\n", "a%[2]d: &a%[2]d\n  l: {+*a%[1]d: }\n  r: {+*a%[1]d: }\n"), source.Limit, ""},
		{"billion laughs by pointers", doubling("a0: {x: 1}\n", "a%[2]d:\n  l: {+/a%[1]d: }\n  r: {+/a%[1]d: }\n"), source.Limit, ""},
		{"billion laughs by templates", doubling("a0: xx\n", "a%[2]d: \"{{ a%[1]d }}{{ a%[1]d }}\"\n"), source.Limit, ""},
		{"billion laughs by expressions", doubling("a0: [1]\n", "a%[2]d: {eval: {add: [{eval: \"::a%[1]d\"}, {eval: \"::a%[1]d\"}]}}\n"), source.Limit, ""},
		{"a large scalar in many places", "a: &a " + strings.Repeat("x", 1_000_000) + "\nl: [" + strings.Repeat("*a, ", 1000) + "]\n", source.Limit, "output"},
		{"a large map in many places", bigMap + strings.Repeat("  - *a\n", 1000), source.Limit, "output"},
		{"a large map merged in many places", bigMap + strings.Repeat("  - {<<: *a}\n", 1000), source.Limit, `"<<" copies`},
		{"an anchor that contains its own alias", "a: &a {b: [*a]}\n", source.Cycle, `"a" contains its own alias`},
		{"<< to itself", "a: &a {<<: *a}\n", source.Cycle, `merges itself with "<<"`},
		{"lists in lists", "a: " + deep("[", "]"), source.Limit, "nested"},
		{"maps in maps", "a: " + deep("{a: ", "}"), source.Limit, "nested"},
		{"dashes", strings.Repeat("- ", 100_000) + "x\n", source.Limit, "nested"},
		{"open brackets", strings.Repeat("[", 1_000_000), source.Limit, "nested"},
		{"NUL", "a: x\x00y\n", source.Syntax, "U+0000"},
		{"errors without number", each(long.Scale(100_000), "a%[1]d: \"{{ u%[1]d }}\"\n"), source.Undefined, "is undefined"},
		{"duplicates without number", strings.Repeat("a: 1\n", long.Scale(100_000)), source.DuplicateKey, `"a"`},
		{"a pointer up without end", "a: {\"+" + strings.Repeat(".", 900) + "/x\": }\n", source.MissingInclude, ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			for _, form := range long.Sample([]string{"json", "yaml"}) {
				_, err := ends(t, func() (string, error) {
					return renderTree(t, map[string]string{"main.yaml": tt.text}, yaytpl.Options{Limits: small}, yaytpl.RenderOptions{Form: form})
				})
				if d := decisive(t, err); d.Code != tt.code || !strings.Contains(d.Message, tt.says) {
					t.Errorf("as %s: %.300v, want %s about %q", form, d, tt.code, tt.says)
				}
			}
		})
	}
}

func TestHostileJSON(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000),
		strings.Repeat("[", 1_000_000),
	} {
		dir := tree(t, map[string]string{"main.json": text})
		_, err := ends(t, func() (string, error) {
			_, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "main.json")}, yaytpl.Options{Dir: dir})
			return "", err
		})
		if d := decisive(t, err); d.Code != source.Limit {
			t.Errorf("%.20s...: %v, want a limit", text, d)
		}
	}
}

// TestHostileComputations: values that would take unlimited time or memory meet a limit.
func TestHostileComputations(t *testing.T) {
	tests := []string{
		`"{{ range(1000000000) | list | length }}"`,
		`"{% for i in range(1000000000) %}x{% endfor %}"`,
		`"{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"`,
		`"{% set ns = namespace(n='x') %}{% for i in range(99) %}{% set ns.n = ns.n ~ ns.n %}{% endfor %}{{ ns.n }}"`,
		`"{% set ns = namespace(n=[1]) %}{% for i in range(99) %}{% set ns.n = ns.n + ns.n %}{% endfor %}{{ ns.n }}"`,
		`"{{ 'x' * 10**9 }}"`, `"{{ [1] * 10**9 }}"`, `{eval: {mul: [x, 10000000000]}}`,
		`{eval: {pow: [10, 10000000000]}}`, `"{{ (10**10000) ** 10000 }}"`,
		`"{{ '%1000000000d' | format(1) }}"`, `"{{ '{:>1000000000}'.format(1) }}"`, `"{{ 'x'.ljust(1000000000) }}"`,
		`"{{ 'x' | center(1000000000) }}"`, `"{{ 'x\ny' | indent(1000000000) }}"`,
		`"{{ range(100) | permutations | list | length }}"`, `"{{ [1] | batch(1000000000, 0) | list | length }}"`,
		`"{{ query('sequence', 'start=1 end=1000000000') | length }}"`,
		`"{% for c in 'x' * 10**7 %}{% endfor %}"`,
		`"{{ ('x' * 1000000) | replace('x', 'y' * 1000000) }}"`, `"{{ range(100000) | join('y' * 1000000) }}"`,
		`"{% macro m(x) %}{{ m(x) }}{% endmacro %}{{ m(1) }}"`,
		`"{% macro m(x) %}{{ m(x+1) }}{{ m(x+1) }}{% endmacro %}{{ m(1) }}"`,
		`"{% include 'self.j2' %}"`, `"{% include 'extends.j2' %}"`, `"{% import 'import.j2' as i %}{{ i.x }}"`,
		`{eval: ::b, foreach: {value: {eval: ::b, foreach: {value: {eval: ::b, foreach: {value: {eval: ::b, foreach: $item}}}}}}}`,
		`"{{ ` + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + ` }}"`,
		`"{{ ` + strings.Repeat("1 + ", 100_000) + `1 }}"`,
		`"` + strings.Repeat("{% if 1 %}", 50_000) + strings.Repeat("{% endif %}", 50_000) + `"`,
	}
	files := map[string]string{
		"self.j2": "x{% include 'self.j2' %}", "extends.j2": "{% extends 'extends.j2' %}", "import.j2": "{% import 'import.j2' as i %}",
	}
	b := "\nb: [" + strings.Repeat("1, ", 100) + "]\n"
	for _, text := range tests {
		t.Run(text[:min(len(text), 60)], func(t *testing.T) {
			t.Parallel()
			all := map[string]string{"main.yaml": "a: " + text + b}
			for name, text := range files {
				all[name] = text
			}
			_, err := ends(t, func() (string, error) {
				return renderTree(t, all, yaytpl.Options{Limits: small}, yaytpl.RenderOptions{})
			})
			if d := decisive(t, err); !errors.Is(d, source.ErrLimit) {
				t.Errorf("%v, want a limit", d)
			}
		})
	}
}

// TestHostileEdits: the documents that edits compare and linters walk are larger than their texts.
// Parts that are the same data are visited once; where they are not, a limit is exceeded.
func TestHostileEdits(t *testing.T) {
	for _, computed := range []bool{false, true} {
		leaf := "x"
		if computed {
			leaf = `"{{ 1 + 1 }}"`
		}
		testHostileEdits(t, doubling("a0: &a0 [x, "+leaf+"]\n", "a%[2]d: &a%[2]d [*a%[1]d, *a%[1]d]\n"), computed)
	}
}

func testHostileEdits(t *testing.T, text string, limited bool) {
	limits := small
	limits.Steps *= long.Scale(10)
	o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": text}), Limits: limits}
	ctx := context.Background()
	tests := map[string]func() (string, error){
		"set": func() (string, error) {
			_, err := edit.Apply(ctx, "main.yaml", []edit.Edit{{Path: "z", Value: value.Int(1)}}, o, edit.Options{})
			return "", err
		},
		"restore": func() (string, error) {
			_, err := edit.Restore(ctx, "main.yaml", source.NewFile("edited.yaml", text), o, edit.RestoreOptions{})
			return "", err
		},
		"check": func() (string, error) {
			p, err := yaytpl.Open(ctx, []string{"main.yaml"}, o)
			if err != nil {
				return "", err
			}
			return "", source.OneOrMany(p.Check())
		},
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := ends(t, f)
			if found := source.Findings(err); limited != (len(found) > 0 && found[0].Code == source.Limit) {
				t.Errorf("got %v, want a limit: %t", err, limited)
			}
		})
	}
}

// TestLargeButHonest: input of an unusual size that is not an attack is rendered.
func TestLargeButHonest(t *testing.T) {
	tests := []struct{ rule, text, path, want string }{
		{"a template of many parts", `a: "` + strings.Repeat("{{ 1 }} x ", 100_000) + `"`, "a", ""},
		{"a template with a long text", `a: "{{ '` + strings.Repeat("x", 10_000_000) + `' | length }}"`, "a", "10000000"},
		{"a long line", "a: " + strings.Repeat("x ", 5_000_000) + "\nb: 1\n", "b", "1"},
		{"many documents", strings.Repeat("---\na: 1\n", 20_000), "", ""},
		{"a long number", "a: " + strings.Repeat("9", 100_000) + "\nb: 1\n", "b", "1"},
		{"a chain of expressions", each(5_000, "a%d: {eval: ::a%d}\n") + "a5000: 7\n", "a0", "7"},
		{"a chain of templates", each(5_000, "a%d: \"{{ a%d }}\"\n") + "a5000: 7\n", "a0", "7"},
		{"a chain of loops", each(2_000, "a%d: \"{%% for x in [1] %%}{{ a%d }}{%% endfor %%}\"\n") + "a2000: 7\n", "a0", "7"},
		{"a chain of pointers", each(5_000, "a%d: {+/a%d: }\n") + "a5000: 7\n", "a0", "7"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			dir := tree(t, map[string]string{"main.yaml": tt.text})
			got, err := ends(t, func() (string, error) {
				o := yaytpl.Options{Dir: dir}
				if tt.path == "" {
					return renderIn(t, o, yaytpl.RenderOptions{})
				}
				p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "main.yaml")}, o)
				if err != nil {
					return "", err
				}
				v, err := p.Documents()[0].Get(tt.path)
				var b strings.Builder
				if err == nil {
					err = p.WriteValue(&b, v, yaytpl.RenderOptions{})
				}
				return b.String(), err
			})
			if err != nil || tt.want != "" && got != tt.want+"\n" {
				t.Errorf("%.100q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// TestChainsEndInALimit: references that may be too deep must not overflow the stack,
// with any value between them.
func TestChainsEndInALimit(t *testing.T) {
	const n = 8_000
	for _, format := range []string{
		"a%d: {eval: {if: $true, then: {eval: \"::a%d\"}}}\n",
		"a%d: \"{%% for x in [1] %%}{{ a%d ~ x }}{%% endfor %%}\"\n",
		"a%d: \"{{ [ROOT.a%d] | map_value }}\"\n",
	} {
		dir := tree(t, map[string]string{"main.yaml": each(n, format) + fmt.Sprintf("a%d: 1\n", n)})
		_, err := ends(t, func() (string, error) {
			p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "main.yaml")}, yaytpl.Options{Dir: dir})
			if err == nil {
				_, err = p.Documents()[0].Get("a0")
			}
			return "", err
		})
		if err != nil && decisive(t, err).Code != source.Limit {
			t.Errorf("%s: %v, want a value or a limit", format, decisive(t, err))
		}
	}
}

// TestCyclesAreNamed: every step of a cycle is in the message or its notes.
func TestCyclesAreNamed(t *testing.T) {
	tests := []struct {
		rule  string
		files map[string]string
		code  source.Code
		names []string // places of steps
	}{
		{"templates", map[string]string{"main.yaml": "a: \"{{ b }}\"\nb: \"{{ c }}\"\nc: \"{{ a }}\"\n"}, source.Cycle,
			[]string{"main.yaml:1:4", "main.yaml:2:4", "main.yaml:3:4"}},
		{"a template and an expression", map[string]string{"main.yaml": "a: \"{{ b }}\"\nb: {eval: ::a}\n"}, source.Cycle,
			[]string{"main.yaml:1:4", "main.yaml:2:4"}},
		{"pointers", map[string]string{"main.yaml": "a: {+/b: }\nb: {+/a: }\n"}, source.RecursiveInclude,
			[]string{"main.yaml:1:5", "main.yaml:2:5"}},
		{"files", map[string]string{"main.yaml": "x: {+include: b.yaml}\n", "b.yaml": "y: {+include: c.yaml}\n", "c.yaml": "z: {+include: main.yaml}\n"}, source.RecursiveInclude,
			[]string{"main.yaml:1", "b.yaml:1", "c.yaml:1"}},
		{"a file in itself", map[string]string{"main.yaml": "+include: main.yaml\n"}, source.RecursiveInclude, []string{"main.yaml:1"}},
		{"variables", map[string]string{"main.yaml": "a: {eval: $x, vars: {x: {eval: $y}, y: {eval: $x}}}\n"}, source.Cycle, []string{"main.yaml:1"}},
	}
	for _, tt := range tests {
		_, err := renderTree(t, tt.files, yaytpl.Options{StrictCycles: true}, yaytpl.RenderOptions{})
		d := decisive(t, err)
		said := d.Error()
		for _, n := range d.Notes {
			said += " " + n.At.String() + " " + n.Message
		}
		for _, at := range d.Includes {
			said += " " + at.String()
		}
		if d.Code != tt.code {
			t.Errorf("%s: %v, want %s", tt.rule, d, tt.code)
		}
		for _, name := range tt.names {
			if !strings.Contains(said, name) {
				t.Errorf("%s: %q does not name %s", tt.rule, said, name)
			}
		}
	}
}

func TestIncludesWithoutEnd(t *testing.T) {
	chain := map[string]string{"last.yaml": "z: 1\n"}
	for i := range 2001 {
		chain[fmt.Sprintf("f%d.yaml", i)] = fmt.Sprintf("a: {+include: f%d.yaml}\n", i+1)
	}
	chain["main.yaml"], chain["f2001.yaml"] = "+include: f0.yaml\n", "z: 1\n"
	wide := map[string]string{"main.yaml": each(101, "k%[1]d: {+include: f%[1]d.yaml}\n")}
	for i := range 101 {
		wide[fmt.Sprintf("f%d.yaml", i)] = "v: 1\n"
	}
	_, err := renderTree(t, chain, yaytpl.Options{}, yaytpl.RenderOptions{})
	if d := decisive(t, err); d.Code != source.Limit || !strings.Contains(d.Message, "2000") {
		t.Errorf("a chain of includes: %v", d)
	}
	_, err = renderTree(t, wide, yaytpl.Options{Limits: graph.Limits{Files: 100}}, yaytpl.RenderOptions{})
	if d := decisive(t, err); d.Code != source.Limit || !strings.Contains(d.Message, "--max-files") {
		t.Errorf("many files: %v", d)
	}
}

// TestFilesThatAreNone: directories, pipes, devices and binary files are errors, and do not block.
func TestFilesThatAreNone(t *testing.T) {
	dir := tree(t, map[string]string{"binary.yaml": "\x7fELF\x00\x01\xff", "sub/x": "", "utf16.yaml": "\xff\xfea\x00:\x00 \x001\x00\n\x00"})
	makeFIFO(t, filepath.Join(dir, "fifo.yaml"))
	tests := []struct {
		file string
		code source.Code
	}{
		{"/dev/zero", source.Access}, {"fifo.yaml", source.Access}, {"sub", source.Access},
		{"binary.yaml", source.Syntax}, {"utf16.yaml", ""},
	}
	for _, tt := range tests {
		for _, text := range []string{"a: {+include: " + tt.file + "}\n", "a: \"{{ lookup('file', '" + tt.file + "') }}\"\n", "a: \"{% include '" + tt.file + "' %}\"\n"} {
			if tt.file == "binary.yaml" && !strings.Contains(text, "+include") {
				continue // bytes are data for those who read files as text
			}
			if err := os.WriteFile(filepath.Join(dir, "main.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := ends(t, func() (string, error) {
				return renderIn(t, yaytpl.Options{Dir: dir, Roots: []string{"/"}}, yaytpl.RenderOptions{})
			})
			want := tt.code
			if want == "" && err != nil || want != "" && decisive(t, err).Code != want {
				t.Errorf("%s: %v, want %q", text, err, want)
			}
		}
	}
}

// endless are documents whose evaluation takes minutes, in each kind of work.
func endless() []string {
	return []string{
		"a: \"{% for i in range(1000000) %}{% for j in range(1000000) %}{% endfor %}{% endfor %}\"\n",
		"a: {eval: ::b, foreach: {value: {eval: ::b, foreach: {value: {eval: ::b, foreach: {value: {eval: ::b, foreach: $item}}}}}}}\nb: [" + strings.Repeat("1,", 200) + "]\n",
		doubling("a0: {x: 1}\n", "a%[2]d:\n  l: {+/a%[1]d: }\n  r: {+/a%[1]d: }\n"),
	}
}

// TestTimeoutIsKept: every kind of work stops soon after the timeout.
func TestTimeoutIsKept(t *testing.T) {
	for _, text := range endless() {
		dir := tree(t, map[string]string{"main.yaml": text})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		began := time.Now()
		_, err := ends(t, func() (string, error) {
			p, err := yaytpl.Open(ctx, []string{filepath.Join(dir, "main.yaml")}, yaytpl.Options{Dir: dir})
			if err == nil {
				err = p.Render(&strings.Builder{}, yaytpl.RenderOptions{Form: "json"})
			}
			return "", err
		})
		cancel()
		if d := decisive(t, err); d.Code != source.Timeout || time.Since(began) > 5*time.Second {
			t.Errorf("%.40q: %v after %v", text, d, time.Since(began))
		}
	}
}

// TestCancelIsKept: a context that is cancelled in the middle ends every kind of work with its error, and
// leaves no goroutine.
func TestCancelIsKept(t *testing.T) {
	for _, text := range endless() {
		dir := tree(t, map[string]string{"main.yaml": text})
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		_, err := ends(t, func() (string, error) {
			p, err := yaytpl.Open(ctx, []string{filepath.Join(dir, "main.yaml")}, yaytpl.Options{Dir: dir})
			if err == nil {
				err = p.Render(&strings.Builder{}, yaytpl.RenderOptions{Form: "json"})
			}
			return "", err
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%.40q: %v, want %v", text, err, context.Canceled)
		}
		for range 100 {
			if runtime.NumGoroutine() <= before {
				break
			}
			time.Sleep(20 * time.Millisecond) // they may be about to end
		}
		if n := runtime.NumGoroutine() - before; n > 0 {
			t.Errorf("%.40q: %d goroutines are left", text, n)
		}
	}
}

// A document of more values than can be looked at ends by the limit also without those that fail.
func TestPartialOfLaughs(t *testing.T) {
	var text strings.Builder
	text.WriteString("bad: '{{ nope }}'\nl0: [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 8 {
		fmt.Fprintf(&text, "l%d: [%s{eval: ::l%d}]\n", i+1, strings.Repeat(fmt.Sprintf("{eval: ::l%d}, ", i), 9), i)
	}
	dir := t.TempDir()
	p, err := yaytpl.Open(context.Background(), []string{"m.yaml"}, yaytpl.Options{
		Dir: dir, Overlay: map[string]string{filepath.Join(dir, "m.yaml"): text.String()}, Limits: graph.Limits{Steps: 200_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = p.Render(io.Discard, yaytpl.RenderOptions{Partial: true})
	var codes []source.Code
	for _, d := range source.Findings(err) {
		codes = append(codes, d.Code)
	}
	if !slices.Contains(codes, source.Undefined) || !slices.Contains(codes, source.Limit) {
		t.Errorf("the errors have the codes %q, want undefined and limit", codes)
	}
}

// TestHintsOfManyErrors: what errors look at to find the name that is meant is bounded, as n errors would look at n
// names each.
func TestHintsOfManyErrors(t *testing.T) {
	const n = 2400
	for _, c := range []struct{ file, line, hint string }{
		{"main.yaml", "key-far-from-that-%d: \"{{ lisen }}\"\n", `did you mean "listen"?`},
		{"main.yay", "key-far-from-that-%d: {{ lisen }}\n", `did you mean "listen"?`},
	} {
		t.Run(c.file, func(t *testing.T) {
			text := "listen: 80\n"
			for i := range n {
				text += fmt.Sprintf(c.line, i)
			}
			path := filepath.Join(t.TempDir(), c.file)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := yaytpl.Open(t.Context(), []string{path}, yaytpl.Options{})
			if err != nil {
				t.Fatal(err)
			}
			hinted := 0
			for i := range n {
				_, err := p.Documents()[0].Get(fmt.Sprintf("key-far-from-that-%d", i))
				var d *source.Diagnostic
				if !errors.As(err, &d) {
					t.Fatalf("k%d: %v, want an error", i, err)
				}
				if d.Hint == c.hint {
					hinted++
				} else if i < 1000 {
					t.Fatalf("k%d: hint %q, want %q", i, d.Hint, c.hint)
				}
			}
			if hinted == n {
				t.Errorf("all %d errors have looked at all names", n)
			}
		})
	}
}
