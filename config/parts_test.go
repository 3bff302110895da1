package config_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/source"
)

// dependencies returns the packages that a package of the module depends on.
func dependencies(t *testing.T, pkg string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", pkg)
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// heavy are packages that make a program large: text/template by the methods that the linker keeps for it.
var heavy = []string{"net/http", "crypto/tls", "text/template", "html/template", "github.com/ProtonMail/go-crypto/", "github.com/flosch/pongo2/"}

// TestLight: config is light, and so are the packages around it; the parts that are imported for their effect are not.
func TestLight(t *testing.T) {
	is := func(dep string) bool {
		return slices.ContainsFunc(heavy, func(name string) bool {
			return dep == name || strings.HasSuffix(name, "/") && strings.HasPrefix(dep, name)
		})
	}
	for _, pkg := range []string{"./config", "./edit", "./workspace", "./bindings"} {
		deps := dependencies(t, pkg)
		if i := slices.IndexFunc(deps, is); i >= 0 {
			t.Errorf("%s depends on %s", pkg, deps[i])
		}
		if len(deps) < 100 {
			t.Errorf("%s has only %d dependencies", pkg, len(deps))
		}
	}
	for pkg, want := range map[string]string{"./config/gpg": "github.com/ProtonMail/go-crypto/openpgp", "./config/web": "net/http", "./config/gotemplate": "text/template"} {
		if !slices.Contains(dependencies(t, pkg), want) {
			t.Errorf("%s does not bring %s", pkg, want)
		}
	}
}

// TestMissingParts: what a program needs a part for that it does not import is an error that names the import.
func TestMissingParts(t *testing.T) {
	message, err := os.ReadFile("../fixtures/secrets/secrets.yaml.asc")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		part, text, lang string
		code             source.Code
	}{
		{"gpg", "+include: secrets.yaml.asc\n", "", source.Decryption},
		{"web", "+include: http://127.0.0.1:1/a.yaml\n", "", source.Forbidden},
		{"gotemplate", "import \"golang\"\nprint \"p\" { msg => golang.template(\"a\") <|> \"b\", }\n", "mcl", source.Unsupported},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "secrets.yaml.asc"), message, 0o600); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, "main.yaml")
		if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(t.Context(), []string{name}, yaytpl.Options{AllowURL: true, Lang: tt.lang})
		if err == nil {
			_, err = config.Get[any](c, "", nil)
		}
		findings := source.Findings(err)
		if len(findings) != 1 || findings[0].Code != tt.code || findings[0].Hint != `import _ "github.com/yaytpl/yaytpl/config/`+tt.part+`"` {
			t.Errorf("%s: %v", tt.part, err)
		}
	}
}
