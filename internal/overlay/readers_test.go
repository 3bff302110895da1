package overlay_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
)

// TestCheckReaders writes texts as a writer with a mistake would: what another reader of YAML would read
// differently is refused, in whole texts and in entries of large ones.
func TestCheckReaders(t *testing.T) {
	large := strings.Repeat("# "+strings.Repeat("x", 78)+"\n", 1000)
	for _, tt := range []struct {
		name, old, now, at string
	}{
		{"a.yaml", "a: {+/b: , c: 1}\n", "a: {+/b: }\n", ""},
		{"a.yaml", "a: {+/b: , c: 1}\n", "a: {+/b:}\n", "a.yaml:1:5"},
		{"a.yaml", "a: 1\nb: {+/c:}\n", "a: 2\nb: {+/c:}\n", ""}, // the user wrote it
		{"a.yaml", large + "a: {+/b: , c: 1}\n", large + "a: {+/b:}\n", "a.yaml:1001:5"},
		{"a.json", `{"a":1}`, "{\"a\":\"\u2028\"}", ""},
	} {
		dir := write(t, map[string]string{tt.name: tt.old})
		x := edited(t, dir, tt.name, engine.Options{})
		texts := x.Wrong(filepath.Join(dir, tt.name), strings.TrimPrefix(tt.old, large), strings.TrimPrefix(tt.now, large))
		err := x.CheckReaders(texts)
		if tt.at == "" && err == nil {
			continue
		}
		if code(err) != source.Internal || !strings.HasPrefix(err.Error(), tt.at) {
			t.Errorf("%.20q to %.20q: %v, want internal at %q", tt.old, tt.now, err, tt.at)
		}
	}
}
