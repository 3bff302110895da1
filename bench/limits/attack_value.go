//go:build linux

package main

import "strings"

// doublings is how often something is doubled: no machine holds the result.
const doublings = 60

// valueAttacks are small documents whose values are big.
func valueAttacks() []attack {
	const group = "Small documents of big values"
	bigMap := all(is("a: &a\n"), each(50_000, "  k%[1]d: %[1]d\n"), is("l:\n"))
	return []attack{
		document(group, "billion laughs: aliases", all(is("a0: &a0 [x]\n"), each(doublings, "a%[2]d: &a%[2]d [*a%[1]d, *a%[1]d]\n"))),
		programs(group, "billion laughs: references",
			program{ours, all(is("a0: {x: 1}\n"), each(doublings, "a%[2]d:\n  l: {+/a%[1]d: }\n  r: {+/a%[1]d: }\n"))},
			program{jsonnet, all(is("{a0: {x: 1},\n"), each(doublings, "a%[2]d: {l: $.a%[1]d, r: $.a%[1]d},\n"), is("}\n"))},
			program{cue, all(is("a0: x: 1\n"), each(doublings, "a%[2]d: {l: a%[1]d, r: a%[1]d}\n"))},
			program{ytt, all(is("#@ a0 = [1]\n"), each(doublings, "#@ a%[2]d = [a%[1]d, a%[1]d]\n"), is("a: #@ a60\n"))},
			program{spruce, all(is("a0: {x: 1}\n"), each(doublings, "a%[2]d:\n  l: (( grab a%[1]d ))\n  r: (( grab a%[1]d ))\n"))},
		),
		programs(group, "billion laughs: texts",
			program{ours, all(is("a0: xx\n"), each(doublings, "a%[2]d: \"{{ a%[1]d }}{{ a%[1]d }}\"\n"))},
			program{yq, all(is(`"xx"`), times(doublings, " | . + ."))},
			program{jsonnet, all(is("{a0: 'xx',\n"), each(doublings, "a%[2]d: $.a%[1]d + $.a%[1]d,\n"), is("}\n"))},
			program{cue, all(is("a0: \"xx\"\n"), each(doublings, "a%[2]d: \"\\(a%[1]d)\\(a%[1]d)\"\n"))},
			program{ytt, all(is("#@ a0 = 'xx'\n"), each(doublings, "#@ a%[2]d = a%[1]d + a%[1]d\n"), is("a: #@ a60\n"))},
			program{spruce, all(is("a0: xx\n"), each(doublings, "a%[2]d: (( concat a%[1]d a%[1]d ))\n"))},
			program{jq, all(is(`"xx"`), times(doublings, " | . + ."))},
		),
		document(group, "a text of 1 MB with 1,000 aliases", all(is("a: &a "), times(1_000_000, "x"), is("\nl: ["), times(1000, "*a, "), is("]\n"))),
		document(group, "a map of 50,000 keys with 1,000 aliases", all(bigMap, times(1000, "  - *a\n"))),
		document(group, "a map of 50,000 keys merged 1,000 times", all(bigMap, times(1000, "  - {<<: *a}\n"))),
		matches(group),
	}
}

// matches is a path that finds 10^10 values in a small document.
func matches(group string) attack {
	a := document(group, "a path with 10^10 matches", all(is("a0: &a0 {x: 1}\n"), each(10, "a%[2]d: &a%[2]d ["+strings.Repeat("*a%[1]d, ", 10)+"]\n")))
	a.runs = map[string][]string{
		ours:    {"query", "doc.yaml", "::a10" + strings.Repeat("::*", 10) + "::x"},
		yq:      {"-o", "json", ".a10" + strings.Repeat("[]", 10) + ".x", "doc.yaml"},
		jsonnet: {"-e", `local d = std.parseYaml(importstr "doc.yaml"); [z.x for b in d.a10 for c in b for e in c for f in e for g in f for h in g for i in h for j in i for k in j for z in k]`},
	}
	return a
}
