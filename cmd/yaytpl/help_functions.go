package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
)

// functionReference has the functions of the mgmt language.
func functionReference() reference[yaytpl.FunctionDoc] {
	return reference[yaytpl.FunctionDoc]{
		"functions", "function or module", yaytpl.ProgramHelp,
		func(d yaytpl.FunctionDoc) []string { return []string{d.Name, d.Alias, d.Module()} }, writeModules, writeFunction,
	}
}

// writeModules lists the names of the functions by module, the global ones first.
func writeModules(b *strings.Builder, docs []yaytpl.FunctionDoc) {
	b.WriteString("yaytpl help functions NAME describes one, with an example; MODULE all of a module.\n")
	names := map[string][]string{}
	for _, d := range docs {
		names[d.Module()] = append(names[d.Module()], strings.TrimPrefix(d.Name, d.Module()+"."))
	}
	modules := []string{"global"}
	for _, d := range docs {
		if !slices.Contains(modules, d.Module()) {
			modules = append(modules, d.Module())
		}
	}
	for _, m := range modules {
		head := m + `, after import "` + m + `"`
		if m == "global" {
			head = "global, without an import"
		}
		fmt.Fprintf(b, "\n%s:\n%s", head, wrapped(names[m], "  ", 78))
	}
}

// writeFunction writes a function, a line for each of its signatures.
func writeFunction(b *strings.Builder, d yaytpl.FunctionDoc) {
	for _, signature := range d.Signatures {
		fmt.Fprintf(b, "%s%s\n", d.Name, strings.TrimPrefix(signature, "func"))
	}
	fmt.Fprintf(b, "    %s\n", d.Doc)
	if d.Alias != "" {
		fmt.Fprintf(b, "    (also %s, without an import)\n", d.Alias)
	}
	if d.Example != "" {
		fmt.Fprintf(b, "    %s\n", d.Example)
	}
	if d.Result != "" {
		fmt.Fprintf(b, "      -> %s\n", d.Result)
	}
	b.WriteByte('\n')
}
