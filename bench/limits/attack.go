//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// The programs to attack.
const (
	ours    = programs.Ours
	yq      = programs.Yq
	jsonnet = programs.Jsonnet
	cue     = programs.Cue
	ytt     = programs.Ytt
	spruce  = programs.Spruce
	jq      = programs.Jq
)

// An attack is hostile input, in a form for each program.
type attack struct {
	group, name string
	files       map[string]text
	runs        map[string][]string // arguments by program; programs without the attacked feature are missing
}

// A text writes the text of a file.
type text func(w *bufio.Writer)

// attacks returns all attacks in the order of the tables. They write the same bytes in every run.
func attacks() []attack {
	groups := []struct {
		name    string
		attacks []attack
	}{
		{"Texts that are hard to read", documentAttacks()},
		{"Small documents of big values", valueAttacks()},
		{"Values that need themselves", referenceAttacks()},
		{"Expressions without end", computationAttacks()},
		{"Files", fileAttacks()},
		{"Projects and files of results", projectAttacks()},
		{"Layers over streams and lists", streamAttacks()},
		{"JSON Schemas", schemaAttacks()},
	}
	var all []attack
	for _, g := range groups {
		for _, a := range g.attacks {
			a.group = g.name
			all = append(all, a)
		}
	}
	return all
}

// write creates the files of an attack in a directory.
func (a attack) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, t := range a.files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		t(w)
		if err := w.Flush(); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// is returns a text that writes s.
func is(s string) text { return func(w *bufio.Writer) { w.WriteString(s) } }

// lines returns a text that writes lines.
func lines(all ...string) text { return is(strings.Join(all, "\n") + "\n") }

// all returns a text that writes parts one after the other.
func all(parts ...text) text {
	return func(w *bufio.Writer) {
		for _, p := range parts {
			p(w)
		}
	}
}

// times returns a text that writes s n times.
func times(n int, s string) text {
	return func(w *bufio.Writer) {
		for range n {
			w.WriteString(s)
		}
	}
}

// each returns a text that writes format n times, with the arguments i and i+1. For example,
// each(2, "a%[2]d: *a%[1]d\n") writes "a1: *a0\na2: *a1\n".
func each(n int, format string) text {
	return func(w *bufio.Writer) {
		for i := range n {
			fmt.Fprintf(w, format, i, i+1)
		}
	}
}

// written returns a text as a string, for the arguments of a program.
func written(t text) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	t(w)
	w.Flush()
	return b.String()
}

// document returns an attack with a YAML document, for all programs that read YAML.
func document(name string, t text) attack {
	return attack{name: name, files: map[string]text{"doc.yaml": t}, runs: map[string][]string{
		ours: {"render", "-o", "json", "doc.yaml"}, yq: {"-o", "json", ".", "doc.yaml"},
		jsonnet: {"-e", `std.parseYaml(importstr "doc.yaml")`}, cue: {"export", "doc.yaml"},
		ytt: {"-f", "doc.yaml", "-o", "json"}, spruce: {"merge", "doc.yaml"},
	}}
}

// jsonDocument returns an attack with a JSON document, for all programs.
func jsonDocument(name string, t text) attack {
	return attack{name: name, files: map[string]text{"doc.json": t}, runs: map[string][]string{
		ours: {"render", "-o", "json", "doc.json"}, yq: {"-o", "json", ".", "doc.json"},
		jsonnet: {"doc.json"}, cue: {"export", "doc.json"}, ytt: {"-f", "doc.json", "-o", "json"},
		spruce: {"merge", "doc.json"}, jq: {".", "doc.json"},
	}}
}

// sources are equivalent inputs by program, each in the language of the program.
type sources map[string]text

