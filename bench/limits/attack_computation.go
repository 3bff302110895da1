//go:build linux

package main

// computationAttacks are expressions that take for ever, or all memory.
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
