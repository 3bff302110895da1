package system_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// The law of inputs (spec: everyday, B9): a change of anything that is not listed does not change the
// result. TestInputsLaw makes random projects whose files refer to each other, to files that are not
// there and to the environment in every way that the languages have. Then it changes, removes or
// creates one file or variable after the other, and renders again.

// A world is all that a result may depend on.
type world struct {
	files map[string]string // by path, with slashes
	env   map[string]string
	year  int
}

// names of files that a world may have. Each of the languages has some.
var worldFiles = []string{
	"a.yaml", "b.yaml", "lib/c.yaml", "lib/d.json", "e.yay", "lib/f.yay", "g.mcl", "lib/h.mcl",
	"t.txt", "lib/t.txt", "u.j2", "lib/v.j2", "s.ini", "r.csv", "p.pw", "m.toml", "n.env", "more/1.txt", "more/2.txt", "more/x/3.txt",
	"hiera.yaml", "data/common.yaml", "data/node.yaml", "site.pp",
}

// worldData are those that documents include.
var worldData = []string{"b.yaml", "lib/c.yaml", "lib/d.json", "lib/f.yay", "lib/none.yaml", "m.toml", "n.env"}

var worldVariables = []string{"V0", "V1", "V2", "APP_A", "APP_B__C"}

// worldLines are lines of files with verbs: %F is a name of a file, %D one with data, %V a variable, %N a number.
var worldLines = map[string][]string{
	".yaml": {
		"k%N: %N", "k%N: {get_env: %V}", "k%N: {has_env: %V}", "+?include-%N: %D", "m%N: {+?include: %D}", "k%N: [{+?include: %D}]",
		"k%N: \"{{ lookup('env', '%V') }}\"", "k%N: \"{{ lookup('file', '%F', errors='ignore') }}\"",
		"k%N: \"{{ lookup('fileglob', 'more/*.txt', wantlist=true) | map('basename') | list }}\"", "k%N: \"{{ 'lib/*.*' | fileglob | length }}\"",
		"k%N: \"{{ lookup('first_found', ['%F', '%F'], skip=true) | default('none', true) | basename }}\"",
		"k%N: \"{{ lookup('ini', 'k%N', section='s', file='s.ini', default='d', errors='ignore') }}\"",
		"k%N: \"{{ lookup('csvfile', 'k%N', file='r.csv', delimiter=',', default='d', errors='ignore') }}\"",
		"k%N: \"{{ lookup('template', '%F', errors='ignore') }}\"", "k%N: \"{% include 'u.j2' ignore missing %}\"",
		"k%N: \"{{ '%F' is exists }}\"", "k%N: \"{{ '%F' is file }}\"", "k%N: \"{{ '%F' is directory }}\"",
		"k%N: \"{{ lookup('password', 'p.pw', length=4, errors='ignore') | length }}\"", "k%N: \"{{ lookup('pipe', 'printf %N', errors='ignore') }}\"",
		"k%N: \"{{ '%Y' | strftime(__now) }}\"", "k%N: \"{{ '$%V' | expandvars }}\"", "k%N: \"{{ 'sh' | which }}\"", "k%N: {eval: {file: %F}, select: contents}",
		"k%N: {+?include: {file: %D, when: %V}}", "k%N: \"{{ lookup('vars', 'k%N', default=0) }}\"",
	},
	".yay":  {"k%N: %N", "include \"%D\"", "k%N: text", "if 1 == 1:\n  include \"%D\""},
	".mcl":  {"$x%N = %N\nprint \"p%N\" { msg => \"%N\", }", "import \"os\"\nprint \"q%N\" { msg => os.readfile(\"%F\") <|> \"none\", }", "import \"sys\"\nprint \"r%N\" { msg => sys.getenv(\"%V\") <|> \"none\", }", "import \"config\"\nprint \"s%N\" { msg => config.get(\"k%N\") <|> \"none\", }"},
	".json": {"{\"k%N\": %N}"},
	".txt":  {"text %N"},
	".j2":   {"page %N", "{% include 'lib/v.j2' ignore missing %}", "{{ lookup('env', '%V') }}"},
	".ini":  {"[s]\nk%N=%N"},
	".csv":  {"k%N,%N"},
	".pw":   {"word%N"},
	".toml": {"k%N = %N"},
	".env":  {"K%N=%N"},
	".pp":   {"bindings default {\n  bind key%N to %N\n}"},
}

