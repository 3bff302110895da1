package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A manual writes man pages of the commands: their help in the language of man(7).
type manual struct {
	app  *app
	date time.Time
}

// overview returns the page of yaytpl itself.
func (m manual) overview(root *cobra.Command) string {
	var b strings.Builder
	m.begin(&b, "yaytpl", root.Short)
	b.WriteString(".B yaytpl\nCOMMAND [FLAGS] ARGUMENTS\n.SH COMMANDS\n")
	for _, c := range m.app.commandList {
		name, arguments, _ := strings.Cut(c.Use, " ")
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR %s\n%s; see \\fByaytpl\\-%[1]s\\fR(1)\n", roff(name), roff(arguments), roff(c.Short))
	}
	b.WriteString(".SH TOPICS\n")
	for _, t := range topics() {
		fmt.Fprintf(&b, ".TP\n\\fByaytpl help\\fR %s\n%s\n", roff(t.usage), roff(t.about))
	}
	return b.String()
}

// page returns the page of a command.
func (m manual) page(c *cobra.Command) string {
	var b strings.Builder
	m.begin(&b, "yaytpl-"+c.Name(), c.Short)
	_, arguments, _ := strings.Cut(c.Use, " ")
	fmt.Fprintf(&b, ".B yaytpl %s\n%s\n", roff(c.Name()), roff(strings.TrimSpace(arguments+" [FLAGS]")))
	if c.Long != "" {
		b.WriteString(".SH DESCRIPTION\n" + strings.ReplaceAll(roff(c.Long), "\n\n", "\n.PP\n") + "\n")
	}
	for _, g := range m.app.flagGroups[c.Name()] {
		b.WriteString(".SH " + strings.ToUpper(g.title) + "\n")
		g.set.VisitAll(func(f *pflag.Flag) { b.WriteString(flagEntry(f)) })
	}
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n" + roff(c.Example) + "\n.fi\n")
	}
	b.WriteString(".SH SEE ALSO\n.BR yaytpl (1)\n")
	return b.String()
}

func (m manual) begin(b *strings.Builder, name, about string) {
	fmt.Fprintf(b, ".TH %s 1 %s yaytpl\n", strings.ToUpper(name), m.date.Format(time.DateOnly))
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", roff(name), roff(about))
}

// flagEntry returns the entry of a flag: its names, the type of its value and its help.
func flagEntry(f *pflag.Flag) string {
	takes, usage := pflag.UnquoteUsage(f)
	name := "\\fB\\-\\-" + roff(f.Name) + "\\fR"
	if f.Shorthand != "" {
		name = "\\fB\\-" + roff(f.Shorthand) + "\\fR, " + name
	}
	if _, ok := optionalValue(f); ok {
		name += "[=\\fI" + roff(takes) + "\\fR]"
	} else if takes != "" {
		name += " \\fI" + roff(takes) + "\\fR"
	}
	if _, isChoice := f.Value.(*choice); isChoice && f.DefValue != "" {
		usage += " (default " + f.DefValue + ")"
	}
	return ".TP\n" + name + "\n" + roff(usage) + "\n"
}

// roff escapes text for man: hyphens can be copied, and no line is a request.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
