//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// installPeers builds the peers that are written in Go into a directory, each at the
// version that the results are about. One that cannot be had is told and left out.
func installPeers(dir string) error {
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
		if err := install(dir, p); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p.name, err)
		}
	}
	return nil
}

// install builds a peer. Behind a module proxy that does not list versions, go install
// fails though the version is there: then an empty module asks for it.
func install(dir string, p peer) error {
	direct := exec.Command("go", "install", p.module+"@"+p.version)
	direct.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=-mod=mod")
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
		c.Dir = module
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w: %s", words[0], err, firstLine(string(out)))
		}
	}
	return nil
}
