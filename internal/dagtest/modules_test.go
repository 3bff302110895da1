package dagtest

import (
	"os/exec"
	"strings"
	"testing"
)

// TestModules requires that the command is built with the modules whose formats and libraries its users know.
func TestModules(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "./cmd/yaytpl")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range []string{"gopkg.in/yaml.v3", "github.com/ProtonMail/go-crypto", "github.com/tidwall/gjson"} {
		if !strings.Contains("\n"+string(out), "\n"+module) {
			t.Errorf("cmd/yaytpl does not import %s", module)
		}
	}
}
