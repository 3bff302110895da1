package programs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Install builds the peers that are written in Go into a directory, each at the version
// that the results are about, and puts them before others of the same name. One that
// cannot be had is told and left out.
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

// install builds a peer. Behind a module proxy that does not list versions, go install
// fails though the version is there: then an empty module asks for it.
func (p peer) install(dir string) error {
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
			return fmt.Errorf("go %s: %w: %s", words[0], err, FirstLine(string(out)))
		}
	}
	return nil
}
