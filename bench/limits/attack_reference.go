//go:build linux

package main

// referenceAttacks are values that need themselves.
func referenceAttacks() []attack {
	const group = "Values that need themselves"
	return []attack{
		document(group, "an anchor that contains its own alias", is("a: &a {b: [*a]}\n")),
		document(group, "`<<` to itself", is("a: &a {<<: *a}\n")),
		programs(group, "values in a cycle",
			program{ours, is("a: \"{{ b }}\"\nb: \"{{ c }}\"\nc: \"{{ a }}\"\n")},
			program{jsonnet, is("{a: self.b, b: self.c, c: self.a}\n")},
			program{cue, is("a: b + 1\nb: c + 1\nc: a + 1\n")},
			program{spruce, is("a: (( grab b ))\nb: (( grab c ))\nc: (( grab a ))\n")},
		),
		programs(group, "a map that holds itself",
			program{ours, is("a:\n  b: {+/a: }\n")},
			program{jsonnet, is("{a: {b: $.a}}\n")},
			program{cue, is("a: b: a\n")},
			program{spruce, is("a:\n  b:\n    z: (( inject a ))\n")},
		),
		programs(group, "a function that calls itself",
			program{ours, is("a: \"{% macro m(x) %}{{ m(x + 1) }}{% endmacro %}{{ m(1) }}\"\n")},
			program{jsonnet, is("local f(x) = f(x + 1) + 1; {a: f(1)}\n")},
			program{cue, is("#f: {n: int, out: (#f & {n: n + 1}).out}\na: (#f & {n: 1}).out\n")},
			program{ytt, is("#@ def f(x):\n#@   return f(x + 1)\n#@ end\na: #@ f(1)\n")},
			program{jq, is("def f: 1 + f; f")},
		),
		programs(group, "a function that calls itself twice",
			program{ours, is("a: \"{% macro m(x) %}{{ m(x + 1) }}{{ m(x + 1) }}{% endmacro %}{{ m(1) }}\"\n")},
			program{jsonnet, is("local f(x) = f(x + 1) + f(x + 1); {a: f(1)}\n")},
			program{ytt, is("#@ def f(x):\n#@   return f(x + 1) + f(x + 1)\n#@ end\na: #@ f(1)\n")},
			program{jq, is("def f: f + f; f")},
		),
		yayPrototype(group),
	}
}

// yayPrototype has maps built on others without end, ours in Yay.
func yayPrototype(group string) attack {
	a := programs(group, "a prototype built on itself",
		program{jsonnet, is("local p = {x: self + {y: super.x}}; {a: p.x}\n")},
		program{cue, is("#p: {x: #p}\na: #p\n")},
	)
	a.files["main.yay"] = is("prototype p:\n  x:\n    new p: {}\na:\n  new p: {}\n")
	a.runs[ours] = []string{"render", "-o", "json", "main.yay"}
	return a
}
