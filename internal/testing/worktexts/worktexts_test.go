package worktexts

import (
	"strings"
	"testing"
)

// TestRows requires that each row has the file to open, that none is there twice, and that all words for
// large texts are replaced.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rows(3, 4) {
		name := r.Parts + ": " + r.Task + r.Files[r.Main()]
		if seen[name] {
			t.Errorf("two rows %q", name)
		}
		seen[name] = true
		if r.Parts == "" || r.Files[r.Main()] == "" || r.Files["data.yaml"] == "" {
			t.Errorf("row %q has files %v", r.Parts, r.Files)
		}
		for file, text := range r.Files {
			if strings.Contains(text, "$N") || strings.Contains(text, "$LOOP") || strings.Contains(text, "$RECORDS") {
				t.Errorf("%s of %q: a word is not replaced in %s", file, r.Parts, text)
			}
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d rows", len(seen))
	}
}
