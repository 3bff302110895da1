package programs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCopied: programs of Go are copied, also over an older copy; others stay where they are.
func TestCopied(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable() // the test is a program of Go
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(dir, "copies", filepath.Base(self))
	for range 2 {
		p, err := Copied(Program{"self", self, "1"}, filepath.Join(dir, "copies"))
		if err != nil || p != (Program{"self", want, "1"}) {
			t.Fatalf("Copied: %v, %v, want the path %s", p, err, want)
		}
	}
	original, err := os.Stat(self)
	if err != nil {
		t.Fatal(err)
	}
	if copied, err := os.Stat(want); err != nil || copied.Size() != original.Size() || copied.Mode().Perm()&0o100 == 0 {
		t.Errorf("the copy: %v, %v", copied, err)
	}
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if p, err := Copied(Program{"script", script, "1"}, dir); err != nil || p.Path != script {
		t.Errorf("Copied of a script: %v, %v", p, err)
	}
}

func TestVersionIn(t *testing.T) {
	for answer, want := range map[string]string{
		"jq-1.6\n": "1.6",
		"Jsonnet commandline interpreter (Go implementation) v0.22.0\n": "0.22.0",
		"cue version v0.17.1\n\ngo version go1.26.8\n":                  "0.17.1",
		"yq (https://github.com/mikefarah/yq/) version v4.54.1":         "4.54.1",
		"ytt version 0.52.0": "0.52.0",
		"no version":         "of unknown version",
	} {
		if got := versionIn(answer); got != want {
			t.Errorf("versionIn(%q) = %q, want %q", answer, got, want)
		}
	}
}
