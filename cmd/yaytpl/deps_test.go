package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of docs/howto-nodes.md work for a thousand nodes.
func TestThousandNodes(t *testing.T) {
	const nodes = 1000
	dir := t.TempDir()
	write := func(name, text string) { writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text) }
	write("yaytpl.yaml", `yaytpl: 1
targets:
  "nodes/{node}":
    for: "nodes/{node}.yaml"
    files: [site.yaml, role.yaml, "nodes/{node}.yaml"]
    define: {node: "{node}"}
`)
	write("site.yaml", "fqdn: \"{{ node }}.example.org\"\npackages: [openssh]\n")
	write("role.yaml", "+private: [role]\n+include: \"roles/{{ role }}.yaml\"\n")
	write("roles/web.yaml", "packages: [nginx]\n")
	write("roles/db.yaml", "packages: [postgresql]\n")
	for i := range nodes {
		write(fmt.Sprintf("nodes/n%04d.yaml", i), fmt.Sprintf("role: %s\nrack: %d\n", []string{"web", "db"}[i%2], i/40))
	}
	run := func(args ...string) string {
		t.Helper()
		var out, failed strings.Builder
		status := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &failed, dir: dir, getenv: nothingSet})
		if status != exitDone || failed.Len() > 0 {
			t.Fatalf("yaytpl %s: status %d\n%.1000s", strings.Join(args, " "), status, failed.String())
		}
		return out.String()
	}
	if out := run("check", "@nodes/*"); out != "" {
		t.Errorf("check prints %.200s", out)
	}
	all := run("render", "@nodes/*")
	if n := strings.Count("\n"+all, "\nfqdn: "); n != nodes {
		t.Errorf("render prints %d nodes", n)
	}
	if want := "packages: [openssh, postgresql]\nrack: 24\n"; !strings.Contains(all, want) {
		t.Errorf("render does not print %s", want)
	}
	rules := strings.Split(strings.TrimSpace(run("deps", "-o", "make", "--out", "build", "@nodes/*")), "\n")
	want := "build/nodes/n0999.yaml: nodes/n0999.yaml role.yaml roles/db.yaml site.yaml yaytpl.yaml"
	if len(rules) != nodes || rules[nodes-1] != want {
		t.Errorf("deps prints %d rules, the last one is %s", len(rules), rules[len(rules)-1])
	}
	if n := strings.Count(run("deps", "@nodes/*"), "\n"); n != nodes+6 {
		t.Errorf("the nodes have %d inputs, want a file for each, 5 others and the pattern", n)
	}
}
