//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// A row is one kind of work at several sizes.
type row struct {
	name  string
	title string
	sizes []int  // numbers of units, in ascending order
	usual int    // the size at which the table compares the programs
	unit  string // of the sizes
	edits string // the input file of an edit; the lines of the output that differ from it are counted

	// generate writes the inputs of one size to dir and returns the commands to run in dir.
	generate func(dir string, size int) ([]job, error)
}

// A job is a command line for one row: a program, with the language of its input if yaytpl has several
// in the row (see oursIn), and its arguments.
type job struct {
	tool   string
	args   []string
	output form
}

// A form is the format of an output.
type form int

const (
	yamlForm form = iota
	jsonForm
)

func rows() []row {
	return []row{
		startRow, mergeRow, queryRow, queryJSONRow, setRow, restoreRow, includesRow, watchRow, targetsRow, matchRow, templateRow, yayRow, wideRow, growthRow, lookupRow,
		programChainRow, programBindsRow, programGraphRow,
		addressesRow, sitesRow, namesRow, pageRow, lazyRow, inheritanceRow, deepInheritanceRow, objectsRow, foldRow, joinRow, stripRow, sortRow,
	}
}

// startRow measures the time and memory that a program needs to start.
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

// mergeRow merges the services with an overlay, which changes a few values of each service and
// deletes a key of every second one.
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

			"chart/Chart.yaml":         content("apiVersion: v2\nname: services\nversion: 1.0.0\n"),
			"chart/values.yaml":        func(t *text) { writeServices(t, n) },
			"chart/templates/all.yaml": content("{{ toYaml .Values }}\n"),
		})
		return []job{
			{programs.Ours, []string{"render", "base.yaml", "ours.yaml"}, yamlForm},
			{"yq", []string{"eval-all", "(select(fi == 0) * select(fi == 1)) | del(.. | select(tag == \"!!null\"))", "base.yaml", "null.yaml"}, yamlForm},
			{"jsonnet", []string{"main.jsonnet"}, jsonForm},
			{"ytt", []string{"--dangerous-allow-all-symlink-destinations", "--ignore-unknown-comments", "-f", "base.yaml", "-f", "ytt.yaml"}, yamlForm},
			{"spruce", []string{"merge", "base.yaml", "prune.yaml"}, yamlForm},
			{"helm", []string{"template", "services", "chart", "--values", "null.yaml"}, yamlForm},
		}, err
	},
}

func writeYttOverlay(t *text, n int) {
	t.printf("#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n")
	writeOverlay(t, n, "", "#@overlay/remove\n      ")
}

// writeOverlay writes the overlay of n services. The value gone of a key, or the mark before the
// key, deletes it: "null" and "" for yq, "" and an annotation for ytt.
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

const (
	queryTitle = "one deep value near the end of a file"
	queryYAML  = "5 and 50 MB of YAML"
	queryJSON  = "5.9 and 59 MB of JSON"
)

// queryRow looks up one value in YAML.
var queryRow = row{
	name: "query", title: queryTitle + ": " + queryYAML,
	sizes: []int{manyServices, 10 * manyServices}, usual: manyServices, unit: "services",
	generate: func(dir string, n int) ([]job, error) {
		err := write(dir, "big.yaml", func(t *text) { writeServices(t, n) })
		return queryJobs("big.yaml", n, yamlForm, "yq"), err
	},
}

// queryJSONRow looks up the same value in JSON.
var queryJSONRow = row{
	name: "query-json", title: queryTitle + ": " + queryJSON,
	sizes: []int{manyServices, 10 * manyServices}, usual: manyServices, unit: "services",
	generate: func(dir string, n int) ([]job, error) {
		err := write(dir, "big.json", func(t *text) { writeServicesJSON(t, n) })
		return queryJobs("big.json", n, jsonForm, "yq", "jq"), err
	},
}

func queryJobs(file string, n int, output form, others ...string) []job {
	service := fmt.Sprintf("service-%05d", n-1)
	jobs := []job{{programs.Ours, []string{"query", "--one", "-o", "json", file, "::services::" + service + "::volumes::0::path"}, jsonForm}}
	for _, name := range others {
		jobs = append(jobs, job{name, []string{`.services["` + service + `"].volumes[0].path`, file}, output})
	}
	return jobs
}

// setRow changes one value of a file and prints the whole file. One line should change.
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

// restoreRow folds edits of a rendered document back into the overlay that it was rendered from.
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

// writeEdited writes the result of merging n services and their overlay, with edits in about 40
// services.
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

