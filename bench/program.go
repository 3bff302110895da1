//go:build unix

package main

import (
	"fmt"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// The rows of the mgmt language. The peers print the same resources and edges from local values of the
// same shape; they check no types, and not that edges have ends and no circle.

// programChainRow has n values that each need the one before.
var programChainRow = row{
	name: "program-chain", title: "5,000 values in the mgmt language, each computed of the one before",
	sizes: []int{1000, 5000, 20_000}, usual: 5000, unit: "values",
	generate: func(dir string, n int) ([]job, error) {
		return programJobs(dir, programTexts{
			ours: func(t *text) {
				t.printf("$v0 = 0\n")
				for i := range n - 1 {
					t.printf("$v%d = $v%d + 1\n", i+1, i)
				}
				t.printf("note \"n\" {\n\tv => $v%d,\n}\n", n-1)
			},
			jsonnet: func(t *text) {
				t.printf("local v0 = 0;\n")
				for i := range n - 1 {
					t.printf("local v%d = v%d + 1;\n", i+1, i)
				}
				t.printf("{resources: [{kind: 'note', name: 'n', params: {v: v%d}}], edges: []}\n", n-1)
			},
			cue: func(t *text) {
				t.printf("_v0: 0\n")
				for i := range n - 1 {
					t.printf("_v%d: _v%d + 1\n", i+1, i)
				}
				t.printf("resources: [{kind: \"note\", name: \"n\", params: v: _v%d}]\nedges: []\n", n-1)
			},
		})
	},
}

// programBindsRow has n values that need no other, each with a resource.
var programBindsRow = row{
	name: "program-binds", title: "5,000 values in the mgmt language, each with a resource",
	sizes: []int{1250, 5000, 20_000}, usual: 5000, unit: "values",
	generate: func(dir string, n int) ([]job, error) {
		return programJobs(dir, programTexts{
			ours: func(t *text) {
				for i := range n {
					t.printf("$v%d = %d + 1\nnote \"n%05d\" {\n\tv => $v%d,\n}\n", i, i, i, i)
				}
			},
			jsonnet: func(t *text) {
				for i := range n {
					t.printf("local v%d = %d + 1;\n", i, i)
				}
				t.printf("{resources: [\n")
				for i := range n {
					t.printf("  {kind: 'note', name: 'n%05d', params: {v: v%d}},\n", i, i)
				}
				t.printf("], edges: []}\n")
			},
			cue: func(t *text) {
				for i := range n {
					t.printf("_v%d: %d + 1\n", i, i)
				}
				t.printf("resources: [\n")
				for i := range n {
					t.printf("\t{kind: \"note\", name: \"n%05d\", params: v: _v%d},\n", i, i)
				}
				t.printf("]\nedges: []\n")
			},
		})
	},
}

// programGraphRow has n resources, each with edges to the next one and to the tenth from there.
var programGraphRow = row{
	name: "program-graph", title: "10,000 resources in the mgmt language with 19,989 edges",
	sizes: []int{2500, 10_000, 40_000}, usual: 10_000, unit: "resources",
	generate: func(dir string, n int) ([]job, error) {
		next := func(i int) (names []string) {
			for _, k := range []int{i + 1, i + 10} {
				if k < n {
					names = append(names, fmt.Sprintf("n%05d", k))
				}
			}
			return names
		}
		return programJobs(dir, programTexts{
			ours: func(t *text) {
				for i := range n {
					t.printf("note \"n%05d\" {\n", i)
					for _, name := range next(i) {
						t.printf("\tBefore => Note[%q],\n", name)
					}
					t.printf("}\n")
				}
			},
			jsonnet: func(t *text) {
				t.printf("local notes = [\n")
				for i := range n {
					t.printf("  {name: 'n%05d', before: %s},\n", i, listText(next(i)))
				}
				t.printf("];\n{resources: [{kind: 'note', name: n.name, params: {}} for n in notes],\n" +
					" edges: [{from: 'Note[' + n.name + ']', to: 'Note[' + b + ']', notify: false} for n in notes for b in n.before]}\n")
			},
			cue: func(t *text) {
				t.printf("_notes: [\n")
				for i := range n {
					t.printf("\t{name: \"n%05d\", before: %s},\n", i, listText(next(i)))
				}
				t.printf("]\nresources: [for n in _notes {kind: \"note\", name: n.name, params: {}}]\n" +
					"edges: [for n in _notes for b in n.before {from: \"Note[\\(n.name)]\", to: \"Note[\\(b)]\", notify: false}]\n")
			},
		})
	},
}

// listText returns a list of texts as jsonnet and cue write it.
func listText(names []string) string {
	text := "["
	for _, name := range names {
		text += fmt.Sprintf("%q, ", name)
	}
	return text + "]"
}

// programTexts are one program in three languages.
type programTexts struct{ ours, jsonnet, cue func(t *text) }

func programJobs(dir string, p programTexts) ([]job, error) {
	err := writeAll(dir, map[string]func(t *text){"site.mcl": p.ours, "site.jsonnet": p.jsonnet, "site.cue": p.cue})
	return []job{
		{programs.Ours, []string{"render", "-o", "json", "site.mcl"}, jsonForm},
		{programs.Jsonnet, []string{"-s", "100000", "site.jsonnet"}, jsonForm},
		{programs.Cue, []string{"export", "site.cue"}, jsonForm},
	}, err
}
