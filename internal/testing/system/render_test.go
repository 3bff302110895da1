package system_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Tree writes files into a directory of their own and returns it.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// renderTree renders main.yaml of a tree.
func renderTree(t testing.TB, files map[string]string, o yaytpl.Options, r yaytpl.RenderOptions) (string, error) {
	t.Helper()
	o.Dir = tree(t, files)
	return renderIn(t, o, r)
}

// renderIn renders main.yaml below o.Dir.
func renderIn(t testing.TB, o yaytpl.Options, r yaytpl.RenderOptions) (string, error) {
	t.Helper()
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(o.Dir, "main.yaml")}, o)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = p.Render(&out, r)
	return out.String(), err
}

// renderText renders one document.
func renderText(t testing.TB, text string) (string, error) {
	t.Helper()
	return renderTree(t, map[string]string{"main.yaml": text}, yaytpl.Options{}, yaytpl.RenderOptions{})
}

// decisive returns the decisive finding of an error.
func decisive(t testing.TB, err error) *source.Diagnostic {
	t.Helper()
	all := source.Findings(err)
	if len(all) == 0 {
		t.Fatal("no error")
	}
	return all[len(all)-1]
}

// TestOrdinaryYAML renders syntax from files of other tools; each case is reduced from a real kind
// of file. The output must be equal to the input.
func TestOrdinaryYAML(t *testing.T) {
	tests := []struct{ kind, text string }{
		{"workflow with expressions of its own", "on:\n  push: {branches: [main]}\njobs:\n  a:\n    if: ${{ github.ref == 'refs/heads/main' }}\n    steps:\n      - uses: actions/checkout@v4\n        with: {ref: main, token: \"${{ secrets.T }}\"}\n      - run: echo \"${{ matrix.os }}\" }}\n"},
		{"pipeline with tags", "job:\n  script: !reference [.setup, script]\n  only: [tags]\n"},
		{"functions of CloudFormation", "Value: !Sub ${AWS::StackName}-x\nArn: !GetAtt Bucket.Arn\nRef: !Ref Bucket\nIf: !If [Cond, !Ref A, !Ref AWS::NoValue]\n"},
		{"overrides of Compose", "services:\n  web:\n    ports: !override\n      - 80:80\n    command: !reset\n    volumes: !reset []\n    image: !reset null\n"},
		{"words of YAML 1.1", "on: yes\nno: off\ntime: 12:30:45\nmode: 0644\ndate: 2024-01-02\nbig: 1_000\ny: n\n"},
		{"spelling of numbers", "version: 1.10\nfactor: 1.0\nexp: 1e3\nlong: 12345678901234567890123\nhex: 0xFF\nplus: +5\nzero: 0.0\nlarge: 1e999\n"},
		{"keys that look like directives", "+: 1\n+word: 2\n+1: 3\n+.x: 4\n+ x: 5\n"},
		{"patch of Kustomize", "- op: replace\n  path: /spec/replicas\n  value: 3\n- op: add\n  path: /metadata/labels/app.kubernetes.io~1name\n  value: x\n"},
		{"schema of OpenAPI", "a:\n  $ref: \"#/components/schemas/A\"\nb:\n  example: {ref: main}\n  pattern: ^[a-z]{1,3}$\n"},
		{"keys of other types", "200: ok\n404: no\n1.5: x\ntrue: t\n~: nothing\n\"200\": text\n"},
		{"words that expressions use", "ref: main\neval: 5\nfile: x\nq: search\ntemplate: t\ntoken: abc\nif: {a: b}\nvars: {x: 1}\nselect: a\nforeach: [1]\n"},
		{"eval beside keys that are not its own", "eval: x\nother: 1\n"},
		{"shell and SQL", "run: |\n  if [[ \"$a\" == '}}' ]]; then echo ${x:-}; fi\n  printf '%%s' \"#{a}\"\n"},
		{"rules of Prometheus, quoted", "a: {q: \"{{ $labels.instance }} is down\"}\n"},
		{"nulls", "a:\nb: ~\nc: null\nd: \"\"\ne: \"null\"\nf: {}\ng: []\n"},
		{"bytes", "a: !!binary \"aGkK\"\nb: !!binary \"/w==\"\n"},
		{"comments", "# licence\n\n# of a\na: 1 # why\nb:\n  # of c\n  c: [1, 2] # list\n"},
	}
	for _, tt := range tests {
		want := tt.text
		switch tt.kind {
		case "nulls":
			want = "a: null\n" + strings.TrimPrefix(want, "a:\n")
		case "rules of Prometheus, quoted":
			want = "a: \"{{ $labels.instance }} is down\"\n"
		}
		got, err := renderText(t, tt.text)
		if err != nil || got != want {
			t.Errorf("%s:\n got %q, %v\nwant %q", tt.kind, got, err, want)
		}
	}
}

// otherTools are documents with the templates of other tools.
var otherTools = []struct{ tool, text string }{
	{"Helm", "a: \"{{ .Values.x }}\"\n"},
	{"Helm, include", "a: '{{ include \"chart.name\" . }}'\n"},
	{"Prometheus", "a: \"{{ $labels.job }} {{ $value | humanize }}\"\n"},
	{"goreleaser", "a: \"{{ .ProjectName }}_{{ .Os }}{{ if .Arm }}v{{ .Arm }}{{ end }}\"\n"},
	{"Ansible", "a: \"{{ inventory_hostname }}\"\n"},
	{"Ansible, filter of a collection", "a: \"{{ [1] | community.general.unheard_of }}\"\n"},
	{"Home Assistant", "a: \"{{ states('sensor.x') }}\"\n"},
	{"Argo Workflows", "a: \"{{workflow.parameters.image}}\"\n"},
	{"Argo Rollouts", "a: \"{{inputs.parameters.a-b}}\"\n"},
}

