package main

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// helpCommand returns the command help, for commands and topics.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "help about a command; topics: " + listed(topicNames()),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.writeOverview(root)
			}
			for _, t := range topics() {
				if t.name == args[0] {
					return t.write(a, args[1:])
				}
			}
			c, _, err := root.Find(args)
			if err != nil || c == root {
				return unknownWord(root, "unknown command or topic", args[0], topicNames()...)
			}
			return a.writeHelp(c)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.helpWords(args), cobra.ShellCompDirectiveNoFileComp
		},
	}
	return a.withFlags(c)
}

// helpWords returns the completions of the next argument of help.
func (a *app) helpWords(args []string) []string {
	if len(args) > 0 {
		for _, t := range topics() {
			if t.name == args[0] {
				return t.words()
			}
		}
		return nil
	}
	words := topicNames()
	for _, c := range a.commandList {
		words = append(words, c.Name())
	}
	return words
}

// showHelp implements --help.
func (a *app) showHelp(c *cobra.Command, _ []string) {
	if !c.HasParent() {
		_ = a.writeOverview(c) // the output records errors
		return
	}
	_ = a.writeHelp(c)
}

func (a *app) writeOverview(root *cobra.Command) error {
	var b strings.Builder
	b.WriteString("yaytpl: " + root.Short + "\n\nUsage: yaytpl COMMAND [FLAGS] ARGUMENTS\n\nCommands:\n")
	for _, c := range a.commandList {
		fmt.Fprintf(&b, "  %-24s %s\n", c.Use, c.Short)
	}
	b.WriteString("\nTopics (yaytpl help TOPIC):\n")
	for _, t := range topics() {
		fmt.Fprintf(&b, "  %-24s %s\n", t.usage, t.about)
	}
	b.WriteString("\nyaytpl COMMAND --help describes a command and its flags.\n")
	_, err := a.stdout.WriteString(b.String())
	return err
}

