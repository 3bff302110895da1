//go:build unix

package main

import "github.com/yaytpl/yaytpl/bench/programs"

// mergeRow lays an overlay over the services: for each a few values, for every
// second one a key that is deleted.
var mergeRow = row{
	name: "merge", title: "5 MB of commented YAML under an overlay of 0.45 MB that deletes 1,100 keys",
	sizes: []int{manyServices / 4, manyServices, 4 * manyServices, 16 * manyServices}, usual: manyServices, unit: "services",
	generate: func(dir string, n int) ([]job, error) {
		err := writeAll(dir, map[string]func(t *text){
			"base.yaml":    func(t *text) { writeServices(t, n) },
			"ours.yaml":    func(t *text) { writeOverlay(t, n, "{+%: whiteout}", "") },
			"null.yaml":    func(t *text) { writeOverlay(t, n, "null", "") },
			"prune.yaml":   func(t *text) { writeOverlay(t, n, "(( prune ))", "") },
			"ytt.yaml":     func(t *text) { writeYttOverlay(t, n) },
			"main.jsonnet": content("std.mergePatch(std.parseYaml(importstr 'base.yaml'), std.parseYaml(importstr 'null.yaml'))\n"),
		})
		return []job{
			{programs.Ours, []string{"render", "base.yaml", "ours.yaml"}, yamlForm},
			{"yq", []string{"eval-all", "(select(fi == 0) * select(fi == 1)) | del(.. | select(tag == \"!!null\"))", "base.yaml", "null.yaml"}, yamlForm},
			{"jsonnet", []string{"main.jsonnet"}, jsonForm},
			{"ytt", []string{"--dangerous-allow-all-symlink-destinations", "--ignore-unknown-comments", "-f", "base.yaml", "-f", "ytt.yaml"}, yamlForm},
			{"spruce", []string{"merge", "base.yaml", "prune.yaml"}, yamlForm},
		}, err
	},
}

func writeYttOverlay(t *text, n int) {
	t.printf("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n")
	writeOverlay(t, n, "", "#@overlay/remove\n      ")
}

// writeOverlay prints the overlay. A key is deleted by the value gone, or by the
// mark before it.
func writeOverlay(t *text, n int, gone, mark string) {
	t.printf("services:\n")
	for i := range n {
		t.printf(`  service-%05[1]d:
    image: "registry.example.com/stage/service-%05[1]d:2.%[2]d.0"
    replicas: %[3]d
    resources:
      limits: {memory: 2%[3]dGi}
    environment:
      LEVEL: debug
`, i, i%37, 2+i%5)
		if i%2 == 0 {
			t.printf("      %sLEGACY_NAME: %s\n", mark, gone)
		}
	}
}
