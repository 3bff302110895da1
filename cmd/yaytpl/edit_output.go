package main

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// editOutput says what becomes of edited files.
type editOutput struct {
	inPlace bool
	diff    bool
	backup  bool
	reveal  bool
}

func (f *editOutput) addTo(g flagGroup) {
	g.set.BoolVarP(&f.inPlace, "in-place", "i", false, "write the files")
	g.set.BoolVar(&f.diff, "diff", false, "print what changes as a unified diff")
	g.set.BoolVar(&f.backup, "backup", false, "with -i: keep what a file held as FILE.bak")
	g.set.BoolVar(&f.reveal, "reveal", false, "with --diff: show the lines of encrypted files")
}

// write writes edited files and prints what was asked for.
func (f *editOutput) write(a *app, e *edit.Result) error {
	if err := f.fits(e); err != nil {
		return err
	}
	a.tell(e)
	if f.inPlace {
		if err := f.save(e); err != nil {
			return err
		}
	}
	_, err := a.stdout.WriteString(f.text(e))
	return err
}

// tell says what else the edits do.
func (a *app) tell(e *edit.Result) {
	for _, c := range e.Others {
		a.show(source.Warnf(source.Span{}, source.Suspicious, "%s changes as well", c.Path))
	}
	for _, d := range e.Warnings {
		a.show(d)
	}
}

// save writes the files, and what they held if that was asked for.
func (f *editOutput) save(e *edit.Result) error {
	if f.backup {
		if err := e.Backup(); err != nil {
			return err
		}
	}
	return e.Save()
}

// fits returns an error if standard output cannot show what the edits come to.
func (f *editOutput) fits(e *edit.Result) error {
	if f.inPlace || f.diff {
		return nil
	}
	for _, file := range e.Files[1:] {
		if file.Changed() {
			return usageErrorf("the edit changes %s: standard output shows %s alone", file.Name, e.Files[0].Name).
				WithHint("--diff shows all files, -i writes them")
		}
	}
	return nil
}

// text returns what goes to standard output.
func (f *editOutput) text(e *edit.Result) string {
	switch {
	case f.diff:
		var b strings.Builder
		for _, file := range e.Files {
			b.WriteString(f.unified(file))
		}
		return b.String()
	case f.inPlace:
		return ""
	}
	return e.Files[0].Text
}

// unified returns the change of a file as a unified diff. The lines of an encrypted file
// are masked.
func (f *editOutput) unified(file *edit.File) string {
	diff := udiff.Unified(file.Name, file.Name, file.Old, file.Text)
	if !file.Encrypted() || f.reveal {
		return diff
	}
	lines := strings.SplitAfter(diff, "\n")
	for i, line := range lines {
		if i < 2 || line == "" || line[0] == '@' || line[0] == '\\' {
			continue
		}
		lines[i] = line[:1] + value.SecretText + "\n"
	}
	return strings.Join(lines, "")
}
