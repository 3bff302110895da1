package source_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestLocated(t *testing.T) {
	f := source.NewFile("a.yaml", "a: 1\n")
	d := &source.Diagnostic{Message: "m"}
	there := d.Located(f.Span(3, 4))
	if there == d || !d.At.IsZero() || there.At != f.Span(3, 4) || there.Message != "m" {
		t.Errorf("Located = %+v of %+v", there, d)
	}
	if again := there.Located(f.Span(0, 1)); again != there {
		t.Errorf("a place was replaced: %+v", again)
	}
	if same := d.Located(source.Span{}); same != d {
		t.Errorf("copied for no place: %+v", same)
	}
}

// TestClasses: a finding is of the class of its code, and of no other.
func TestClasses(t *testing.T) {
	all := []error{source.ErrMissing, source.ErrCycle, source.ErrLimit, source.ErrAccess}
	for code, want := range map[source.Code]error{
		source.NoMatching: source.ErrMissing, source.NotFound: source.ErrMissing, source.Paradox: source.ErrCycle,
		source.Timeout: source.ErrLimit, source.Decryption: source.ErrAccess, source.Syntax: nil, "": nil,
	} {
		err := fmt.Errorf("in a.yaml: %w", source.Errorf(source.Span{}, code, "m"))
		for _, class := range all {
			if got := errors.Is(err, class); got != (class == want) {
				t.Errorf("code %q is of class %q: %t", code, class, got)
			}
		}
	}
}

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
