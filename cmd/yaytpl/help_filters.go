package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
)

// writeFilterHelp lists what templates and expressions can call, or tells about the
// names and families that are given.
func (a *app) writeFilterHelp(words []string) error {
	var b strings.Builder
	docs := yaytpl.FilterHelp()
	if len(words) == 0 {
		writeFamilies(&b, docs)
	}
	for _, word := range words {
		chosen := chooseFilters(docs, word)
		if len(chosen) == 0 {
			return unknownFilter(word)
		}
		for _, d := range chosen {
			writeFilter(&b, d)
		}
	}
	_, err := a.stdout.WriteString(b.String())
	return err
}

// writeFamilies writes the names only, by kind and family.
func writeFamilies(b *strings.Builder, docs []yaytpl.FilterDoc) {
	b.WriteString("yaytpl help filters NAME or FAMILY tells about one, with an example.\n")
	var heads []string
	names := map[string][]string{}
	for _, d := range docs {
		head := d.Kind + "s, " + d.Family
		if names[head] == nil {
			heads = append(heads, head)
		}
		names[head] = append(names[head], d.Name)
	}
	for _, head := range heads {
		fmt.Fprintf(b, "\n%s:\n%s", head, wrapped(names[head], "  ", 78))
	}
}

// wrapped writes words in lines that are no longer than width.
func wrapped(words []string, indent string, width int) string {
	var b strings.Builder
	line := indent
	for i, w := range words {
		if i > 0 && len(line)+1+len(w) > width {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += w
	}
	b.WriteString(line + "\n")
	return b.String()
}

func chooseFilters(docs []yaytpl.FilterDoc, word string) []yaytpl.FilterDoc {
	var chosen []yaytpl.FilterDoc
	for _, d := range docs {
		if d.Name == word || d.Family == word {
			chosen = append(chosen, d)
		}
	}
	return chosen
}

func unknownFilter(word string) error {
	return usageErrorf("no filter, test, function or family is called %q", word).WithHint("see yaytpl help filters").DidYouMean(word, slices.Values(filterNames()))
}

// filterNames returns the names of filters, tests and functions, and their families.
func filterNames() []string {
	var names []string
	for _, d := range yaytpl.FilterHelp() {
		names = append(names, d.Name, d.Family)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func writeFilter(b *strings.Builder, d yaytpl.FilterDoc) {
	fmt.Fprintf(b, "%s (%s, %s)\n", d.Signature(), d.Kind, d.Family)
	if d.Doc != "" {
		fmt.Fprintf(b, "    %s\n", d.Doc)
	}
	if d.Example != "" {
		fmt.Fprintf(b, "    %s\n      -> %s\n", d.Example, d.Result)
	}
	b.WriteByte('\n')
}