// inLanguages returns an attack with a source for each of several programs. yq and jq get the
// source as an argument, the others as a file.
func inLanguages(name string, all sources) attack {
	a := attack{name: name, files: map[string]text{}, runs: map[string][]string{}}
	for tool, source := range all {
		file := map[string]string{ours: "main.yaml", jsonnet: "main.jsonnet", cue: "main.cue", ytt: "ytt.yaml", spruce: "spruce.yaml"}[tool]
		a.runs[tool] = map[string][]string{
			ours: {"render", "-o", "json", file}, jsonnet: {file}, cue: {"export", file}, ytt: {"-f", file, "-o", "json"}, spruce: {"merge", file},
			yq: {"-n", "-o", "json", written(source)}, jq: {"-n", written(source)},
		}[tool]
		if file != "" {
			a.files[file] = source
		}
	}
	return a
}

// documentAttacks are documents that are hard to parse.
func documentAttacks() []attack {
	nested := func(open, end string) text { return all(times(100_000, open), times(100_000, end)) }
	return []attack{
		document("lists in lists, 100,000 deep", all(is("a: "), nested("[", "]"))),
		document("maps in maps, 100,000 deep", all(is("a: "), nested("{a: ", "}"))),
		document("100,000 dashes in a line", all(times(100_000, "- "), lines("x"))),
		document("1,000 maps, each further to the right", stairs(1_000)),
		document("1,000,000 open brackets", times(1_000_000, "[")),
		jsonDocument("JSON, 1,000,000 lists deep", all(times(1_000_000, "["), times(1_000_000, "]"))),
		document("a line of 100 MB", all(is("a: "), times(10_000_000, "xxxxxxxxx "), lines("x", "b: 1"))),
		document("1,000,000 keys", each(1_000_000, "k%[1]d: v\n")),
		document("one key 100,000 times", times(100_000, "a: 1\n")),
		document("200,000 documents", times(200_000, "---\na: 1\n")),
		document("1,000,000 lines of comments", all(times(1_000_000, "# nothing to be said\n"), lines("a: 1"))),
		document("a number of 1,000,000 digits", all(is("a: "), times(1_000_000, "9"), lines(""))),
		document("100,000 anchors on one value each", each(100_000, "k%[1]d: &a%[1]d x\n")),
	}
}

// stairs returns n nested block maps.
func stairs(n int) text {
	var parts []text
	for i := range n {
		parts = append(parts, is(strings.Repeat(" ", i)+"a:\n"))
	}
	return all(append(parts, is(strings.Repeat(" ", n)+"b: 1\n"))...)
}

// doublings is the number of times that an attack doubles a value. 2^60 values fit in no memory.
const doublings = 60

// valueAttacks are small documents with large values.
func valueAttacks() []attack {
	bigMap := all(lines("a: &a"), each(50_000, "  k%[1]d: %[1]d\n"), lines("l:"))
	return []attack{
		document("billion laughs: aliases", all(lines("a0: &a0 [x]"), each(doublings, "a%[2]d: &a%[2]d [*a%[1]d, *a%[1]d]\n"))),
		inLanguages("billion laughs: references", sources{
			ours:    all(lines("a0: {x: 1}"), each(doublings, "a%[2]d:\n  l: {+/a%[1]d: }\n  r: {+/a%[1]d: }\n")),
			jsonnet: all(lines("{a0: {x: 1},"), each(doublings, "a%[2]d: {l: $.a%[1]d, r: $.a%[1]d},\n"), lines("}")),
			cue:     all(lines("a0: x: 1"), each(doublings, "a%[2]d: {l: a%[1]d, r: a%[1]d}\n")),
			ytt:     all(lines("#@ a0 = [1]"), each(doublings, "#@ a%[2]d = [a%[1]d, a%[1]d]\n"), lines("a: #@ a60")),
			spruce:  all(lines("a0: {x: 1}"), each(doublings, "a%[2]d:\n  l: (( grab a%[1]d ))\n  r: (( grab a%[1]d ))\n")),
		}),
		inLanguages("billion laughs: texts", sources{
			ours:    all(lines("a0: xx"), each(doublings, "a%[2]d: \"{{ a%[1]d }}{{ a%[1]d }}\"\n")),
			yq:      all(is(`"xx"`), times(doublings, " | . + .")),
			jsonnet: all(lines("{a0: 'xx',"), each(doublings, "a%[2]d: $.a%[1]d + $.a%[1]d,\n"), lines("}")),
			cue:     all(lines(`a0: "xx"`), each(doublings, "a%[2]d: \"\\(a%[1]d)\\(a%[1]d)\"\n")),
			ytt:     all(lines("#@ a0 = 'xx'"), each(doublings, "#@ a%[2]d = a%[1]d + a%[1]d\n"), lines("a: #@ a60")),
			spruce:  all(lines("a0: xx"), each(doublings, "a%[2]d: (( concat a%[1]d a%[1]d ))\n")),
			jq:      all(is(`"xx"`), times(doublings, " | . + .")),
		}),
		document("a text of 1 MB with 1,000 aliases", all(is("a: &a "), times(1_000_000, "x"), is("\nl: ["), times(1000, "*a, "), lines("]"))),
		document("a map of 50,000 keys with 1,000 aliases", all(bigMap, times(1000, "  - *a\n"))),
		document("a map of 50,000 keys merged 1,000 times", all(bigMap, times(1000, "  - {<<: *a}\n"))),
		matches(),
	}
}

