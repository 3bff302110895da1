package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
)

// The law of watch: what it prints after a change is what a fresh process prints. TestWatchLaw makes random
// projects whose files refer to each other in every way that the notations have, edits them at random, and
// compares the results of watch --script with those of render after each edit. A dependency that is not
// noted, a state that is not renewed or a cache with a stale entry all show as a difference.
//
//	go test ./cmd/yaytpl -run TestWatchLaw -law.seeds 2000
//	go test ./cmd/yaytpl -run TestWatchLaw -law.seed 17 -v
var (
	lawSeeds = flag.Int("law.seeds", 0, "random projects of TestWatchLaw, by default 6, and 60 with YAYTPL_LONG=1")
	lawSeed  = flag.Uint64("law.seed", 0, "the only seed of TestWatchLaw")
)

func TestWatchLaw(t *testing.T) {
	if *lawSeed > 0 {
		checkLaw(t, *lawSeed, &lawCounts{})
		return
	}
	var n lawCounts
	seeds := *lawSeeds
	if seeds == 0 {
		seeds = long.Scale(60)
	}
	for seed := range uint64(seeds) {
		checkLaw(t, seed+1, &n)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d steps: %d results, %d errors, %d without either", n.steps, n.results, n.errors, n.steps-n.results-n.errors)
	if n.results < n.steps/10 || n.errors < n.steps/50 || n.results+n.errors > n.steps*9/10 {
		t.Errorf("the projects are no test: of %d steps %d had a result and %d an error", n.steps, n.results, n.errors)
	}
}

// FuzzWatchLaw is TestWatchLaw for any seed.
func FuzzWatchLaw(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkLaw(t, seed, &lawCounts{}) })
}

type lawCounts struct{ steps, results, errors int }

