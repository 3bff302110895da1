package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"gopkg.in/yaml.v3"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	yayyaml "github.com/yaytpl/yaytpl/lang/yaml"
)

const conformanceDir = "../../fixtures/conformance"

// conformanceFolders are the groups of cases. The suite fails if it misses a folder on disk.
var conformanceFolders = []string{"bindings", "cli", "everyday", "jinja", "mcl", "merge", "query", "restore", "yay"}

func TestConformance(t *testing.T) {
	differences := readDifferences(t)
	for _, folder := range foldersOnDisk(t) {
		if !slices.Contains(conformanceFolders, folder) {
			t.Errorf("fixtures/conformance/%s is not run", folder)
		}
	}
	for _, folder := range conformanceFolders {
		cases, err := filepath.Glob(filepath.Join(conformanceDir, folder, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(cases) == 0 {
			t.Errorf("fixtures/conformance/%s has no case", folder)
		}
		for _, file := range cases {
			name := folder + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
			t.Run(name, func(t *testing.T) {
				if reason, ok := differences[name]; ok {
					t.Skipf("differs: %s", reason)
				}
				t.Parallel()
				runCase(t, file)
			})
		}
	}
}

// TestCases runs the cases of fixtures/cases, which have the same format.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("../../fixtures/cases/*/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for i, file := range cases {
		name := caseName(file)
		if !long.On() && (slowCases[name] || strings.HasPrefix(name, "secrets/") && i%4 != 0) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runCase(t, file)
		})
	}
}

// slowCases reach a limit after a second of work or more, for long runs. Short runs have the same limits with less
// work in other cases. Of the cases with encrypted files, each of which derives keys, a short run takes a quarter.
var slowCases = map[string]bool{
	"expressions/laughs-in-an-expression":        true,
	"expressions/laughs-quoted-in-an-expression": true,
	"templates/list-without-end":                 true,
	"yay-hostile/sorted-too-long":                true,
	"yay-hostile/set-of-itself-by-macro":         true,
}

// caseName returns the group and the name of a case.
func caseName(file string) string {
	return filepath.Base(filepath.Dir(file)) + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar")
}

func foldersOnDisk(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(conformanceDir)
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	return folders
}

