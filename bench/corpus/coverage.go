package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A statementSet is the statements that a run reached, as a cover profile names them.
type statementSet map[string]bool

// added counts what is in s and not in known.
func (s statementSet) added(known statementSet) int {
	n := 0
	for block := range s {
		if !known[block] {
			n++
		}
	}
	return n
}

func (s statementSet) remove(known statementSet) {
	for block := range known {
		delete(s, block)
	}
}

// measure runs the inputs of a target whose names match, and nothing else of the tests.
func measure(t target, binary, inputs string) (statementSet, error) {
	profile := binary + ".cover"
	defer os.Remove(profile)
	cmd := exec.Command(binary, "-test.run=^"+t.name+"$/"+inputs, "-test.coverprofile="+profile, "-test.timeout=60s")
	cmd.Dir = t.dir
	if report, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s of %s: %w\n%s", inputs, t, err, report)
	}
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	return reached(text), nil
}

// reached reads a cover profile: a line a block, "FILE:FROM,TO STATEMENTS COUNT".
func reached(profile []byte) statementSet {
	set := statementSet{}
	for line := range bytes.Lines(profile) {
		line = bytes.TrimSpace(line)
		if block, hit := bytes.CutSuffix(line, []byte(" 1")); hit {
			set[string(block)] = true
		}
	}
	return set
}

// measureAlone runs one file of the cache, for which it lies among the package's inputs
// for a moment.
func measureAlone(t target, binary, path string) (statementSet, error) {
	name := "candidate-" + filepath.Base(path)
	there := filepath.Join(t.corpus(), name)
	if err := copyFile(path, there); err != nil {
		return nil, err
	}
	defer os.Remove(there)
	return measure(t, binary, "^"+name+"$")
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}