// checkLaw makes the project of a seed, and does random steps with a fresh run after each. Then the same
// project is watched with the same steps.
func checkLaw(t *testing.T, seed uint64, n *lawCounts) {
	p := newLawProject(rand.New(rand.NewPCG(seed, 5)))
	watched, fresh := lawRun{t: t, dir: t.TempDir()}, lawRun{t: t, dir: t.TempDir()}
	out, errs, status := p.begin(fresh)
	watched.write(p.files)
	var want, done []string
	var last, problem string
	steps := &script{app: newApp(nil, streams{dir: fresh.dir})}
	for i := 0; ; i++ {
		switch found, id := lawErrors(t, errs); {
		case status == exitUsage && i == 0:
			return // no text of forty suits the flags, such as the variables of --env-prefix
		case status != 0 && id != problem:
			want = append(want, fmt.Sprintf("%d: %s", i, found))
			problem = id
			n.errors++
		case status == 0:
			problem = ""
			if out = p.line(out); out != last {
				want = append(want, fmt.Sprintf("%d: %s", i, out))
				last = out
				n.results++
			}
		}
		for len(done) == i && p.left > 0 {
			p.left--
			step := p.step(status != 0)
			next, err := parseStep(step, source.Span{})
			if err != nil {
				t.Fatal(err)
			}
			if p.stage(fresh, watched); canDo(fresh.dir, next) && steps.do(next) == nil { // else a link leads nowhere, or a directory is in the way
				done = append(done, step)
			}
		}
		if len(done) == i {
			break
		}
		n.steps++
		out, errs, status = fresh.render(p.args)
	}
	watched.write(map[string]string{"steps": strings.Join(done, "\n")})
	out, errs, status = watched.run(append([]string{"watch", "-o", "jsonl", "--script", "steps"}, p.args...)...)
	if status != 0 {
		t.Fatalf("seed %d: watch ends with status %d: %s", seed, status, errs)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for i := range max(len(lines), len(want)) {
		var got, wanted, step string
		if i < len(lines) {
			got = lawLine(t, lines[i])
		}
		if i < len(want) {
			step, wanted, _ = strings.Cut(want[i], ": ")
		}
		if got != wanted {
			t.Logf("all lines:\n%s\nwanted:\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
			t.Errorf("seed %d, %q: line %d differs\nwatch:  %s\nrender: %s (step %s)\nsteps: %q\n%s", seed, p.args, i+1, got, wanted, step, done, p)
			return
		}
	}
}

// canDo reports whether a step does not fail half done, with directories that it has made.
func canDo(dir string, s step) bool {
	if s.verb != "rename" {
		return true
	}
	_, err := os.Lstat(filepath.Join(dir, s.first))
	in, bad := os.Stat(filepath.Dir(filepath.Join(dir, s.second)))
	return err == nil && bad == nil && in.IsDir() && s.first != s.second && !strings.HasPrefix(s.second, s.first+"/")
}

// A lawRun runs the command in a directory.
type lawRun struct {
	t   *testing.T
	dir string
}

// write writes files with a time in the past: otherwise each revision would read all of them again, since they
// may have changed after they were read.
func (r lawRun) write(files map[string]string) {
	old := time.Now().Add(-time.Hour)
	for name, text := range files {
		path := filepath.Join(r.dir, name)
		writeFile(r.t, path, text)
		if err := os.Chtimes(path, old, old); err != nil {
			r.t.Fatal(err)
		}
	}
}

// render is a fresh run.
func (r lawRun) render(args []string) (stdout, stderr string, status int) {
	return r.run(append([]string{"render", "-o", "jsonl", "--errors", "json"}, args...)...)
}

// run returns what the command prints, with DIR for the directory.
func (r lawRun) run(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	env := map[string]string{"V0": "zero", "V1": "one", "APP_A": "1", "PATH": os.Getenv("PATH")}
	status = run(context.Background(), args, streams{
		in: strings.NewReader("from: stdin\n"), out: &out, err: &errs, dir: r.dir,
		getenv: func(name string) (string, bool) { text, ok := env[name]; return text, ok },
		environ: func() (all []string) {
			for name, text := range env {
				all = append(all, name+"="+text)
			}
			return all
		},
	})
	plain := func(b *bytes.Buffer) string { return strings.ReplaceAll(b.String(), r.dir, "DIR") }
	return plain(&out), plain(&errs), status
}

// lawErrors returns the errors on standard error, sorted, and what makes them distinct from others: a hint
// or a note is no other error.
func lawErrors(t *testing.T, text string) (errs, id string) {
	var all, ids []string
	for line := range strings.Lines(text) {
		var d map[string]any
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if d["severity"] == "error" {
			all = append(all, canonical(d))
			ids = append(ids, fmt.Sprint(d["file"], d["line"], d["col"], d["message"]))
		}
	}
	return lawSet(all), lawSet(ids)
}

// lawLine returns a line of watch as checkLaw compares it.
func lawLine(t *testing.T, line string) string {
	var l struct {
		Error map[string]any
		Also  []map[string]any
	}
	if json.Unmarshal([]byte(line), &l) != nil || l.Error == nil {
		return line
	}
	all := []string{canonical(l.Error)}
	for _, d := range l.Also {
		all = append(all, canonical(d))
	}
	return lawSet(all)
}

// lawSet returns texts in one order, each once: documents that share a file may fail alike.
func lawSet(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), " ")
}

func canonical(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it comes from JSON
	}
	return string(text)
}

// A lawProject has files, the arguments of a run, and the state of the generator.
type lawProject struct {
	r      *rand.Rand
	files  map[string]string
	args   []string
	isList bool // the result is a list of documents, however many there are
	left   int  // steps

	texts  map[string]string // of the files after the steps so far
	undo   string            // the step that undoes the last one, or ""
	staged int
}

