package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func diffOf(old, text string) string {
	d := unifiedDiff{old: slices.Collect(strings.Lines(old)), text: slices.Collect(strings.Lines(text))}
	d.shownOld, d.shownText = d.old, d.text
	return d.write("a.yaml")
}

func TestUnifiedDiff(t *testing.T) {
	const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, tt := range []struct{ name, old, text, want string }{
		{"equal", ten, ten, ""},
		{"one line of many", ten, strings.Replace(ten, "5", "five", 1), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"two hunks", ten, "one\n2\n3\n4\n5\n6\n7\n8\n9\nten\n", "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+ten\n"},
		{"changes that are close are one hunk", ten, "1\ntwo\n3\n4\n5\n6\n7\n8\nnine\n10\n",
			"@@ -1,10 +1,10 @@\n 1\n-2\n+two\n 3\n 4\n 5\n 6\n 7\n 8\n-9\n+nine\n 10\n"},
		{"a new file", "", "a: 1\nb: 2\n", "@@ -0,0 +1,2 @@\n+a: 1\n+b: 2\n"},
		{"an empty file", "a: 1\n", "", "@@ -1 +0,0 @@\n-a: 1\n"},
		{"no line break at the end", "a: 1", "a: 2", "@@ -1 +1 @@\n-a: 1\n\\ No newline at end of file\n+a: 2\n\\ No newline at end of file\n"},
		{"a line break is added", "a: 1", "a: 1\n", "@@ -1 +1 @@\n-a: 1\n\\ No newline at end of file\n+a: 1\n"},
		{"carriage returns are kept", "a: 1\r\nb: 2\r\n", "a: 1\r\nb: 3\r\n", "@@ -1,2 +1,2 @@\n a: 1\r\n-b: 2\r\n+b: 3\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "--- a.yaml\n+++ a.yaml\n" + want
			}
			if got := diffOf(tt.old, tt.text); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestUnifiedDiffApplies: the hunks of a diff change the old text to the new one.
func TestUnifiedDiffApplies(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "  c: 1\n", "\n", "d\r\n"}), 0, 30)
	end := rapid.SampledFrom([]string{"", "", "no break"})
	rapid.Check(t, func(t *rapid.T) {
		old := strings.Join(lines.Draw(t, "old"), "") + end.Draw(t, "end")
		text := strings.Join(lines.Draw(t, "text"), "") + end.Draw(t, "end of text")
		if got, err := patched(old, diffOf(old, text)); err != nil || got != text {
			t.Fatalf("%v\n%s\napplied to %q is %q, want %q", err, diffOf(old, text), old, got, text)
		}
	})
}

// patched applies a unified diff.
func patched(old, diff string) (string, error) {
	var out strings.Builder
	left := slices.Collect(strings.Lines(old))
	next := 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"), line[0] == '\\':
		case line[0] == '@':
			var first, n int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &first, &n); err != nil {
				n = 1
			}
			if n > 0 {
				first--
			}
			for ; next < first; next++ {
				out.WriteString(left[next])
			}
		case line[0] == '+':
			out.WriteString(line[1:])
		case strings.TrimRight(left[next], "\n") != strings.TrimRight(line[1:], "\n"):
			return "", fmt.Errorf("line %d is %q, not %q", next+1, left[next], line[1:])
		default:
			if line[0] == ' ' {
				out.WriteString(left[next])
			}
			next++
		}
	}
	for ; next < len(left); next++ {
		out.WriteString(left[next])
	}
	result := out.String()
	if strings.HasSuffix(diff, "+no break\n\\ No newline at end of file\n") {
		result = strings.TrimSuffix(result, "\n")
	}
	return result, nil
}
