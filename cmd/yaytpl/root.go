package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yaytpl/yaytpl/source"
)

// rootCommand builds the tree of commands.
func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "yaytpl",
		Short:         "configuration from parts: render, query and explain it",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	version := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(_ *cobra.Command, args []string) error {
		if *version {
			return a.writeVersion()
		}
		return unknownCommand(root, args)
	}
	root.SetIn(a.in)
	root.SetOut(a.stdout)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(a.showHelp)
	root.PersistentFlags().AddFlagSet(a.generalGroup.set)
	root.CompletionOptions.DisableDefaultCmd = true
	help := a.helpCommand(root)
	root.SetHelpCommand(help)
	a.commandList = append(a.commands(), help)
	root.AddCommand(a.commandList...)
	return root
}

// commands returns all commands, in the order of the help.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.renderCommand(), a.queryCommand(), a.getCommand(), a.explainCommand(), a.diffCommand(),
		a.checkCommand(), a.setCommand(), a.deleteCommand(), a.appendCommand(), a.renameCommand(), a.editorCommand(), a.restoreCommand(),
		a.templateCommand(), a.dotCommand(), a.fmtCommand(), a.decryptCommand(), a.encryptCommand(), a.completionCommand(), a.versionCommand(),
	}
}

// unknownCommand answers words that are no command.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageErrorf("a command is missing").WithHint("see yaytpl help")
	}
	if strings.Contains(args[0], ".") {
		return usageErrorf("unknown command %q", args[0]).WithHint("did you mean yaytpl render %s?", args[0])
	}
	return unknownWord(root, "unknown command", args[0])
}

// unknownWord says that a word is no command, nor one of others, and what it may
// have been meant to be.
func unknownWord(root *cobra.Command, message, word string, others ...string) error {
	names := others
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	d := usageErrorf("%s %q", message, word).WithHint("see yaytpl help")
	if near := source.Suggest(word, slices.Values(names)); near != "" {
		d.WithHint("did you mean %q? see yaytpl help", near)
	}
	return d
}

// flagError says what is wrong with a flag in our own words.
func flagError(c *cobra.Command, err error) error {
	if err == nil || errors.Is(err, pflag.ErrHelp) {
		return err
	}
	d := usageErrorf("%v", err)
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var empty *pflag.ValueRequiredError
	var malformed *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		unknownFlag(c, unknown, d)
	case errors.As(err, &invalid):
		d.Message = invalidFlag(invalid)
	case errors.As(err, &empty):
		d.Message = flagName(empty.GetFlag()) + " needs a value"
	case errors.As(err, &malformed):
		d.Message = malformed.GetSpecifiedFlag() + " is no flag"
	}
	if d.Hint == "" {
		d.WithHint("see %s --help", c.CommandPath())
	}
	return d
}

func unknownFlag(c *cobra.Command, err *pflag.NotExistError, d *source.Diagnostic) {
	if shorthands := err.GetSpecifiedShortnames(); shorthands != "" {
		d.Message = "unknown flag -" + err.GetSpecifiedName()
		if shorthands != err.GetSpecifiedName() {
			d.Message += " in -" + shorthands
		}
		d.WithHint("see %s --help; words behind -- are no flags", c.CommandPath())
		return
	}
	d.Message = "unknown flag --" + err.GetSpecifiedName()
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := source.Suggest(err.GetSpecifiedName(), slices.Values(names)); near != "" {
		d.WithHint("did you mean --%s? see %s --help", near, c.CommandPath())
	}
}

func invalidFlag(err *pflag.InvalidValueError) string {
	reason := "it takes true or false"
	if cause := err.Unwrap(); cause != nil && strings.HasPrefix(cause.Error(), "it takes ") {
		reason = cause.Error()
	}
	return "bad value \"" + err.GetValue() + "\" for " + flagName(err.GetFlag()) + ": " + reason
}

// flagName returns a flag as the help calls it.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}