// begin writes a project that is right, or one of eight that is not, and returns the first result.
func (p *lawProject) begin(run lawRun) (out, errs string, status int) {
	for try := 0; ; try++ {
		run.write(p.files)
		out, errs, status = run.render(p.args)
		if status == 0 || try == 40 || status != exitUsage && p.r.IntN(100) == 0 {
			break
		}
		for name := range p.files {
			top, _, _ := strings.Cut(name, "/")
			if err := os.RemoveAll(filepath.Join(run.dir, top)); err != nil {
				run.t.Fatal(err)
			}
		}
		p.fill()
	}
	p.texts = maps.Clone(p.files)
	return out, errs, status
}

// stage writes the files that the last step copies.
func (p *lawProject) stage(runs ...lawRun) {
	for _, r := range runs {
		for name, text := range p.files {
			if strings.HasPrefix(name, ".staged/") {
				r.write(map[string]string{name: text})
			}
		}
	}
	maps.DeleteFunc(p.files, func(name, _ string) bool { return strings.HasPrefix(name, ".staged/") })
}

// line returns documents, a line each, as watch prints them.
func (p *lawProject) line(out string) string {
	out = strings.TrimSuffix(out, "\n")
	if out != "" && !strings.Contains(out, "\n") && !p.isList {
		return out
	}
	return "[" + strings.ReplaceAll(out, "\n", ",") + "]"
}

func (p *lawProject) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, p.files[name])
	}
	return b.String()
}

// lawFiles are the names of files, lawData those that documents include.
var (
	lawFiles = []string{
		"a.yaml", "b.yaml", "lib/c.yaml", "lib/d.json", "lib/deep/e.yaml", "m.toml", "n.env", "e.yay", "lib/f.yay", "g.mcl", "lib/h.mcl",
		"t.txt", "lib/t.txt", "u.j2", "lib/v.j2", "s.ini", "r.csv", "more/1.txt", "more/2.txt", "more/x/3.txt",
		"site.pp", "site2.yaml", "hiera.yaml", "data/common.yaml", "data/node.yaml", "yaytpl.yaml", "s.schema.json",
	}
	lawData = []string{"b.yaml", "lib/c.yaml", "lib/d.json", "lib/deep/e.yaml", "lib/f.yay", "lib/gone.yaml", "m.toml", "n.env", "g.mcl", "link.yaml", "ln/c.yaml"}
)

