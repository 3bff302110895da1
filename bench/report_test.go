//go:build unix

package main

import "testing"

// TestWithRowsOf checks that a row that is measured again replaces its own section only.
func TestWithRowsOf(t *testing.T) {
	old := "# Results\n\nthen\n\njq 1.6, yaytpl old,\nytt v0.1.\n\n## start: a\n\n| 1 |\n\n## merge: b\n\n| 2 |\n\n## What remained\n\nold\n"
	now := "# Results\n\nnow\n\nyaytpl new, yq v4.\n\n## merge: b\n\n| 3 |\n" + remarks
	want := "# Results\n\nnow\n\njq 1.6, yaytpl new, yq v4, ytt v0.1.\n\n## start: a\n\n| 1 |\n\n## merge: b\n\n| 3 |\n" + remarks
	if got := withRowsOf(old, now); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
