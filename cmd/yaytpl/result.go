package main

import "github.com/yaytpl/yaytpl"

// resultFlags say how a result is written.
type resultFlags struct {
	form       choice
	compact    bool
	noComments bool
	dropTags   bool
	reveal     bool
	redact     bool
}

func (f *resultFlags) group(standard string) flagGroup {
	fg := newFlagGroup("Result")
	f.form = oneOf("", yaytpl.Forms()...)
	fg.set.VarP(&f.form, "output", "o", "form of the result (default "+standard+")")
	fg.set.BoolVar(&f.compact, "compact", false, "JSON on one line")
	fg.set.BoolVar(&f.noComments, "no-comments", false, "YAML without the comments of the source")
	fg.set.BoolVar(&f.dropTags, "drop-tags", false, "leave tags such as !Ref out where the form has none")
	f.addMarks(fg)
	return fg
}

func (f *resultFlags) addMarks(fg flagGroup) {
	fg.set.BoolVar(&f.reveal, "reveal", false, "show sensitive values, and secret ones in explain and diff")
	fg.set.BoolVar(&f.redact, "redact", false, "hide values from encrypted files in results too; no comments")
}

// options returns how to write, with standard for a form that was not chosen.
func (f *resultFlags) options(standard string) (yaytpl.RenderOptions, error) {
	if f.reveal && f.redact {
		return yaytpl.RenderOptions{}, usageErrorf("--reveal and --redact exclude each other")
	}
	form := f.form.value
	if form == "" {
		form = standard
	}
	return yaytpl.RenderOptions{
		Form: form, Compact: f.compact, NoComments: f.noComments, DropTags: f.dropTags,
		Reveal: f.reveal, Redact: f.redact,
	}, nil
}