// lawLines are lines by the endings of files: %N is a number, %F a file, %D one with data.
var lawLines = map[string][]string{
	".yaml": {
		"k%N: %N", "k%N: text %N # a comment", "k%N: [%N, %N]", "m%N: {a: %N, b: {c: %N}}", "+include: %D", "+?include: %D", "+?include-%N: %D", "m%N: {+?include: %D, z: %N}",
		"k%N: [{+?include: %D}]", "k%N: {get_env: V%N}", "k%N: \"{{ k%N }}\"", "k%N: \"{{ k%N + 1 }}\"", "k%N: \"{{ m%N.a }}-%N\"",
		"k%N: \"{{ k%N | default('none') }}\"", "k%N: {eval: {sum: [%N, %N]}}", "k%N: {eval: \"::k%N\"}", "k%N: \"{{ lookup('file', '%F', errors='ignore') }}\"",
		"k%N: \"{{ lookup('file', '%F') }}\"", "k%N: \"{{ lookup('fileglob', 'more/*.txt', wantlist=true) | map('basename') | list }}\"",
		"k%N: \"{{ 'lib/**/*.yaml' | fileglob | map('basename') | list }}\"", "k%N: \"{{ '*/c.yaml' | fileglob | length }}\"",
		"k%N: \"{{ lookup('first_found', ['%F', '%F'], skip=true) | default('none', true) | basename }}\"",
		"k%N: \"{{ lookup('ini', 'k%N', section='s', file='s.ini', default='d', errors='ignore') }}\"",
		"k%N: \"{{ lookup('csvfile', 'k%N', file='r.csv', delimiter=',', default='d', errors='ignore') }}\"",
		"k%N: \"{{ lookup('template', 'u.j2', errors='ignore') }}\"", "k%N: \"{% include 'u.j2' ignore missing %}\"", "k%N: \"{% include 'lib/v.j2' %}\"",
		"k%N: \"{{ '%F' is exists }}\"", "k%N: \"{{ '%F' is file }}\"", "k%N: \"{{ 'lib' is directory }}\"", "k%N: \"{{ 'link.yaml' is link }}\"", "k%N: \"{{ 'link.yaml' is link_exists }}\"", "k%N: \"{{ 'ln/c.yaml' is exists }}\"",
		"k%N: {eval: {file: %F}, select: contents}", "k%N: {+?include: {file: %D, when: k%N}}", "+*anchor: x%N", "k%N: &x%N {a: %N}",
		"k%N: {+/m%N: null, y: %N}", "m%N: {+%: whiteout}", "+lists: {k%N: append}", "k%N: !unsafe \"{{ x }}\"", "+private_p%N: {q: %N}",
		"+?include-%N: \"lib/*.yaml\"", "+?include-%N: \"more/**/*.yaml\"", "---\nk%N: %N", "+match: {k%N: %N}\nk%N: %N",
	},
	".yay": {
		"k%N: %N", "k%N: text", "include \"%D\"", "if 1 == %N:\n  include \"%D\"", "m%N:\n  a: %N\n  include \"%D\"", "k%N: {{ k%N }}", "k%N: {{ k%N else 0 }}",
		"set x%N: %N", "k%N: {{ x%N + 1 }}", "for i in [1, %N]:\n  - i", "select %N:\n  1:\n    k%N: one\n  2:\n    k%N: two", "k%N:\n  - %N\n  - %N",
	},
	".mcl": {
		"$x%N = %N", "print \"p%N\" { msg => \"%N\", }", "import \"os\"\nprint \"q%N\" { msg => os.readfile(\"%F\") <|> \"none\", }",
		"import \"os\"\nprint \"e%N\" { there => os.file_exists(\"%F\"), }", "import \"sys\"\nprint \"r%N\" { msg => sys.getenv(\"V%N\") <|> \"none\", }",
		"import \"config\"\nprint \"s%N\" { msg => config.get(\"k%N\") <|> \"none\", }", "import \"os\"\nprint \"t%N\" { msg => os.readfile(\"%F\"), }",
		"import \"lib/h.mcl\" as h\nprint \"h%N\" { msg => \"${h.v}\", }", "$v = \"%N\"", "if %N < 5 {\n\tprint \"i%N\" {}\n}",
		"import \"os\"\nif os.file_exists(\"%F\") {\n\tprint \"j%N\" {}\n}",
	},
	".json": {"{\"k%N\": %N}", "{\"m%N\": {\"a\": %N}}", "[%N]"},
	".txt":  {"text %N"},
	".j2":   {"page %N", "{% include 'lib/v.j2' ignore missing %}", "{{ lookup('env', 'V%N') }}", "{{ k%N | default('-') }}"},
	".ini":  {"[s]\nk%N=%N"},
	".csv":  {"k%N,%N"},
	".toml": {"k%N = %N", "m%N = {a = %N}"},
	".env":  {"K%N=%N"},
	".pp":   {"bindings default {\n  bind key%N to %N\n}", "bindings default {\n  bind key%N to %N\n  bind key0 to \"%N\"\n}\nbindings other {\n  bind key%N to %N\n}"},
}

// lawBroken are texts that are wrong in most notations.
var lawBroken = []string{"k: [", "k: 1\nk: 2\n", "{{ nothing }}", "\xff\xfe", "+include: [", "a: \"{{ 1 / 0 }}\"\n", "}"}

