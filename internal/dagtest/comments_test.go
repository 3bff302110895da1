package dagtest

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// fileName matches the name of a Go file in a package comment: of scan/scan.go only scan.go, with
// the slash before it.
var fileName = regexp.MustCompile(`/?\b[a-z][a-z0-9_]*\.go\b`)

// TestReadingOrder checks that the files that a package comment names, to be read in that order, are
// in the package.
func TestReadingOrder(t *testing.T) {
	named := 0
	err := eachFile(root, func(pkg, path string) error {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		for _, name := range fileName.FindAllString(f.Doc.Text(), -1) {
			if name[0] == '/' {
				continue // of another package
			}
			named++
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), name)); err != nil {
				t.Errorf("the comment of package %s names %s, which it does not have", pkg, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named < 50 {
		t.Errorf("package comments name only %d files", named)
	}
}
