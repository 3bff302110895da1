package graph

import (
	"path/filepath"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestBaseOf(t *testing.T) {
	dir := filepath.FromSlash("/srv/site")
	for _, tt := range []struct{ name, path, want string }{
		{"main.yaml", filepath.Join(dir, "main.yaml"), dir},
		{"https://example.org/site/main.yaml", "", "https://example.org/site/"},
		{"mem://defaults", "", ""},
		{"-D", "", ""},
	} {
		f := source.NewFile(tt.name, "")
		f.Path = tt.path
		if got := BaseOf(f); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
