// Package programs builds or finds the programs to compare: yaytpl of this checkout, and its peers,
// which do comparable work.
package programs

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Names of programs.
const (
	Ours    = "yaytpl"
	Yq      = "yq"
	Jsonnet = "jsonnet"
	Cue     = "cue"
	Ytt     = "ytt"
	Spruce  = "spruce"
	Helm    = "helm"
	Jq      = "jq"
	Puppet  = "puppet"
)

// A Program is an installed program.
type Program struct{ Name, Path, Version string }

// A peer describes a program that does comparable work.
type peer struct {
	name            string
	ask             string // the argument that prints the version
	words           string // part of that output, which other programs of the same name do not print
	module, version string // the Go package to install, or ""
}

func peers() []peer {
	return []peer{
		{Yq, "--version", "mikefarah", "github.com/mikefarah/yq/v4", "v4.54.1"},
		{Jsonnet, "--version", "Jsonnet", "github.com/google/go-jsonnet/cmd/jsonnet", "v0.22.0"},
		{Cue, "version", "cue version", "cuelang.org/go/cmd/cue", "v0.17.1"},
		{Ytt, "version", "ytt", "carvel.dev/ytt/cmd/ytt", "v0.52.0"},
		{Spruce, "--version", "spruce", "github.com/geofffranks/spruce/cmd/spruce", "v1.31.1"},
		{Helm, "version", "version.BuildInfo", "helm.sh/helm/v3/cmd/helm", "v3.22.0"},
		{Jq, "--version", "jq-", "", ""},
		{Puppet, "--version", ".", "", ""},
	}
}

// static in the environment makes programs that are not linked with a library of C. Releases are built so;
// the start of others takes a fifth more time.
const static = "CGO_ENABLED=0"

// OfCheckout returns the yaytpl at path. If path is empty, it builds yaytpl from this checkout into
// dir; the working directory must be that of the bench module then.
func OfCheckout(path, dir string) (Program, error) {
	given := path != ""
	if !given {
		path = filepath.Join(dir, Ours)
	}
	path, err := filepath.Abs(path)
	if err == nil && !given {
		var out []byte
		build := exec.Command("go", "build", "-C", "..", "-trimpath", "-pgo=cmd/yaytpl/release.pgo", "-ldflags", "-s -w", "-o", path, "./cmd/yaytpl")
		build.Env = append(os.Environ(), static)
		if out, err = build.CombinedOutput(); err != nil {
			err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	return Program{Ours, path, "of this checkout"}, err
}

// Peers returns the peers on PATH, or those of the given names only.
func Peers(names ...string) []Program {
	var found []Program
	for _, p := range peers() {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		path, err := exec.LookPath(p.name)
		if err != nil {
			continue
		}
		answer, err := exec.Command(path, p.ask).CombinedOutput()
		if err == nil && strings.Contains(string(answer), p.words) {
			found = append(found, Program{p.name, path, versionOf(path, string(answer))})
		}
	}
	return found
}

// Copied copies a program that is written in Go into a directory, and returns the copy. Others are returned as they
// are: they may need files beside them.
//
// A file that the linker has just written is in small pieces in the memory of the system, and one that is copied, as
// installing a release does, in large ones: its start takes up to a fifth less. So all programs are copied.
func Copied(p Program, dir string) (Program, error) {
	if _, err := buildinfo.ReadFile(p.Path); err != nil {
		return p, nil
	}
	text, err := os.ReadFile(p.Path)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return p, err
	}
	p.Path = filepath.Join(dir, filepath.Base(p.Path))
	if err := os.Remove(p.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	return p, os.WriteFile(p.Path, text, 0o755)
}

// versionOf returns the version of a program: that of its Go module if the program has one, else
// the version in answer, its output.
func versionOf(path, answer string) string {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return versionIn(answer)
	}
	for _, m := range append(info.Deps, &info.Main) {
		if strings.HasPrefix(info.Path+"/", m.Path+"/") && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return versionIn(answer)
}

// versionIn returns the first word of answer that looks like a version.
func versionIn(answer string) string {
	for _, word := range strings.Fields(answer) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "jq-"), "v")
		if len(word) > 2 && word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
			return word
		}
	}
	return "of unknown version"
}

// Words splits a list at commas and drops empty words.
func Words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
}

// FirstLine returns the first line of the output of a program, without blank lines before it.
func FirstLine(output string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(output), "\n")
	return line
}

// Install builds the peers that are written in Go into a directory, at the versions of the published
// results, and puts the directory first in PATH. It skips peers that are in the directory already,
// and reports those that cannot be built on standard error.
func Install(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range peers() {
		if p.module == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, p.name)); err == nil {
			continue
		}
		fmt.Fprintln(os.Stderr, "installing", p.module+"@"+p.version)
		if err := p.install(dir); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p.name, err)
		}
	}
	return os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// install builds a peer. With a module proxy that does not list versions, "go install" fails even if
// the proxy has the version; then install builds the peer in an empty module that requires it.
func (p peer) install(dir string) error {
	direct := exec.Command("go", "install", p.module+"@"+p.version)
	direct.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=-mod=mod", static)
	if direct.Run() == nil {
		return nil
	}
	module, err := os.MkdirTemp("", "peer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(module)
	for _, words := range [][]string{
		{"mod", "init", "peer"}, {"get", p.module + "@" + p.version}, {"build", "-o", filepath.Join(dir, p.name), p.module},
	} {
		c := exec.Command("go", words...)
		c.Dir, c.Env = module, append(os.Environ(), static)
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w: %s", words[0], err, FirstLine(string(out)))
		}
	}
	return nil
}
