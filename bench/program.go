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

// A peer is a program that does comparable work: how to ask for its version, words of the
// answer that tell it from others of the same name, and where it is to be had if it is
// written in Go.
type peer struct {
	name            string
	ask             []string
	words           string
	module, version string
}

func peers() []peer {
	return []peer{
		{"yq", []string{"--version"}, "mikefarah", "github.com/mikefarah/yq/v4", "v4.54.1"},
		{"jq", []string{"--version"}, "jq-", "", ""},
		{"jsonnet", []string{"--version"}, "Jsonnet", "github.com/google/go-jsonnet/cmd/jsonnet", "v0.22.0"},
		{"cue", []string{"version"}, "cue version", "cuelang.org/go/cmd/cue", "v0.17.1"},
		{"ytt", []string{"version"}, "ytt", "carvel.dev/ytt/cmd/ytt", "v0.52.0"},
		{"spruce", []string{"--version"}, "spruce", "github.com/geofffranks/spruce/cmd/spruce", "v1.31.1"},
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