// watchRow renders the files of the includes row, and again after each of n changes of one of them. The files
// are old, as those of a project are.
var watchRow = row{
	name: "watch", title: "1,000 files of 21 lines, and again after each change of one of them",
	sizes: []int{1, 101}, usual: 101, unit: "changes",
	generate: func(dir string, n int) ([]job, error) {
		const files = 1000
		if _, err := includesRow.generate(dir, files); err != nil {
			return nil, err
		}
		old := time.Now().Add(-time.Hour)
		for i := range files {
			if err := os.Chtimes(filepath.Join(dir, fmt.Sprintf("parts/part-%05d.yaml", i)), old, old); err != nil {
				return nil, err
			}
		}
		err := write(dir, "steps", func(t *text) {
			for i := range n {
				t.printf("write parts/part-%05d.yaml {services: {service-%05[1]d: {image: \"registry.example.com/service:%d\", replicas: %[2]d}}}\n", files/2, i)
			}
		})
		return []job{{programs.Ours, []string{"watch", "--script", "steps", "main.yaml"}, yamlForm}}, err
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

// wideRow reads and writes one map with many keys.
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

// growthRow reads and writes the services, without an overlay.
var growthRow = row{
	name: "growth", title: "commented YAML of 1 to 20 MB, read and written",
	sizes: []int{440, 1100, 2200, 4400, 8800}, usual: 2200, unit: "services",
	generate: func(dir string, n int) ([]job, error) {
		err := write(dir, "plain.yaml", func(t *text) { writeServices(t, n) })
		return plainJobs("plain.yaml"), err
	},
}

// plainJobs returns the jobs that read a YAML file and print it as YAML.
func plainJobs(file string) []job {
	return []job{
		{programs.Ours, []string{"render", file}, yamlForm},
		{"yq", []string{".", file}, yamlForm},
		{"cue", []string{"export", "--out", "yaml", file}, yamlForm},
		{"ytt", []string{"--ignore-unknown-comments", "-f", file}, yamlForm},
		{"spruce", []string{"merge", file}, yamlForm},
	}
}

// targetsRow renders the targets of a project: a site of some services, with a file of its own for each.
var targetsRow = row{
	name: "targets", title: "targets of one project, each a site of 4 services with a file of its own",
	sizes: []int{1000, 2500, 10_000}, usual: 2500, unit: "targets",
	generate: func(dir string, n int) ([]job, error) {
		files := map[string]func(t *text){
			"yaytpl.yaml": content("yaytpl: 1\ntargets:\n  '{n}': {for: 'nodes/{n}.yaml', files: [site.yaml, 'nodes/{n}.yaml'], define: {host: '{n}.example.org'}}\n"),
			"site.yaml": func(t *text) {
				writeServices(t, 4)
				t.printf("addresses: {eval: '::services::*::image'}\nurl: 'https://{{ host }}/'\n")
			},
		}
		for i := range n {
			files[fmt.Sprintf("nodes/n%05d.yaml", i)] = content(fmt.Sprintf("services: {service-00003: {replicas: %d}}\n", i))
		}
		return []job{{programs.Ours, []string{"render", "-o", "jsonl"}, jsonForm}}, writeAll(dir, files)
	},
}

// matchRow puts 50 layers over the documents of a stream that they choose by their content.
var matchRow = row{
	name: "match", title: "documents under 50 layers with `+match`",
	sizes: []int{750, 3000, 12_000}, usual: 3000, unit: "documents",
	generate: func(dir string, n int) ([]job, error) {
		err := writeAll(dir, map[string]func(t *text){
			"objects.yaml": func(t *text) { writeObjects(t, n) },
			"over.yaml": func(t *text) {
				for i := range 50 {
					t.printf("---\n+match: {kind: Deployment, metadata: {name: web-%d}}\nspec: {replicas: %d}\n", i*(n/50), i)
				}
			},
		})
		return []job{{programs.Ours, []string{"render", "-o", "jsonl", "objects.yaml", "over.yaml"}, jsonForm}}, err
	},
}

// writeObjects writes n documents.
func writeObjects(t *text, n int) {
	for i := range n {
		t.printf(`---
# object %[1]d
apiVersion: apps/v1
kind: Deployment
metadata: {name: web-%[1]d, namespace: ns-%[2]d, labels: {app: web-%[1]d}}
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: main
          image: registry.example.org/web:%[1]d
          ports: [{containerPort: 8080}]
          env: [{name: A, value: "%[1]d"}, {name: B, value: b}]
`, i, i%7)
	}
}