// text returns a random text for a file.
func (p *lawProject) text(name string) string {
	r := p.r
	if r.IntN(14) == 0 {
		return lawBroken[r.IntN(len(lawBroken))]
	}
	switch {
	case name == "hiera.yaml":
		return "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n- {name: node, path: node.yaml}\n- {name: glob, glob: \"more/*.yaml\"}\n- {name: common, path: common.yaml}\n"
	case strings.HasPrefix(name, "data/"):
		return fmt.Sprintf("key%d: %d\nkey%d: x\n", r.IntN(3), r.IntN(100), 3+r.IntN(3))
	case name == "site2.yaml":
		return fmt.Sprintf("bindings:\n  default:\n    values: {key%d: %d, key%d: y}\n", r.IntN(3), r.IntN(100), 3+r.IntN(3))
	case name == "yaytpl.yaml":
		return fmt.Sprintf("yaytpl: 1\ntargets:\n  t0: {files: [a.yaml], define: {k0: %d}}\n  t1: {files: [a.yaml, b.yaml]}\n  t2: {files: [lib/c.yaml]}\n  \"n/{x}\": {for: \"lib/{x}.yaml\", files: [\"lib/{x}.yaml\"]}\n", r.IntN(3))
	case name == "s.schema.json":
		return fmt.Sprintf("{\"properties\": {\"k0\": {\"maximum\": %d}}}", r.IntN(20))
	}
	lines := lawLines[path.Ext(name)]
	var b strings.Builder
	seen := map[string]bool{}
	for range 1 + r.IntN(6) {
		line := lines[r.IntN(len(lines))]
		for strings.Contains(line, "%N") {
			line = strings.Replace(line, "%N", fmt.Sprint(r.IntN(10)), 1)
		}
		for strings.Contains(line, "%F") {
			line = strings.Replace(line, "%F", lawFiles[r.IntN(len(lawFiles))], 1)
		}
		line = strings.ReplaceAll(line, "%D", lawData[r.IntN(len(lawData))])
		if key := line[:strings.IndexAny(line+" ", ": =,\n")]; seen[key] && r.IntN(20) > 0 {
			continue
		} else if seen[key] = key != "---"; key == "---" {
			seen = map[string]bool{}
		}
		b.WriteString(line + "\n")
		if e := path.Ext(name); e == ".json" || e == ".ini" || e == ".pp" {
			break
		}
	}
	return b.String()
}

// newLawProject returns a random project.
func newLawProject(r *rand.Rand) *lawProject {
	p := &lawProject{r: r, left: 4 + r.IntN(12)}
	p.args = p.arguments()
	p.fill()
	return p
}

// fill makes the files.
func (p *lawProject) fill() {
	p.files = map[string]string{}
	for _, name := range lawFiles {
		if p.r.IntN(10) < 7 || slices.Contains(p.args, name) {
			p.files[name] = p.text(name)
		}
	}
	p.files["yaytpl.yaml"] = p.sane("yaytpl.yaml")
	if slices.Contains(p.args, "--bindings") {
		p.files["a.yaml"] = fmt.Sprintf("b: \"{{ lookup('key%d', default_value='none') }}\"\n", p.r.IntN(5)) + p.files["a.yaml"]
	}
}

// sane returns a text that is not broken on purpose.
func (p *lawProject) sane(name string) string {
	for {
		if text := p.text(name); !slices.Contains(lawBroken, text) {
			return text
		}
	}
}

// arguments returns FILEs and flags.
func (p *lawProject) arguments() []string {
	r := p.r
	one := func(names ...string) string { return names[r.IntN(len(names))] }
	var args []string
	switch r.IntN(12) {
	case 0:
		args = []string{"g.mcl"}
		if r.IntN(2) == 0 {
			args = append(args, "--data", one("a.yaml", "b.yaml"))
		}
	case 1:
		args = []string{"site.pp"}
	case 2:
		args = []string{"a.yaml", "g.mcl"}
	case 3:
		args = [][]string{{"@t0", "@t1", "@t2"}, {"@n/*"}, {"@t*"}}[r.IntN(3)]
		p.isList = true
	case 4:
		args = []string{"@t1"}
	case 5:
		args, p.isList = []string{"a.yaml", "--each", one("m1", "k1", ".")}, true
	case 6:
		args = []string{"-", "a.yaml"}
	case 7:
		args = []string{"e.yay", one("lib/f.yay", "a.yaml", "e.yay")}
	default:
		args = []string{one("a.yaml", "a.yaml", "e.yay", "b.yaml")}
		if r.IntN(2) == 0 {
			args = append(args, one("b.yaml", "lib/c.yaml", "m.toml", "ln/c.yaml"))
		}
	}
	for _, f := range lawFlags {
		if r.IntN(8) == 0 {
			args = append(args, f[0])
			if len(f) > 1 {
				args = append(args, one(f[1:]...))
			}
		}
	}
	return args
}

