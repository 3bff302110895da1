//go:build unix

package main

import (
	"fmt"
	"path/filepath"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// lookupRow looks up one key for a node in a tree of Hiera with a file for each of n nodes, of which
// the hierarchy reads three.
var lookupRow = row{
	name: "lookup", title: "one key for one node, in a Hiera tree with a file for each node",
	sizes: []int{250, 1000, 4000}, usual: 1000, unit: "files",
	generate: func(dir string, n int) ([]job, error) {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		for i := range n {
			if err := write(dir, fmt.Sprintf("tree/data/nodes/n%05d.yaml", i), func(t *text) { writeNode(t, i) }); err != nil {
				return nil, err
			}
		}
		err = writeAll(dir, map[string]func(t *text){
			"tree/hiera.yaml":         content(lookupHierarchy),
			"tree/data/common.yaml":   content("lookup_options: {\"ntp::servers\": {merge: unique}}\nntp::servers: [ntp.example.com]\n"),
			"tree/data/role/web.yaml": content("ntp::servers: [\"%{host}.%{lookup('domain')}\"]\ndomain: web.example.com\n"),
			"tree/manifests/site.pp":  content(""),
			"tree/modules/none/.keep": content(""),
			"facts.yaml":              func(t *text) { t.printf("host: n%05d\nrole: web\n", n/2) },
		})
		return []job{
			{programs.Ours, []string{"lookup", "--facts", "facts.yaml", "-o", "json", "tree/hiera.yaml", "ntp::servers"}, jsonForm},
			{programs.Puppet, []string{"lookup", "ntp::servers", "--environmentpath", dir, "--environment", "tree", "--facts", "facts.yaml",
				"--node", "some.example.com", "--render-as", "json", "--confdir", filepath.Join(dir, "conf"), "--vardir", filepath.Join(dir, "var")}, jsonForm},
		}, err
	},
}

const lookupHierarchy = `version: 5
hierarchy:
- {name: node, path: "nodes/%{host}.yaml"}
- {name: role, path: "role/%{role}.yaml"}
- {name: common, path: common.yaml}
`

func writeNode(t *text, i int) {
	t.printf("---\nntp::servers: [10.0.%d.%d]\nbackup::paths:\n- /srv/%d\n- /etc\nusers::accounts:\n  ida: {uid: %d, groups: [adm, web]}\n", i/250, i%250, i, 1000+i)
	for k := range 8 {
		t.printf("profile::app%d::level: level %d of %d\n", k, i%7, k)
	}
}