// readDifferences returns the cases of DIFFERENCES.md with their reasons.
func readDifferences(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(conformanceDir, "DIFFERENCES.md"))
	if err != nil {
		t.Fatal(err)
	}
	differences := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| *`([^`]+)` *\\|(.*)\\|$").FindAllStringSubmatch(string(text), -1) {
		name, reason := row[1], strings.TrimSpace(row[2])
		if _, err := os.Stat(filepath.Join(conformanceDir, name+".txtar")); err != nil {
			t.Errorf("DIFFERENCES.md lists %s, which does not exist", name)
		}
		if reason == "" {
			t.Errorf("DIFFERENCES.md gives no reason for %s", name)
		}
		differences[name] = reason
	}
	return differences
}

// A conformanceCase is one case in txtar form.
type conformanceCase struct {
	args  []string
	env   map[string]string
	dir   string
	about string            // its comment
	want  map[string]string // "json", "yaml", "txt", "jsonl", "err"
}

func runCase(t *testing.T, file string) {
	c := readCase(t, file)
	if expected, ok := c.want["err"]; ok {
		c.checkError(t, expected)
		return
	}
	stdout, stderr, status := c.run(c.args...)
	if status != 0 {
		t.Fatalf("yaytpl %q: exit status %d\n%s", c.args, status, stderr)
	}
	checked := 0
	for form, want := range c.want {
		if check, ok := comparisons[form]; ok {
			checked++
			if err := check(stdout, want); err != nil {
				t.Errorf("yaytpl %q: %v\ngot:\n%s\nwant:\n%s\n%s", c.args, err, stdout, want, stderr)
			}
		}
	}
	if checked == 0 {
		t.Errorf("the case expects nothing")
	}
	if c.args[0] == "restore" && !strings.Contains(c.about, "does not re-expand") {
		c.checkRestored(t, stdout)
	}
}

// checkRestored expands the restored text, with the layers around it, and requires that it equals the
// edited document.
func (c conformanceCase) checkRestored(t *testing.T, text string) {
	var words, base, over []string
	written := ""
	for i := 1; i < len(c.args); i++ {
		switch word := c.args[i]; {
		case word == "--base" || word == "--over":
			i++
			if word == "--base" {
				base = append(base, c.args[i])
			} else {
				over = append(over, c.args[i])
			}
		case strings.HasPrefix(word, "--to=") && word != "--to=source":
			written = strings.TrimPrefix(word, "--to=")
		case !strings.HasPrefix(word, "--"):
			words = append(words, word)
		}
	}
	last := len(words) - 1
	if written == "" {
		written = words[last-1]
	}
	if written[0] == '@' || slices.Contains(c.args, "--diff") { // standard output does not have the whole text
		if stdout, stderr, status := c.run(append(slices.Clone(c.args), "-i")...); status != 0 {
			t.Fatalf("%s%s", stdout, stderr)
		}
	} else {
		writeFile(t, filepath.Join(c.dir, written), text)
	}
	want, err := os.ReadFile(filepath.Join(c.dir, words[last]))
	if err != nil {
		t.Fatal(err)
	}
	expanded, stderr, status := c.run(slices.Concat([]string{"render", "--expand-only"}, base, words[:last], over)...)
	if status != 0 {
		t.Fatalf("cannot expand the restored text: %s", stderr)
	}
	if err := comparisons["yaml"](expanded, string(want)); err != nil {
		t.Errorf("the restored text does not expand to the edited document: %v\ngot:\n%s\nwant:\n%s", err, expanded, want)
	}
}

func readCase(t *testing.T, file string) conformanceCase {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := conformanceCase{dir: dir, about: string(archive.Comment), env: map[string]string{}, want: map[string]string{}}
	for _, f := range archive.Files {
		form, isWant := strings.CutPrefix(f.Name, "want.")
		switch {
		case f.Name == "argv":
			c.setArgs(t, splitWords(t, string(f.Data)))
		case isWant:
			c.want[form] = strings.ReplaceAll(string(f.Data), "$WORK", dir)
		default:
			writeFile(t, filepath.Join(dir, f.Name), string(f.Data))
		}
	}
	return c
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// setArgs takes leading "env NAME=VALUE ..." words as the environment.
func (c *conformanceCase) setArgs(t *testing.T, words []string) {
	t.Helper()
	if len(words) > 0 && words[0] == "env" {
		words = words[1:]
		for len(words) > 0 && strings.Contains(words[0], "=") {
			name, val, _ := strings.Cut(words[0], "=")
			c.env[name] = val
			words = words[1:]
		}
	}
	if len(words) == 0 {
		t.Fatal("the case has no arguments")
	}
	c.args = words
}

func (c *conformanceCase) run(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = run(context.Background(), args, streams{
		in: strings.NewReader(""), out: &out, err: &errs, dir: c.dir,
		getenv:  c.getenv,
		environ: c.environ,
	})
	return out.String(), errs.String(), status
}

func (c *conformanceCase) getenv(name string) (string, bool) {
	if val, ok := c.env[name]; ok {
		return val, true
	}
	return os.LookupEnv(name)
}

func (c *conformanceCase) environ() []string {
	all := os.Environ()
	for name, val := range c.env {
		all = append(all, name+"="+val)
	}
	return all
}

// comparisons compare standard output with an expectation of each format.
var comparisons = map[string]func(got, want string) error{
	"json":  sameJSON,
	"jsonl": sameLines,
	"yaml":  sameYAML,
	"txt": func(got, want string) error {
		if got != want {
			return fmt.Errorf("the bytes differ")
		}
		return nil
	},
}

func sameJSON(got, want string) error {
	g, err := decodeJSON(got)
	if err != nil {
		return fmt.Errorf("the output is not JSON: %v", err)
	}
	w, err := decodeJSON(want)
	if err != nil {
		return fmt.Errorf("the expectation is not JSON: %v", err)
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Errorf("the data differ")
	}
	return nil
}

func sameLines(got, want string) error {
	g, w := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	if len(g) != len(w) {
		return fmt.Errorf("%d lines, want %d", len(g), len(w))
	}
	for i := range g {
		if err := sameLine(g[i], w[i]); err != nil {
			return fmt.Errorf("line %d: %v", i+1, err)
		}
	}
	return nil
}

// sameLine compares a line of watch: of an error only the fields that are wanted.
func sameLine(got, want string) error {
	type line struct{ Error map[string]any }
	var g, w line
	if json.Unmarshal([]byte(want), &w) != nil || w.Error == nil {
		return sameJSON(got, want)
	}
	if err := json.Unmarshal([]byte(got), &g); err != nil {
		return err
	}
	for field, v := range w.Error {
		if !reflect.DeepEqual(g.Error[field], v) {
			return fmt.Errorf("the %s of the error is %v, want %v", field, g.Error[field], v)
		}
	}
	return nil
}

// quoted rewrites a text such as "{eval: ::a}", which only a lenient reader accepts, as standard
// YAML. It returns other texts unchanged.
func quoted(text string) string {
	var v any
	if yaml.Unmarshal([]byte(text), &v) == nil {
		return text
	}
	own, err := yaytpl.ParseValue(text)
	if err != nil {
		return text
	}
	var b strings.Builder
	if yayyaml.EncodeJSON(&b, own, yayyaml.EncodeOptions{}) != nil {
		return text
	}
	return b.String()
}

func sameYAML(got, want string) error {
	var g, w any
	if err := yaml.Unmarshal([]byte(quoted(got)), &g); err != nil {
		return fmt.Errorf("the output is not YAML: %v", err)
	}
	if err := yaml.Unmarshal([]byte(want), &w); err != nil {
		return fmt.Errorf("the expectation is not YAML: %v", err)
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Errorf("the data differ")
	}
	return nil
}

// decodeJSON parses exactly one JSON value. Numbers become texts of their exact value, so that
// 1, 1.0 and 1e0 are equal and big numbers are not rounded.
func decodeJSON(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, fmt.Errorf("more than one value")
	}
	return exactNumbers(v), nil
}

func exactNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok {
			f, _ := r.Float64()
			if r.IsInt() {
				return r.String()
			}
			return f
		}
		return v
	case []any:
		for i := range v {
			v[i] = exactNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = exactNumbers(v[k])
		}
	}
	return v
}

// An expectedError is the content of a want.err section.
type expectedError struct {
	Kind     string `json:"kind"`
	Line     *int   `json:"line"`
	Col      *int   `json:"col"`
	AltLines []int  `json:"alt_lines"`
	Contains string `json:"contains"`
}

func (c *conformanceCase) checkError(t *testing.T, expected string) {
	t.Helper()
	var want expectedError
	if err := json.Unmarshal([]byte(expected), &want); err != nil {
		t.Fatalf("want.err: %v", err)
	}
	stdout, stderr, status := c.run(append([]string{"--errors", "json"}, c.args...)...)
	if status == 0 {
		t.Fatalf("yaytpl %q succeeded, want a finding like %s\n%s", c.args, expected, stdout)
	}
	if stdout != "" {
		t.Errorf("yaytpl %q failed and wrote to standard output:\n%s", c.args, stdout)
	}
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := lines[len(lines)-1]
	if err := want.matches(last); err != nil {
		t.Errorf("yaytpl %q: %v\ngot:\n%s\nwant: %s", c.args, err, stderr, expected)
	}
}

func (want expectedError) matches(object string) error {
	var got struct {
		Kind      string
		Line, Col int
	}
	if err := json.Unmarshal([]byte(object), &got); err != nil {
		return fmt.Errorf("the last line is not JSON: %v", err)
	}
	if !slices.Contains(strings.Split(want.Kind, "|"), got.Kind) {
		return fmt.Errorf("kind %q", got.Kind)
	}
	if want.Line != nil && got.Line != *want.Line && !slices.Contains(want.AltLines, got.Line) {
		return fmt.Errorf("line %d", got.Line)
	}
	if want.Col != nil && got.Col != *want.Col {
		return fmt.Errorf("column %d", got.Col)
	}
	if !strings.Contains(strings.ToLower(object), strings.ToLower(want.Contains)) && !containsPlain(object, want.Contains) {
		return fmt.Errorf("the finding does not contain %q", want.Contains)
	}
	return nil
}

// containsPlain reports whether a JSON object contains a text, after undoing escapes.
func containsPlain(object, part string) bool {
	v, err := decodeJSON(object)
	return err == nil && strings.Contains(strings.ToLower(fmt.Sprint(v)), strings.ToLower(part))
}

// splitWords splits text into words as a shell does; it supports quotes and backslashes.
func splitWords(t *testing.T, text string) []string {
	t.Helper()
	var words []string
	var word strings.Builder
	inWord := false
	var quote byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '\\':
			word.WriteByte(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && i+1 < len(text):
			i++
			if quote == '"' && !strings.ContainsRune("\\\"$`", rune(text[i])) {
				word.WriteByte('\\')
			}
			word.WriteByte(text[i])
			inWord = true
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		t.Fatalf("unclosed quote in %q", text)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

func TestSplitWords(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"a  b\n", []string{"a", "b"}},
		{`'a b' "c d"`, []string{"a b", "c d"}},
		{`a'b'"c"`, []string{"abc"}},
		{`'' x`, []string{"", "x"}},
		{`"a\"b\n" a\ b`, []string{`a"b\n`, "a b"}},
		{`'a\b'`, []string{`a\b`}},
	}
	for _, tt := range tests {
		if got := splitWords(t, tt.text); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("splitWords(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestSameJSON(t *testing.T) {
	tests := []struct {
		got, want string
		same      bool
	}{
		{`{"a":1,"b":2}`, `{"b":2.0,"a":1e0}`, true},
		{`[1,2]`, `[2,1]`, false},
		{`123456789012345678901`, `123456789012345678902`, false},
		{`"1"`, `1`, false},
		{`1 2`, `1`, false},
		{`{"a":null}`, `{}`, false},
	}
	for _, tt := range tests {
		if err := sameJSON(tt.got, tt.want); (err == nil) != tt.same {
			t.Errorf("sameJSON(%s, %s) = %v, want same: %v", tt.got, tt.want, err, tt.same)
		}
	}
}
