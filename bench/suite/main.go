// Suite reads every text of the official YAML test suite with yaytpl and with YAML libraries for Go,
// and writes a table of the outcomes: see docs/yaml-suite.md.
//
//	go run -C bench ./suite [FLAGS]
//
// The texts are those that the module github.com/goccy/go-yaml carries as its test data. The files,
// in the order in which to read them: texts.go finds the texts, readers.go reads them, outcome.go
// compares the data with the expected data, known.go lists the texts that yaytpl reads in its own
// way, report.go writes the tables.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/yaytpl/yaytpl/bench/programs"
)

type settings struct {
	page string // file to write the tables to; empty: standard output
	ours string // path of yaytpl; empty: build it
	show bool   // print every wrong outcome
}

func main() {
	var s settings
	flag.StringVar(&s.page, "page", "", "file to write the tables to, between the lines \"<!-- suite -->\" and \"<!-- end -->\" (default standard output)")
	flag.StringVar(&s.ours, "yaytpl", "", "path of yaytpl (default: build it from this checkout)")
	flag.BoolVar(&s.show, "show", false, "also print each wrong outcome of each reader")
	flag.Parse()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	dir, err := os.MkdirTemp("", "yaytpl-suite")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command, err := programs.OfCheckout(s.ours, dir)
	if err == nil {
		_, err = os.Stat(command.Path)
	}
	if err != nil {
		return err
	}
	texts, err := suiteTexts()
	if err != nil {
		return err
	}
	readers := append([]reader{commandReader(command, filepath.Join(dir, "in.yaml"))}, libraries()...)
	results := readAll(texts, readers)
	if s.show {
		fmt.Fprint(os.Stderr, wrongOutcomes(texts, readers, results))
	}
	tables, err := report(texts, readers, results)
	if err != nil || s.page == "" {
		fmt.Print(tables)
		return err
	}
	return writeBetween(s.page, "<!-- suite -->\n", tables, "<!-- end -->")
}
