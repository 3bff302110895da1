package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/workspace"
)

// The project file and its targets (spec: everyday, B1). A word that begins with "@" names targets
// wherever a command takes FILE.

// workspaceFlags are the flags that choose the project file.
type workspaceFlags struct {
	file string
	none bool

	found *workspace.Search // by the first question
}

func (f *workspaceFlags) addTo(g flagGroup) {
	g.set.StringVar(&f.file, "project", "", "use this project `FILE` (default: yaytpl.yaml in a directory above, if its first key is yaytpl: 1)")
	g.set.BoolVar(&f.none, "no-project", false, "use no project file")
}

// search looks for the project file, once.
func (f *workspaceFlags) search(a *app) (*workspace.Search, error) {
	if f.found != nil {
		return f.found, nil
	}
	var err error
	switch {
	case f.none && f.file != "":
		return nil, usageErrorf("--project and --no-project exclude each other")
	case f.none:
		f.found = &workspace.Search{}
	case f.file != "":
		var w *workspace.Workspace
		if w, err = workspace.Open(f.file, a.dir); err == nil {
			f.found = &workspace.Search{Workspace: w, Read: []string{w.File.Path}}
		}
	default:
		f.found, err = workspace.Find(a.dir)
	}
	return f.found, err
}

// around returns the project that holds for files: one of them, or none at all, is below its directory.
// It is nil without a project.
func (f *workspaceFlags) around(a *app, files []string) (*workspace.Workspace, error) {
	s, err := f.search(a)
	if err != nil || s.Workspace == nil {
		return nil, err
	}
	if len(files) > 0 && !slices.ContainsFunc(files, s.Workspace.Holds) {
		return nil, nil
	}
	return s.Workspace, nil
}

// A stack is what the words of a command line for FILEs and targets stand for.
type stack struct {
	files []string
	above map[int][]yaytpl.Assignment // of yaytpl.Options
}

// stack returns the files of words of which at most one names a target: FILEs before it lie below the
// layers of the target, FILEs after it above them.
func (f *workspaceFlags) stack(a *app, words []string) (stack, error) {
	i := slices.IndexFunc(words, workspace.IsTarget)
	if i < 0 {
		return stack{files: words}, nil
	}
	for _, word := range words[i+1:] {
		if workspace.IsTarget(word) {
			return stack{}, usageErrorf("%s and %s are two targets, and here there can be one", words[i], word)
		}
	}
	if workspace.IsPattern(words[i]) {
		return stack{}, usageErrorf("%s may be several targets, and here there can be one", words[i]).
			WithHint("render, check, query and targets take several")
	}
	list, err := f.selected(a, words[i])
	if err != nil {
		return stack{}, err
	}
	var s stack
	s.files, s.above = list[0].Stack(words[:i], words[i+1:])
	return s, nil
}

// selected returns the targets that words name.
func (f *workspaceFlags) selected(a *app, words ...string) ([]workspace.Target, error) {
	s, err := f.search(a)
	if err != nil {
		return nil, err
	}
	if f.none {
		return nil, source.Errorf(source.Span{}, source.NotFound, "unknown target %s: --no-project ignores the project file", words[0])
	}
	return s.Select(words...)
}

// completeTargets completes a word that begins with "@", and other words with names of files.
func (a *app) completeTargets(f *projectFlags) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		if !workspace.IsTarget(begun) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		ctx, stop := context.WithTimeout(c.Context(), completionTime)
		defer stop()
		return f.targetNames(ctx, a, begun), cobra.ShellCompDirectiveNoFileComp
	}
}

// targetNames returns the names of targets that begin with begun, "@" included. After an error there are
// none.
func (f *projectFlags) targetNames(ctx context.Context, a *app, begun string) []string {
	s, err := f.workspace.search(a)
	if err != nil || s.Workspace == nil || ctx.Err() != nil {
		return nil
	}
	all, err := s.Workspace.Targets()
	if err != nil {
		return nil
	}
	var names []string
	for _, t := range all {
		if name := "@" + t.Name; strings.HasPrefix(name, begun) && source.Escaped(name) == name {
			names = append(names, name)
		}
	}
	return names
}