// lawFlags are flags, each with its values.
var lawFlags = [][]string{
	{"-D", "k1=5", "m1.a=7", "k2:=[1, {a: 2}]", "k3=@t.txt"}, {"--values", "lib/c.yaml", "n.env"}, {"--env-prefix", "APP_"},
	{"--bindings", "site.pp", "site2.yaml", "hiera.yaml"}, {"--expand-only"}, {"-I", "lib"}, {"--no-templates"}, {"--lists", "k1=append"},
	{"--strict-paths"}, {"--lenient"},
}

// step returns a random step; after a run that fails often one that undoes the last one.
func (p *lawProject) step(failed bool) string {
	r := p.r
	if failed && p.undo != "" && r.IntN(3) > 0 {
		return p.take(p.undo)
	}
	name := lawFiles[r.IntN(len(lawFiles))]
	if files := slices.DeleteFunc(slices.Clone(p.args), func(a string) bool { return !slices.Contains(lawFiles, a) }); len(files) > 0 && r.IntN(3) == 0 {
		name = files[r.IntN(len(files))]
	}
	there := slices.Sorted(maps.Keys(p.texts))
	switch _, is := p.texts[name]; r.IntN(12) {
	case 0, 1:
		if is {
			return p.take("remove " + name)
		}
	case 2:
		return p.take("rename " + there[r.IntN(len(there))] + " " + name)
	case 3:
		p.undo = ""
		return "link " + lawData[r.IntN(len(lawData)-1)] + " link.yaml"
	case 4:
		p.undo = ""
		return "link " + []string{"lib", "lib/deep", "more"}[r.IntN(3)] + " ln"
	case 5:
		dirs := []string{"lib", "more", "data", "lib/deep", "moved"}
		from, to := dirs[r.IntN(len(dirs))], dirs[r.IntN(len(dirs))]
		p.undo = "rename " + to + " " + from
		return "rename " + from + " " + to
	case 6:
		p.undo = ""
		return "remove " + []string{"lib/deep", "more/x", "ln", "moved", "link.yaml"}[r.IntN(5)]
	}
	return p.take(p.copyOf(p.text(name), name))
}

// copyOf returns the step that writes a text.
func (p *lawProject) copyOf(text, name string) string {
	p.staged++
	staged := fmt.Sprintf(".staged/%d", p.staged)
	p.files[staged] = text
	return "copy " + staged + " " + name
}

// take notes what a step does to the texts, and how to undo it.
func (p *lawProject) take(step string) string {
	words := strings.Fields(step)
	if words[0] == "rename" && !strings.Contains(path.Base(words[1]), ".") {
		p.undo = ""
		return step
	}
	name := words[len(words)-1]
	text, is := p.texts[name]
	p.undo = "remove " + name
	if is {
		p.undo = p.copyOf(text, name)
	}
	switch words[0] {
	case "remove":
		delete(p.texts, name)
	case "rename":
		p.texts[name] = p.texts[words[1]]
		if delete(p.texts, words[1]); !is {
			p.undo = "rename " + name + " " + words[1]
		}
	case "copy":
		if staged, ok := p.files[words[1]]; ok {
			p.texts[name] = staged
		}
	}
	return step
}
