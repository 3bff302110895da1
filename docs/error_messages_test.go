package docs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// TestErrorMessages checks the messages that "yaytpl help errors" shows below its examples. With
// -update it writes them and builds the command again, because pages show its help.
func TestErrorMessages(t *testing.T) {
	const path = "cmd/yaytpl/error_messages.txt"
	var b strings.Builder
	for _, c := range source.Codes() {
		if len(c.Args) > 0 && c.Code != source.Timeout { // the position of a timeout varies
			fmt.Fprintf(&b, "-- %s --\n%s", c.Code, exampleMessage(t, c))
		}
	}
	messages := b.String()
	if messages == text(t, path) {
		return
	}
	if !*update {
		t.Fatalf("%s is outdated: the command prints other messages; go test ./docs -update writes it", path)
	}
	writeFile(t, filepath.Join(root, path), messages)
	if err := build(); err != nil {
		t.Fatal(err)
	}
}

// exampleMessage returns the standard error of the example of a code. The name of its directory is
// replaced by /srv/site.
func exampleMessage(t *testing.T, c source.CodeInfo) string {
	t.Helper()
	above := t.TempDir()
	dir := filepath.Join(above, "site")
	for _, f := range c.Files {
		writeFile(t, filepath.Join(dir, f.Name), f.Text)
	}
	writeFile(t, filepath.Join(dir, "result"), "")
	message := shellLine{args: append([]string{"yaytpl"}, c.Args...), out: "result"}.run(t, dir)
	message, _, _ = strings.Cut(message, "(exit status ")
	if !strings.Contains(message, "["+string(c.Code)+"]") {
		t.Errorf("the example of %s prints\n%s", c.Code, message)
	}
	return strings.NewReplacer("/site", "/srv/site", real(t, above), "/srv").Replace(message)
}
