package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/workspace"
)

// editFlags are the flags of set, delete, append and rename.
type editFlags struct {
	project projectFlags
	editOutput
	layers  layerFlags
	edits   []flagWord // of -e and -S
	values  valueFlags
	list    string
	in      []string // FILEs
	report  *choice  // form of a report in place of the edit
	options edit.Options
}

// An editCommand describes one of set, delete, append and rename.
type editCommand struct {
	use, short, long, example string
	words                     []string // the arguments
	form                      string   // help of -e
	lists                     bool     // has --edits
	references                bool     // has --references
	paths                     bool     // takes more paths after the words
	op                        edit.Op
	values                    bool                                   // takes VALUE
	read                      func(args []string) (edit.Edit, error) // without VALUE
	parse                     func(text string) (edit.Edit, error)   // the value of -e, without VALUE
}

// editText is part of the help of each editCommand.
const editText = `
Prints the new text; -i writes it to FILE. Only the necessary lines change: comments,
spacing, quotes and directives stay. The value of an include or a pointer is overridden in
FILE, or with --to=source changed where it is defined, possibly in another file. If another
value would change too, nothing is written. --report prints where each change would be written,
and in which other ways.`

// valueText is part of the help of the commands with VALUE.
const valueText = `
VALUE that begins with [, {, a quote, a tag or an anchor is YAML; null, booleans and numbers are
what they look like; everything else is text, byte for byte, and a text with {{ is a template.
--string makes it text in any case.
`

func (a *app) setCommand() *cobra.Command {
	return a.newEditCommand(editCommand{
		use: "set FILE PATH VALUE", short: "set a value in a file",
		long: "Sets the value at a path, or adds it if the path is missing." + valueText + editText,
		example: `  yaytpl set -i site.yaml web.port 8080
  yaytpl set --diff --to=source site.yaml web.port 8080
  yaytpl set --diff site.yaml -e web.port=8080 -e 'web.hosts+=c'
  yaytpl set -i site.yaml tls.key --from key.pem
  yaytpl set -i site.yaml --edits changes.yaml
  yaytpl set -i --all 'services.*.tag' v2 --in site.yaml test.yaml`,
		words: []string{"FILE", "PATH", "VALUE"}, lists: true,
		form: "`PATH=VALUE` sets, PATH+=VALUE appends, := takes YAML, =@ a file (repeatable, all or nothing)",
		op:   edit.Set, values: true,
	})
}

func (a *app) deleteCommand() *cobra.Command {
	return a.newEditCommand(editCommand{
		use: "delete FILE PATH...", short: "delete keys or items in a file",
		long: `Deletes the keys or items at the paths, one after the other. If an included value would
appear instead, a whiteout hides it; with --to=source it is deleted too.` + editText,
		example: "  yaytpl delete -i site.yaml web.debug web.trace",
		words:   []string{"FILE", "PATH"}, paths: true,
		form: "also delete this `PATH` (repeatable, all or nothing)",
		read: func(args []string) (edit.Edit, error) { return deletion(args[1]) }, parse: deletion,
	})
}

func deletion(path string) (edit.Edit, error) {
	return edit.Edit{Op: edit.Delete, Path: path}, nil
}

func (a *app) appendCommand() *cobra.Command {
	return a.newEditCommand(editCommand{
		use: "append FILE PATH VALUE", short: "add an item to a list in a file",
		long:    "Adds an item to the end of the list at a path." + valueText + editText,
		example: "  yaytpl append -i site.yaml web.hosts c.example.org",
		words:   []string{"FILE", "PATH", "VALUE"},
		form:    "`PATH=VALUE` appends, := takes YAML, =@ a file (repeatable, all or nothing)",
		op:      edit.Append, values: true,
	})
}

func (a *app) renameCommand() *cobra.Command {
	return a.newEditCommand(editCommand{
		use: "rename FILE PATH KEY", short: "rename a key in a file",
		long: `Renames the key at a path. Its place, value and comments stay. Templates, expressions and
pointers that refer to the key are reported, or with --references renamed too.` + editText,
		example: `  yaytpl rename -i site.yaml web.hosts servers
  yaytpl rename -i --references site.yaml web.port http_port`,
		words: []string{"FILE", "PATH", "KEY"}, references: true,
		form: "`PATH=KEY` renames (repeatable, all or nothing)",
		read: func(args []string) (edit.Edit, error) {
			return edit.Edit{Op: edit.Rename, Path: args[1], Key: args[2]}, nil
		},
		parse: func(text string) (edit.Edit, error) {
			path, key, ok := edit.Cut(text)
			if !ok {
				return edit.Edit{}, usageErrorf("-e takes PATH=KEY, not %q", text)
			}
			return edit.Edit{Op: edit.Rename, Path: path, Key: key}, nil
		},
	})
}

