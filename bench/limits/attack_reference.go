//go:build linux

package main

// referenceAttacks are values that need themselves.
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

// yayPrototype has maps built on others without end, ours in Yay.
func yayPrototype() attack {
	a := inLanguages("a prototype built on itself", sources{
		jsonnet: lines("local p = {x: self + {y: super.x}}; {a: p.x}"),
		cue:     lines("#p: {x: #p}", "a: #p"),
	})
	a.files["main.yay"] = lines("prototype p:", "  x:", "    new p: {}", "a:", "  new p: {}")
	a.runs[ours] = []string{"render", "-o", "json", "main.yay"}
	return a
}
