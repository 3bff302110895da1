//go:build linux

// Limits runs yaytpl and programs that do comparable work on hostile input, all with the same
// limits of memory and time, and prints how each program ended in tables: see docs/limits.md.
//
// The files, in the order in which to read them: attack.go lists the inputs and the commands that
// read them, projects.go those that only yaytpl reads, outcome.go runs a command and classifies its end, report.go writes the tables. parts.go
// measures yaytpl alone, with documents that make one part of its languages work.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/bench/programs"
)

type settings struct {
	rows  string   // run only the rows whose "HEADING: NAME" contains this
	tools []string // empty: all
	dir   string   // for the inputs
	page  string   // file to write the tables to; empty: standard output
	ours  string   // path of yaytpl; empty: build it
	keep  bool     // the inputs
	parts bool     // run the documents that make one part of the languages work
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == limitedCommand {
		fmt.Fprintln(os.Stderr, "limits:", becomeLimited(os.Args[2:]))
		os.Exit(127)
	}
	s := readFlags()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "limits:", err)
		os.Exit(1)
	}
}

func readFlags() settings {
	var s settings
	var tools string
	flag.StringVar(&s.rows, "rows", "", "run only the rows whose \"HEADING: NAME\" contains this text")
	flag.StringVar(&tools, "tools", "", "programs to run, separated by commas (default all that are installed)")
	flag.StringVar(&s.dir, "dir", filepath.Join(os.TempDir(), "yaytpl-limits"), "directory for the inputs")
	flag.BoolVar(&s.keep, "keep", false, "keep the inputs")
	flag.StringVar(&s.page, "page", "", "file to write the tables to, between the lines \"<!-- limits -->\" and \"<!-- end -->\", with -parts \"<!-- parts -->\" and \"<!-- end of parts -->\" (default standard output)")
	flag.StringVar(&s.ours, "yaytpl", "", "path of yaytpl (default: build it from this checkout)")
	flag.BoolVar(&s.parts, "parts", false, "measure yaytpl with the documents of internal/testing/worktexts instead: each makes one part of the languages work")
	flag.Parse()
	s.tools = programs.Words(tools)
	return s
}

// installed returns the selected programs that are installed, yaytpl first.
func installed(s settings) ([]programs.Program, error) {
	tools := programs.Peers(s.tools...)
	if len(s.tools) > 0 && !slices.Contains(s.tools, ours) {
		return tools, nil
	}
	of, err := programs.OfCheckout(s.ours, s.dir)
	return append([]programs.Program{of}, tools...), err
}

func run(s settings) error {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	if s.parts {
		text, err := runParts(s)
		return s.write(partsBegin, partsEnd, text, err)
	}
	tools, err := installed(s)
	if err != nil {
		return err
	}
	var rows []row
	for _, a := range attacks() {
		if !strings.Contains(a.group+": "+a.name, s.rows) {
			continue
		}
		r, err := a.run(s, tools)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		fmt.Fprintln(os.Stderr, r.line(tools))
		rows = append(rows, r)
	}
	return s.write(limitsBegin, limitsEnd, report(tools, rows), nil)
}

// The lines around the tables in a page.
const (
	limitsBegin = "<!-- limits -->\n"
	limitsEnd   = "<!-- end -->\n"
	partsBegin  = "<!-- parts -->\n"
	partsEnd    = "<!-- end of parts -->\n"
)

// write writes tables to the page, between two lines, or to standard output. It returns err if that is
// not nil.
func (s settings) write(begin, end, text string, err error) error {
	switch {
	case err != nil:
		return err
	case s.page != "":
		return replacePart(s.page, begin, end, text)
	}
	_, err = fmt.Print(text)
	return err
}

// replacePart replaces the text between two lines of a file.
func replacePart(page, begin, end, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s: missing the line %q, or %q after it", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(page, []byte(before+begin+text+end+after), 0o644)
}

// A row is an attack with the outcome of each program, by the name of the program.
type row struct {
	attack   attack
	outcomes map[string]outcome
}

// run writes the files of an attack and runs the programs on them.
func (a attack) run(s settings, tools []programs.Program) (row, error) {
	r := row{a, map[string]outcome{}}
	dir := filepath.Join(s.dir, strings.Map(fileRune, a.name))
	if err := a.write(dir); err != nil {
		return r, err
	}
	if !s.keep {
		defer os.RemoveAll(dir)
	}
	for _, t := range tools {
		args, has := a.runs[t.Name]
		if !has {
			continue
		}
		o, err := start(dir, t.Path, args)
		if err != nil {
			return r, fmt.Errorf("%s: %w", t.Name, err)
		}
		r.outcomes[t.Name] = o
	}
	return r, nil
}

// fileRune replaces characters that are unusual in file names by "-".
func fileRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

// line returns the outcomes as one line, which main prints as progress.
func (r row) line(tools []programs.Program) string {
	words := []string{r.attack.name + ":"}
	for _, t := range tools {
		if o, has := r.outcomes[t.Name]; has {
			words = append(words, t.Name+" "+o.String()+";")
		}
	}
	return strings.Join(slices.Compact(words), " ")
}
