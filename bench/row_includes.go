//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// includesRow merges many small files into one tree.
var includesRow = row{
	name: "includes", title: "files of 21 lines merged into one tree",
	sizes: []int{250, 1000, 4000}, usual: 1000, unit: "files",
	generate: func(dir string, n int) ([]job, error) {
		names := make([]string, n)
		for i := range n {
			names[i] = fmt.Sprintf("parts/part-%05d.yaml", i)
			if err := write(dir, names[i], func(t *text) { writePart(t, i) }); err != nil {
				return nil, err
			}
		}
		err := writeAll(dir, map[string]func(t *text){
			"main.yaml": func(t *text) {
				for i, name := range names {
					t.printf("+include-%d: %s\n", i, name)
				}
			},
			"main.jsonnet": func(t *text) {
				t.printf("std.foldl(std.mergePatch, [\n")
				for _, name := range names {
					t.printf("  std.parseYaml(importstr '%s'),\n", name)
				}
				t.printf("], {})\n")
			},
		})
		return []job{
			{programs.Ours, []string{"render", "main.yaml", "-o", "json"}, jsonForm},
			{"yq", append([]string{"eval-all", "-o=json", ". as $item ireduce ({}; . * $item)"}, names...), jsonForm},
			{"jsonnet", []string{"-s", "100000", "main.jsonnet"}, jsonForm},
			{"cue", append([]string{"export"}, names...), jsonForm},
			{"spruce", append([]string{"merge"}, names...), yamlForm},
		}, err
	},
}

func writePart(t *text, i int) {
	t.printf("%s", strings.TrimLeft(fmt.Sprintf(`
# part %[1]d
services:
  service-%05[1]d:
    image: registry.example.com/service:%[1]d
    replicas: %[2]d
    enabled: true
    ports:
      http: %[3]d
      metrics: 9090
    environment:
      MODE: production
      NAME: "service %[1]d"
    labels:
      team: team-%[2]d
      part: part-%[1]d
    volumes:
      - name: data
        path: /var/lib/%[1]d
groups:
  group-%05[1]d:
    size: %[2]d
`, i, 1+i%9, 8000+i%1000), "\n"))
}
