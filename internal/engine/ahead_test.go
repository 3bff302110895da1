package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// big returns a text with comments before it, of a size that is parsed ahead.
func big(text string) string { return strings.Repeat("# a comment of some length\n", 3000) + text }

// opening opens files and returns all that can be seen of that: documents or error, warnings, inputs.
func opening(t *testing.T, dir string, o engine.Options, names ...string) string {
	t.Helper()
	var b strings.Builder
	o.Load.Dir, o.Load.NoEnv, o.Load.Files = dir, true, names
	o.Load.Inputs = &load.Inputs{}
	o.Warn = func(d *source.Diagnostic) { fmt.Fprintln(&b, "warning:", d) }
	p, err := engine.Open(t.Context(), names, o)
	if err != nil {
		fmt.Fprintln(&b, "error:", err)
	} else {
		for _, d := range p.Documents() {
			fmt.Fprintln(&b, inJSON(d.Value()))
		}
	}
	for _, in := range o.Load.Inputs.All() {
		fmt.Fprintln(&b, "input:", in.Kind, in.Name, in.Hash(), in.Info != nil)
	}
	fmt.Fprintln(&b, "decrypts:", o.Load.Inputs.Decrypts())
	return strings.ReplaceAll(b.String(), dir, "DIR")
}

// TestAhead: with several cores big files are read and parsed before their turn. That changes neither results, nor
// errors, nor what the run depends on.
func TestAhead(t *testing.T) {
	lenient := frontend.Options{Lenient: true}
	vault := "$ANSIBLE_VAULT;1.1;AES256\n" + strings.Repeat("61", 40000) + "\n"
	for _, tt := range []struct {
		name   string
		o      engine.Options
		texts  map[string]string
		names  string
		want   string // is a part of what can be seen
		unread string // is the name of a file that must not be an input
	}{
		{"two files", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: {{ a }}\n")}, "a.yaml b.yaml", `{"a":1,"b":1}`, ""},
		{"five files", engine.Options{}, map[string]string{"a.yaml": big("a: [1]\n"), "b.yaml": big("a: {+: [2]}\n"), "c.yaml": "c: 1\n", "d.yaml": big("d: 4\n"), "e.yaml": big("d: 5\n")}, "a.yaml b.yaml c.yaml d.yaml e.yaml", `"d":5`, ""},
		{"an error in the first", engine.Options{}, map[string]string{"a.yaml": big("a: [\n"), "b.yaml": big("b: 1\n")}, "a.yaml b.yaml", "error: a.yaml", "b.yaml"},
		{"an error in the second", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: [\n"), "c.yaml": big("c: 1\n")}, "a.yaml b.yaml c.yaml", "error: b.yaml", "c.yaml"},
		{"errors in both", engine.Options{}, map[string]string{"a.yaml": big("a: {\n"), "b.yaml": big("b: [\n")}, "a.yaml b.yaml", "error: a.yaml", "b.yaml"},
		{"the first is missing", engine.Options{}, map[string]string{"b.yaml": big("b: 1\n"), "c.yaml": big("b: 1\n")}, "a.yaml b.yaml c.yaml", "no such file: a.yaml", "b.yaml"},
		{"the second is missing", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "c.yaml": big("c: 1\n")}, "a.yaml b.yaml c.yaml", "no such file: b.yaml", "c.yaml"},
		{"an empty name", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "c.yaml": big("c: 1\n")}, "a.yaml  c.yaml", "a file name is empty", "c.yaml"},
		{"a directory", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "c.yaml": big("c: 1\n")}, "a.yaml . c.yaml", "it is a directory", "c.yaml"},
		{"one file twice", engine.Options{Parse: lenient}, map[string]string{"a.yaml": big("a: 1\na: 2\n")}, "a.yaml ./a.yaml", `{"a":2}`, ""},
		{"warnings", engine.Options{Parse: lenient}, map[string]string{"a.yaml": big("a: 1\na: 2\n"), "b.yaml": big("b: 1\nb: 2\n")}, "a.yaml b.yaml a.yaml", "warning: b.yaml", ""},
		{"a warning, then an error", engine.Options{Parse: lenient}, map[string]string{"a.yaml": big("a: 1\na: 2\n"), "b.yaml": big("b: [\n")}, "a.yaml b.yaml", "warning: a.yaml", ""},
		{"layers of all kinds", engine.Options{Base: []string{"a.yaml"}, Over: []string{"c.yaml"}, Values: []string{"d.yaml"}, Defines: []string{"e=5"}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: 2\n"), "c.yaml": big("c: 3\n"), "d.yaml": big("d: 4\n")}, "b.yaml", `{"a":1,"b":2,"c":3,"d":4,"e":5}`, ""},
		{"an error between files", engine.Options{Above: map[int][]engine.Assignment{1: {{Path: "a[", Text: "1"}}}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: 1\n")}, "a.yaml b.yaml", "error: ", "b.yaml"},
		{"a file between files", engine.Options{Above: map[int][]engine.Assignment{1: {{Path: "a", File: "b.yaml", Form: yaml.YAMLForm}}}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: 1\n")}, "a.yaml b.yaml", `{"a":{"b":1},"b":1}`, ""},
		{"bytes of the second", engine.Options{Load: load.Config{MaxBytes: 100_000}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: 1\n")}, "a.yaml b.yaml", "b.yaml: more than 100000 bytes", ""},
		{"bytes of the third", engine.Options{Load: load.Config{MaxBytes: 200_000}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: 1\n"), "c.yaml": big("b: 1\n"), "d.yaml": big("b: 1\n")}, "a.yaml b.yaml c.yaml d.yaml", "c.yaml: more than 200000 bytes", "d.yaml"},
		{"bytes after conversion", engine.Options{Load: load.Config{MaxBytes: 250_000}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": "\xff\xfe" + strings.Repeat("\x0d\x4e", 65_000)}, "a.yaml b.yaml", "b.yaml: more than 250000 bytes", ""},
		{"files", engine.Options{Load: load.Config{MaxFiles: 1}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: 1\n"), "c.yaml": big("b: 1\n")}, "a.yaml b.yaml c.yaml", "more than 1 files", "c.yaml"},
		{"nesting", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": strings.Repeat("[", 70_000)}, "a.yaml b.yaml", "error: b.yaml:1", ""},
		{"outside of the roots", engine.Options{Load: load.Config{Roots: []string{"sub"}}}, map[string]string{"sub/a.yaml": big("a: 1\n"), "b.yaml": big("b: 1\n")}, "sub/a.yaml b.yaml", "b.yaml must not be read", ""},
		{"UTF-16", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": "\xff\xfe" + strings.Join(strings.Split(big("b: 1\n"), ""), "\x00") + "\x00"}, "a.yaml b.yaml", `{"a":1,"b":1}`, ""},
		{"no text", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: \xff\n")}, "a.yaml b.yaml", "not valid UTF-8", ""},
		{"encrypted by the name", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml.gpg": big("b: 1\n"), "c.yaml": big("c: 1\n")}, "a.yaml b.yaml.gpg c.yaml", "decrypts: true", "c.yaml"},
		{"encrypted by the text", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": vault}, "a.yaml b.yaml", "decrypts: true", ""},
		{"encrypted after an error", engine.Options{}, map[string]string{"a.yaml": big("a: [\n"), "b.yaml": vault}, "a.yaml b.yaml", "decrypts: false", "b.yaml"},
		{"an overlay", engine.Options{Load: load.Config{Overlay: map[string]string{"b.yaml": big("b: 3\n")}}}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("b: 1\n"), "c.yaml": big("c: 2\n")}, "a.yaml b.yaml c.yaml", `{"a":1,"b":3,"c":2}`, ""},
		{"Yay", engine.Options{}, map[string]string{"a.yay": big("a: 1\n"), "b.yay": big("b: {{ a }}\n")}, "a.yay b.yay", `{"a":1,"b":1}`, ""},
		{"an error in Yay", engine.Options{}, map[string]string{"a.yay": big("a: 1\n"), "b.yay": big("  : b: {{ a\n")}, "a.yay b.yay", "error: b.yay", ""},
		{"the mgmt language", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.mcl": big("$x = 1\n")}, "a.yaml b.mcl", `"a":1`, ""},
		{"an error in the mgmt language", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.mcl": big("$x = \n")}, "a.yaml b.mcl", "error: b.mcl", ""},
		{"TOML", engine.Options{}, map[string]string{"a.toml": big("a = 1\n"), "b.toml": big("b = 2\n")}, "a.toml b.toml", `{"a":1,"b":2}`, ""},
		{"JSON", engine.Options{}, map[string]string{"a.json": strings.Repeat(" ", 70_000) + `{"a": 1}`, "b.json": strings.Repeat(" ", 70_000) + `{"b": 1`}, "a.json b.json", "error: b.json", ""},
		{"bindings", engine.Options{}, map[string]string{"a.yaml": big("a: 1\n"), "b.pp": big("")}, "a.yaml b.pp", "b.pp has bindings", ""},
		{"an unknown language", engine.Options{Lang: "yoml"}, map[string]string{"a.yaml": big("a: 1\n"), "b.yaml": big("")}, "a.yaml b.yaml", "unknown language", "b.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range tt.texts {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			seen := func(cores int) string {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				o := tt.o
				o.Load.Decrypter = crypto.New(crypto.Config{Dir: dir, Mode: crypto.Native, Getenv: func(string) (string, bool) { return "", false }})
				return opening(t, dir, o, strings.Split(tt.names, " ")...)
			}
			alone := seen(1)
			if !strings.Contains(alone, tt.want) {
				t.Fatalf("%s\ndoes not contain %s", alone, tt.want)
			}
			if tt.unread != "" && strings.Contains(alone, filepath.Join("DIR", tt.unread)) {
				t.Errorf("%s\nhas %s as an input", alone, tt.unread)
			}
			for range 3 {
				if several := seen(4); several != alone {
					t.Fatalf("with several cores:\n%s\nwith one:\n%s", several, alone)
				}
			}
		})
	}
}