func (a *app) writeHelp(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: yaytpl %s [FLAGS]\n\n%s\n", c.Use, cmp.Or(c.Long, c.Short))
	if c.Example != "" {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	for _, g := range a.flagGroups[c.Name()] {
		fmt.Fprintf(&b, "\n%s:\n%s", g.title, usages(g.set))
	}
	_, err := a.stdout.WriteString(b.String())
	return err
}

// usages returns the lines of flags for help. A flag whose value may be missing is --report[=text|json].
func usages(set *pflag.FlagSet) string {
	lines := pflag.NewFlagSet("", pflag.ContinueOnError)
	lines.SortFlags = set.SortFlags
	set.VisitAll(func(f *pflag.Flag) {
		line := *f
		if takes, ok := optionalValue(f); ok {
			line.Name += "[=" + takes + "]"
			_, line.Usage = pflag.UnquoteUsage(f)
			line.Value, line.NoOptDefVal = withoutValue{f.Value}, ""
		}
		lines.AddFlag(&line)
	})
	return lines.FlagUsages()
}

// optionalValue returns the name of the value that a flag takes, and true if the flag may be without one.
func optionalValue(f *pflag.Flag) (takes string, ok bool) {
	takes, _ = pflag.UnquoteUsage(f)
	return takes, takes != "" && f.NoOptDefVal != ""
}

// A withoutValue is the value of a flag whose line names none.
type withoutValue struct{ pflag.Value }

func (withoutValue) Type() string { return "bool" }

// A topic is a page of help that is not about a command.
type topic struct {
	name, usage, about string
	write              func(a *app, args []string) error
	words              func() []string // completions of its arguments
}

func topics() []topic {
	list := []topic{
		errorReference().asTopic("[KIND]", "kinds of errors and warnings, each with an example"),
		filterReference().asTopic("[NAME|FAMILY]", "filters, tests and functions of templates and expressions"),
		functionReference().asTopic("[NAME|MODULE]", "functions of programs of the mgmt language"),
	}
	for _, s := range [][2]string{
		{"paths", "the places of a document, for get, set and query"},
		{"merge", "layers, includes and other directives"},
		{"lists", "how lists of layers join"},
		{"expressions", "paths with several matches, tests, expression objects"},
		{"templates", "Jinja in values"},
		{"project", "the project file and its targets"},
	} {
		list = append(list, topic{s[0], s[0], s[1], func(a *app, args []string) error { return a.writeScreen(s[0], args) }, func() []string { return nil }})
	}
	return list
}

// screens are the topics that are one screen each, with examples that a test runs.
//
//go:embed topics/*.txt
var screens embed.FS

// writeScreen writes a topic that is one screen.
func (a *app) writeScreen(name string, args []string) error {
	if len(args) > 0 {
		return usageErrorf("help %s takes no arguments: unexpected argument %q", name, args[0])
	}
	text, err := screens.ReadFile("topics/" + name + ".txt")
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(text)
	return err
}

func topicNames() []string {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return names
}

// A reference is a topic with many entries, such as the filters.
type reference[T any] struct {
	topic   string
	what    string // names the entries in messages
	entries func() []T
	names   func(T) []string // by which words select an entry, "" for none
	list    func(b *strings.Builder, entries []T)
	write   func(b *strings.Builder, entry T)
}

// asTopic returns the topic of the reference.
func (r reference[T]) asTopic(usage, about string) topic {
	return topic{r.topic, r.topic + " " + usage, about, r.help, r.words}
}

// help describes the entries that words select, or lists all.
func (r reference[T]) help(a *app, words []string) error {
	var b strings.Builder
	entries := r.entries()
	if len(words) == 0 {
		r.list(&b, entries)
	}
	for _, word := range words {
		known := false
		for _, entry := range entries {
			if word != "" && slices.Contains(r.names(entry), word) {
				r.write(&b, entry)
				known = true
			}
		}
		if !known {
			return usageErrorf("unknown %s %q", r.what, word).WithHint("see yaytpl help %s", r.topic).DidYouMean(word, slices.Values(r.words()))
		}
	}
	_, err := a.stdout.WriteString(b.String())
	return err
}

// words returns the names of all entries, sorted.
func (r reference[T]) words() []string {
	var words []string
	for _, entry := range r.entries() {
		words = append(words, r.names(entry)...)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// errorReference has the kinds of findings.
func errorReference() reference[source.CodeInfo] {
	return reference[source.CodeInfo]{
		"errors", "kind of error", source.Codes,
		func(c source.CodeInfo) []string { return []string{string(c.Code)} }, writeCodes, writeCode,
	}
}

// filterReference has the filters, tests and functions of templates and expressions.
func filterReference() reference[yaytpl.FilterDoc] {
	return reference[yaytpl.FilterDoc]{
		"filters", "filter, test, function or family", yaytpl.FilterHelp,
		func(d yaytpl.FilterDoc) []string { return []string{d.Name, d.Family} }, writeFamilies, writeFilter,
	}
}

// writeCodes describes all kinds.
func writeCodes(b *strings.Builder, codes []source.CodeInfo) {
	b.WriteString("Kinds of errors and warnings, as [kind] in messages and \"kind\" with --errors json.\n")
	for _, c := range codes {
		writeCode(b, c)
	}
}

// writeCode writes a kind, its meaning and its example: files, command and message.
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

// errorMessages has the standard error of each example, below a line with its kind. A test
// in docs writes it.
//
//go:embed error_messages.txt
var errorMessages string

// exampleMessage returns the standard error of an example, or "" if it varies.
func exampleMessage(kind source.Code) string {
	_, message, ok := strings.Cut("\n"+errorMessages, "\n-- "+string(kind)+" --\n")
	if !ok {
		return ""
	}
	message, _, _ = strings.Cut(message, "\n-- ")
	return strings.TrimSuffix(message, "\n") + "\n"
}

// writeFamilies lists the names by kind and family.
func writeFamilies(b *strings.Builder, docs []yaytpl.FilterDoc) {
	b.WriteString("yaytpl help filters NAME describes one, with an example; FAMILY a whole family.\n")
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

// wrapped breaks words into lines of at most width bytes.
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