// fixed are the texts of files that random lines would not make.
var worldFixed = map[string]string{
	"hiera.yaml": "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n- {name: node, path: node.yaml}\n- {name: glob, glob: \"more/*.yaml\"}\n- {name: common, path: common.yaml}\n",
}

func (w *world) text(r *rand.Rand, name string) string {
	if text, ok := worldFixed[name]; ok {
		return text
	}
	if strings.HasPrefix(name, "data/") {
		return fmt.Sprintf("key%d: %d\n", r.IntN(5), r.IntN(100))
	}
	var b strings.Builder
	lines := worldLines[path.Ext(name)]
	seen := map[string]bool{} // keys must differ
	for range 1 + r.IntN(6) {
		line := lines[r.IntN(len(lines))]
		for strings.Contains(line, "%N") {
			line = strings.Replace(line, "%N", fmt.Sprint(r.IntN(12)), 1)
		}
		for strings.Contains(line, "%F") {
			line = strings.Replace(line, "%F", worldFiles[r.IntN(len(worldFiles))], 1)
		}
		line = strings.ReplaceAll(line, "%D", worldData[r.IntN(len(worldData))])
		key := line[:strings.IndexAny(line+" ", ": =,\n")]
		if seen[key] {
			continue
		}
		seen[key] = true
		b.WriteString(strings.ReplaceAll(line, "%V", worldVariables[r.IntN(3)]) + "\n")
		if slices.Contains([]string{".json", ".ini", ".pp"}, path.Ext(name)) {
			break
		}
	}
	return b.String()
}

// randomWorld returns a world with the files of a run.
func randomWorld(r *rand.Rand, run worldRun) *world {
	w := &world{files: map[string]string{}, env: map[string]string{}, year: 2026}
	for _, name := range worldFiles {
		if r.IntN(10) < 8 || slices.Contains(slices.Concat(run.main, run.values, run.data, []string{run.bindings}), name) {
			w.files[name] = w.text(r, name)
		}
	}
	if run.bindings != "" {
		w.files["a.yaml"] += fmt.Sprintf("key: \"{{ lookup('key%d', default_value='none') }}\"\n", r.IntN(5))
	}
	for _, name := range worldVariables {
		if r.IntN(2) == 0 {
			w.env[name] = fmt.Sprint(r.IntN(5))
		}
	}
	return w
}

// A worldRun is what is asked about a world.
type worldRun struct {
	main     []string
	values   []string
	prefix   string
	data     []string
	bindings string
}

func randomRun(r *rand.Rand) worldRun {
	pick := func(n int, names ...string) (some []string) {
		for range n {
			some = append(some, names[r.IntN(len(names))])
		}
		return some
	}
	run := worldRun{main: pick(1+r.IntN(2), "a.yaml", "b.yaml", "e.yay", "a.yaml", "m.toml")}
	switch r.IntN(6) {
	case 0:
		run.main = []string{"g.mcl"}
		run.data = pick(r.IntN(2), "a.yaml", "b.yaml")
	case 1:
		run.main = []string{"site.pp"}
	}
	if r.IntN(3) == 0 {
		run.values = pick(1, "lib/c.yaml", "n.env")
	}
	if r.IntN(3) == 0 {
		run.prefix = "APP_"
	}
	if r.IntN(3) == 0 {
		run.bindings = pick(1, "hiera.yaml", "site.pp")[0]
	}
	return run
}

// render renders the world in dir, and returns the result, or "failed", with its inputs.
func (w *world) render(t *testing.T, dir string, run worldRun) (string, []yaytpl.Input) {
	var notes yaytpl.Inputs
	o := yaytpl.Options{
		Dir: dir, Roots: []string{dir}, Values: run.values, EnvPrefix: run.prefix, AllowExec: true, Inputs: &notes,
		Programs: yaytpl.Programs{Data: run.data},
		Getenv:   func(name string) (string, bool) { text, ok := w.env[name]; return text, ok },
		Environ:  func() []string { return slices.Collect(maps.Keys(w.env)) },
		Now:      func() time.Time { return time.Date(w.year, 1, 1, 0, 0, 0, 0, time.UTC) },
	}
	result := func() string {
		if run.bindings != "" {
			b, err := bindings.Open(context.Background(), run.bindings, o, yaytpl.NodeOptions{})
			if err != nil {
				return "failed"
			}
			o.Bindings = b
		}
		p, err := yaytpl.Open(context.Background(), run.main, o)
		if err != nil {
			return "failed"
		}
		var out bytes.Buffer
		if err := p.Render(&out, yaytpl.RenderOptions{}); err != nil {
			return "failed"
		}
		return out.String()
	}()
	return result, notes.All()
}

