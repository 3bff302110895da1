package system_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// keyFile returns the path of a file of the test keys.
func keyFile(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs("../../../fixtures/secrets/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func noEnvironment(string) (string, bool) { return "", false }

// annsKeys configures a run with ann's key and without gpg.
func annsKeys(t testing.TB) crypto.Config {
	return crypto.Config{KeyFile: keyFile(t, "ann.key.asc"), Getenv: noEnvironment}
}

// sealed encrypts a text for ann.
func sealed(t testing.TB, text string) string {
	t.Helper()
	to := crypto.Recipients{Keys: []string{keyFile(t, "ann.pub.asc")}}
	message, err := crypto.New(annsKeys(t)).Encrypt(t.Context(), to, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(message)
}

// TestEncryptedFilesEverywhere: every file that a document can name may be encrypted. Its values are
// secret.
func TestEncryptedFilesEverywhere(t *testing.T) {
	secret := sealed(t, "password: "+password+"\n")
	dir := tree(t, map[string]string{"sub/s.yaml.gpg": secret})
	for reader, format := range readers {
		if strings.Contains(reader, "fileglob") || strings.Contains(reader, "import") {
			continue // these give no text of the file
		}
		text := fmt.Sprintf(format, "sub/s.yaml.gpg") + "\n"
		if err := os.WriteFile(filepath.Join(dir, "main.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := yaytpl.Options{Dir: dir, Decrypter: crypto.New(annsKeys(t))}
		out, err := renderIn(t, o, yaytpl.RenderOptions{})
		if err != nil || !strings.Contains(out, password) {
			t.Errorf("%s: %q, %v", reader, out, err)
		}
		out, err = renderIn(t, o, yaytpl.RenderOptions{Redact: true})
		if err != nil || strings.Contains(out, password) || !strings.Contains(out, "*****") {
			t.Errorf("%s, redacted: %q, %v", reader, out, err)
		}
		p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "main.yaml")}, o)
		if err != nil {
			t.Fatal(err)
		}
		v, err := p.Documents()[0].Get("a")
		if err == nil {
			err = p.Documents()[0].Force(v)
		}
		if err != nil || !marked(t, v) {
			t.Errorf("%s: a value without the mark, or %v", reader, err)
		}
		if said := talk(p); strings.Contains(said, password) {
			t.Errorf("%s: explain and check show the password: %s", reader, said)
		}
	}
}

// marked reports whether all scalars of a value are secret.
func marked(t *testing.T, v value.Value) bool {
	t.Helper()
	if v.Is(value.ListKind) {
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			if err != nil || !marked(t, item) {
				return false
			}
		}
		return v.List().Len() > 0
	}
	if !v.Is(value.MapKind) {
		return v.Marks()&value.Secret != 0
	}
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil || !marked(t, item) {
			return false
		}
	}
	return true
}

// TestEncryptedLanguages: the language is that of the name without its last ending.
func TestEncryptedLanguages(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"s.yaml.gpg", "a: 1\nb: \"{{ a + 1 }}\"\n", "a: 1\nb: 2\n"},
		{"s.YML.GPG", "a: 1\nb: 2\n", "a: 1\nb: 2\n"},
		{"s.yaml.asc", "a: 1\nb: 2\n", "a: 1\nb: 2\n"},
		{"s.json.gpg", `{"a": "\/", "b": 1.0}`, "a: /\nb: 1.0\n"},
		{"s.yay.gpg", "a: 1\nb: a + 1\n", "a: 1\nb: a + 1\n"},
		{"s.gpg", "a: 1\n", "a: 1\n"},
	}
	for _, tt := range tests {
		dir := tree(t, map[string]string{tt.name: sealed(t, tt.text)})
		o := yaytpl.Options{Dir: dir, Decrypter: crypto.New(annsKeys(t))}
		p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, tt.name)}, o)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		var out bytes.Buffer
		if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil || out.String() != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, out.String(), err, tt.want)
		}
	}
}

