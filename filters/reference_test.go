package filters

import (
	"os"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// TestAsTheReference runs the rows of testdata/reference.tsv: see the README there.
func TestAsTheReference(t *testing.T) {
	text, err := os.ReadFile("testdata/reference.tsv")
	if err != nil {
		t.Fatal(err)
	}
	c := &Ctx{Caller: &counter{most: 1 << 40}}
	for line := range strings.Lines(string(text)) {
		expr, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("bad line %q", line)
		}
		v, err := runExample(t, c, "{{ "+expr+" }}", unchanged)
		var got string
		switch {
		case err != nil:
			got = "!"
		case v.Is(value.UndefinedKind):
			got = `{"@": "undefined"}`
		default:
			got = shown(t, v)
		}
		if got != want && !(strings.HasPrefix(got, "error:") && strings.Contains(want, "undefined")) {
			t.Errorf("%s = %s, want %s (%v)", expr, got, want, err)
		}
	}
}