// covers reports whether a file, by its absolute path, or a variable is an input.
func covers(inputs []yaytpl.Input, file, variable string) bool {
	return slices.ContainsFunc(inputs, func(in yaytpl.Input) bool {
		switch in.Kind {
		case yaytpl.FileInput, yaytpl.AbsentInput:
			return file != "" && (in.Name == file || strings.HasPrefix(file, in.Name+"/")) // a directory appears with its files
		case yaytpl.GlobInput:
			is, err := doublestar.Match(in.Name, filepath.ToSlash(file))
			return err == nil && is
		case yaytpl.EnvInput:
			prefix, pattern := strings.CutSuffix(in.Name, "*")
			return variable != "" && (in.Name == variable || pattern && strings.HasPrefix(variable, prefix))
		}
		return false
	})
}

func TestInputsLaw(t *testing.T) {
	worlds := long.Scale(80)
	failed, listed, changed := 0, 0, 0 // changes of what is listed, and those of them that changed the result
	kinds := map[yaytpl.InputKind]int{}
	r := rand.New(rand.NewPCG(9, 9))
	for i := range worlds {
		run, dir := randomRun(r), t.TempDir()
		w := randomWorld(r, run)
		for name, text := range w.files {
			writeWorld(t, dir, name, text)
		}
		want, inputs := w.render(t, dir, run)
		if want == "failed" {
			failed++
		}
		for _, in := range inputs {
			kinds[in.Kind]++
		}
		check := func(file, variable, what string) {
			path := ""
			if file != "" {
				path = filepath.Join(dir, filepath.FromSlash(file))
			}
			got, _ := w.render(t, dir, run)
			switch is := covers(inputs, path, variable); {
			case is:
				listed++
				if got != want {
					changed++
				}
			case got != want:
				t.Errorf("world %d, %+v: %s of %s%s changes the result, and is not listed:\n%s\nbefore: %s\nafter: %s\nfiles: %q", i, run, what, file, variable, shownInputs(dir, inputs), want, got, w.files)
			}
		}
		for _, name := range worldFiles {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if text, ok := w.files[name]; ok {
				writeWorld(t, dir, name, w.text(r, name))
				check(name, "", "a change")
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				check(name, "", "the removal")
				writeWorld(t, dir, name, text)
			} else {
				writeWorld(t, dir, name, w.text(r, name))
				check(name, "", "the creation")
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				os.Remove(filepath.Dir(path)) // if it is empty, as before
			}
		}
		for _, name := range worldVariables {
			text, ok := w.env[name]
			w.env[name] = "changed"
			check("", name, "a change")
			delete(w.env, name)
			check("", name, "the removal")
			if ok {
				w.env[name] = text
			}
		}
		w.year++
		if got, _ := w.render(t, dir, run); got != want && !slices.ContainsFunc(inputs, func(in yaytpl.Input) bool { return in.Kind == yaytpl.ClockInput }) {
			t.Errorf("world %d: the time changes the result, and is not listed", i)
		}
		if t.Failed() {
			return
		}
	}
	if changed < listed/20 {
		t.Errorf("of %d changes of what is listed only %d changed a result", listed, changed)
	}
	for _, kind := range []yaytpl.InputKind{yaytpl.FileInput, yaytpl.AbsentInput, yaytpl.GlobInput, yaytpl.EnvInput, yaytpl.ProgramInput, yaytpl.ClockInput} {
		if kinds[kind] == 0 && long.On() {
			t.Errorf("no world has an input of kind %s", kind)
		}
	}
	t.Logf("%d failed; %d changes of what is listed, %d changed a result; kinds: %v", failed, listed, changed, kinds)
}

