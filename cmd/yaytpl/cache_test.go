package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/pflag"
	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// results runs a command without and twice with a cache, and returns what each printed. Output, messages
// and status of one run are one text.
func (c *conformanceCase) results(cache string, args []string) (fresh, first, again string) {
	with := append([]string{args[0], "--cache", cache}, args[1:]...)
	for i, words := range [][]string{args, with, with} {
		stdout, stderr, status := c.run(words...)
		*[]*string{&fresh, &first, &again}[i] = fmt.Sprintf("status %d\n%s\n%s", status, stdout, stderr)
	}
	return fresh, first, again
}

// cachedCases returns the files of all cases of a command that has a cache.
func cachedCases(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{filepath.Join(conformanceDir, "*", "*.txtar"), "../../fixtures/cases/*/*.txtar"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatal("no cases")
	}
	return files
}

// A result from the cache is what a run without it prints, in each third case: all take half a minute.
func TestCacheOfCases(t *testing.T) {
	var kept atomic.Int64
	t.Cleanup(func() {
		if n := kept.Load(); n < int64(long.Scale(100)) {
			t.Errorf("only %d results were kept", n)
		}
	})
	step := 30
	if long.On() {
		step = 3
	}
	for i, file := range cachedCases(t) {
		if i%step != 0 || !long.On() && slowCases[caseName(file)] {
			continue
		}
		t.Run(caseName(file), func(t *testing.T) {
			t.Parallel()
			c := readCase(t, file)
			writes := slices.ContainsFunc(c.args, func(word string) bool {
				return word == "-v" || strings.HasPrefix(word, "--out") || strings.HasPrefix(word, "--write") || strings.HasPrefix(word, "--timeout")
			})
			if c.args[0] != "render" && c.args[0] != "template" || writes {
				return
			}
			cache := filepath.Join(t.TempDir(), "cache")
			fresh, first, again := c.results(cache, c.args)
			if entries, _ := os.ReadDir(cache); len(entries) > 1 { // more than the tag
				kept.Add(1)
			}
			if stdout, stderr, status := c.run(c.args...); fmt.Sprintf("status %d\n%s\n%s", status, stdout, stderr) != fresh {
				return // it depends on the time or on chance
			}
			if first != fresh || again != fresh {
				t.Errorf("yaytpl %q: without a cache\n%s\nthen\n%s\nand from the cache\n%s", c.args, fresh, first, again)
			}
		})
	}
}

// flagged are the files that the flags of TestCacheOfFlags make differ.
var flagged = map[string]string{
	"main.yaml": strings.Join([]string{
		"# comment", "a: 1", "undefined: \"{{ 1 + 1 }}\"", "e: {eval: {concat: [a, b]}}", "n: \"{{ '1' }}\"", "t: !Tag x", "list: [1]",
		"env: {get_env: {eval: X}}", "sensitive: {eval: {sensitive: pw}}", "---", "second: document",
	}, "\n"),
	"over.yaml": "over: 1\nlist: [2]\n",
	"b.yaml":    "x: bound\n",
}

// changes has a value for each flag of render that takes one.
var changes = map[string]string{
	"each": "list", "output": "json", "define": "d=1", "define-string": "d=1", "env-prefix": "APP_", "values": "over.yaml", "lists": "list=append",
	"checks": "redacted=off", "include-dir": "dir", "lang": "yaml", "doc": "1", "base": "over.yaml", "over": "over.yaml", "data": "over.yaml",
	"schema": "over.yaml", "bindings": "b.yaml", "fact": "f=1", "facts": "over.yaml", "category": "node=a", "root": ".", "repository": "r=dir",
	"allow-write": "dir", "allow-env": "HOME", "max-steps": "1000", "max-depth": "100", "max-bytes": "100k", "max-files": "10", "timeout": "1m",
	"errors": "json", "color": "always", "node": "n", "environment": "e", "project": "p.yaml",
}

