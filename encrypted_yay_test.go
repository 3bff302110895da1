package yaytpl_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
)

// writtenInYay are texts in Yay whose a has the password in what is written for it:
// in text beside an expression, in an expression, in what decides about it.
var writtenInYay = []string{
	"h: db\na: pg://u:hunter2@{{ h }}/\n",
	"h: db\na: {{ \"hunter2\" + h }}\n",
	"set t = \"hunter2\"\na: {{ t }}\n",
	"set t = \"hunter2\"\nb: 1\nif t == \"hunter2\":\n  a: {{ t }}\nelif \"hunter2\":\n  a: 2\n",
	"set t = \"hunter2\"\nselect t:\n  x: 1\n",
	"select \"hunter2\":\n  x: 1\n",
	"select \"\" + \"hunter2\":\n  else:\n    a: 1\n",
	"a:\n  for x in [\"hunter2\"] if x != \"y-hunter2\":\n    - {{ x }}\n",
	"a:\n  for x in \"hunter2\":\n    - {{ x }}\n",
	"macro m:\n  x: {{ y }}\na:\n  call m:\n    y: hunter2\n",
	"prototype P:\n  x: hunter2{{ 1 }}\na:\n  new P:\n    y: {{ self.x }}\n",
	"a: |\n  hunter2 {{ 1 }}\n",
}

// TestTalkOfEncryptedYay: explanations, graphs and messages show nothing that is
// written in an encrypted file.
func TestTalkOfEncryptedYay(t *testing.T) {
	for _, text := range writtenInYay {
		secret := sealed(t, text)
		for _, main := range []string{"include \"s.yay.gpg\"\nz: 1\n", ""} {
			files := map[string]string{"s.yay.gpg": secret, "main.yay": main}
			o := yaytpl.Options{Dir: tree(t, files), Decrypter: yaytpl.NewDecrypter(annsKeys(t)), Trace: true}
			first := "main.yay"
			if main == "" {
				first = "s.yay.gpg"
			}
			p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, first)}, o)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			for _, of := range []string{"nodes", "includes"} {
				fmt.Fprintln(&out, p.Documents()[0].WriteDot(&out, of))
			}
			said := everything(p, yaytpl.RenderOptions{Redact: true}) + talk(p) + out.String()
			if strings.Contains(said, password) {
				i := strings.Index(said, password)
				t.Errorf("%q in %s shows the password: ...%s...", text, first, said[max(i-120, 0):min(i+40, len(said))])
			}
		}
	}
}
