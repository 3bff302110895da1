package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/workspace"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "completion SHELL",
		Short: "print the completion script of a shell",
		Long: `Prints the completion script for bash, zsh, fish or powershell. It also completes PATH with
the keys of the document.`,
		Example: `  source <(yaytpl completion bash)
  yaytpl completion fish > ~/.config/fish/completions/yaytpl.fish`,
		Args:      exactly("SHELL"),
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(a.stdout, true); err != nil {
					return err
				}
				_, err := a.stdout.WriteString(bashTargets)
				return err
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return usageErrorf("unknown shell %q", args[0]).WithHint("SHELL is %s", listed(shells))
		},
	}
	return a.withFlags(c)
}

// bashTargets ends the script for bash: "@" is a part of words such as @prod. Otherwise bash replaces what
// follows it by the whole word, and the result is @@prod.
const bashTargets = `
COMP_WORDBREAKS=${COMP_WORDBREAKS//@/}
`

// addCompletions registers the completions of the values of flags. Only a completion request
// needs them.
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
	case f.Name == "checks":
		_ = c.RegisterFlagCompletionFunc(f.Name, completeChecks)
	case f.Name == "to":
		words = []string{"override", "source"}
	case f.Name == "lang":
		words = yaytpl.Languages()
	case f.Name == "include-dir", f.Name == "root", f.Name == "allow-write", f.Name == "cache":
		_ = c.MarkFlagDirname(f.Name)
	}
	if words != nil {
		// It fails for an unknown flag or a second registration only.
		_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	f.Usage = strings.ReplaceAll(f.Usage, "`", "") // shells show it with the flag
}

// completeChecks completes KIND, then LEVEL, of the last of several settings.
func completeChecks(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	before, last := "", begun
	if i := strings.LastIndexByte(begun, ','); i >= 0 {
		before, last = begun[:i+1], begun[i+1:]
	}
	kind, _, named := strings.Cut(last, "=")
	var words []string
	if named {
		for _, level := range source.Levels() {
			words = append(words, before+kind+"="+string(level))
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	for _, code := range source.Warnings() {
		words = append(words, before+string(code)+"=")
	}
	return words, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completionTime is the time-out of a completion.
const completionTime = 2 * time.Second

// completePath completes FILE with names of files, and PATH with keys of the document. After
// an error there are no completions.
func (a *app) completePath(project *projectFlags) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return a.completeTargets(project)(c, args, begun)
		case 1:
			ctx, stop := context.WithTimeout(c.Context(), completionTime)
			defer stop()
			return project.paths(ctx, a, args, begun), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeLayers is completePath for several FILEs before PATH. A word that begins no key of their layers may
// be another FILE or a target.
func (a *app) completeLayers(project *projectFlags) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !workspace.IsTarget(begun) {
			ctx, stop := context.WithTimeout(c.Context(), completionTime)
			defer stop()
			if paths := project.paths(ctx, a, args, begun); len(paths) > 0 {
				return paths, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
			}
		}
		return a.completeTargets(project)(c, args, begun)
	}
}

// paths returns the paths in the layers of files or a target that begin with begun, dotted or with "::", and
// have no further keys.
func (f *projectFlags) paths(ctx context.Context, a *app, words []string, begun string) []string {
	if strings.HasPrefix(begun, "/") {
		return nil
	}
	stack, err := f.workspace.stack(a, words)
	if err != nil {
		return nil
	}
	o, err := f.read(a, stack.Files...)
	if err != nil {
		return nil
	}
	o.Warn, o.Above = nil, stack.Above()
	if o.Bindings, err = f.openBindings(ctx, o, stack.Files...); err != nil {
		return nil
	}
	p, err := yaytpl.Open(ctx, stack.Files, o)
	if err != nil {
		return nil
	}
	var paths []string
	dot, colons := strings.LastIndexByte(begun, '.'), strings.LastIndex(begun, "::")
	if colons != 0 {
		parent := "."
		if dot >= 0 {
			parent = begun[:dot]
		}
		paths = f.pathsBelow(p, parent, begun[:dot+1], begun)
	}
	if colons >= 0 {
		paths = append(paths, f.pathsBelow(p, begun[:colons], begun[:colons]+"::", begun)...)
	}
	return paths
}

// pathsBelow returns the paths that consist of before and a key of the value at parent, and begin with
// begun.
func (f *projectFlags) pathsBelow(p *yaytpl.Project, parent, before, begun string) []string {
	d, err := f.document(p, parent)
	if err != nil {
		return nil
	}
	v, err := d.Get(parent)
	if err != nil || !v.Is(value.MapKind) || v.Marks() != 0 { // a secret made its keys, or chose them
		return nil
	}
	var paths []string
	for k := range v.Map().Keys() {
		path := before + (value.Path{k}).String()
		if before != "" && strings.Contains(k.Text, "::") {
			path = before + strconv.Quote(k.Text)
		}
		if strings.HasPrefix(path, begun) && source.Escaped(path) == path { // shells print them as they are
			paths = append(paths, path)
		}
	}
	return paths
}
