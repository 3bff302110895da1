package workspace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/workspace"
)

// write makes files in a new directory: their names and texts in turn.
func write(t *testing.T, files ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// open returns the project of a text.
func open(t *testing.T, text string, files ...string) (*workspace.Workspace, error) {
	t.Helper()
	dir := write(t, append(files, "yaytpl.yaml", text)...)
	return workspace.Open("yaytpl.yaml", dir)
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: 1", "yaytpl.yaml:1:1: yaytpl.yaml is not a project file: its first key is not yaytpl: 1"},
		{"yaytpl: 2", "1:1: yaytpl.yaml is not a project file"},
		{"a: 1\nyaytpl: 1", "1:1: yaytpl.yaml is not a project file"},
		{"yaytpl: '1'", "not a project file"},
		{"- yaytpl", "not a project file"},
		{"", "not a project file"},
		{"yaytpl: 1\n---\na: 1", "2:1: a project file has one document"},
		{"yaytpl: 1\nlist: {}", `2:1: the project file has no key "list"`},
		{"yaytpl: 1\n+include: a.yaml", `2:1: the project file has no key "+include"`},
		{"yaytpl: 1\n<<: {lists: {}}", `2:1: the project file has no key "<<"`},
		{"yaytpl: 1\ninclude-dirs: lib", "2:15: include-dirs is a text, and needs a list"},
		{"yaytpl: 1\ninclude-dirs:", "include-dirs is null, and needs a list"},
		{"yaytpl: 1\ninclude-dirs: [1]", "2:16: an item of include-dirs is an integer, and needs a text"},
		{"yaytpl: 1\ninclude-dirs: [../lib]", `2:16: "../lib" is not a path of include-dirs: it leads out of the project`},
		{"yaytpl: 1\ninclude-dirs: [a/../../b]", "it leads out of the project"},
		{"yaytpl: 1\ninclude-dirs: [/etc]", "it is an absolute path"},
		{"yaytpl: 1\ninclude-dirs: ['https://example.org/x']", "it is a URL"},
		{"yaytpl: 1\ninclude-dirs: ['']", "it is empty"},
		{"yaytpl: 1\ninclude-dirs: [!x lib]", "2:16: an item of include-dirs has the tag !x"},
		{"yaytpl: 1\ntemplates-off: ['[a']", `2:17: "[a" is not a pattern of files for templates-off: a "[" has no "]"`},
		{"yaytpl: 1\ndirectives-off: [../**]", `it has ".."`},
		{"yaytpl: 1\nlists: {args: repalce}", `2:15: unknown policy "repalce" for the lists args`},
		{"yaytpl: 1\nlists: [args]", "2:8: lists is a list, and needs a map"},
		{"yaytpl: 1\nlists: {args: 1}", "the policy of the lists args is an integer, and needs a text"},
		{"yaytpl: 1\nchecks: {kind-chnage: error}", `2:10: unknown kind of warning "kind-chnage"`},
		{"yaytpl: 1\nchecks: {syntax: off}", "2:10: findings of kind syntax are errors"},
		{"yaytpl: 1\nchecks: {kind-change: eror}", `2:23: unknown level "eror"`},
		{"yaytpl: 1\nrecipients: {'s/**': ann}", "2:22: the recipients of s/** is a text, and needs a list"},
		{"yaytpl: 1\nrecipients: {'s/**': [../k.asc]}", "it leads out of the project"},
		{"yaytpl: 1\nschemas: {'a': ../s.json}", `2:16: "../s.json" is not a path of schemas`},
		{"yaytpl: 1\ntargets: {a: }", "the target a is null, and needs a map"},
		{"yaytpl: 1\ntargets: {a: {}}", "2:11: the target a has no files"},
		{"yaytpl: 1\ntargets: {a: {files: []}}", "the target a has no files"},
		{"yaytpl: 1\ntargets: {a: {file: [x]}}", `2:15: a target has no key "file"`},
		{"yaytpl: 1\ntargets: {a: {files: ['{{ x }}.yaml']}}", "2:23: a path of files cannot be a template"},
		{"yaytpl: 1\ntargets: {a: {files: [x], out: ../b}}", "2:32: \"../b\" is not a path of out"},
		{"yaytpl: 1\ntargets: {a: {files: [x], each: 'a['}}", `2:33: the "[" is never closed`},
		{"yaytpl: 1\ntargets: {a: {files: [x], define: {'a[': 1}}}", `2:36: the "[" is never closed`},
		{"yaytpl: 1\ntargets: {'*': {files: [x]}}", `"*" cannot be the name of a target`},
		{"yaytpl: 1\ntargets: {'../a': {files: [x]}}", `"../a" cannot be the name of a target`},
		{"yaytpl: 1\ntargets: {'n/{x}': {files: [x]}}", "2:11: the name of a target without for has the placeholder {x}"},
		{"yaytpl: 1\ntargets: {'n/{x}': {for: '{y}.yaml', files: [a]}}", "2:11: the pattern of for has no {x}"},
		{"yaytpl: 1\ntargets: {'n/{x}': {for: '{x}.yaml', files: ['{y}.yaml']}}", "2:46: the pattern of for has no {y}"},
		{"yaytpl: 1\ntargets: {'n/{x}': {for: '../{x}.yaml', files: [a]}}", `2:26: "../{x}.yaml" is not a pattern of files`},
	} {
		_, err := open(t, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
			continue
		}
		for _, d := range source.Findings(err) {
			if d.Code != source.BadProject {
				t.Errorf("%s: code %s", c.text, d.Code)
			}
		}
	}
	if _, err := open(t, "yaytpl: 1\na: [\n"); source.Findings(err)[0].Code != source.Syntax {
		t.Errorf("a syntax error: %v", err)
	}
	if _, err := open(t, "yaytpl: 1\nx: 1\ny: 2\n"); len(source.Findings(err)) != 2 {
		t.Errorf("two mistakes: %v", err)
	}
}

