package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
)

// restoreFlags say how an edited document is put back into the file that it came from.
type restoreFlags struct {
	project projectFlags
	output  editOutput
	to      choice
	options edit.RestoreOptions
}

// addTo adds the flags that restore and edit share.
func (f *restoreFlags) addTo(g flagGroup) {
	f.to = oneOf("override", "override", "source")
	g.set.Var(&f.to, "to", "write into the file, or where the value is defined")
	g.set.BoolVar(&f.options.Evaluated, "evaluated", false, "the document is edited as render prints it, not as render --expand-only does")
	g.set.BoolVar(&f.options.NoInline, "no-inline", false, "refuse to write out what a directive brings where nothing else will do")
	g.set.BoolVar(&f.options.AllowChanges, "allow-changes", false, "let other values change as well, and tell which")
	g.set.BoolVar(&f.options.Literal, "literal", false, "write a value also where it is the result of an expression")
}

// read returns the options that the flags come to. The edited document has no layers
// above it, and all documents of the file.
func (f *restoreFlags) read(a *app) (yaytpl.Options, error) {
	if f.to.is("source") {
		f.options.To = edit.Source
	}
	o, err := f.project.read(a)
	switch {
	case err != nil:
		return o, err
	case len(o.Values)+len(o.Defines) > 0:
		return o, usageErrorf("layers above the file (--values, -D) cannot be edited")
	case f.project.doc.set:
		return o, usageErrorf("all documents of a file are edited together: --doc has no meaning here")
	}
	return o, nil
}

func (a *app) restoreCommand() *cobra.Command {
	var f restoreFlags
	var report choice
	c := &cobra.Command{
		Use:   "restore ORIGINAL EDITED",
		Short: "put an edited document back into its file",
		Long: `Prints ORIGINAL with the changes of EDITED in it: EDITED is what render --expand-only ORIGINAL
printed, edited since; - is standard input. -i writes ORIGINAL. What did not change keeps its
bytes: directives, comments, spacing. A value that an include or a pointer brings is
overridden in ORIGINAL. The result is expanded again and compared with EDITED; if it is not the
same, nothing is written. --report says of each change where it would be written.`,
		Example: `  yaytpl render --expand-only site.yaml > edited.yaml
  yaytpl restore --diff site.yaml edited.yaml`,
		Args: exactly("ORIGINAL", "EDITED"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.restore(c.Context(), a, args[0], args[1], report.value)
		},
	}
	own := newFlagGroup("Flags")
	f.addTo(own)
	f.output.addTo(own)
	own.set.Lookup("reveal").Usage = "with --diff and --report: show what is hidden"
	report = oneOf("", "text", "json")
	own.set.Var(&report, "report", "only print where each change would be written (text if it says no form)")
	own.set.Lookup("report").NoOptDefVal = "text"
	a.addFlags(c, append([]flagGroup{own}, f.project.groups()...)...)
	return c
}

func (f *restoreFlags) restore(ctx context.Context, a *app, name, editedName, report string) error {
	switch {
	case name == "-" && editedName == "-":
		return usageErrorf("only one of ORIGINAL and EDITED can be standard input")
	case f.output.inPlace && name == "-":
		return usageErrorf("-i needs a file; the text of standard input goes to standard output")
	case f.output.inPlace && report != "":
		return usageErrorf("-i and --report exclude each other: a report writes nothing")
	}
	o, err := f.read(a)
	if err != nil {
		return err
	}
	a.startProgress("restoring")
	if a.reading != nil {
		defer a.reading(timesRead * a.sizeOf([]string{name, editedName}))()
	}
	ctx = f.project.limited(ctx, a)
	edited, err := edit.ReadDocument(ctx, editedName, o)
	if err != nil {
		return err
	}
	if report != "" {
		return f.writeReport(ctx, a, report, name, edited, o)
	}
	e, err := edit.Restore(ctx, name, edited, o, f.options)
	if err != nil {
		return err
	}
	return f.output.write(a, e)
}

// writeReport prints where each change would be written. The status is that of a
// conflict if there is one.
func (f *restoreFlags) writeReport(ctx context.Context, a *app, form, name string, edited *source.File, o yaytpl.Options) error {
	r, err := edit.Preview(ctx, name, edited, o, f.options)
	if err != nil {
		return err
	}
	if form == "text" {
		err = r.WriteText(a.stdout, f.output.reveal)
	} else {
		text, failed := r.JSON(f.output.reveal)
		err = a.writeJSON(text, failed, false)
	}
	if err == nil && len(r.Conflicts()) > 0 {
		err = errReported{exitInput}
	}
	return err
}

// timesRead is how many trees of its files restoring has at a time: those before and after
// the edit, and what was edited. With a goal for one alone, collecting takes most of the
// time: 6 s for 5 MB, not 2.
const timesRead = 3
