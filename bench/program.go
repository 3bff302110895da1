//go:build unix

package main

import (
	"debug/buildinfo"
	"os/exec"
	"strings"
)

const oursName = "yaytpl"

// A program is one that is installed.
type program struct {
	path    string
	version string
}

// A peer is a program that does comparable work: how to ask for its version, and
// words of the answer that tell it from others of the same name.
type peer struct {
	name  string
	ask   []string
	words string
}

func peers() []peer {
	return []peer{
		{"yq", []string{"--version"}, "mikefarah"},
		{"jq", []string{"--version"}, "jq-"},
		{"jsonnet", []string{"--version"}, "Jsonnet"},
		{"cue", []string{"version"}, "cue version"},
		{"ytt", []string{"version"}, "ytt"},
		{"spruce", []string{"--version"}, "spruce"},
	}
}

// findPrograms returns what can be measured, by name: ours and the peers on PATH.
func findPrograms(s settings) map[string]program {
	found := map[string]program{oursName: {s.ours, "this checkout"}}
	for _, p := range peers() {
		if !chosen(s.tools, p.name) {
			continue
		}
		path, err := exec.LookPath(p.name)
		if err != nil {
			continue
		}
		answer, err := exec.Command(path, p.ask...).CombinedOutput()
		if err == nil && strings.Contains(string(answer), p.words) {
			found[p.name] = program{path, versionOf(path, string(answer))}
		}
	}
	return found
}

// versionOf returns the version of a program: that of its module if it is written
// in Go, else what it answers.
func versionOf(path, answer string) string {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return versionIn(answer)
	}
	for _, m := range append(info.Deps, &info.Main) {
		if strings.HasPrefix(info.Path, m.Path+"/") && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return versionIn(answer)
}

// versionIn returns the first word of an answer that looks like a version.
func versionIn(answer string) string {
	for _, word := range strings.Fields(answer) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "jq-"), "v")
		if len(word) > 2 && word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
			return word
		}
	}
	return firstLine(answer)
}