func (a *app) newEditCommand(e editCommand) *cobra.Command {
	var f editFlags
	f.project.edits, f.project.injects = e.values, true
	complete := a.completePath(&f.project)
	c := &cobra.Command{
		Use: e.use, Short: e.short, Long: e.long, Example: e.example,
		Args: func(c *cobra.Command, args []string) error { return f.checkArguments(c, e, args) },
		ValidArgsFunction: func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(f.in) > 0 {
				return nil, cobra.ShellCompDirectiveDefault // the next FILE
			}
			if e.paths && len(args) > 1 {
				args = args[:1]
			}
			return complete(c, args, begun)
		},
		RunE: func(c *cobra.Command, args []string) error { return f.edit(c.Context(), a, e, args) },
	}
	own := newFlagGroup("Flags")
	f.layers.addTo(own)
	f.addTo(own)
	f.report = reportFlag(own)
	addWords(own.set, &f.edits, "edit", "e", e.form)
	if e.values {
		f.values.addTo(own, &f.edits)
	}
	own.set.BoolVar(&f.options.All, "all", false, "edit all places that PATH matches: * stands for every entry or item, [name=web] for every such item")
	own.set.BoolVar(&f.options.AllowChanges, "allow-changes", false, "allow changes of other values, with a warning for each")
	own.set.BoolVar(&f.options.Inline, "inline", false, "expand a directive where nothing else makes the change")
	own.set.BoolVar(&f.options.AllowClear, "allow-clear", false, "allow secrets in files that are not encrypted")
	own.set.Var((*textList)(&f.in), "in", "edit each of these files in the place of FILE: the words up to the next flag are `FILE...` (all or nothing)")
	if e.references {
		own.set.BoolVar(&f.options.References, "references", false, "rename the key in templates, expressions and pointers as well")
	}
	if e.lists {
		own.set.StringVar(&f.list, "edits", "", "apply the edits in this `FILE`: a list such as [{op: set, path: a.b, value: 1}], or a JSON Patch")
		own.set.BoolVar(&f.options.Literal, "literal", false, "write the value even if it replaces an expression")
	}
	return a.withFlags(c, f.project.groups(own)...)
}

// checkArguments checks the number of arguments. With edits in flags, FILE is enough, and with
// --in there is no FILE.
func (f *editFlags) checkArguments(c *cobra.Command, e editCommand, args []string) error {
	words, needed := e.words, 1
	switch reported := f.report.value != ""; {
	case reported && f.inPlace:
		return usageErrorf("-i and --report exclude each other: a report writes nothing")
	case reported && f.in != nil:
		return usageErrorf("--in and --report exclude each other: a report is about one FILE")
	}
	if f.in != nil {
		if err := f.checkFiles(); err != nil {
			return err
		}
		words, needed = e.words[1:], 0
	}
	if _, source := f.values.source(""); source {
		if len(f.edits) > 0 || f.list != "" || f.values.from != "" && f.values.fromYAML != "" {
			return wrongArguments(c, "--from and --from-yaml give the value of one PATH: write PATH=@FILE or PATH:=@FILE in each -e")
		}
		words = words[:len(words)-1]
	}
	if len(f.edits) == 0 && f.list == "" {
		if f.in != nil && !e.paths && len(args) > len(words) {
			return wrongArguments(c, "with --in, %s takes only %s, not %q", c.Name(), strings.Join(words, " and "), args[len(words)])
		}
		return e.takes(c, args, words)
	}
	if len(args) > needed && !e.paths {
		flag := "--edits"
		if len(f.edits) > 0 {
			flag = f.edits[0].flag
		}
		if f.in != nil {
			return wrongArguments(c, "with --in and %s, %s takes no arguments, not %q", flag, c.Name(), args[0])
		}
		return wrongArguments(c, "with %s, %s takes only FILE, not %q", flag, c.Name(), args[1])
	}
	return e.takes(c, args, words[:needed])
}

// checkFiles checks --in.
func (f *editFlags) checkFiles() error {
	for _, name := range f.in {
		switch {
		case name == "":
			return usageErrorf("--in needs at least one FILE after it")
		case name == "-":
			return usageErrorf("--in takes files, not standard input")
		}
	}
	if err := noTargets("--in", f.in...); err != nil {
		return err
	}
	if !f.inPlace && !f.diff {
		return usageErrorf("--in edits several files, but standard output shows only one").
			WithHint("-i writes the files, --diff shows the changes")
	}
	return nil
}

// takes requires one argument for each of the words; a command with paths takes more.
func (e editCommand) takes(c *cobra.Command, args, words []string) error {
	if e.paths && len(args) > len(words) {
		args = args[:len(words)]
	}
	return exactly(words...)(c, args)
}