func writeWorld(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shownInputs returns inputs as text, a line each, with names relative to dir.
func shownInputs(dir string, inputs []yaytpl.Input) string {
	var b strings.Builder
	for _, in := range inputs {
		fmt.Fprintf(&b, "%s %s", in.Kind, strings.TrimPrefix(filepath.ToSlash(in.Name), filepath.ToSlash(dir)+"/"))
		for _, at := range in.At {
			fmt.Fprintf(&b, " %s", at)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// What is asked for has the places that ask, and a hash of the answer.
func TestInputs(t *testing.T) {
	for _, c := range []struct {
		name, files string // a txtar archive
		main        string
		want        string
	}{
		{
			"an optional include, and a file that two places read",
			"-- a.yaml --\n+?include: none.yaml\nx: \"{{ lookup('file', 't.txt') }}\"\ny:\n  {eval: {file: t.txt}, select: contents}\n-- t.txt --\nx\n",
			"a.yaml", "file a.yaml\nfile t.txt a.yaml:2:8 a.yaml:4:10\nabsent none.yaml a.yaml:1:12\n",
		},
		{
			"a template that includes a file in an included file",
			"-- a.yaml --\n+include: lib/b.yaml\n-- lib/b.yaml --\nx: \"{% include 'p.j2' %}\"\n-- p.j2 --\n{{ __now | int > 0 }}\n",
			"a.yaml", "file a.yaml\nfile lib/b.yaml a.yaml:1:11\nfile p.j2 lib/b.yaml:1:5\nclock  p.j2:1:4\n",
		},
		{
			"the first of several names",
			"-- a.yaml --\nx: \"{{ lookup('first_found', ['p', 'q', 'r']) | basename }}\"\n-- q --\n-- r --\n",
			"a.yaml", "file a.yaml\nfile q a.yaml:1:8\nabsent p a.yaml:1:8\n",
		},
		{
			"a pattern of files, tests of files and directories",
			"-- a.yaml --\nx: \"{{ 'd/*.txt' | fileglob | length }}\"\ny: \"{{ 'd' is directory and 'none' is not exists }}\"\n-- d/1.txt --\n",
			"a.yaml", "file a.yaml\nfile d a.yaml:2:15\nabsent none a.yaml:2:43\nglob d/*.txt a.yaml:1:20\n",
		},
		{
			"variables: one, all, one that decides an include",
			"-- a.yaml --\nx: {get_env: USER}\ny: {eval: {get_env: null}, select: none}\nz: {+include: {file: b.yaml, when: MORE}}\n-- b.yaml --\n{}\n",
			"a.yaml", "file a.yaml\nenv * a.yaml:2:11\nenv MORE a.yaml:3:22\nenv USER a.yaml:1:4\n",
		},
		{
			"an include of Yay is searched in several directories",
			"-- site/a.yay --\ninclude \"lib/b.yay\"\n-- site/lib/b.yay --\ninclude \"c.yaml\"\n-- site/c.yaml --\nx: 1\n",
			"site/a.yay", "file site/a.yay\nfile site/c.yaml site/lib/b.yay:1:9\nfile site/lib/b.yay site/a.yay:1:9\n",
		},
		{
			"a program of the mgmt language",
			"-- a.mcl --\nimport \"os\"\nimport \"sys\"\nimport \"lib.mcl\"\nprint \"x\" { msg => os.readfile(\"t.txt\") + sys.hostname(), }\n-- lib.mcl --\n$x = 1\n-- t.txt --\nx\n",
			"a.mcl", "file a.mcl\nfile lib.mcl a.mcl:3:8\nfile t.txt a.mcl:4:20\nenv @hostname a.mcl:4:43\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range txtar.Parse([]byte(c.files)).Files {
				writeWorld(t, dir, f.Name, string(f.Data))
			}
			p, err := yaytpl.Open(t.Context(), []string{c.main}, yaytpl.Options{Dir: dir, Roots: []string{dir}})
			if err == nil {
				err = p.Render(io.Discard, yaytpl.RenderOptions{})
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := shownInputs(dir, p.Inputs()); got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
			for _, in := range p.Inputs() {
				if info, err := os.Stat(in.Name); err != nil || info.IsDir() || in.Hash() == "" {
					continue
				}
				data, err := os.ReadFile(in.Name)
				if sum := fmt.Sprintf("%x", sha256.Sum256(data)); err != nil || sum != in.Hash() {
					t.Errorf("the hash of %s is %s, not %s (%v)", in.Name, in.Hash(), sum, err)
				}
			}
		})
	}
}
