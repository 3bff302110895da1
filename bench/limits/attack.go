//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// The programs that are attacked.
const (
	ours    = programs.Ours
	yq      = programs.Yq
	jsonnet = programs.Jsonnet
	cue     = programs.Cue
	ytt     = programs.Ytt
	spruce  = programs.Spruce
	jq      = programs.Jq
)

// An attack is hostile input, for each program in the form that it reads.
type attack struct {
	group, name string
	files       map[string]text
	runs        map[string][]string // arguments by program; one that has no such thing is left out
}

// A text writes the text of a file.
type text func(w *bufio.Writer)

// attacks returns all of them in the order of the table. The same call gives the same
// bytes.
func attacks() []attack {
	groups := []struct {
		name    string
		attacks []attack
	}{
		{"Texts that are hard to read", documentAttacks()},
		{"Small documents of big values", valueAttacks()},
		{"Values that need themselves", referenceAttacks()},
		{"Expressions without end", computationAttacks()},
		{"Files", fileAttacks()},
	}
	var all []attack
	for _, g := range groups {
		for _, a := range g.attacks {
			a.group = g.name
			all = append(all, a)
		}
	}
	return all
}

// write makes the files of an attack in a directory of its own.
func (a attack) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, t := range a.files {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		t(w)
		if err := w.Flush(); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// is is a short text.
func is(s string) text { return func(w *bufio.Writer) { w.WriteString(s) } }

// lines is some lines.
func lines(all ...string) text { return is(strings.Join(all, "\n") + "\n") }

// all is texts one after the other.
func all(parts ...text) text {
	return func(w *bufio.Writer) {
		for _, p := range parts {
			p(w)
		}
	}
}

// times is a text again and again.
func times(n int, s string) text {
	return func(w *bufio.Writer) {
		for range n {
			w.WriteString(s)
		}
	}
}

// each is n lines of a format that takes the number of the line and of the next one.
func each(n int, format string) text {
	return func(w *bufio.Writer) {
		for i := range n {
			fmt.Fprintf(w, format, i, i+1)
		}
	}
}

// written is a text as a string, for the arguments of a program.
func written(t text) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	t(w)
	w.Flush()
	return b.String()
}

// document is an attack by a YAML document, which all programs read.
func document(name string, t text) attack {
	return attack{name: name, files: map[string]text{"doc.yaml": t}, runs: map[string][]string{
		ours: {"render", "-o", "json", "doc.yaml"}, yq: {"-o", "json", ".", "doc.yaml"},
		jsonnet: {"-e", `std.parseYaml(importstr "doc.yaml")`}, cue: {"export", "doc.yaml"},
		ytt: {"-f", "doc.yaml", "-o", "json"}, spruce: {"merge", "doc.yaml"},
	}}
}

// jsonDocument is an attack by a JSON document.
func jsonDocument(name string, t text) attack {
	return attack{name: name, files: map[string]text{"doc.json": t}, runs: map[string][]string{
		ours: {"render", "-o", "json", "doc.json"}, yq: {"-o", "json", ".", "doc.json"},
		jsonnet: {"doc.json"}, cue: {"export", "doc.json"}, ytt: {"-f", "doc.json", "-o", "json"},
		spruce: {"merge", "doc.json"}, jq: {".", "doc.json"},
	}}
}

// sources are what programs read, each in its language.
type sources map[string]text

// inLanguages is an attack in the languages of several programs: a file that each of them
// reads, or an argument.
func inLanguages(name string, all sources) attack {
	a := attack{name: name, files: map[string]text{}, runs: map[string][]string{}}
	for tool, source := range all {
		file := map[string]string{ours: "main.yaml", jsonnet: "main.jsonnet", cue: "main.cue", ytt: "ytt.yaml", spruce: "spruce.yaml"}[tool]
		a.runs[tool] = map[string][]string{
			ours: {"render", "-o", "json", file}, jsonnet: {file}, cue: {"export", file}, ytt: {"-f", file, "-o", "json"}, spruce: {"merge", file},
			yq: {"-n", "-o", "json", written(source)}, jq: {"-n", written(source)},
		}[tool]
		if file != "" {
			a.files[file] = source
		}
	}
	return a
}
