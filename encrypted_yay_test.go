package yaytpl_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
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
			o := yaytpl.Options{Dir: tree(t, files), Decrypter: crypto.New(annsKeys(t)), Trace: true}
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

// TestSecretCollectionsInYay: a list or mapping that was made from a secret text is
// secret, and so is what loops, names, layers and messages take from it.
func TestSecretCollectionsInYay(t *testing.T) {
	files := map[string]string{
		"s.yaml.gpg": sealed(t, `t: '{"l": ["hunter2", ["hunter2"]], "m": {"hunter2": "hunter2"}}'`+"\n"),
		"p.yaml":     "+include: s.yaml.gpg\nl: \"{{ (t | string | from_json).l }}\"\nm: \"{{ (t | string | from_json).m }}\"\n",
	}
	for _, text := range []string{
		"a:\n  for x in l:\n    - {{ x }}\n",
		"a:\n  for x in m:\n    - {{ x }}\n",
		"a:\n  for x, y in [l]:\n    - {{ x }}{{ y[0] }}\n",
		"set x, y = l\na:\n  - {{ x }}\n  - {{ y }}\n",
		"a: {{ l }}\nextend a:\n  - 1\n",
		"a: {{ m.hunter3 }}\n",
		"a: {{ m[\"hunter3\"] }}\n",
		"a: {{ l[9] }}\n",
		"if l[0] == a[0]:\n  a:\n    - 1\na: {{ l }}\n",
	} {
		files["main.yay"] = "include \"p.yaml\"\n" + text
		o := yaytpl.Options{Dir: tree(t, files), Decrypter: crypto.New(annsKeys(t)), Trace: true}
		p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, "main.yay")}, o)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if said := everything(p, yaytpl.RenderOptions{Redact: true}) + talk(p); strings.Contains(said, password) {
			i := strings.Index(said, password)
			t.Errorf("%q shows the password: ...%s...", text, said[max(i-120, 0):min(i+40, len(said))])
		}
	}
}

// TestSecretLayersInYay: the values of a secret mapping are secret where newer layers
// join it. Its keys show, as those of files do.
func TestSecretLayersInYay(t *testing.T) {
	files := map[string]string{
		"s.yaml.gpg": sealed(t, `t: '{"k": "hunter2"}'`+"\n"),
		"p.yaml":     "+include: s.yaml.gpg\nm: \"{{ t | string | from_json }}\"\n",
		"main.yay":   "include \"p.yaml\"\na: {{ m }}\na:\n  own: 1\n",
	}
	o := yaytpl.Options{Dir: tree(t, files), Decrypter: crypto.New(annsKeys(t))}
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, "main.yay")}, o)
	if err != nil {
		t.Fatal(err)
	}
	said := everything(p, yaytpl.RenderOptions{Redact: true}) + talk(p)
	if strings.Contains(said, password) || !strings.Contains(said, `"a":{"k":"*****","own":1}`) {
		t.Errorf("got %s", said)
	}
}