func TestEncryptedLayers(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.yaml": "pw: none\n", "s.yaml.gpg": sealed(t, "pw: "+password+"\n"), "t.j2.gpg": sealed(t, "template of {{ pw }}\n"), "plain.j2": "plain {{ pw }}\n",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	o := yaytpl.Options{Dir: dir, Values: []string{at("s.yaml.gpg")}, Decrypter: crypto.New(annsKeys(t))}
	p, err := yaytpl.Open(t.Context(), []string{at("a.yaml")}, o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil || out.String() != "pw: "+password+"\n" {
		t.Errorf("--values: %q, %v", out.String(), err)
	}
	for _, name := range []string{"t.j2.gpg", "plain.j2"} {
		out.Reset()
		if err := p.Documents()[0].Template(at(name), &out, yaytpl.RenderOptions{}); err != nil || !strings.Contains(out.String(), password) {
			t.Errorf("%s: %q, %v", name, out.String(), err)
		}
		out.Reset()
		if err := p.Documents()[0].Template(at(name), &out, yaytpl.RenderOptions{Redact: true}); err != nil || strings.Contains(out.String(), password) {
			t.Errorf("%s, redacted: %q, %v", name, out.String(), err)
		}
	}
}

func TestEncryptedURL(t *testing.T) {
	message := sealed(t, "pw: "+password+"\n")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, message) }))
	defer server.Close()
	o := yaytpl.Options{AllowURL: true, Decrypter: crypto.New(annsKeys(t))}
	for _, text := range []string{"a: {+include: '" + server.URL + "/s.yaml.gpg?v=1'}\n", "a: \"{{ lookup('url', '" + server.URL + "/s.yaml.gpg') }}\"\n"} {
		for _, redact := range []bool{false, true} {
			out, err := renderTree(t, map[string]string{"main.yaml": text}, o, yaytpl.RenderOptions{Redact: redact})
			if err != nil || strings.Contains(out, password) == redact {
				t.Errorf("%s, redacted %v: %q, %v", text, redact, out, err)
			}
		}
	}
}

// TestEncryptedFailures: a file that cannot be decrypted is not a missing file, so no default
// replaces it.
func TestEncryptedFailures(t *testing.T) {
	bobs := annsKeys(t)
	bobs.KeyFile = keyFile(t, "bob.key.asc")
	files := map[string]string{"s.yaml.gpg": sealed(t, "password: "+password+"\n"), "broken.yaml.gpg": "password: " + password + "\n"}
	for _, text := range []string{
		"a: {+include: '%s'}", "a: {+?include: '%s'}", "a: \"{{ lookup('file', '%s') | default('none') }}\"", "a: {eval: {file: '%s'}, select: contents}",
	} {
		for name := range files {
			main := map[string]string{"main.yaml": fmt.Sprintf(text, name) + "\n"}
			for name, text := range files {
				main[name] = text
			}
			out, err := renderTree(t, main, yaytpl.Options{Decrypter: crypto.New(bobs)}, yaytpl.RenderOptions{})
			if err == nil {
				t.Errorf("%s, %s: %q", text, name, out)
				continue
			}
			d := decisive(t, err)
			if d.Code != source.Decryption || !errors.Is(d, source.ErrAccess) || !strings.Contains(d.Message, name) || d.At.IsZero() {
				t.Errorf("%s, %s: %v", text, name, d)
			}
			if strings.Contains(fmt.Sprint(d, d.Hint, d.Notes), password) {
				t.Errorf("%s, %s: %v shows the password", text, name, d)
			}
		}
	}
}

// brokenSecrets are texts with the password whose errors would like to quote it.
var brokenSecrets = []string{
	"a: [hunter2\n", "a: hunter2\n  b: 1\n", "a: *hunter2\n", "hunter2\n", "- hunter2\n", "a: \"hunter2\n", "a: {hunter2\n", "a: !hunter2 x\n", "%hunter2\n",
	"a: &hunter2 1\nb: &hunter2 2\n", "{a: hunter2, a: hunter2}", "a: \"{{ hunter2 \"\n", "a: \"{% hunter2 %}\"\n",
	"a: \"{{ 'hunter2' + 1 }}\"\n", "a: {eval: {hunter2: 1}}\n", "+hunter2: 1\na: {+%: hunter2}\n", "a: \"hunter2\xff\"\n",
	"a: \"{{ 1 is hunter2 }}\"\n", "a: {eval: \"::a[hunter2\"}\n", "? [hunter2]\n: 1\n",
	"a: {+include: {file: x, merge: hunter2}}\n", "a: {+include: 'https://hunter2@h/x'}\n", "a: hunter2\n---\nb\n", "+include: [hunter2]\n",
	"a: !!int hunter2\n", "a: 0x1hunter2\n\tb: 1\n", "a: \"{% set hunter2 %}\"\n", "a: \"{% macro hunter2 %}\"\n", "a: \"{{ lookup('hunter2') }}\"\n",
}

