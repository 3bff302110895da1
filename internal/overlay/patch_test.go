package overlay

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestChangedPart: the changed part has whole lines, and the texts around it are equal.
func TestChangedPart(t *testing.T) {
	for _, tt := range []struct{ old, text, want string }{
		{"a: 1\nb: 2\n", "a: 1\nb: 3\n", "b: 3\n"},
		{"a: 1\nb: 1\n", "a: 1\na2: 1\nb: 1\n", "a2: 1\n"},
		{"a: 1\n", "a: 1\nb: 1", "b: 1"},
		{"a: 1\nb: 1\n", "a: 1\n", ""},
		{"a: 1", "a: 12", "a: 12"},
		{"", "a: 1\n", "a: 1\n"},
		{"a: [x]\n", "a: [x, x]\n", "a: [x, x]\n"},
	} {
		if got := NewPatch(tt.old, tt.text).Changed(); got != tt.want {
			t.Errorf("%q to %q changes %q, want %q", tt.old, tt.text, got, tt.want)
		}
	}
	words := []string{"a: 1\n", "b: 1\n", "- x\n", "\n", "x", "1"}
	text := func() string {
		var b strings.Builder
		for range rand.IntN(8) {
			b.WriteString(words[rand.IntN(len(words))])
		}
		return b.String()
	}
	for range 10_000 {
		old, now := text(), text()
		p := NewPatch(old, now)
		tail := now[p.end:]
		if !strings.HasPrefix(old, now[:p.start]) || !strings.HasSuffix(old, tail) || p.start > 0 && now[p.start-1] != '\n' || tail != "" && now[p.end-1] != '\n' && p.end > p.start {
			t.Fatalf("%q to %q changes %d to %d", old, now, p.start, p.end)
		}
	}
}
