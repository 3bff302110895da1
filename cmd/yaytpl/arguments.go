package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// exactly refuses any number of arguments but that of the words given.
func exactly(words ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < len(words):
			return wrongArguments(c, "%s needs %s", c.Name(), strings.Join(words[len(args):], " and "))
		case len(words) == 0 && len(args) > 0:
			return wrongArguments(c, "%s takes no arguments, not %q", c.Name(), args[0])
		case len(args) > len(words):
			return wrongArguments(c, "%s takes %s; %q is too much", c.Name(), strings.Join(words, " and "), args[len(words)])
		}
		return nil
	}
}

// some refuses no arguments at all.
func some(word string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return wrongArguments(c, "%s needs at least one %s", c.Name(), word)
		}
		return nil
	}
}

func wrongArguments(c *cobra.Command, format string, args ...any) error {
	return usageErrorf(format, args...).WithHint("see %s --help", c.CommandPath())
}