// matches returns an attack with a path that matches 10^10 values of a small document.
func matches() attack {
	a := document("a path with 10^10 matches", all(lines("a0: &a0 {x: 1}"), each(10, "a%[2]d: &a%[2]d ["+strings.Repeat("*a%[1]d, ", 10)+"]\n")))
	a.runs = map[string][]string{
		ours:    {"query", "doc.yaml", "::a10" + strings.Repeat("::*", 10) + "::x"},
		yq:      {"-o", "json", ".a10" + strings.Repeat("[]", 10) + ".x", "doc.yaml"},
		jsonnet: {"-e", `local d = std.parseYaml(importstr "doc.yaml"); [z.x for b in d.a10 for c in b for e in c for f in e for g in f for h in g for i in h for j in i for k in j for z in k]`},
	}
	return a
}

// referenceAttacks are values that depend on themselves.
func referenceAttacks() []attack {
	return []attack{
		document("an anchor that contains its own alias", lines("a: &a {b: [*a]}")),
		document("`<<` to itself", lines("a: &a {<<: *a}")),
		inLanguages("values in a cycle", sources{
			ours:    lines(`a: "{{ b }}"`, `b: "{{ c }}"`, `c: "{{ a }}"`),
			jsonnet: lines("{a: self.b, b: self.c, c: self.a}"),
			cue:     lines("a: b + 1", "b: c + 1", "c: a + 1"),
			spruce:  lines("a: (( grab b ))", "b: (( grab c ))", "c: (( grab a ))"),
		}),
		inLanguages("a map that holds itself", sources{
			ours:    lines("a:", "  b: {+/a: }"),
			jsonnet: lines("{a: {b: $.a}}"),
			cue:     lines("a: b: a"),
			spruce:  lines("a:", "  b:", "    z: (( inject a ))"),
		}),
		inLanguages("a function that calls itself", sources{
			ours:    lines(`a: "{% macro m(x) %}{{ m(x + 1) }}{% endmacro %}{{ m(1) }}"`),
			jsonnet: lines("local f(x) = f(x + 1) + 1; {a: f(1)}"),
			cue:     lines("#f: {n: int, out: (#f & {n: n + 1}).out}", "a: (#f & {n: 1}).out"),
			ytt:     lines("#@ def f(x):", "#@   return f(x + 1)", "#@ end", "a: #@ f(1)"),
			jq:      is("def f: 1 + f; f"),
		}),
		inLanguages("a function that calls itself twice", sources{
			ours:    lines(`a: "{% macro m(x) %}{{ m(x + 1) }}{{ m(x + 1) }}{% endmacro %}{{ m(1) }}"`),
			jsonnet: lines("local f(x) = f(x + 1) + f(x + 1); {a: f(1)}"),
			ytt:     lines("#@ def f(x):", "#@   return f(x + 1) + f(x + 1)", "#@ end", "a: #@ f(1)"),
			jq:      is("def f: f + f; f"),
		}),
		yayPrototype(),
	}
}

