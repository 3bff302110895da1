//go:build linux

package main

import (
	"slices"
	"testing"
)

// TestAttacks checks that each attack has a unique name, and that yaytpl reads one of its files: one
// that it is given, or the project file.
func TestAttacks(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range append(attacks(), partAttacks(10)...) {
		if seen[a.name] {
			t.Errorf("two attacks have the name %q", a.name)
		}
		seen[a.name] = true
		args := a.runs[ours]
		if a.files["yaytpl.yaml"] == nil && !slices.ContainsFunc(args, func(arg string) bool { return a.files[arg] != nil }) {
			t.Errorf("%s: yaytpl %q reads none of the files", a.name, args)
		}
	}
}
