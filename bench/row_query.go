//go:build unix

package main

import (
	"fmt"

	"github.com/yaytpl/yaytpl/bench/programs"
)

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

// queryJSONRow looks it up in JSON.
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