// The result of a run with one flag more is never that of a run without it.
func TestCacheOfFlags(t *testing.T) {
	c := conformanceCase{dir: t.TempDir(), env: map[string]string{"X": "1", "APP_A": "2"}}
	for name, text := range flagged {
		writeFile(t, filepath.Join(c.dir, name), text)
	}
	if err := os.Mkdir(filepath.Join(c.dir, "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(t.TempDir(), "cache")
	_, before, _ := c.results(cache, []string{"render", "main.yaml"})
	flags := 0
	skipped := []string{"help", "cache", "out", "name", "prune", "check", "write", "verbose"} // of files, or they tell what the cache does
	a := newApp(nil, streams{})
	for _, g := range a.flagGroupsOf("render") {
		g.set.VisitAll(func(f *pflag.Flag) {
			if slices.Contains(skipped, f.Name) {
				return
			}
			word := "--" + f.Name
			if value, ok := changes[f.Name]; ok {
				word += "=" + value
			} else if f.NoOptDefVal == "" {
				word += "=key" // of a file that is missing
			}
			flags++
			fresh, first, again := c.results(cache, []string{"render", word, "main.yaml"})
			if first != fresh || again != fresh {
				t.Errorf("%s: without a cache\n%s\nthen\n%s\nand from the cache\n%s", word, fresh, first, again)
			}
		})
	}
	if _, after, _ := c.results(cache, []string{"render", "main.yaml"}); after != before {
		t.Errorf("in the end\n%s\nand in the beginning\n%s", after, before)
	}
	if flags < 40 {
		t.Errorf("render has %d flags", flags)
	}
}

// flagGroupsOf returns the groups of the flags of a command.
func (a *app) flagGroupsOf(command string) []flagGroup {
	a.rootCommand()
	return a.flagGroups[command]
}

// Nothing in a cache has a secret: neither of encrypted files, nor one that --reveal prints.
func TestCacheHasNoSecrets(t *testing.T) {
	secrets, err := filepath.Abs("../../fixtures/secrets")
	if err != nil {
		t.Fatal(err)
	}
	c := conformanceCase{dir: t.TempDir(), env: map[string]string{"YAYTPL_KEY": filepath.Join(secrets, "ann.key.asc")}}
	plain, stderr, status := c.run("decrypt", filepath.Join(secrets, "secrets.yaml.gpg"))
	if status != 0 {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile(filepath.Join(secrets, "secrets.yaml.gpg"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(c.dir, "s.yaml.gpg"), string(text))
	writeFile(t, filepath.Join(c.dir, "main.yaml"), "+include: s.yaml.gpg\n")
	writeFile(t, filepath.Join(c.dir, "file.yaml"), "s: {eval: {sensitive: {file: s.yaml.gpg, select: contents}}}\nt: {eval: {file: s.yaml.gpg, select: contents}}\n")
	writeFile(t, filepath.Join(c.dir, "sensitive.yaml"), "pw: {eval: {sensitive: hunter2}}\n")
	writeFile(t, filepath.Join(c.dir, "t.j2"), "{{ lookup('file', 's.yaml.gpg') }}")
	cache := filepath.Join(t.TempDir(), "cache")
	for _, args := range [][]string{
		{"render", "s.yaml.gpg"}, {"render", "main.yaml"}, {"render", "--redact", "main.yaml"}, {"render", "--reveal", "main.yaml"}, {"render", "file.yaml"},
		{"render", "--reveal", "file.yaml"}, {"render", "sensitive.yaml"}, {"render", "--reveal", "sensitive.yaml"}, {"template", "t.j2", "--data", "sensitive.yaml"},
	} {
		if fresh, first, again := c.results(cache, args); first != fresh || again != fresh {
			t.Errorf("yaytpl %q: without a cache\n%s\nthen\n%s\nand from the cache\n%s", args, fresh, first, again)
		}
	}
	words := append(strings.Fields(plain), "hunter2")
	err = filepath.WalkDir(cache, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, word := range words {
			if len(word) > 5 && bytes.Contains(text, []byte(word)) {
				t.Errorf("the cache has %q", word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
