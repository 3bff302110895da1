//go:build linux

package main

import (
	"slices"
	"testing"
)

// TestAttacks: each has a name of its own and is tried on ours, which reads a file that is
// written.
func TestAttacks(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range attacks() {
		if seen[a.name] {
			t.Errorf("two attacks are called %q", a.name)
		}
		seen[a.name] = true
		args := a.runs[ours]
		if !slices.ContainsFunc(args, func(arg string) bool { return a.files[arg] != nil }) {
			t.Errorf("%s: yaytpl %q reads nothing that is written", a.name, args)
		}
	}
}
