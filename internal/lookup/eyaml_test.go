package lookup

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
)

// eyamlFiles returns the files of fixtures/eyaml with one more data file, in which @NAME@ is the
// encrypted value of a key.
func eyamlFiles(t *testing.T, data string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir("../../fixtures/eyaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join("../../fixtures/eyaml", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	for line := range strings.Lines(files["secrets.eyaml"]) {
		if name, text, ok := strings.Cut(line, ": ENC["); ok && strings.HasSuffix(text, "]\n") {
			data = strings.ReplaceAll(data, "@"+name+"@", "ENC["+strings.TrimSpace(text))
		}
	}
	files["own.yaml"] = data
	return files
}

// levels are lines of a hiera.yaml with a level that decrypts own.yaml.
const levels = "version: 5\nhierarchy:\n- name: own\n  datadir: .\n  path: own.yaml\n  lookup_key: eyaml_lookup_key\n"

// askEyaml looks a key up and returns the value as JSON, or the error, and the warnings.
func askEyaml(t *testing.T, files map[string]string, keys []string, env map[string]string, key string) (string, []string) {
	t.Helper()
	dir := write(t, files)
	var warnings []string
	name := filepath.Join(dir, "hiera.yaml")
	b, err := Open(context.Background(), Options{Source: name, Engine: engine.Options{
		Load: load.Config{Dir: dir, Files: []string{name}, AllowEnv: []string{"*"}, Decrypter: crypto.New(crypto.Config{Dir: dir, EyamlKeys: keys, Mode: crypto.Native}),
			Getenv: func(name string) (string, bool) { v, ok := env[name]; return v, ok }},
		Warn: func(d *source.Diagnostic) { warnings = append(warnings, d.Message) },
	}})
	if err != nil {
		return err.Error(), warnings
	}
	table, err := b.Compose(facts(t, `{"db": "d1", "ENC": "x"}`))
	if err != nil {
		return err.Error(), warnings
	}
	k, err := bind.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Lookup(bind.Request{Keys: []bind.KeyPath{k}}); err != nil {
		return err.Error(), warnings
	}
	return ask(t, table, key, ""), warnings
}

