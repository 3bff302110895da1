//go:build unix

package main

import (
	"fmt"
	"strings"
)

// lazyRow calls a chain of functions, each of which applies the one before it twice to an argument that
// is evaluated when it is needed: 2^n evaluations, nested as deeply.
var lazyRow = row{
	name: "lazy-array", title: "a list of 20 functions, each applying the one before it twice; one applied to 42",
	sizes: []int{9, 11, 13}, usual: 13, unit: "the function",
	generate: func(dir string, n int) ([]job, error) {
		chain := func(head, each, tail string) func(t *text) {
			return func(t *text) {
				t.printf("%s", head)
				for i := range 19 {
					t.printf(each, i, i+1)
				}
				t.printf(tail, n)
			}
		}
		return shape{
			jsonnet: filled(lazyJsonnet, n),
			yay: chain("macro f0:\n  result: {{ x + 1 }}\n",
				"macro f%[2]d:\n  result: {{ f%[1]d(x=f%[1]d(x=x).result).result }}\n",
				"out:\n  result: {{ f%d(x=42).result }}\n"),
			yaml: chain("out:\n  result: >-\n    {%- macro f0(x) %}{{ x + 1 }}{% endmacro -%}\n",
				"    {%%- macro f%[2]d(x) %%}{{ f%[1]d(f%[1]d(x) | int) }}{%% endmacro -%%}\n",
				"    {{ f%d(42) }}\n"),
			mgmt: chain("func f0($x) { $x + 1 }\n",
				"func f%[2]d($x) { f%[1]d(f%[1]d($x)) }\n",
				"note \"n\" {\n\tout => struct{result => f%d(42)},\n}\n"),
		}.jobs(dir)
	},
}

const lazyJsonnet = `local functions = [function(x) x + 1] + [
  (function(x) functions[i - 1](functions[i - 1](x)))
  for i in std.range(1, 19)
];
{ result: functions[%d](42) }
`

// inheritanceRow extends a map n times, with values computed of those below.
var inheritanceRow = row{
	name: "inheritance", title: "fib(25) by maps that extend maps",
	sizes: []int{10, 25, 70}, usual: 25, unit: "maps",
	generate: func(dir string, n int) ([]job, error) { return inheritance(n, "%s").jobs(dir) },
}

// deepInheritanceRow is inheritanceRow with so many maps that more than the start of the programs is measured.
// The numbers stay small, because those of Jsonnet are floats.
var deepInheritanceRow = row{
	name: "inheritance-deep", title: "fib(1900), modulo a prime number, by maps that extend maps",
	sizes: []int{475, 950, 1900}, usual: 1900, unit: "maps",
	generate: func(dir string, n int) ([]job, error) { return inheritance(n, "(%s) % 1000003").jobs(dir) },
}

// inheritance returns a chain of n maps. sum has a %s for the sum of the two values before. Yay and YAML cannot
// refer to the value that is overridden: a macro is given the map before, a template names it.
func inheritance(n int, sum string) shape {
	of := func(a, b string) string { return strings.Replace(sum, "%s", a+" + "+b, 1) }
	return shape{
		jsonnet: func(t *text) {
			t.printf("local next = { a: super.b, b: %s };\n", of("super.a", "super.b"))
			t.printf("local fib(n) = if n == 0 then { a: 1, b: 1 } else fib(n - 1) + next;\nfib(%d)\n", n)
		},
		yay: func(t *text) {
			t.printf("macro fib:\n  set before = fib(n=n - 1)\n  a: {{ 1 if n == 0 else before.b }}\n")
			t.printf("  b: {{ 1 if n == 0 else %s }}\nout: {{ fib(n=%d) }}\n", of("before.a", "before.b"), n)
		},
		yaml: func(t *text) {
			t.printf("out: {eval: ::f%d}\nf0: {a: 1, b: 1}\n", n)
			for i := range n {
				before := fmt.Sprintf("f%d", i)
				t.printf("f%d:\n  +/%s:\n  a: '{{ %[2]s.b }}'\n  b: '{{ %s }}'\n", i+1, before, of(before+".a", before+".b"))
			}
		},
	}
}

// objectsRow computes each number by an instance of its own: 242,785 for fib(25).
var objectsRow = row{
	name: "objects", title: "fib(25) by an instance of a prototype for each number",
	sizes: []int{15, 20, 25}, usual: 25, unit: "the number",
	generate: func(dir string, n int) ([]job, error) {
		return shape{jsonnet: filled(objectsJsonnet, n), yay: filled(objectsYay, n)}.jobs(dir)
	},
}