func TestFind(t *testing.T) {
	project := "# comment\n---\nyaytpl: 1\n"
	for name, c := range map[string]struct {
		files  []string
		dir    string
		want   string // the directory of the project
		absent int    // directories without the file
	}{
		"here":            {[]string{"yaytpl.yaml", project}, ".", ".", 0},
		"above":           {[]string{"yaytpl.yaml", project, "a/b/x", ""}, "a/b", ".", 2},
		"nearest":         {[]string{"yaytpl.yaml", project, "a/yaytpl.yaml", project}, "a", "a", 0},
		"flow":            {[]string{"yaytpl.yaml", "{yaytpl: 1}"}, ".", ".", 0},
		"quoted":          {[]string{"yaytpl.yaml", "\"yaytpl\": 1\r\n"}, ".", ".", 0},
		"past ordinary":   {[]string{"yaytpl.yaml", project, "a/yaytpl.yaml", "targets: 1\nyaytpl: 1"}, "a", ".", 0},
		"past text":       {[]string{"yaytpl.yaml", project, "a/yaytpl.yaml", "{{{"}, "a", ".", 0},
		"past directory":  {[]string{"yaytpl.yaml", project, "a/yaytpl.yaml/x", ""}, "a", ".", 0},
		"with repository": {[]string{"yaytpl.yaml", project, ".git/x", "", "a/x", ""}, "a", ".", 1},
		"not above .git":  {[]string{"yaytpl.yaml", project, "a/.git", "gitdir: x", "a/b/x", ""}, "a/b", "", 2},
		"missing dir":     {[]string{"yaytpl.yaml", project}, "none", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			root := write(t, c.files...)
			s, err := workspace.Find(filepath.Join(root, c.dir))
			if err != nil {
				t.Fatal(err)
			}
			got, want := "", ""
			if s.Workspace != nil {
				got = s.Workspace.Dir
			}
			if c.want != "" {
				want = filepath.Join(root, c.want)
			}
			if got != want || len(s.Absent) != c.absent {
				t.Errorf("found %q, absent %q; want %q, %d", got, s.Absent, want, c.absent)
			}
		})
	}
}

const nodes = `yaytpl: 1
targets:
  prod: {files: [site.yaml], out: ./build/prod/}
  "nodes/{node}":
    for: "nodes/{node}.yaml"
    files: [site.yaml, "nodes/{node}.yaml"]
    out: "build/{node}"
    define: {host: "{node}.example.org {{node}} {other}", "x.y": [{a: "<{node}>"}, 5]}
  dev: {files: [site.yaml]}
`

