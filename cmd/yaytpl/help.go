package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// helpCommand shows the help of a command or a topic.
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
				return unknownTopic(root, args[0])
			}
			return a.writeHelp(c)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.helpWords(args), cobra.ShellCompDirectiveNoFileComp
		},
	}
	a.addFlags(c)
	return c
}

// helpWords returns what can follow the arguments of help.
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

func unknownTopic(root *cobra.Command, word string) error {
	return unknownWord(root, "no command or topic", word, topicNames()...)
}

// showHelp answers --help.
func (a *app) showHelp(c *cobra.Command, _ []string) {
	if !c.HasParent() {
		_ = a.writeOverview(c) // the output remembers failures
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
	b.WriteString("\nyaytpl COMMAND --help tells more about a command.\n")
	_, err := a.stdout.WriteString(b.String())
	return err
}

func (a *app) writeHelp(c *cobra.Command) error {
	var b strings.Builder
	about := c.Long
	if about == "" {
		about = c.Short
	}
	fmt.Fprintf(&b, "Usage: yaytpl %s [FLAGS]\n\n%s\n", c.Use, about)
	if c.Example != "" {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	for _, g := range a.flagGroups[c.Name()] {
		fmt.Fprintf(&b, "\n%s:\n%s", g.title, g.set.FlagUsages())
	}
	_, err := a.stdout.WriteString(b.String())
	return err
}

// A topic is a page of help that belongs to no command.
type topic struct {
	name, usage, about string
	write              func(a *app, args []string) error
	words              func() []string // what can follow its name
}

func topics() []topic {
	return []topic{
		{"errors", "errors [KIND]", "the kinds of findings, each with an example", (*app).writeErrorHelp, kindNames},
		{"filters", "filters [NAME|FAMILY]", "filters, tests and functions of templates and expressions", (*app).writeFilterHelp, filterNames},
	}
}

func topicNames() []string {
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	return names
}
