//go:build linux

package main

import "fmt"

// fileAttacks are files that lead to others, or have no end.
func fileAttacks() []attack {
	const group = "Files"
	return []attack{
		includeCycle(group),
		chain(group, "60 files that include the next one twice", doublings, "l: {+include: %[1]s}\nr: {+include: %[1]s}\n", "{l: import '%[1]s', r: import '%[1]s'}\n"),
		chain(group, "5,000 files that include the next one", 5000, "a: {+include: %s}\n", "{a: import '%s'}\n"),
		endlessFile(group),
	}
}

func includeCycle(group string) attack {
	a := programs(group, "includes in a cycle",
		program{ours, is("x: {+include: b.yaml}\n")},
		program{jsonnet, is("{x: import 'b.jsonnet'}\n")},
		program{ytt, is("#@ load('b.star', 'b')\nx: #@ b\n")},
	)
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
func chain(group, name string, n int, yaml, code string) attack {
	a := programs(group, name,
		program{ours, is(fmt.Sprintf(yaml, "f0.yaml"))},
		program{jsonnet, is(fmt.Sprintf(code, "f0.jsonnet"))},
	)
	for i := range n {
		a.files[fmt.Sprintf("f%d.yaml", i)] = is(fmt.Sprintf(yaml, fmt.Sprintf("f%d.yaml", i+1)))
		a.files[fmt.Sprintf("f%d.jsonnet", i)] = is(fmt.Sprintf(code, fmt.Sprintf("f%d.jsonnet", i+1)))
	}
	a.files[fmt.Sprintf("f%d.yaml", n)] = is("z: 1\n")
	a.files[fmt.Sprintf("f%d.jsonnet", n)] = is("{z: 1}\n")
	return a
}

func endlessFile(group string) attack {
	a := programs(group, "a file without end, `/dev/zero`",
		program{ours, is("a: {+include: /dev/zero}\n")},
		program{jsonnet, is("{a: importstr '/dev/zero'}\n")},
	)
	a.runs[ours] = []string{"render", "--root", "/", "main.yaml"}
	a.runs[yq] = []string{"-n", `load("/dev/zero")`}
	a.runs[cue] = []string{"export", "yaml:", "/dev/zero"}
	a.runs[ytt] = []string{"-f", "/dev/zero"}
	a.runs[spruce] = []string{"merge", "/dev/zero"}
	a.runs[jq] = []string{".", "/dev/zero"}
	return a
}
