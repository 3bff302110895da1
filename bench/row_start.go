//go:build unix

package main

import "github.com/yaytpl/yaytpl/bench/programs"

// startRow is what a program needs before it does anything.
var startRow = row{
	name: "start", title: "a trivial document",
	sizes: []int{1}, usual: 1, unit: "documents",
	generate: func(dir string, n int) ([]job, error) {
		err := writeAll(dir, map[string]func(t *text){
			"a.yaml":    content("a: 1\n"),
			"a.json":    content("{\"a\": 1}\n"),
			"a.jsonnet": content("{a: 1}\n"),
		})
		return []job{
			{programs.Ours, []string{"render", "a.yaml"}, yamlForm},
			{"yq", []string{".", "a.yaml"}, yamlForm},
			{"jq", []string{".", "a.json"}, jsonForm},
			{"jsonnet", []string{"a.jsonnet"}, jsonForm},
			{"cue", []string{"export", "a.yaml"}, jsonForm},
			{"ytt", []string{"-f", "a.yaml"}, yamlForm},
			{"spruce", []string{"merge", "a.yaml"}, yamlForm},
		}, err
	},
}
