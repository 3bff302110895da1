//go:build linux

package main

import (
	"debug/buildinfo"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	ours    = "yaytpl"
	yq      = "yq"
	jsonnet = "jsonnet"
	cue     = "cue"
	ytt     = "ytt"
	spruce  = "spruce"
	jq      = "jq"
)

// A tool is a program that is installed.
type tool struct{ name, path, version string }

// installed returns ours and the others that are on PATH.
func installed(s settings) []tool {
	path, err := filepath.Abs(s.ours)
	if err != nil {
		path = s.ours
	}
	found := []tool{{ours, path, "of this checkout"}}
	for _, name := range []string{yq, jsonnet, cue, ytt, spruce, jq} {
		if len(s.tools) > 0 && !slices.Contains(s.tools, name) {
			continue
		}
		if path, err := exec.LookPath(name); err == nil && isMeant(name, path) {
			found = append(found, tool{name, path, versionOf(path)})
		}
	}
	if len(s.tools) > 0 && !slices.Contains(s.tools, ours) {
		found = found[1:]
	}
	return found
}

// isMeant tells the yq that is meant from another program of that name.
func isMeant(name, path string) bool {
	if name != yq {
		return true
	}
	answer, err := exec.Command(path, "--version").Output()
	return err == nil && strings.Contains(string(answer), "mikefarah")
}

// versionOf returns the version of the module that a program was built from, or what
// the program says.
func versionOf(path string) string {
	info, err := buildinfo.ReadFile(path)
	if err == nil {
		for _, m := range append(info.Deps, &info.Main) {
			if strings.HasPrefix(info.Path, m.Path+"/") && m.Version != "" && m.Version != "(devel)" {
				return m.Version
			}
		}
	}
	answer, err := exec.Command(path, "--version").Output()
	if err != nil {
		return "of unknown version"
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(answer)), "\n")
	return strings.TrimPrefix(line, "jq-")
}