// edit reads the edits, and writes or reports them.
func (f *editFlags) edit(ctx context.Context, a *app, e editCommand, args []string) error {
	if f.in != nil {
		args = append([]string{f.in[0]}, args...)
	}
	names := f.in
	if names == nil {
		names = args[:1]
	}
	if err := f.checkName(names[0]); err != nil {
		return err
	}
	if f.in != nil && !f.layers.isPlace() {
		return usageErrorf("--to=%s and --in exclude each other", f.layers.to)
	}
	layers, at, err := f.layers.find(a, &f.project.workspace, names[:1])
	if err != nil {
		return err
	}
	if f.in == nil {
		args = append([]string{layers.Files[at]}, args[1:]...)
		names = args[:1]
	}
	ctx = f.project.limited(ctx, a)
	o, err := f.project.readForEdit(ctx, a, layers.Files...)
	if err != nil {
		return err
	}
	o = around(o, layers, at)
	a.startProgress("editing")
	a.reading(a.sizeOf(names))
	edits, err := f.read(ctx, e, args, o)
	if err != nil {
		return err
	}
	eo := f.options
	eo.To = f.layers.target()
	if f.project.doc.set {
		eo.Doc = &f.project.doc.n
	}
	if f.report.value != "" {
		r, err := edit.PreviewEdits(ctx, names[0], edits, o, eo)
		if err != nil {
			return err
		}
		return a.writeReport(r, f.report.value, f.reveal)
	}
	var edited *edit.Result
	if f.in != nil {
		edited, err = edit.ApplyAll(ctx, f.in, edits, o, eo)
	} else {
		edited, err = edit.Apply(ctx, names[0], edits, o, eo)
	}
	if err != nil {
		return err
	}
	return f.write(a, edited)
}

// layerFlags are the flags that say which layers an edit has, and which of them it writes.
type layerFlags struct {
	to   string
	base []string // FILEs below
	over []string // FILEs above
}

func (f *layerFlags) addTo(g flagGroup) {
	g.set.StringVar(&f.to, "to", "override", "where to write: override: FILE, or the last file of a target; source: where the value is defined; or another `LAYER`")
	g.set.Var((*textList)(&f.base), "base", "`FILE` is a layer below, whose values are overridden (repeatable)")
	g.set.Var((*textList)(&f.over), "over", "`FILE` is a layer above; what it hides cannot be edited (repeatable)")
}

// isPlace reports whether --to names no layer.
func (f *layerFlags) isPlace() bool { return f.to == "override" || f.to == "source" }

// target returns the file in which values are edited that come from elsewhere.
func (f *layerFlags) target() edit.Target {
	if f.to == "source" {
		return edit.Source
	}
	return edit.Override
}

// find returns the layers of words, at most one of them a target, with --base below and --over above
// them, and the index of the layer to write: the last one of the words, or the one that --to names.
func (f *layerFlags) find(a *app, w *workspaceFlags, words []string) (all workspace.Stack, at int, err error) {
	around, err := w.each(a, slices.Concat(f.base, f.over))
	if err != nil {
		return all, 0, err
	}
	main, err := w.stack(a, words)
	if err != nil {
		return all, 0, err
	}
	all = main.Over(around[:len(f.base)]...)
	at = len(all.Files) - 1
	for _, s := range around[len(f.base):] {
		all = s.Over(all)
	}
	if f.isPlace() {
		return all, at, nil
	}
	at = slices.IndexFunc(all.Files, func(name string) bool { return filepath.Clean(a.inDir(name)) == filepath.Clean(a.inDir(f.to)) })
	if at < 0 {
		d := usageErrorf("bad value %q for --to: it takes override, source or the name of a layer", f.to)
		if len(all.Files) > 1 {
			d.WithHint("the layers are %s", strings.Join(all.Files, ", "))
		}
		return all, 0, d.DidYouMean(f.to, slices.Values(append([]string{"override", "source"}, all.Files...)))
	}
	return all, at, nil
}

// around returns the options of an edit of a layer of a stack.
func around(o yaytpl.Options, s workspace.Stack, at int) yaytpl.Options {
	o.Base, o.Over, o.Above = s.Files[:at], s.Files[at+1:], s.Above()
	return o
}

