package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// writeErrorHelp lists the kinds of findings, or tells about those that are named.
func (a *app) writeErrorHelp(kinds []string) error {
	var b strings.Builder
	if len(kinds) == 0 {
		b.WriteString("Kinds of findings, as [kind] in messages and \"kind\" with --errors json.\n")
	}
	infos, err := chosenCodes(kinds)
	if err != nil {
		return err
	}
	for _, c := range infos {
		writeCode(&b, c)
	}
	_, err = a.stdout.WriteString(b.String())
	return err
}

func chosenCodes(kinds []string) ([]source.CodeInfo, error) {
	all := source.Codes()
	if len(kinds) == 0 {
		return all, nil
	}
	var chosen []source.CodeInfo
	for _, kind := range kinds {
		info, ok := codeInfo(all, kind)
		if !ok {
			return nil, unknownKind(kind)
		}
		chosen = append(chosen, info)
	}
	return chosen, nil
}

func codeInfo(all []source.CodeInfo, kind string) (source.CodeInfo, bool) {
	for _, c := range all {
		if string(c.Code) == kind {
			return c, true
		}
	}
	return source.CodeInfo{}, false
}

func unknownKind(kind string) error {
	return usageErrorf("no kind of finding is called %q", kind).WithHint("see yaytpl help errors").DidYouMean(kind, slices.Values(kindNames()))
}

// kindNames returns the kinds of findings.
func kindNames() []string {
	var names []string
	for _, c := range source.Codes() {
		names = append(names, string(c.Code))
	}
	return names
}

// writeCode writes a kind, what it means, and its example: files, command and message.
func writeCode(b *strings.Builder, c source.CodeInfo) {
	fmt.Fprintf(b, "\n%s\n    %s\n", c.Code, c.Meaning)
	if len(c.Args) == 0 {
		return
	}
	for _, f := range c.Files {
		fmt.Fprintf(b, "    %s:\n", f.Name)
		writeIndented(b, f.Text)
	}
	fmt.Fprintf(b, "    $ yaytpl %s\n", strings.Join(c.Args, " "))
	writeIndented(b, exampleMessage(c.Code))
}

func writeIndented(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		b.WriteString("        " + line)
	}
}

// errorMessages are what the examples print on standard error, each below a line with its
// kind. A test of the pages writes them.
//
//go:embed error_messages.txt
var errorMessages string

// exampleMessage returns what the example of a kind prints, or nothing if that is chance.
func exampleMessage(kind source.Code) string {
	_, message, ok := strings.Cut("\n"+errorMessages, "\n-- "+string(kind)+" --\n")
	if !ok {
		return ""
	}
	message, _, _ = strings.Cut(message, "\n-- ")
	return strings.TrimSuffix(message, "\n") + "\n"
}
