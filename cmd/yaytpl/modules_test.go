package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestModules checks that the program has the modules that its users expect, and that a program that only imports
// config does not have what only some need.
func TestModules(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("listing packages needs go")
	}
	deps := func(pkg string) string {
		out, err := exec.Command(tool, "list", "-deps", pkg).CombinedOutput()
		if err != nil {
			t.Fatalf("go list -deps %s: %v\n%s", pkg, err, out)
		}
		return "\n" + string(out)
	}
	for _, row := range []struct {
		pkg, dependency string
		want            bool
	}{
		{".", "gopkg.in/yaml.v3", true},
		{".", "github.com/ProtonMail/go-crypto/", true},
		{".", "github.com/flosch/pongo2/v6", true},
		{".", "github.com/tidwall/gjson", true},
		{"../../config", "github.com/flosch/pongo2/v6", false},
		{"../..", "github.com/flosch/pongo2/v6", false},
	} {
		if has := strings.Contains(deps(row.pkg), "\n"+row.dependency); has != row.want {
			t.Errorf("%s imports %s: %t", row.pkg, row.dependency, has)
		}
	}
}
