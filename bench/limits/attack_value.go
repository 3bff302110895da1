//go:build linux

package main

import "strings"

// doublings is how often something is doubled: no machine holds the result.
const doublings = 60

// valueAttacks are small documents whose values are big.
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

// matches is a path that finds 10^10 values in a small document.
func matches() attack {
	a := document("a path with 10^10 matches", all(lines("a0: &a0 {x: 1}"), each(10, "a%[2]d: &a%[2]d ["+strings.Repeat("*a%[1]d, ", 10)+"]\n")))
	a.runs = map[string][]string{
		ours:    {"query", "doc.yaml", "::a10" + strings.Repeat("::*", 10) + "::x"},
		yq:      {"-o", "json", ".a10" + strings.Repeat("[]", 10) + ".x", "doc.yaml"},
		jsonnet: {"-e", `local d = std.parseYaml(importstr "doc.yaml"); [z.x for b in d.a10 for c in b for e in c for f in e for g in f for h in g for i in h for j in i for k in j for z in k]`},
	}
	return a
}