func TestSelect(t *testing.T) {
	w, err := open(t, nodes, "nodes/b.yaml", "", "nodes/a.yaml", "", "nodes/c.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"@prod":           "prod",
		"@nodes/a":        "nodes/a",
		"@nodes/*":        "nodes/a nodes/b",
		"@*":              "prod nodes/a nodes/b dev",
		"@*d*":            "prod nodes/a nodes/b dev",
		"@n*b":            "nodes/b",
		"@*/a":            "nodes/a",
		"@dev @prod @dev": "prod dev",
		"@prdo":           `unknown target @prdo in yaytpl.yaml`,
		"@nodes/c":        `unknown target @nodes/c`,
		"@x*":             `no target of yaytpl.yaml matches @x*`,
		"@":               `unknown target @ in yaytpl.yaml`,
	} {
		list, err := w.Select(strings.Fields(words)...)
		var names []string
		for _, t := range list {
			names = append(names, t.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
	list, err := w.Select("@nodes/b")
	if err != nil {
		t.Fatal(err)
	}
	target := list[0]
	if target.Out != "build/b" || target.From != "nodes/b.yaml" || strings.Join(target.Files, " ") != "site.yaml nodes/b.yaml" {
		t.Errorf("nodes/b is %+v", target)
	}
	if got := target.Define[0].Data.Str(); got != "b.example.org {{node}} {other}" {
		t.Errorf("host is %q", got)
	}
	item, _ := target.Define[1].Data.List().At(0)
	if got, _, _ := item.Map().Get(value.K("a")); got.Str() != "<b>" {
		t.Errorf("x.y[0].a is %q", got.Str())
	}
	stack := target.Stack([]string{"base.yaml"}, []string{"over.yaml"})
	if got := strings.Join(stack.Files, " "); got != filepath.FromSlash("base.yaml site.yaml nodes/b.yaml over.yaml") || len(stack.Above()[3]) != 2 {
		t.Errorf("the stack is %s, with definitions at %v", got, stack.Above())
	}
}

func TestCollisions(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"two files": {"yaytpl: 1\ntargets: {'n': {for: 'n/*.yaml', files: [a]}}", "2:22: n/a.yaml and n/b.yaml both give the target \"n\""},
		"two rules": {"yaytpl: 1\ntargets: {n/a: {files: [a]}, 'n/{x}': {for: 'n/{x}.yaml', files: [a]}}", "2:45: the target at yaytpl.yaml:2:11 and n/a.yaml both give"},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := open(t, c.text, "n/a.yaml", "", "n/b.yaml", "")
			if err == nil {
				_, err = w.Targets()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestManyTargets reads a project file with too many targets.
func TestManyTargets(t *testing.T) {
	var b strings.Builder
	b.WriteString("yaytpl: 1\ntargets:\n  a: &a {files: [x]}\n")
	for i := range 100_001 {
		fmt.Fprintf(&b, "  t%d: *a\n", i)
	}
	_, err := open(t, b.String())
	if d := source.Findings(err); len(d) != 1 || d[0].Code != source.Limit {
		t.Errorf("got %v", err)
	}
}

func TestOptions(t *testing.T) {
	w, err := open(t, `yaytpl: 1
include-dirs: [lib]
lists: {args: replace}
checks: {kind-change: error, list-repeat: off}
templates-off: ["raw/**"]
directives-off: ["raw/**"]
expressions-off: ["raw/**"]
recipients: {"secrets/**": [ann@example.org, keys/bob.asc], "**/x*": [eve]}
targets: {t: {files: [a.yaml, b.yaml], define: {d: 1}}}
`, "a.yaml", "+include: l.yaml\nargs: [1]\nraw: {+include: raw/x.yaml}\nd: 0\n", "b.yaml", "args: [2]\n", "lib/l.yaml", "l: '{{ 1 + 1 }}'\n",
		"raw/x.yaml", "t: '{{ $x }}'\ne: {eval: 1}\n+tags: [x]\n", "keys/bob.asc", "")
	if err != nil {
		t.Fatal(err)
	}
	list, err := w.Select("@t")
	if err != nil {
		t.Fatal(err)
	}
	p, err := list[0].Open(context.Background(), yaytpl.Options{Dir: w.Dir, Checks: source.Checks{source.ListRepeat: source.LevelError}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.Render(&b, yaytpl.RenderOptions{Form: "jsonl"}); err != nil {
		t.Fatal(err)
	}
	if want := `{"l":2,"args":[2],"raw":{"t":"{{ $x }}","e":{"eval":1},"+tags":["x"]},"d":1}` + "\n"; b.String() != want {
		t.Errorf("got %swant %s", &b, want)
	}
	x, err := p.Documents()[0].Explain("d")
	if err != nil {
		t.Fatal(err)
	}
	if at := x.Facts[0].At.String(); !strings.HasSuffix(at, "yaytpl.yaml:9:52") || x.Facts[0].Layer != "define of @t" {
		t.Errorf("d is of %s, layer %s", at, x.Facts[0].Layer)
	}
	if o := w.Options(yaytpl.Options{Checks: source.Checks{source.ListRepeat: source.LevelError}}); o.Checks.Level(source.ListRepeat) != source.LevelError || o.Checks.Level(source.KindChange) != source.LevelError {
		t.Errorf("the checks are %v", o.Checks)
	}
	if got := strings.Join(w.RecipientsOf("secrets/x.gpg"), " "); got != "ann@example.org "+filepath.Join(w.Dir, "keys", "bob.asc")+" eve" {
		t.Errorf("the recipients are %s", got)
	}
	if got := w.RecipientsOf("../secrets/x.gpg"); got != nil {
		t.Errorf("the recipients of a file outside of the project are %s", got)
	}
	if got := w.PublicKeys(); len(got) != 1 {
		t.Errorf("the key files are %v", got)
	}
	for name, want := range map[string]bool{"a.yaml": true, "x/y": true, "-": true, "../a": false, "/etc/x": false, "https://x/y": false} {
		if w.Holds(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// The JSON Schema of project files has the fields that the reader knows, and no others.
func TestFileSchema(t *testing.T) {
	schema := workspace.FileSchema()
	properties, _, err := schema.Map().Get(value.K("properties"))
	if err != nil {
		t.Fatal(err)
	}
	for k := range properties.Map().Keys() {
		dir := t.TempDir()
		text := "yaytpl: 1\n" + k.Text + ": 1.5\n"
		if err := os.WriteFile(filepath.Join(dir, "yaytpl.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := workspace.Open("yaytpl.yaml", dir)
		if err == nil || strings.Contains(err.Error(), "has no key") {
			t.Errorf("%s: %v", k.Text, err)
		}
	}
}

// A proposed project file is valid, and has the targets of the layout.
func TestPropose(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  string // names of targets
	}{
		{"nothing", nil, ""},
		{"a base", []string{"site.yaml"}, "site"},
		{"stages", []string{"base.yaml", "envs/dev.yaml", "envs/prod.yaml"}, "dev prod"},
		{"stages without a base", []string{"environments/a.yml"}, "a"},
		{"two directories of stages", []string{"envs/a.yaml", "clusters/a.yaml"}, "a clusters/a"},
		{"values of helm", []string{"values.yaml", "values-prod.yaml", "Chart.yaml", "templates/x.yaml"}, "prod"},
		{"nodes in Yay", []string{"common.yay", "nodes/n1.yay", "nodes/n2.yay"}, "nodes/n1 nodes/n2"},
		{"names that need quotes", []string{"lib/a.yaml", "charts/my chart/Chart.yaml", "envs/a b.yaml", `envs/it's.yaml`}, "a b it's"},
	} {
		var files []string
		for _, name := range c.files {
			files = append(files, name, "a: 1\n")
		}
		dir := write(t, files...)
		text := workspace.Propose(os.DirFS(dir))
		if err := os.WriteFile(filepath.Join(dir, workspace.FileName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		w, err := workspace.Open(workspace.FileName, dir)
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
			continue
		}
		targets, err := w.Targets()
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
		}
		var names []string
		for _, target := range targets {
			names = append(names, target.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: the targets are %q, want %q\n%s", c.name, got, c.want, text)
		}
	}
}

func TestLimits(t *testing.T) {
	var patterns, large strings.Builder
	for i := range 10_001 {
		fmt.Fprintf(&patterns, "  - m%d/**\n", i)
	}
	large.WriteString("# ")
	large.WriteString(strings.Repeat("x", 16<<20))
	for text, want := range map[string]string{
		"yaytpl: 1\ntemplates-off:\n" + patterns.String():         "yaytpl.yaml:10003:5: a project has at most 10000 patterns of files [limit]",
		"yaytpl: 1\n" + large.String():                            "more than 16777216 bytes [limit]",
		"yaytpl: 1\nchecks: {kind-change: off}\ntargets: {}\n#\n": "",
	} {
		_, err := open(t, text)
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) || len(got) > 500 {
			t.Errorf("%.40q: %.200s, want %q", text, got, want)
		}
	}
}

// FuzzRead reads any text as a project file, and lists its targets: errors have a place in the file.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"lists: {containers: by name}\ntargets:\n  prod: {files: [site.yaml], define: {a.b: [1]}, out: build, each: a, name: '{{ n }}'}\n",
		"targets:\n  'n/{a}-{b}': {for: '{a}/{b}*.yaml', files: ['{a}/{b}.yaml'], define: {x: '{a} {{ y }}'}}\n",
		"include-dirs: [lib]\ntemplates-off: ['**/*']\nrecipients: {'s/**': [k.asc, a@b]}\nschemas: {'*': s.json}\nchecks: {kind-change: error}\n",
		"targets: &t {a: {files: [x], <<: *t}}\n", "targets: {a: {files: ['../x', 'C:/x', \"\\0\"]}, 'a*': {}, '': 1}\n", "- 1\n", "nope: {}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := open(t, "yaytpl: 1\n"+text, "a/b.yaml", "", "x.yaml", "")
		if err == nil {
			_, err = w.Targets()
		}
		for _, d := range source.Findings(err) {
			if d.At.IsZero() || d.Code == source.Internal || d.Message == "" {
				t.Errorf("%q: %v", text, d)
			}
		}
	})
}
