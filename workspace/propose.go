package workspace

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/pattern"
	"github.com/yaytpl/yaytpl/source"
)

// The names that projects usually give their parts, for [Propose].
var (
	baseNames    = []string{"site", "base", "common", "main", "defaults", "default", "values"}
	stageDirs    = []string{"envs", "env", "environments", "stages", "clusters", "overlays"}
	nodeDirs     = []string{"nodes", "hosts"}
	includeNames = []string{"lib", "includes", "include"}
)

// Propose returns the text of a first project file for a directory, made of what it has: a target for each file
// of envs, or for each values-NAME.yaml, over a base such as site.yaml; a target for each node; directories
// to include from; templates of helm charts, which stay as they are. It reads names and no files.
//
//	site.yaml envs/dev.yaml envs/prod.yaml charts/db/Chart.yaml
//
//	yaytpl: 1
//	templates-off: ["charts/db/**"]
//	targets:
//	  "{env}":
//	    for: "envs/{env}.yaml"
//	    files: [site.yaml, "envs/{env}.yaml"]
func Propose(dir fs.FS) string {
	d := proposal{dir: dir}
	base := d.base()
	text := "# The settings and targets of this project: yaytpl help project\nyaytpl: 1\n"
	if list := d.existing(includeNames); len(list) > 0 {
		text += "include-dirs: " + flow(list...) + "\n"
	}
	if charts := d.charts(); len(charts) > 0 {
		text += "templates-off: " + flow(charts...) + "\n"
	}
	var targets string
	add := func(name, files string) {
		layers := []string{files}
		if base != "" {
			layers = []string{base, files}
		}
		targets += fmt.Sprintf("  %q:\n    for: %q\n    files: %s\n", name, files, flow(layers...))
	}
	taken := false // the name {env}
	for _, stages := range d.existing(stageDirs) {
		if ending := d.ending(stages + "/*"); ending != "" {
			name := "{env}"
			if taken {
				name = stages + "/{env}"
			}
			add(name, stages+"/{env}"+ending)
			taken = true
		}
	}
	if stem, ending := strings.TrimSuffix(base, path.Ext(base)), path.Ext(base); base != "" && !taken && d.has(stem+"-*"+ending) {
		add("{env}", stem+"-{env}"+ending)
	}
	for _, nodes := range d.existing(nodeDirs) {
		if ending := d.ending(nodes + "/*"); ending != "" {
			add(nodes+"/{node}", nodes+"/{node}"+ending)
		}
	}
	switch {
	case targets != "":
		text += "targets:\n" + targets
	case base != "":
		text += "targets:\n  " + strings.TrimSuffix(base, path.Ext(base)) + ":\n    files: " + flow(base) + "\n"
	}
	return text
}

// A proposal is the work of one [Propose].
type proposal struct{ dir fs.FS }

// base returns the file that the layers of stages override, "" if there is none.
func (d proposal) base() string {
	for _, name := range baseNames {
		for _, ending := range source.EndingsOf("yaml", "yay") {
			if info, err := fs.Stat(d.dir, name+ending); err == nil && info.Mode().IsRegular() {
				return name + ending
			}
		}
	}
	return ""
}

// existing returns the names that are directories.
func (d proposal) existing(names []string) []string {
	var found []string
	for _, name := range names {
		if info, err := fs.Stat(d.dir, name); err == nil && info.IsDir() {
			found = append(found, name)
		}
	}
	return found
}

// ending returns the ending of the YAML and Yay files that a pattern without one matches, "" for none.
func (d proposal) ending(start string) string {
	for _, ending := range source.EndingsOf("yaml", "yay") {
		if d.has(start + ending) {
			return ending
		}
	}
	return ""
}

// has reports whether a pattern matches a file whose name can be a part of the name of a target.
func (d proposal) has(text string) bool {
	found, err := fs.Glob(d.dir, text)
	return err == nil && slices.ContainsFunc(found, func(name string) bool { return pattern.Local(name) == nil })
}

// charts returns patterns of the files of the helm charts at the top and one or two directories below.
func (d proposal) charts() []string {
	var all []string
	for _, depth := range []string{"", "*/", "*/*/"} {
		found, err := fs.Glob(d.dir, depth+"Chart.yaml")
		if err != nil {
			continue
		}
		for _, name := range found {
			if dir := path.Dir(name); dir == "." {
				all = append(all, "templates/**")
			} else {
				all = append(all, dir+"/**")
			}
		}
	}
	return all
}

// flow returns a list of YAML on one line. Names with wildcards or placeholders have quotes.
func flow(list ...string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = s
		if strings.ContainsFunc(s, func(r rune) bool {
			return !strings.ContainsRune("-_./", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) {
			quoted[i] = fmt.Sprintf("%q", s)
		}
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
