package main

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

func TestCount(t *testing.T) {
	tests := []struct {
		text  string
		units bool
		want  int // 0: refused
	}{
		{"10", false, 10},
		{"10k", false, 0},
		{"0", false, 0},
		{"-1", false, 0},
		{"10", true, 10},
		{"64k", true, 64 << 10},
		{"10MB", true, 10 << 20},
		{"2GiB", true, 2 << 30},
		{"512B", true, 512},
		{"k", true, 0},
		{"", true, 0},
		{"B", true, 0},
		{"99999999999G", true, 0},
	}
	for _, tt := range tests {
		c := count{units: tt.units}
		if err := c.Set(tt.text); c.n != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("Set(%q) with units %v = %d, %v; want %d", tt.text, tt.units, c.n, err, tt.want)
		}
	}
}

func TestDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration // -1: refused
	}{
		{"500ms", 500 * time.Millisecond},
		{"2", 2 * time.Second},
		{"0.5", 500 * time.Millisecond},
		{"0", 0},
		{"-1s", -1},
		{"-1", -1},
		{"1e300", -1},
		{"NaN", -1},
		{"soon", -1},
	}
	for _, tt := range tests {
		d := duration{-1}
		if err := d.Set(tt.text); d.d != tt.want || (err == nil) != (tt.want >= 0) {
			t.Errorf("Set(%q) = %v, %v; want %v", tt.text, d.d, err, tt.want)
		}
	}
}

func TestWithDashedValue(t *testing.T) {
	tests := []struct{ words, want string }{
		{"set a.yaml x -1", "set a.yaml x -- -1"},
		{"set a.yaml x -.5 -i", "set a.yaml x -i -- -.5"},
		{"append -i - x -1e3", "append -i - x -- -1e3"},
		{"set a.yaml x -- -1", "set a.yaml x -- -1"},
		{"set a.yaml x --doc -1", "set a.yaml x --doc -1"},
		{"set a.yaml x --doc -1 -2", "set a.yaml x --doc -1 -- -2"},
		{"set a.yaml x --doc=1 -2", "set a.yaml x --doc=1 -- -2"},
		{"set a.yaml x -i -1", "set a.yaml x -i -- -1"},
		{"set a.yaml x -qi -1", "set a.yaml x -qi -- -1"},
		{"set a.yaml -e -1", "set a.yaml -e -1"},
		{"set a.yaml -ie -1", "set a.yaml -ie -1"},
		{"set a.yaml x -Ilib -1", "set a.yaml x -Ilib -- -1"},
		{"-q set a.yaml x -1", "-q set a.yaml x -- -1"},
		{"--errors json set a.yaml x -1", "--errors json set a.yaml x -- -1"},
		{"set a.yaml x -i", "set a.yaml x -i"},
		{"set a.yaml x -x", "set a.yaml x -- -x"},
		{"set a.yaml x -x -i", "set a.yaml x -i -- -x"},
		{"set a.yaml x -i -x", "set a.yaml x -i -- -x"},
		{"set a.yaml x --no-such-flag", "set a.yaml x -- --no-such-flag"},
		{"set a.yaml x --no=1 -q", "set a.yaml x -q -- --no=1"},
		{"set a.yaml x -----BEGIN", "set a.yaml x -- -----BEGIN"},
		{"set a.yaml x -ix", "set a.yaml x -- -ix"},
		{"set a.yaml x --doc=1", "set a.yaml x --doc=1"},
		{"set a.yaml x -Dx", "set a.yaml x -Dx"},
		{"set a.yaml x --from -", "set a.yaml x --from -"},
		{"set a.yaml x --from -x", "set a.yaml x --from -x"},
		{"set a.yaml -x y", "set a.yaml -x y"},
		{"set a.yaml x 1 -x", "set a.yaml x 1 -x"},
		{"set x -x --in=a.yaml --in=b.yaml", "set x --in=a.yaml --in=b.yaml -- -x"},
		{"set --in=a.yaml x -x", "set --in=a.yaml x -- -x"},
		{"set -q a.yaml x -h", "set -q a.yaml x -h"},
		{"set set set -set", "set set set -- -set"},
		{"delete a.yaml -x", "delete a.yaml -x"},
		{"get a.yaml -1", "get a.yaml -1"},
		{"set", "set"},
		{"", ""},
	}
	root := newApp(nil, streams{out: io.Discard, err: io.Discard}).rootCommand()
	for _, tt := range tests {
		if got := strings.Join(withDashedValue(root, strings.Fields(tt.words)), " "); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.words, got, tt.want)
		}
	}
}

// TestCommandsByName checks that the first word of the command line makes the same command alone as among
// all.
func TestCommandsByName(t *testing.T) {
	of := func(words ...string) *cobra.Command {
		return newApp(words, streams{out: io.Discard, err: io.Discard}).rootCommand()
	}
	all := of().Commands()
	if len(all) < 20 {
		t.Fatalf("%d commands", len(all))
	}
	for _, c := range all {
		if c.Name() == "help" {
			continue
		}
		only := of(c.Name()).Commands()
		if len(only) != 1 || only[0].Name() != c.Name() || only[0].Flags().FlagUsages() != c.Flags().FlagUsages() {
			t.Errorf("%s alone makes %v", c.Name(), only)
		}
	}
	if n := len(of("rendr").Commands()); n != len(all) {
		t.Errorf("an unknown command makes %d commands", n)
	}
}