// read returns the edit of the arguments, then the edits of --edits, then the edits of -e and -S.
func (f *editFlags) read(ctx context.Context, e editCommand, args []string, o yaytpl.Options) ([]edit.Edit, error) {
	var words []flagWord // that have no VALUE
	var values []yaytpl.Assignment
	if e.values {
		var err error
		if values, err = assignments(f.edits); err != nil {
			return nil, err
		}
	} else {
		for _, path := range args[min(2, len(args)):] {
			if e.paths {
				words = append(words, flagWord{editFlag, path})
			}
		}
		words = append(words, f.edits...)
	}
	if err := readableOnce([]string{args[0], f.list, f.values.from, f.values.fromYAML}, filesOf(values)); err != nil {
		return nil, err
	}
	var edits []edit.Edit
	add := func(e edit.Edit, err error) error {
		e, err = withPath(e, err)
		edits = append(edits, e)
		return err
	}
	if len(args) > 1 {
		if err := add(f.ofArguments(ctx, e, args, o)); err != nil {
			return nil, err
		}
	}
	if f.list != "" {
		list, err := edit.ReadList(ctx, f.list, o)
		if err != nil {
			return nil, err
		}
		edits = append(edits, list...)
	}
	for _, w := range words {
		if err := add(e.parse(w.text)); err != nil {
			return nil, err
		}
	}
	for _, a := range values {
		a.Append = a.Append || e.op == edit.Append
		if err := add(f.values.edit(ctx, a, o)); err != nil {
			return nil, err
		}
	}
	return edits, nil
}

// ofArguments returns the edit of FILE PATH and so on.
func (f *editFlags) ofArguments(ctx context.Context, e editCommand, args []string, o yaytpl.Options) (edit.Edit, error) {
	if !e.values {
		return e.read(args)
	}
	a, ok := f.values.source(args[1])
	if !ok {
		a = yaytpl.Assignment{Path: args[1], Text: args[2]}
	}
	a.Append = e.op == edit.Append
	return f.values.edit(ctx, a, o)
}

// withPath refuses an edit of the command line without a path: an unset variable of the shell
// must not mean the whole document.
func withPath(e edit.Edit, err error) (edit.Edit, error) {
	if err == nil && e.Path == "" {
		err = usageErrorf("PATH is empty").WithHint(". is the whole document")
	}
	return e, err
}

// editOutput has the flags of the commands that change files.
type editOutput struct {
	inPlace bool
	diff    bool
	backup  bool
	reveal  bool
}

func (f *editOutput) addTo(g flagGroup) {
	g.set.BoolVarP(&f.inPlace, "in-place", "i", false, "write the files")
	g.set.BoolVar(&f.diff, "diff", false, "print the change as a unified diff")
	g.set.BoolVar(&f.backup, "backup", false, "with -i: keep the old file as FILE.bak, or FILE.bak.1 and so on; no backup is overwritten")
	g.set.BoolVar(&f.reveal, "reveal", false, "with --diff: show secrets")
}

// checkName refuses to write to standard input.
func (f *editOutput) checkName(name string) error {
	if f.inPlace && name == "-" {
		return usageErrorf("-i needs a file; the text of standard input goes to standard output")
	}
	return nil
}

// write prints or writes the files of an edit, as the flags say.
func (f *editOutput) write(a *app, e *edit.Result) error {
	if err := f.fits(e); err != nil {
		return err
	}
	a.warn(e)
	if f.inPlace {
		if err := f.save(e, e.Save); err != nil {
			return err
		}
	}
	switch {
	case f.diff:
		for _, file := range e.Files {
			diff := f.unified(file)
			if a.isTerminal(a.out) {
				diff = escapedLines(diff)
			}
			if _, err := a.stdout.WriteString(diff); err != nil {
				return err
			}
		}
	case !f.inPlace:
		_, err := a.stdout.WriteString(e.Files[0].Text)
		return err
	}
	return nil
}

// warn prints the other values that an edit changes, and its warnings.
func (a *app) warn(e *edit.Result) {
	for _, c := range e.Others {
		a.show(source.Warnf(source.Span{}, source.Suspicious, "%s changes as well", c.Path))
	}
	for _, d := range e.Warnings {
		a.show(d)
	}
}

// save writes the files with write, and with --backup first copies of the old ones.
func (f *editOutput) save(e *edit.Result, write func() error) error {
	if f.backup {
		if err := e.Backup(); err != nil {
			return err
		}
	}
	return write()
}

// fits returns an error if the edit changes files that standard output would not show.
func (f *editOutput) fits(e *edit.Result) error {
	if f.inPlace || f.diff {
		return nil
	}
	for _, file := range e.Files[1:] {
		if file.Changed() {
			return usageErrorf("the edit also changes %s, but standard output shows only %s", file.Name, e.Files[0].Name).
				WithHint("--diff shows all files, -i writes them")
		}
	}
	return nil
}

// escapedLines returns a text for a terminal, which must not act on what it shows. A diff that goes
// to a file keeps its bytes, for patch.
func escapedLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body := strings.TrimRight(line, "\r\n")
		lines[i] = source.Escaped(body) + line[len(body):]
	}
	return strings.Join(lines, "")
}
