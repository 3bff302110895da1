package recent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/recent"
)

func TestMap(t *testing.T) {
	m := recent.Map[string, string]{Most: 2}
	var asked []string
	for _, key := range strings.Fields("a b c a d b a") {
		v, known := m.Get(key, func() string { return "<" + key + ">" })
		if v != "<"+key+">" {
			t.Errorf("%s is %s", key, v)
		}
		if known {
			key += "!"
		}
		asked = append(asked, key)
		if m.Len() > 4 {
			t.Errorf("%d values", m.Len())
		}
	}
	if got, want := strings.Join(asked, " "), "a b c a! d b a!"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	m.Remove("a")
	if _, known := m.Get("a", func() string { return "" }); known {
		t.Error("a was removed")
	}
	m.Delete(func(key, _ string) bool { return key == "a" })
	if _, known := m.Get("a", func() string { return "" }); known {
		t.Error("a was deleted")
	}
}

func TestHeavy(t *testing.T) {
	m := recent.Map[int, int]{Heaviest: 10}
	most := 0
	for i := range 100 {
		m.Get(-1, func() int { return -1 }) // asked for in each round
		m.Get(i, func() int { return i })
		m.Weigh(i, 4)
		most = max(most, m.Len())
	}
	if _, known := m.Get(-1, func() int { return 0 }); !known || most > 12 {
		t.Errorf("what is asked for often: %v; at most %d values", known, most)
	}
	unbounded := recent.Map[int, int]{}
	for i := range 100 {
		unbounded.Get(i, func() int { return i })
		unbounded.Weigh(i, 1<<20)
	}
	if unbounded.Len() != 100 {
		t.Errorf("the zero map has %d values", unbounded.Len())
	}
}

func TestAge(t *testing.T) {
	var m recent.Map[string, int]
	for run, tt := range []struct{ asked, kept string }{{"a b", "a b"}, {"a", "a b"}, {"a c", "a c"}, {"", "a c"}, {"", ""}} {
		for _, key := range strings.Fields(tt.asked) {
			m.Get(key, func() int { return run })
		}
		m.Age(2)
		if got := strings.Join(slices.Sorted(m.Keys()), " "); got != tt.kept {
			t.Errorf("after run %d: %s, not %s", run, got, tt.kept)
		}
	}
}
