package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/value"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "completion SHELL",
		Short: "print a script that completes commands in a shell",
		Long: `Prints the completion script for bash, zsh, fish or powershell. PATHs are completed with
the keys of the document.`,
		Example: `  source <(yaytpl completion bash)
  yaytpl completion fish > ~/.config/fish/completions/yaytpl.fish`,
		Args:      exactly("SHELL"),
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return usageErrorf("no completion for %q", args[0]).WithHint("there is %s", listed(shells))
		},
	}
	a.addFlags(c)
	return c
}

// addCompletions teaches the commands the words that their flags take. Only a
// completion request needs it.
func (a *app) addCompletions(root *cobra.Command) {
	for _, c := range append(root.Commands(), root) {
		for _, g := range a.flagGroups[c.Name()] {
			g.set.VisitAll(func(f *pflag.Flag) { completeFlag(c, f) })
		}
	}
}

func completeFlag(c *cobra.Command, f *pflag.Flag) {
	var words []string
	switch of, ok := f.Value.(*choice); {
	case ok:
		words = of.words
	case f.Name == "lang":
		words = yaytpl.Languages()
	case f.Name == "include-dir", f.Name == "root", f.Name == "allow-write":
		_ = c.MarkFlagDirname(f.Name)
	}
	if words != nil {
		// It fails only if the flag is unknown or has its words already.
		_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	f.Usage = strings.ReplaceAll(f.Usage, "`", "") // shells show it beside the flag
}

// completionTime is how long somebody waits for a completion.
const completionTime = 2 * time.Second

// completePath completes FILE with file names, and PATH with the keys of the
// document. Whatever goes wrong completes nothing.
func (a *app) completePath(project *projectFlags) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return nil, cobra.ShellCompDirectiveDefault
		case 1:
			ctx, stop := context.WithTimeout(c.Context(), completionTime)
			defer stop()
			return project.paths(ctx, a, args[0], begun), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// paths returns the dotted paths in a file that go on where begun stops.
func (f *projectFlags) paths(ctx context.Context, a *app, file, begun string) []string {
	if strings.Contains(begun, "::") || strings.HasPrefix(begun, "/") {
		return nil
	}
	o, err := f.read(a)
	if err != nil {
		return nil
	}
	o.Warn = nil
	p, err := yaytpl.Open(ctx, []string{file}, o)
	if err != nil {
		return nil
	}
	parent, before := ".", ""
	if i := strings.LastIndexByte(begun, '.'); i >= 0 {
		parent, before = begun[:i], begun[:i+1]
	}
	d, err := f.document(p, parent)
	if err != nil {
		return nil
	}
	v, err := d.Get(parent)
	if err != nil || !v.Is(value.MapKind) {
		return nil
	}
	var paths []string
	for k := range v.Map().Keys() {
		if path := before + (value.Path{k}).String(); strings.HasPrefix(path, begun) {
			paths = append(paths, path)
		}
	}
	return paths
}
