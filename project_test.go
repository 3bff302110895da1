package yaytpl_test

import (
	"errors"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// What cannot be opened is no project.
func TestOpenOfNothing(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n"})
	for _, files := range [][]string{{"nowhere.yaml"}, {"nowhere.yaml", "a.yaml"}, {"a.yaml", "nowhere.yaml"}} {
		p, err := yaytpl.Open(t.Context(), files, yaytpl.Options{Dir: dir})
		if p != nil || !errors.Is(err, source.ErrAccess) {
			t.Errorf("%v: %v, %v", files, p, err)
		}
	}
}
