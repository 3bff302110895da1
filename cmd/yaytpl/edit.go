package main

import (
	"context"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// editFlags say what becomes of an edited file.
type editFlags struct {
	project projectFlags
	inPlace bool
	diff    bool
	backup  bool
	edits   []string
	options yaytpl.EditOptions
}

// An editCommand is one of the commands that edit a file.
type editCommand struct {
	use, short, long, example string
	words                     []string // the arguments
	several                   bool     // takes -e
	edit                      func(args []string) (yaytpl.Edit, error)
}

const editText = `
The text goes to standard output; -i writes the file. Only the lines that have to change do:
comments, spacing, quotes and directives stay. What an include or a pointer brings is
overridden in FILE. If anything else would change with it, nothing is written.`

func (a *app) setCommand() *cobra.Command {
	return a.editing(editCommand{
		use: "set FILE PATH VALUE", short: "set a value in a file",
		long: "Sets the value at a path, which need not be there. VALUE is read as YAML." + editText,
		example: `  yaytpl set -i site.yaml web.port 8080
  yaytpl set --diff site.yaml -e web.port=8080 -e 'web.hosts+=c'`,
		words: []string{"FILE", "PATH", "VALUE"}, several: true,
		edit: func(args []string) (yaytpl.Edit, error) {
			v, err := yaytpl.ParseValue(args[2])
			return yaytpl.Edit{Op: yaytpl.SetValue, Path: args[1], Value: v}, err
		},
	})
}

func (a *app) deleteCommand() *cobra.Command {
	return a.editing(editCommand{
		use: "delete FILE PATH", short: "delete a key or an item in a file",
		long:    "Deletes what stands at a path. If something that was included would show through, a whiteout hides it." + editText,
		example: "  yaytpl delete -i site.yaml web.debug",
		words:   []string{"FILE", "PATH"},
		edit: func(args []string) (yaytpl.Edit, error) {
			return yaytpl.Edit{Op: yaytpl.DeletePath, Path: args[1]}, nil
		},
	})
}

func (a *app) appendCommand() *cobra.Command {
	return a.editing(editCommand{
		use: "append FILE PATH VALUE", short: "add an item to a list in a file",
		long:    "Adds an item behind the last one of the list at a path. VALUE is read as YAML." + editText,
		example: "  yaytpl append -i site.yaml web.hosts c.example.org",
		words:   []string{"FILE", "PATH", "VALUE"},
		edit: func(args []string) (yaytpl.Edit, error) {
			v, err := yaytpl.ParseValue(args[2])
			return yaytpl.Edit{Op: yaytpl.AppendValue, Path: args[1], Value: v}, err
		},
	})
}

func (a *app) renameCommand() *cobra.Command {
	return a.editing(editCommand{
		use: "rename FILE PATH KEY", short: "rename a key in a file",
		long:    "Gives the key at a path another name. Its place, value and comments stay." + editText,
		example: "  yaytpl rename -i site.yaml web.hosts servers",
		words:   []string{"FILE", "PATH", "KEY"},
		edit: func(args []string) (yaytpl.Edit, error) {
			return yaytpl.Edit{Op: yaytpl.RenameKey, Path: args[1], Key: args[2]}, nil
		},
	})
}

func (a *app) editing(e editCommand) *cobra.Command {
	var f editFlags
	c := &cobra.Command{
		Use: e.use, Short: e.short, Long: e.long, Example: e.example,
		Args: func(c *cobra.Command, args []string) error {
			if len(f.edits) > 0 {
				return exactly("FILE")(c, args)
			}
			return exactly(e.words...)(c, args)
		},
		ValidArgsFunction: a.completePath(&f.project),
		RunE: func(c *cobra.Command, args []string) error {
			edits, err := f.read(e, args)
			if err != nil {
				return err
			}
			a.startProgress("editing")
			edited, err := f.edit(c.Context(), a, args[0], edits)
			if err != nil {
				return err
			}
			return f.write(a, edited)
		},
	}
	own := newFlagGroup("Flags")
	own.set.BoolVarP(&f.inPlace, "in-place", "i", false, "write the file")
	own.set.BoolVar(&f.diff, "diff", false, "print what changes as a unified diff")
	own.set.BoolVar(&f.backup, "backup", false, "with -i: keep the old text as FILE.bak")
	own.set.BoolVar(&f.options.AllowChanges, "allow-changes", false, "let other values change as well, and tell which")
	if e.several {
		own.set.StringArrayVarP(&f.edits, "edit", "e", nil, "`PATH=VALUE` sets, PATH+=VALUE appends (repeatable, all or nothing)")
		own.set.BoolVar(&f.options.Literal, "literal", false, "write a value also where it is the result of an expression")
	}
	a.addFlags(c, append([]flagGroup{own}, f.project.groups()...)...)
	return c
}

// read returns the edits that the arguments and -e ask for.
func (f *editFlags) read(e editCommand, args []string) ([]yaytpl.Edit, error) {
	if len(f.edits) == 0 {
		edit, err := e.edit(args)
		return []yaytpl.Edit{edit}, err
	}
	var edits []yaytpl.Edit
	for _, text := range f.edits {
		edit, err := yaytpl.ParseEdit(text)
		if err != nil {
			return nil, err
		}
		edits = append(edits, edit)
	}
	return edits, nil
}

func (f *editFlags) edit(ctx context.Context, a *app, name string, edits []yaytpl.Edit) (*yaytpl.Edited, error) {
	if f.inPlace && name == "-" {
		return nil, usageErrorf("-i needs a file; the text of standard input goes to standard output")
	}
	o, err := f.project.read(a)
	if err != nil {
		return nil, err
	}
	if len(o.Values)+len(o.Defines) > 0 {
		return nil, usageErrorf("layers above the file (--values, -D) cannot be edited")
	}
	return yaytpl.EditFile(f.project.limited(ctx, a), name, edits, o, f.options)
}

func (f *editFlags) write(a *app, e *yaytpl.Edited) error {
	file := e.Files[0]
	for _, c := range e.Others {
		a.show(source.Warnf(source.Span{}, source.Suspicious, "%s changes as well", c.Path))
	}
	if f.inPlace && f.backup && e.Changed() {
		if err := e.Backup(); err != nil {
			return err
		}
	}
	if f.inPlace {
		if err := e.Save(); err != nil {
			return err
		}
	}
	out := file.Text
	switch {
	case f.diff:
		out = udiff.Unified(file.Name, file.Name, file.Old, file.Text)
	case f.inPlace:
		return nil
	}
	_, err := a.stdout.WriteString(out)
	return err
}