func TestErrorsInEncryptedFiles(t *testing.T) {
	for _, text := range brokenSecrets {
		for _, name := range []string{"s.yaml.gpg", "s.json.gpg", "s.yay.gpg"} {
			dir := tree(t, map[string]string{name: sealed(t, text), "main.yaml": "a: {+include: " + name + "}\n"})
			var said bytes.Buffer
			o := yaytpl.Options{Dir: dir, Decrypter: crypto.New(annsKeys(t)), Lenient: strings.Contains(text, "a: hunter2, a")}
			show := func(d *source.Diagnostic) {
				_ = d.WriteText(&said, source.TextStyle{})
				line, _ := d.MarshalJSON()
				fmt.Fprintln(&said, string(line), d)
			}
			o.Warn = show
			for _, file := range []string{name, "main.yaml"} {
				p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, file)}, o)
				if err == nil {
					err = p.Render(&said, yaytpl.RenderOptions{Redact: true})
					for _, d := range p.Check() {
						show(d)
					}
				}
				for _, d := range source.Findings(err) {
					show(d)
				}
			}
			if strings.Contains(strings.ReplaceAll(said.String(), "hunter2:", ""), password) {
				t.Errorf("%s with %q: %s", name, text, said.String())
			}
		}
	}
}

// TestPassphraseVariable: no document and no program that it runs can read it.
func TestPassphraseVariable(t *testing.T) {
	env := map[string]string{crypto.PassphraseVariable: password, "PET": "cat", "PATH": os.Getenv("PATH")}
	o := yaytpl.Options{AllowExec: true, Getenv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	o.Environ = func() []string {
		return []string{crypto.PassphraseVariable + "=" + password, "PET=cat", "PATH=" + env["PATH"]}
	}
	for _, text := range []string{
		"a: \"{{ lookup('env', '" + crypto.PassphraseVariable + "') }}\"\n", "a: {get_env: ''}\n", "a: {eval: {get_env: [" + crypto.PassphraseVariable + ", none]}}\n", "a: \"{{ lookup('pipe', 'env') }}\"\n",
	} {
		for _, allowed := range [][]string{nil, {"*"}, {crypto.PassphraseVariable, "PATH"}} {
			o.AllowEnv = allowed
			if out, err := renderTree(t, map[string]string{"main.yaml": text}, o, yaytpl.RenderOptions{}); err != nil || strings.Contains(out, password) {
				t.Errorf("%s: %q, %v", text, out, err)
			}
		}
	}
	o.EnvPrefix = "YAYTPL_"
	if out, err := renderTree(t, map[string]string{"main.yaml": "a: 1\n"}, o, yaytpl.RenderOptions{}); err != nil || out != "a: 1\n" {
		t.Errorf("with EnvPrefix: %q, %v", out, err)
	}
}

// TestOverlayOfEncryptedFile: the text of an editor replaces the decrypted text of a file and is
// just as secret.
func TestOverlayOfEncryptedFile(t *testing.T) {
	dir := tree(t, map[string]string{"s.yaml.gpg": "whatever"})
	path := filepath.Join(dir, "s.yaml.gpg")
	p, err := yaytpl.Open(t.Context(), []string{path}, yaytpl.Options{Dir: dir, Overlay: map[string]string{path: "pw: " + password + "\n"}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Documents()[0].Get("pw")
	if err != nil || v.Str() != password || v.Marks()&value.Secret == 0 {
		t.Errorf("%v, %v", v.Marks(), err)
	}
}

// TestOneQuestion: projects that share a decrypter ask once.
func TestOneQuestion(t *testing.T) {
	asked := 0
	keys := crypto.Config{KeyFile: keyFile(t, "locked.key.asc"), Getenv: noEnvironment}
	keys.Ask = func(context.Context, string) (string, error) { asked++; return "open sesame", nil }
	d := crypto.New(keys)
	to := crypto.Recipients{Keys: []string{keyFile(t, "locked.pub.asc")}}
	files := map[string]string{"main.yaml": "a: {+include: one.yaml.gpg}\nb: {+include: two.yaml.gpg}\nc: {+include: one.yaml.gpg}\n"}
	for name, text := range map[string]string{"one.yaml.gpg": "x: 1\n", "two.yaml.gpg": "x: 2\n"} {
		message, err := d.Encrypt(t.Context(), to, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(message)
	}
	for range 2 {
		if out, err := renderTree(t, files, yaytpl.Options{Decrypter: d}, yaytpl.RenderOptions{}); err != nil || strings.Count(out, "x: ") != 3 {
			t.Errorf("%q, %v", out, err)
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

// writtenInYay lists texts in Yay where the source of a contains the password: in text next to an
// expression, in an expression, in a condition.
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

// TestSecretCollectionsInYay: a list or mapping that was made from a secret text is secret, and so
// are values that loops, names, layers and messages take from it.
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
// join it. Its keys are shown, as those of files are.
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
