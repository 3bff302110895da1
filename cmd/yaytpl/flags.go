package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A flagGroup is some flags under one heading of a command's help.
type flagGroup struct {
	title string
	set   *pflag.FlagSet
}

func newFlagGroup(title string) flagGroup {
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	return flagGroup{title, set}
}

// generalFlags are those of every command.
type generalFlags struct {
	errors  choice
	color   choice
	quiet   bool
	verbose bool
}

func (g *generalFlags) group() flagGroup {
	fg := newFlagGroup("Messages")
	fg.set.Var(&g.errors, "errors", "form of findings on standard error")
	fg.set.Var(&g.color, "color", "colours")
	fg.set.BoolVarP(&g.quiet, "quiet", "q", false, "errors only: no warnings, remarks, summary, progress")
	fg.set.BoolVarP(&g.verbose, "verbose", "v", false, "how long it took")
	fg.set.BoolP("help", "h", false, "this help")
	return fg
}

// earlyGeneralFlags finds the flags that say how to complain before the command
// line is parsed, because parsing may give reason to.
func earlyGeneralFlags(args []string) generalFlags {
	g := generalFlags{errors: oneOf("text", "text", "json"), color: oneOf("auto", "auto", "always", "never")}
	for i, arg := range args {
		name, word, has := strings.Cut(arg, "=")
		if name == "--" {
			break
		}
		if !has && i+1 < len(args) {
			word = args[i+1]
		}
		switch name {
		case "--errors":
			_ = g.errors.Set(word) // parsing complains
		case "--color":
			_ = g.color.Set(word)
		}
	}
	return g
}

// addFlags gives c its flags, and remembers their groups for its help.
func (a *app) addFlags(c *cobra.Command, groups ...flagGroup) {
	for _, g := range groups {
		c.Flags().AddFlagSet(g.set)
	}
	a.flagGroups[c.Name()] = append(groups, a.generalGroup)
}
