//go:build unix

package main

import "github.com/yaytpl/yaytpl/bench/programs"

// wideRow is a map of many keys.
var wideRow = row{
	name: "wide", title: "one map of 100,000 keys",
	sizes: []int{25_000, 50_000, 100_000, 200_000}, usual: 100_000, unit: "keys",
	generate: func(dir string, n int) ([]job, error) {
		err := write(dir, "wide.yaml", func(t *text) {
			for i := range n {
				t.printf("key-%06d: value %d\n", i, i)
			}
		})
		return plainJobs("wide.yaml"), err
	},
}

// growthRow is the services alone, read and written.
var growthRow = row{
	name: "growth", title: "commented YAML of 1 to 20 MB, read and written",
	sizes: []int{440, 1100, 2200, 4400, 8800}, usual: 2200, unit: "services",
	generate: func(dir string, n int) ([]job, error) {
		err := write(dir, "plain.yaml", func(t *text) { writeServices(t, n) })
		return plainJobs("plain.yaml"), err
	},
}

// plainJobs read a file and write it again.
func plainJobs(file string) []job {
	return []job{
		{programs.Ours, []string{"render", file}, yamlForm},
		{"yq", []string{".", file}, yamlForm},
		{"cue", []string{"export", "--out", "yaml", file}, yamlForm},
		{"ytt", []string{"--ignore-unknown-comments", "-f", file}, yamlForm},
		{"spruce", []string{"merge", file}, yamlForm},
	}
}
