//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// setRow changes one value of a file and writes the whole of it. The input has one line
// that is to change.
var setRow = row{
	name: "set", title: "one number of a commented file of 5 MB is set, and the file printed",
	sizes: []int{manyServices / 4, manyServices, 4 * manyServices}, usual: manyServices, unit: "services", edits: "big.yaml",
	generate: func(dir string, n int) ([]job, error) {
		err := write(dir, "big.yaml", func(t *text) { writeServices(t, n) })
		service := fmt.Sprintf("service-%05d", n-1)
		return []job{
			{programs.Ours, []string{"set", "big.yaml", "services." + service + ".replicas", "77"}, yamlForm},
			{"yq", []string{`.services["` + service + `"].replicas = 77`, "big.yaml"}, yamlForm},
		}, err
	},
}

// restoreRow folds changes of a finished document back into the overlay that it was made
// with.
var restoreRow = row{
	name: "restore", title: "40 changes of the finished document of the merge row, folded back into an overlay that includes the 5 MB",
	sizes: []int{manyServices / 4, manyServices, 4 * manyServices}, usual: manyServices, unit: "services", edits: "main.yaml",
	generate: func(dir string, n int) ([]job, error) {
		err := writeAll(dir, map[string]func(t *text){
			"base.yaml": func(t *text) { writeServices(t, n) },
			"main.yaml": func(t *text) {
				t.printf("+include: base.yaml\n")
				writeOverlay(t, n, "{+%: whiteout}", "")
			},
			"edited.yaml": func(t *text) { writeEdited(t, n) },
		})
		return []job{{programs.Ours, []string{"restore", "main.yaml", "edited.yaml"}, yamlForm}}, err
	},
}

// writeEdited prints what the services under the overlay come to, with a change in 40 of
// them.
func writeEdited(t *text, n int) {
	t.printf("version: 3\nservices:\n")
	for i := range n {
		replicas := 2 + i%5
		if i%max(n/40, 1) == 0 {
			replicas = 77
		}
		pairs := []string{
			fmt.Sprintf("service-%05d:1.%d.%d\"", i, i%37, i%6), fmt.Sprintf("service-%05d:2.%d.0\"", i, i%37),
			"registry.example.com/team-" + fmt.Sprint(i%37), "registry.example.com/stage",
			fmt.Sprintf("replicas: %d\n", 1+i%9), fmt.Sprintf("replicas: %d\n", replicas),
			fmt.Sprintf("memory: 1%dGi\n", 1+i%9), fmt.Sprintf("memory: 2%dGi\n", 2+i%5),
			"LEVEL: info\n", "LEVEL: debug\n",
		}
		if i%2 == 0 {
			pairs = append(pairs, fmt.Sprintf("      LEGACY_NAME: old-service-%d\n", i), "")
		}
		t.printf("%s", strings.NewReplacer(pairs...).Replace(serviceText(i)))
	}
}
