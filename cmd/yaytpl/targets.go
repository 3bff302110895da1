package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
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

// search looks for the project file, once. With an error it says which files it read.
func (f *workspaceFlags) search(a *app) (*workspace.Search, error) {
	if f.found != nil {
		return f.found, nil
	}
	var s *workspace.Search
	var err error
	switch {
	case f.none && f.file != "":
		return nil, usageErrorf("--project and --no-project exclude each other")
	case f.none:
		s = &workspace.Search{}
	case f.file != "":
		s = &workspace.Search{Read: []string{a.absolute(f.file)}}
		s.Workspace, err = workspace.Open(f.file, a.dir)
	default:
		s, err = workspace.Find(a.dir)
	}
	if err == nil {
		f.found = s
	}
	return s, err
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

// stack returns the files of words of which at most one names a target: the layers of the target override
// FILEs before it, FILEs after it override the target.
func (f *workspaceFlags) stack(a *app, words []string) (workspace.Stack, error) {
	i := slices.IndexFunc(words, workspace.IsTarget)
	if i < 0 {
		return workspace.Stack{Files: words}, nil
	}
	for _, word := range words[i+1:] {
		if workspace.IsTarget(word) {
			return workspace.Stack{}, usageErrorf("%s and %s are two targets, and here there can be one", words[i], word)
		}
	}
	if workspace.IsPattern(words[i]) {
		return workspace.Stack{}, usageErrorf("%s may be several targets, and here there can be one", words[i]).
			WithHint("render, check, query, deps and targets take several")
	}
	list, err := f.selected(a, words[i])
	if err != nil {
		return workspace.Stack{}, err
	}
	return list[0].Stack(words[:i], words[i+1:]), nil
}

// noTargets refuses names of targets where a flag or command takes names of files.
func noTargets(what string, names ...string) error {
	if i := slices.IndexFunc(names, workspace.IsTarget); i >= 0 {
		return usageErrorf("%s takes files, and %s names a target", what, names[i]).WithHint("the file of that name is ./%s", names[i])
	}
	return nil
}

// each returns the layers of each of several words.
func (f *workspaceFlags) each(a *app, words []string) ([]workspace.Stack, error) {
	stacks := make([]workspace.Stack, len(words))
	for i, word := range words {
		var err error
		if stacks[i], err = f.stack(a, []string{word}); err != nil {
			return nil, err
		}
	}
	return stacks, nil
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

// stacks returns the layers of each target that words name. FILEs before the targets are below the layers
// of each, FILEs after them above. Without words it returns all targets, without targets one stack of FILEs.
func (f *workspaceFlags) stacks(a *app, c *cobra.Command, words []string) ([]workspace.Stack, error) {
	first := slices.IndexFunc(words, workspace.IsTarget)
	switch {
	case len(words) == 0:
		return f.all(a, c)
	case first < 0:
		return []workspace.Stack{{Files: words}}, nil
	}
	last := len(words)
	for !workspace.IsTarget(words[last-1]) {
		last--
	}
	for _, word := range words[first:last] {
		if !workspace.IsTarget(word) {
			return nil, usageErrorf("%s is between targets", word).
				WithHint("FILEs before all targets lie below them, FILEs after all targets above them")
		}
	}
	targets, err := f.selected(a, words[first:last]...)
	return stacksOf(targets, words[:first], words[last:]), err
}

// all returns the stacks of all targets.
func (f *workspaceFlags) all(a *app, c *cobra.Command) ([]workspace.Stack, error) {
	s, err := f.search(a)
	if err != nil {
		return nil, err
	}
	missing := some("FILE")(c, nil)
	if s.Workspace == nil {
		return nil, missing
	}
	targets, err := s.Workspace.Targets()
	if err == nil && len(targets) == 0 {
		return nil, usageErrorf("%s needs at least one FILE: %s has no targets", c.Name(), s.Workspace.File.Name)
	}
	return stacksOf(targets, nil, nil), err
}

func stacksOf(targets []workspace.Target, below, over []string) []workspace.Stack {
	stacks := make([]workspace.Stack, len(targets))
	for i := range targets {
		stacks[i] = targets[i].Stack(below, over)
	}
	return stacks
}

// prepare checks the flags and returns the options of several stacks, which words of the command line
// name. The time-out cancels the context. warn gets the warnings that are about no stack, one at a time.
//
// An error with a context is one of the bindings.
func (f *projectFlags) prepare(ctx context.Context, a *app, words []string, stacks []workspace.Stack, warn func(*source.Diagnostic)) (context.Context, yaytpl.Options, error) {
	var files []string
	for _, s := range stacks {
		files = append(files, s.Files...)
	}
	o, err := f.read(a, files...)
	if err != nil {
		return nil, o, err
	}
	if err := readableOnce(words, f.layerFiles(), o.Templates); err != nil {
		return nil, o, err
	}
	var mu sync.Mutex
	o.Warn = func(d *source.Diagnostic) {
		mu.Lock()
		defer mu.Unlock()
		warn(d)
	}
	ctx = f.limited(ctx, a)
	o.Bindings, err = f.openBindings(ctx, o, files...)
	return ctx, o, err
}

// A gathering collects what many stacks report: each finding once, with the first target that has it.
type gathering struct {
	findings
	app         *app
	total, done int
	errs        []*source.Diagnostic // of takeResult
}

// gather returns a gathering of the results of so many stacks.
func (a *app) gather(stacks []workspace.Stack) *gathering {
	return &gathering{app: a, total: len(stacks)}
}

// take adds the findings of one stack, and returns those that are new.
func (g *gathering) take(s workspace.Stack, found []*source.Diagnostic) []*source.Diagnostic {
	fresh := g.add(found...)
	if s.Target == nil || g.total < 2 {
		return fresh
	}
	for _, d := range fresh {
		d.Notes = slices.Clip(d.Notes)
		d.Note(s.Target.At, "in the target %s", s.Target.Name)
	}
	return fresh
}

// takeResult shows the warnings of one stack that are new, and keeps its errors that are.
func (g *gathering) takeResult(s workspace.Stack, warnings []*source.Diagnostic, err error) {
	for _, d := range g.take(s, warnings) {
		g.app.showWarning(d)
	}
	g.errs = append(g.errs, g.take(s, source.Findings(err))...)
	g.step()
}

// err returns the errors that takeResult got, nil for none.
func (g *gathering) err() error {
	if len(g.errs) == 0 {
		return nil
	}
	return source.OneOrMany(source.CutOff(g.errs[:min(len(g.errs), source.MaxErrors)]))
}

// step shows that one stack more is done.
func (g *gathering) step() {
	if g.done++; g.total > 1 {
		g.app.progress.count(g.done, g.total)
	}
}

// render writes the documents of all stacks, or none of them if one fails and o.Partial is not set.
func (f *projectFlags) render(ctx context.Context, a *app, words []string, stacks []workspace.Stack, o yaytpl.RenderOptions) error {
	ctx, options, err := f.prepare(ctx, a, words, stacks, a.showWarning)
	if err != nil {
		return err
	}
	o.Place = yaytpl.Later
	render := func(s workspace.Stack, p *yaytpl.Project) ([]byte, error) {
		var b bytes.Buffer
		err := p.Render(&b, ofTarget(o, s))
		return b.Bytes(), err
	}
	g := a.gather(stacks)
	most := options.Limits.WithDefaults().Output
	var results [][]byte
	size := 0
	for r := range workspace.All(ctx, stacks, options, render) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		g.takeResult(r.Stack, r.Warnings, r.Err)
		switch {
		case size+len(r.Value) > most:
			return source.Errorf(source.Span{}, source.Limit, "the output is longer than the limit of %d bytes (--max-bytes)", most)
		case len(g.errs) > 0 && !o.Partial:
		default:
			if len(results) == 0 {
				r.Value = bytes.TrimPrefix(r.Value, []byte("---\n"))
			}
			results, size = append(results, r.Value), size+len(r.Value)
		}
	}
	if err = g.err(); err != nil && !o.Partial {
		return err
	}
	for _, text := range results {
		if _, failed := a.stdout.Write(text); failed != nil {
			return errors.Join(err, failed)
		}
	}
	return err
}

// ofTarget returns the options for the documents of a stack. The documents of a target may be the items of a value.
func ofTarget(o yaytpl.RenderOptions, s workspace.Stack) yaytpl.RenderOptions {
	if s.Target != nil && o.Each == "" {
		o.Each = s.Target.Each
	}
	return o
}

// initCommand writes a first project file. It never replaces one.
func (a *app) initCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "init",
		Short: "write a first project file",
		Long: `Writes yaytpl.yaml in the working directory, with targets and settings for what is there: a target for
each file of envs or for each values-NAME.yaml over a base such as site.yaml, a target for each file of nodes,
lib to include from, and charts whose templates stay as they are. It never replaces a file.`,
		Example: `  yaytpl init && yaytpl targets`,
		Args:    exactly(),
		RunE: func(*cobra.Command, []string) error {
			text := workspace.Propose(os.DirFS(a.inDir(".")))
			f, err := os.OpenFile(a.inDir(workspace.FileName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
			if errors.Is(err, fs.ErrExist) {
				return source.Errorf(source.Span{}, source.Output, "%s is there already, and init does not replace it", workspace.FileName)
			}
			if err == nil {
				_, err = f.WriteString(text)
				err = errors.Join(err, f.Close())
			}
			if err != nil {
				return source.Errorf(source.Span{}, source.Access, "cannot write %s: %v", workspace.FileName, withoutPath(err))
			}
			w, err := workspace.Open(workspace.FileName, a.dir)
			if err != nil {
				return err
			}
			targets, err := w.Targets()
			if err != nil {
				return err
			}
			a.remark("wrote %s; its targets: %d", workspace.FileName, len(targets))
			return nil
		},
	}
	return a.withFlags(c)
}

func (a *app) targetsCommand() *cobra.Command {
	var f workspaceFlags
	var result resultFlags
	c := &cobra.Command{
		Use:   "targets [@TARGET...]",
		Short: "list the targets of the project",
		Long: `Prints the targets of the project file, in its order: the name of each, its files and, if it has
one, the file or directory that render --write writes. The paths are relative to the project file.
@TARGET selects targets; * in it is any text. -o text prints the names alone, a line each.`,
		Example: `  yaytpl targets
  yaytpl targets -o text '@nodes/*'`,
		RunE: func(c *cobra.Command, words []string) error {
			o := result.options("yaml")
			if i := slices.IndexFunc(words, func(w string) bool { return !workspace.IsTarget(w) }); i >= 0 {
				return usageErrorf("targets takes names of targets, not %q", words[i]).WithHint("a name begins with @, as in @%s", words[i])
			}
			s, err := f.search(a)
			if err != nil {
				return err
			}
			var list []workspace.Target
			if all := len(words) == 0; !all || s.Workspace == nil || !s.Workspace.Empty() {
				if all {
					words = []string{"@*"}
				}
				if list, err = f.selected(a, words...); err != nil {
					return err
				}
			}
			if o.Form == "text" {
				for _, t := range list {
					if _, err := a.stdout.WriteString(source.Escaped(t.Name) + "\n"); err != nil {
						return err
					}
				}
				return nil
			}
			return yaytpl.WriteValue(a.stdout, listOfTargets(list), yaytpl.Options{}, o)
		},
	}
	own := newFlagGroup("Input")
	f.addTo(own)
	c.ValidArgsFunction = a.completeTargets(&projectFlags{})
	return a.withFlags(c, own, result.group("yaml"))
}

// listOfTargets returns targets as data: a list of maps with the keys name, files and out.
func listOfTargets(list []workspace.Target) value.Value {
	var items value.Slice
	for _, t := range list {
		var files value.Slice
		for _, f := range t.Files {
			files = append(files, value.String(f))
		}
		m := value.NewMap(3)
		m.Set(value.K("name"), value.String(t.Name))
		m.Set(value.K("files"), value.FromList(files))
		if t.Out != "" {
			m.Set(value.K("out"), value.String(t.Out))
		}
		items = append(items, value.FromMap(m))
	}
	return value.FromList(items)
}
