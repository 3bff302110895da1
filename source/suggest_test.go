package source_test

import (
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestSuggest(t *testing.T) {
	for _, tt := range []struct {
		word, want string
		names      []string
	}{
		{"prot", "port", []string{"host", "port", "proto"}},
		{"defualt", "default", []string{"default", "dictsort"}},
		{"nmae", "name", []string{"name"}},
		{"rendr", "render", []string{"query", "render"}},
		{"ab", "ac", []string{"ad", "ac"}},
		{"x", "", []string{"a", "b"}},
		{"abc", "", []string{"xyz", "abcdef"}},
		{"same", "", []string{"same"}},
		{"größe", "grösse", []string{"grösse"}},
	} {
		if got := source.Suggest(tt.word, slices.Values(tt.names)); got != tt.want {
			t.Errorf("Suggest(%q, %q) = %q, want %q", tt.word, tt.names, got, tt.want)
		}
	}
}
