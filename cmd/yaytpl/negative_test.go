package main

import (
	"io"
	"strings"
	"testing"
)

func TestWithNegativeValue(t *testing.T) {
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
		{"get a.yaml -1", "get a.yaml -1"},
		{"set", "set"},
		{"", ""},
	}
	root := newApp(nil, streams{out: io.Discard, err: io.Discard}).rootCommand()
	for _, tt := range tests {
		if got := strings.Join(withNegativeValue(root, strings.Fields(tt.words)), " "); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.words, got, tt.want)
		}
	}
}
