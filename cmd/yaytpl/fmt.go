package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// formatFlags are the flags of fmt.
type formatFlags struct {
	check   bool
	inPlace bool
	lang    string
	bytes   count
}

func (a *app) fmtCommand() *cobra.Command {
	var f formatFlags
	c := &cobra.Command{
		Use:   "fmt FILE...",
		Short: "format files",
		Long: `Lays files out in the standard layout; comments, spellings and the meaning stay.
.yay and .pp files are rewritten. The text of an .mcl file, a program of the mgmt language, goes
to standard output; -i rewrites the file. Standard input (-) goes to standard output. If one of the
files has an error, none is written. --check prints the names of the files that would change,
with status 5.`,
		Example: `  yaytpl fmt site.yay
  yaytpl fmt site.mcl
  yaytpl fmt -i *.mcl
  yaytpl fmt --check *.yay *.mcl manifests/site.pp
  yaytpl fmt --lang yay - < site.yay`,
		Args: some("FILE"),
		RunE: func(c *cobra.Command, names []string) error {
			if err := readableOnce(names); err != nil {
				return err
			}
			if err := noTargets("fmt", names...); err != nil {
				return err
			}
			a.startProgress("formatting")
			all, err := f.format(c.Context(), a, names)
			if err != nil {
				return err
			}
			if f.check {
				return a.listChanged(all)
			}
			return f.save(a, all)
		},
	}
	own := newFlagGroup("Flags")
	own.set.BoolVar(&f.check, "check", false, "print the names of files that would change, and write nothing")
	own.set.BoolVarP(&f.inPlace, "in-place", "i", false, "write .mcl files too, instead of standard output")
	own.set.StringVar(&f.lang, "lang", "", "`LANGUAGE` of the files (default: by file name)")
	return a.withFlags(c, own, f.bytes.group("size of a file (default 1G)"))
}

// format formats all files, or returns the errors of all of them.
func (f *formatFlags) format(ctx context.Context, a *app, names []string) ([]*yaytpl.Formatted, error) {
	o := a.fileOptions(f.bytes)
	o.Lang = f.lang
	var all []*yaytpl.Formatted
	var wrong []*source.Diagnostic
	for _, name := range names {
		formatted, err := yaytpl.Format(ctx, name, o)
		if err != nil {
			wrong = append(wrong, source.Findings(err)...)
			continue
		}
		all = append(all, formatted)
	}
	if len(wrong) > 0 {
		return nil, &source.Errors{Diagnostics: wrong}
	}
	return all, ctx.Err()
}

func (a *app) listChanged(all []*yaytpl.Formatted) error {
	changed := false
	for _, f := range all {
		if !f.Changed {
			continue
		}
		changed = true
		if _, err := a.stdout.WriteString(f.Name + "\n"); err != nil {
			return err
		}
	}
	if changed {
		return errFindings
	}
	return nil
}

// printed reports whether the text of a file goes to standard output.
func (f *formatFlags) printed(one *yaytpl.Formatted) bool {
	return one.Name == "-" || one.Language == "mcl" && !f.inPlace
}

// save writes the files, and prints the text of one that is not written.
func (f *formatFlags) save(a *app, all []*yaytpl.Formatted) error {
	if i := slices.IndexFunc(all, f.printed); i >= 0 && len(all) > 1 && all[i].Name != "-" {
		return usageErrorf("the text of %s would go to standard output, between those of other files", all[i].Name).
			WithHint("-i writes the files, --check names those that would change")
	}
	for _, one := range all {
		if !f.printed(one) {
			if err := one.Save(); err != nil {
				return err
			}
			continue
		}
		if _, err := a.stdout.WriteString(one.Text); err != nil {
			return err
		}
	}
	return nil
}
