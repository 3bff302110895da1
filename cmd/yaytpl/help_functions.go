package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
)

// writeFunctionHelp describes the functions of the mgmt language with the given names or of the given
// modules, or lists all by module.
func (a *app) writeFunctionHelp(words []string) error {
	var b strings.Builder
	docs := yaytpl.ProgramHelp()
	if len(words) == 0 {
		writeModules(&b, docs)
	}
	for _, word := range words {
		known := false
		for _, d := range docs {
			if d.Name == word || d.Alias == word || d.Module() == word {
				writeFunction(&b, d)
				known = true
			}
		}
		if !known {
			return usageErrorf("unknown function or module %q", word).WithHint("see yaytpl help functions").DidYouMean(word, slices.Values(functionNames()))
		}
	}
	_, err := a.stdout.WriteString(b.String())
	return err
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

// functionNames returns the names and modules of the functions of the mgmt language.
func functionNames() []string {
	var names []string
	for _, d := range yaytpl.ProgramHelp() {
		names = append(names, d.Name, d.Module())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