const objectsJsonnet = `local Fib = {
  local self_ = self,
  n: 1,
  sum: if self.n < 2 then 1 else (Fib { n: self_.n - 1 }).sum + (Fib { n: self_.n - 2 }).sum,
};
{ result: (Fib { n: %d }).sum }
`

const objectsYay = `prototype Fib:
  n: 1
  sum: {{ 1 if self.n < 2 else fib(n=self.n - 1).it.sum + fib(n=self.n - 2).it.sum }}
macro fib:
  it:
    new Fib:
      n: {{ n }}
out:
  result: {{ fib(n=%d).it.sum }}
`

// foldRow joins texts one by one.
var foldRow = row{
	name: "foldl", title: "20,000 texts joined one by one",
	sizes: []int{5000, 20_000}, usual: 20_000, unit: "texts",
	generate: func(dir string, n int) ([]job, error) {
		return shape{
			jsonnet: filled("local parts = ['/part%%d' %% (i %% 1000) for i in std.range(1, %d)];\n"+
				"{ text: std.foldl(function(text, part) text + part, parts, '') }\n", n),
			yaml: filled(foldYAML, n),
			mgmt: filled(foldMgmt, n),
		}.jobs(dir)
	},
}

const foldYAML = `out:
  text: >-
    {%%- set all = namespace(text='') -%%}
    {%%- for i in range(1, %d + 1) %%}{%% set all.text = all.text ~ '/part' ~ i %% 1000 %%}{%% endfor -%%}
    {{ all.text }}
`

const foldMgmt = `import "fmt"
import "iter"
import "math"

$parts = iter.map(iter.range(1, %d + 1), func($i) { fmt.printf("/part%%d", math.mod($i, 1000)) })
note "n" {
	out => struct{text => iter.reduce("", $parts, func($text, $part) { $text + $part })},
}
`

// joinRow joins letters at once.
var joinRow = row{
	name: "string-join", title: "76,846 one-letter texts joined with commas",
	sizes: []int{19_211, 76_846, 307_384}, usual: 76_846, unit: "texts",
	generate: func(dir string, n int) ([]job, error) {
		return shape{
			jsonnet: filled("{ text: std.join(',', std.repeat(['x'], %d)) }\n", n),
			yay:     filled("out:\n  text: {{ join([\"x\" for i in range(%d)], \",\") }}\n", n),
			yaml:    filled("out:\n  text: \"{{ (['x'] * %d) | join(',') }}\"\n", n),
			mgmt: filled("import \"iter\"\nimport \"strings\"\n\nnote \"n\" {\n"+
				"\tout => struct{text => strings.join_nonempty(iter.map(iter.range(%d), func($i) { \"x\" }), \",\")},\n}\n", n),
		}.jobs(dir)
	},
}

// stripRow removes letters from both ends of texts.
var stripRow = row{
	name: "strip", title: "5,100 letters stripped off both ends of a text",
	sizes: []int{510, 5100, 20_400}, usual: 5100, unit: "letters",
	generate: func(dir string, n int) ([]job, error) {
		return shape{
			jsonnet: filled("local letters = std.repeat('a', %d);\n{ text: std.stripChars(letters + 'text' + letters, 'a') }\n", n),
			yay:     filled("set letters = join([\"a\" for i in range(%d)])\nout:\n  text: {{ sub(\"^a+|a+$\", \"\", letters + \"text\" + letters) }}\n", n),
			yaml:    filled("letters: \"{{ 'a' * %d }}\"\nout:\n  text: \"{{ (letters ~ 'text' ~ letters).strip('a') }}\"\n", n),
		}.jobs(dir)
	},
}

// sortRow sorts numbers.
var sortRow = row{
	name: "sorts", title: "lists of 2,000 numbers sorted: in order, reversed, without repeated ones, by key",
	sizes: []int{500, 2000, 8000}, usual: 2000, unit: "numbers",
	generate: func(dir string, n int) ([]job, error) {
		return shape{
			jsonnet: filled("local up = std.range(1, %d);\n{ up: std.sort(up), down: std.sort(std.reverse(up)), "+
				"set: std.set(up + up), key: std.sort(up, function(n) -n) }\n", n),
			yaml: filled(sortYAML, n),
		}.jobs(dir)
	},
}

const sortYAML = `up: "{{ range(1, %d + 1) | list }}"
out:
  up: "{{ up | sort }}"
  down: "{{ up | reverse | sort }}"
  set: "{{ (up + up) | unique | sort }}"
  key: "{{ keyed | sort(attribute='by') | map(attribute='n') | list }}"
keyed: "{%% set all = [] %%}{%% for n in up %%}{%% do all.append({'n': n, 'by': -n}) %%}{%% endfor %%}{{ all }}"
`