// yayPrototype returns an attack with a prototype that contains an instance of itself. The source
// for yaytpl is Yay.
func yayPrototype() attack {
	a := inLanguages("a prototype built on itself", sources{
		jsonnet: lines("local p = {x: self + {y: super.x}}; {a: p.x}"),
		cue:     lines("#p: {x: #p}", "a: #p"),
	})
	a.files["main.yay"] = lines("prototype p:", "  x:", "    new p: {}", "a:", "  new p: {}")
	a.runs[ours] = []string{"render", "-o", "json", "main.yay"}
	return a
}

// computationAttacks are expressions that need endless time, or all memory.
func computationAttacks() []attack {
	const manyAs = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"
	return []attack{
		inLanguages("a loop of 10^9 turns", sources{
			ours:    lines(`a: "{% for i in range(1000000000) %}x{% endfor %}"`),
			jsonnet: lines("{a: [i for i in std.range(1, 1000000000)]}"),
			cue:     lines(`import "list"`, "a: [for i in list.Range(0, 1000000000, 1) {i}]"),
			ytt:     lines("a:", "#@ for i in range(1000000000):", "- #@ i", "#@ end"),
			jq:      is("[range(1000000000)]"),
		}),
		inLanguages("loops of 10^5 by 10^5 turns that give nothing", sources{
			ours:    lines(`a: "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"`),
			jsonnet: lines("{a: std.length([0 for i in std.range(1, 100000) for j in std.range(1, 100000) if i < 0])}"),
			cue:     lines(`import "list"`, "a: len([for i in list.Range(0, 100000, 1) for j in list.Range(0, 100000, 1) if i < 0 {0}])"),
			ytt:     lines("#@ for i in range(100000):", "#@ for j in range(100000):", "#@ end", "#@ end", "a: 1"),
			jq:      is("[range(100000) as $i | range(100000) | empty]"),
		}),
		inLanguages("a text repeated 10^10 times", sources{
			ours:    lines(`a: "{{ 'x' * 10**10 }}"`),
			yq:      is(`"x" * 10000000000`),
			jsonnet: lines("{a: std.repeat('x', 10000000000)}"),
			cue:     lines(`import "strings"`, `a: strings.Repeat("x", 10000000000)`),
			ytt:     lines("a: #@ 'x' * 10000000000"),
			jq:      is(`"x" * 10000000000`),
		}),
		inLanguages("a number with 10^9 places in a format", sources{
			ours:    lines(`a: "{{ '%01000000000d' | format(1) }}"`),
			jsonnet: lines("{a: '%01000000000d' % 1}"),
		}),
		inLanguages("10 to the power of 10^10", sources{
			ours:    lines(`a: "{{ 10 ** (10 ** 10) }}"`),
			jsonnet: lines("{a: std.pow(10, std.pow(10, 10))}"),
			cue:     lines(`import "math"`, "a: math.Pow(10, 10000000000)"),
			ytt:     lines("a: #@ 1 << 33219280948"),
			jq:      is("pow(10; pow(10; 10))"),
		}),
		inLanguages("a regular expression that tries again and again", sources{
			ours: is("a: \"{{ '" + manyAs + "' | regex_search('^(?=a)(a+)+$') }}\"\n"),
			yq:   is(`"` + manyAs + `" | test("^(a+)+$")`),
			cue:  is("a: \"" + manyAs + "\" =~ \"^(a+)+$\"\n"),
			ytt:  is("#@ load('@ytt:regexp', 'regexp')\na: #@ regexp.match('^(a+)+$', '" + manyAs + "')\n"),
			jq:   is(`"` + manyAs + `" | test("^(a+)+$")`),
		}),
		inLanguages("100,000 parentheses", sources{
			ours:    all(is("a: \"{{ "), times(100_000, "("), is("1"), times(100_000, ")"), lines(` }}"`)),
			jsonnet: all(times(100_000, "("), is("1"), times(100_000, ")")),
			cue:     all(is("a: "), times(100_000, "("), is("1"), times(100_000, ")"), lines("")),
			ytt:     all(is("a: #@ "), times(100_000, "("), is("1"), times(100_000, ")"), lines("")),
		}),
		inLanguages("all orders of 100 items", sources{
			ours: lines(`a: "{{ range(100) | permutations | list | length }}"`),
		}),
	}
}

