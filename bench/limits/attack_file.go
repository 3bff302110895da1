//go:build linux

package main

import "fmt"

// fileAttacks are files that lead to others, or have no end.
func fileAttacks() []attack {
	return []attack{
		includeCycle(),
		chain("60 files that include the next one twice", doublings, "l: {+include: %[1]s}\nr: {+include: %[1]s}\n", "{l: import '%[1]s', r: import '%[1]s'}\n"),
		chain("5,000 files that include the next one", 5000, "a: {+include: %s}\n", "{a: import '%s'}\n"),
		endlessFile(),
	}
}

func includeCycle() attack {
	a := inLanguages("includes in a cycle", sources{
		ours:    lines("x: {+include: b.yaml}"),
		jsonnet: lines("{x: import 'b.jsonnet'}"),
		ytt:     lines("#@ load('b.star', 'b')", "x: #@ b"),
	})
	for name, content := range map[string]string{
		"b.yaml": "y: {+include: c.yaml}\n", "c.yaml": "z: {+include: main.yaml}\n",
		"b.jsonnet": "{y: import 'c.jsonnet'}\n", "c.jsonnet": "{z: import 'main.jsonnet'}\n",
		"b.star": "load('c.star', 'c')\nb = c\n", "c.star": "load('b.star', 'b')\nc = b\n",
	} {
		a.files[name] = is(content)
	}
	a.runs[ytt] = append(a.runs[ytt], "-f", "b.star", "-f", "c.star")
	return a
}

// chain is n files of which each includes the next one by a format that takes its name.
func chain(name string, n int, yaml, code string) attack {
	a := inLanguages(name, sources{
		ours:    is(fmt.Sprintf(yaml, "f0.yaml")),
		jsonnet: is(fmt.Sprintf(code, "f0.jsonnet")),
	})
	for i := range n {
		a.files[fmt.Sprintf("f%d.yaml", i)] = is(fmt.Sprintf(yaml, fmt.Sprintf("f%d.yaml", i+1)))
		a.files[fmt.Sprintf("f%d.jsonnet", i)] = is(fmt.Sprintf(code, fmt.Sprintf("f%d.jsonnet", i+1)))
	}
	a.files[fmt.Sprintf("f%d.yaml", n)] = lines("z: 1")
	a.files[fmt.Sprintf("f%d.jsonnet", n)] = lines("{z: 1}")
	return a
}

func endlessFile() attack {
	a := inLanguages("a file without end, `/dev/zero`", sources{
		ours:    lines("a: {+include: /dev/zero}"),
		jsonnet: lines("{a: importstr '/dev/zero'}"),
	})
	a.runs[ours] = []string{"render", "--root", "/", "main.yaml"}
	a.runs[yq] = []string{"-n", `load("/dev/zero")`}
	a.runs[cue] = []string{"export", "yaml:", "/dev/zero"}
	a.runs[ytt] = []string{"-f", "/dev/zero"}
	a.runs[spruce] = []string{"merge", "/dev/zero"}
	a.runs[jq] = []string{".", "/dev/zero"}
	return a
}