func TestTemplatesOfOtherTools(t *testing.T) {
	for _, tt := range otherTools {
		got, err := renderTree(t, map[string]string{"main.yaml": tt.text}, yaytpl.Options{NoTemplates: true}, yaytpl.RenderOptions{})
		if same(got) != same(tt.text) || err != nil {
			t.Errorf("%s with NoTemplates: %q, %v, want %q", tt.tool, got, err, tt.text)
		}
		off := "# yaytpl: templates=off\n" + tt.text
		if got, err = renderText(t, off); same(got) != same(off) || err != nil {
			t.Errorf("%s with the comment: %q, %v", tt.tool, got, err)
		}
		if _, err = renderText(t, tt.text); err == nil {
			t.Errorf("%s without either: no error", tt.tool)
		} else if d := decisive(t, err); !strings.Contains(d.Hint, "# yaytpl: templates=off") {
			t.Errorf("%s without either: %v with the hint %q", tt.tool, d, d.Hint)
		}
	}
}

// same makes texts equal that differ in quotes and blank lines only.
func same(text string) string {
	return strings.NewReplacer("'", `"`, `\"`, `"`, "\n\n", "\n").Replace(text)
}

// TestNoHintWhereItIsNotTrue: the hint about a comment that switches templates off is not given for
// queries and text templates.
func TestNoHintWhereItIsNotTrue(t *testing.T) {
	dir := tree(t, map[string]string{"main.yaml": "port: 1\n", "t.j2": "{{ nobody_knows }}"})
	p, err := yaytpl.Open(t.Context(), []string{filepath.Join(dir, "main.yaml")}, yaytpl.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Documents()[0]
	_, query := d.Query("{{ nobody_knows }}")
	file := d.Template(filepath.Join(dir, "t.j2"), &bytes.Buffer{}, yaytpl.RenderOptions{})
	for _, err := range []error{query, file} {
		if found := decisive(t, err); found.Code != source.Undefined || strings.Contains(found.Hint, "templates=off") {
			t.Errorf("%v has the hint %q", found, found.Hint)
		}
	}
	_, err = renderText(t, "port: 1\nb: \"{{ prot }}\"\n")
	if found := decisive(t, err); !strings.Contains(found.Hint, `"port"`) {
		t.Errorf("the near miss is not in the hint %q", found.Hint)
	}
}

// TestJinja compares with testdata/jinja.tsv, which has the results of templates in Jinja2 and
// Ansible. Its first line holds the variables. The others have three
// fields: native for a text of a document or text for a file, the template, and the
// result or the word error.
func TestJinja(t *testing.T) {
	table, err := os.ReadFile("testdata/jinja.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")
	vars := strings.TrimPrefix(rows[0], "vars\t")
	for _, row := range rows[1:] {
		fields := strings.SplitN(row, "\t", 3)
		var text string
		if err := json.Unmarshal([]byte(fields[1]), &text); err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		got := renderJinja(t, fields[0], vars, text)
		if !sameJSON(got, fields[2]) {
			t.Errorf("%s of %q = %s, want %s", fields[0], text, got, fields[2])
		}
	}
}

// renderJinja returns the result of a template as JSON, or the word error.
func renderJinja(t *testing.T, mode, vars, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	document := vars
	if mode == "native" {
		document = strings.TrimSuffix(vars, "}") + `, "the_result": ` + string(quoted) + "}"
	}
	p, err := yaytpl.Open(t.Context(), []string{"/site/main.json"}, yaytpl.Options{
		Dir: "/site", Roots: []string{"/site"}, NoEnv: true,
		Overlay: map[string]string{"/site/main.json": document, "/site/text.j2": text},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := p.Documents()[0]
	if mode == "text" {
		if d.Template("text.j2", &out, yaytpl.RenderOptions{}) != nil {
			return "error"
		}
		result, err := json.Marshal(out.String())
		if err != nil {
			t.Fatal(err)
		}
		return string(result)
	}
	v, err := d.Get("the_result")
	if err != nil || p.WriteValue(&out, v, yaytpl.RenderOptions{Form: "json", Compact: true}) != nil {
		return "error"
	}
	return out.String()
}

// sameJSON compares data, in which 1 and 1.0 differ.
func sameJSON(a, b string) bool {
	if a == "error" || b == "error" {
		return a == b
	}
	return normalJSON(a) == normalJSON(b)
}

func normalJSON(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "not JSON: " + text
	}
	out, err := json.Marshal(withoutSpelling(v))
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// withoutSpelling replaces the spelling of floats by one: 1.5e3 is 1500.0. 1 is not 1.0.
func withoutSpelling(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(string(v), ".eE") {
			return json.Number(value.FormatFloat(f))
		}
	case []any:
		for i := range v {
			v[i] = withoutSpelling(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = withoutSpelling(v[k])
		}
	}
	return v
}