// fileAttacks are files that include others, or do not end.
func fileAttacks() []attack {
	return []attack{
		includeCycle(),
		chain("60 files that include the next one twice", doublings, "l: {+include: %[1]s}\nr: {+include: %[1]s}\n", "{l: import '%[1]s', r: import '%[1]s'}\n"),
		chain("5,000 files that include the next one", 5000, "a: {+include: %s}\n", "{a: import '%s'}\n"),
		endlessFile(),
	}
}

func includeCycle() attack {
	a := inLanguages("includes in a cycle", sources{
		ours:    lines("x: {+include: b.yaml}"),
		jsonnet: lines("{x: import 'b.jsonnet'}"),
		ytt:     lines("#@ load('b.star', 'b')", "x: #@ b"),
	})
	for name, content := range map[string]string{
		"b.yaml": "y: {+include: c.yaml}\n", "c.yaml": "z: {+include: main.yaml}\n",
		"b.jsonnet": "{y: import 'c.jsonnet'}\n", "c.jsonnet": "{z: import 'main.jsonnet'}\n",
		"b.star": "load('c.star', 'c')\nb = c\n", "c.star": "load('b.star', 'b')\nc = b\n",
	} {
		a.files[name] = is(content)
	}
	a.runs[ytt] = append(a.runs[ytt], "-f", "b.star", "-f", "c.star")
	return a
}

// chain returns an attack with n files. Each includes the next one; the formats yaml and code take
// its name.
func chain(name string, n int, yaml, code string) attack {
	a := inLanguages(name, sources{
		ours:    is(fmt.Sprintf(yaml, "f0.yaml")),
		jsonnet: is(fmt.Sprintf(code, "f0.jsonnet")),
	})
	for i := range n {
		a.files[fmt.Sprintf("f%d.yaml", i)] = is(fmt.Sprintf(yaml, fmt.Sprintf("f%d.yaml", i+1)))
		a.files[fmt.Sprintf("f%d.jsonnet", i)] = is(fmt.Sprintf(code, fmt.Sprintf("f%d.jsonnet", i+1)))
	}
	a.files[fmt.Sprintf("f%d.yaml", n)] = lines("z: 1")
	a.files[fmt.Sprintf("f%d.jsonnet", n)] = lines("{z: 1}")
	return a
}

func endlessFile() attack {
	a := inLanguages("a file without end, `/dev/zero`", sources{
		ours:    lines("a: {+include: /dev/zero}"),
		jsonnet: lines("{a: importstr '/dev/zero'}"),
	})
	a.runs[ours] = []string{"render", "--root", "/", "main.yaml"}
	a.runs[yq] = []string{"-n", `load("/dev/zero")`}
	a.runs[cue] = []string{"export", "yaml:", "/dev/zero"}
	a.runs[ytt] = []string{"-f", "/dev/zero"}
	a.runs[spruce] = []string{"merge", "/dev/zero"}
	a.runs[jq] = []string{".", "/dev/zero"}
	return a
}