// TestEyaml: what is decrypted, what is refused, and what stays hidden.
func TestEyaml(t *testing.T) {
	key := "  options: {pkcs7_private_key: private_key.pkcs7.pem}\n"
	pem := eyamlFiles(t, "")["private_key.pkcs7.pem"]
	for _, tt := range []struct {
		name, options, data, want, warning string
		keys                               []string
		env                                map[string]string
	}{
		{name: "whole", options: key, data: "k: @db::password@\n", want: `"hunter2"`},
		{name: "quoted, with a line break", options: key, data: "k: \"@db::password@\\n\"\n", want: `"hunter2"`},
		{name: "two parts", options: key, data: "k: \"a @db::password@-@db::password@ %{db}\"\n", want: `"a hunter2-hunter2 d1"`},
		{name: "nested", options: key, data: "k: {a: [\"@db::password@\", 1], \"%{db}\": {b: \"@db::password@\"}}\n", want: `{"a":["hunter2",1],"d1":{"b":"hunter2"}}`},
		{name: "by lookup", options: key, data: "k: \"%{lookup('p')}!\"\np: @db::password@\n", want: `"hunter2!"`},
		{name: "by alias", options: key, data: "k: \"%{alias('p')}\"\np: [\"@db::password@\"]\n", want: `["hunter2"]`},
		{name: "aliases of YAML", options: key, data: "p: &p \"@db::password@\"\nk: [*p, *p]\n", want: `["hunter2","hunter2"]`},
		{name: "with a key of the user", data: "k: @db::password@\n", keys: []string{"private_key.pkcs7.pem"}, want: `"hunter2"`},
		{name: "with several", data: "k: @db::password@\n", keys: []string{"other.pem", "private_key.pkcs7.pem"}, want: `"hunter2"`},
		{name: "the key of the file after a wrong one", options: key, data: "k: @db::password@\n", keys: []string{"other.pem"}, want: `"hunter2"`},
		{name: "a wrong key", data: "k: @db::password@\n", keys: []string{"other.pem"}, want: "no private key in other.pem fits"},
		{name: "a variable", options: "  options: {pkcs7_private_key_env_var: KEY}\n", data: "k: @db::password@\n", env: map[string]string{"KEY": pem}, want: `"hunter2"`},
		{name: "no variable", options: "  options: {pkcs7_private_key_env_var: KEY}\n", data: "k: @db::password@\n", want: `"<<REDACTED>>"`, warning: "variable KEY is not set"},
		{name: "an option with a fact", options: "  options: {pkcs7_private_key: \"private_key.%{k}.pem\"}\n", data: "k: @db::password@\n", want: `"<<REDACTED>>"`, warning: "private_key..pem"},
		{name: "no key", data: "k: @db::password@\n", want: `"<<REDACTED>>"`, warning: "no private key is given"},
		{name: "a key outside", options: "  options: {pkcs7_private_key: /etc/passwd}\n", data: "k: @db::password@\n", want: `"<<REDACTED>>"`, warning: "outside of the roots"},
		{name: "no such key", options: "  options: {pkcs7_private_key: none.pem}\n", data: "k: @db::password@\n", want: `"<<REDACTED>>"`, warning: "none.pem"},
		{name: "a key that is none", options: "  options: {pkcs7_private_key: hiera.yaml}\n", data: "k: @db::password@\n", want: "hiera.yaml is no private key"},
		{name: "an option that is no text", options: "  options: {pkcs7_private_key: [a]}\n", data: "k: 1\n", want: "'pkcs7_private_key' must be a text"},
		{name: "other methods", options: key, data: "k: ENC[KMS,abcd]\n", want: `"<<REDACTED>>"`, warning: "method KMS is not supported"},
		{name: "GPG", options: key, data: "k: ENC[GPG,abcd]\n", want: "not an encrypted OpenPGP message"},
		{name: "letter case", options: key, data: "k: ENC[pkcs7,abcd]\n", want: "no PKCS#7 message"},
		{name: "without a method", options: key, data: "k: ENC[abcd]\n", want: "no PKCS#7 message"},
		{name: "cut off", options: key, data: "k: see ENC[PKCS7,MIIB\n", want: "it has no ]"},
		{name: "a wrong character", options: key, data: "k: ENC[PKCS7,MI*B]\n", want: "not base64"},
		{name: "no encrypted text", options: key, data: "k: see ENC[] and %{ENC}[x]\n", want: `"see ENC[] and x[x]"`},
		{name: "other keys need no key", data: "k: 1\np: @db::password@\n", want: "1"},
	} {
		files := eyamlFiles(t, tt.data)
		files["hiera.yaml"] = levels + tt.options
		got, warnings := askEyaml(t, files, tt.keys, tt.env, "k")
		if !strings.HasPrefix(got, tt.want) && (strings.HasPrefix(tt.want, `"`) || !strings.Contains(got, tt.want)) {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if all := strings.Join(warnings, "\n"); tt.warning == "" && len(warnings) > 0 || !strings.Contains(all, tt.warning) {
			t.Errorf("%s: got the warnings %q, want %q", tt.name, warnings, tt.warning)
		}
	}
}

// TestEyamlElsewhere: encrypted texts in levels that do not decrypt are reported, once; hiera.yaml of
// version 3 has a backend eyaml.
func TestEyamlElsewhere(t *testing.T) {
	files := eyamlFiles(t, "k: \"@db::password@\"\n")
	files["hiera.yaml"] = "version: 5\nhierarchy: [{name: own, datadir: ., path: own.yaml}]\n"
	got, warnings := askEyaml(t, files, []string{"private_key.pkcs7.pem"}, nil, "k")
	if !strings.HasPrefix(got, `"ENC[PKCS7,`) || len(warnings) != 1 || !strings.Contains(warnings[0], "its level reads it as it is") {
		t.Errorf("got %s, %q", got, warnings)
	}
	files["hiera.yaml"] = ":backends: [eyaml, yaml]\n:hierarchy: [own]\n:eyaml: {:datadir: ., :extension: yaml, :pkcs7_private_key: private_key.pkcs7.pem}\n:yaml: {:datadir: .}\n"
	if got, warnings := askEyaml(t, files, nil, nil, "k"); got != `"hunter2"` || len(warnings) > 0 {
		t.Errorf("version 3: got %s, %q", got, warnings)
	}
}
