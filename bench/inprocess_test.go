//go:build unix

package main

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/google/go-jsonnet"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bench/programs"
)

// BenchmarkInProcess runs the programs by which implementations of Jsonnet are compared inside of one process, each
// from its text to JSON. So the start of a program, which is most of the time of a small one, does not count.
func BenchmarkInProcess(b *testing.B) {
	for _, r := range []row{
		addressesRow, sitesRow, namesRow, pageRow, lazyRow, inheritanceRow, deepInheritanceRow, objectsRow, foldRow, joinRow, stripRow, sortRow,
	} {
		dir := b.TempDir()
		jobs, err := r.generate(dir, r.usual)
		if err != nil {
			b.Fatal(err)
		}
		for _, j := range jobs {
			run := evaluated
			if programOf(j.tool) == programs.Jsonnet {
				run = evaluatedByJsonnet
			}
			b.Run(r.name+"/"+j.tool, func(b *testing.B) {
				for b.Loop() {
					if err := run(b, dir, j.args); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// evaluated is "get -o json FILE PATH" for args.
func evaluated(b *testing.B, dir string, args []string) error {
	p, err := yaytpl.Open(b.Context(), []string{args[3]}, yaytpl.Options{Dir: dir})
	if err != nil {
		return err
	}
	v, err := p.Documents()[0].Get(args[4])
	if err != nil {
		return err
	}
	return p.WriteValue(io.Discard, v, yaytpl.RenderOptions{Form: "json"})
}

// evaluatedByJsonnet is "jsonnet -s DEPTH FILE" for args.
func evaluatedByJsonnet(_ *testing.B, dir string, args []string) error {
	vm := jsonnet.MakeVM()
	vm.MaxStack = 200_000
	_, err := vm.EvaluateFile(filepath.Join(dir, args[2]))
	return err
}
