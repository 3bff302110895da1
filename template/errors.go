package template

import (
	"errors"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// A textError is an error in the range [start, end) of a template's text.
type textError struct {
	start, end int
	message    string
}

func (t *Template) syntaxError(e *textError) error {
	return source.Errorf(t.at.TextSpan(e.start, e.end), source.Syntax, "template error: %s", e.message)
}

// placed gives an error without a place the one of the statement that met it.
func placed(err error, at source.Span) error {
	if err == nil || err == errBreak || err == errContinue {
		return err
	}
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return source.AsDiagnostic(err, at, source.BadValue)
	}
	if !d.At.IsZero() {
		return err
	}
	return d.Located(at)
}

// explain adds to an error what its text alone tells: that it was probably written
// for another tool.
func (t *Template) explain(err error) error {
	whole := t.at.TextSpan(0, len(t.text))
	d := source.AsDiagnostic(expr.Conceal(placed(err, whole)), whole, source.BadValue)
	explained := *d
	switch {
	case d.Code != source.Syntax && d.Code != source.Undefined:
		return d
	case looksLikeGoTemplate(t.text):
		return explained.WithHint(`this looks like a template for another tool; add "# yaytpl: templates=off" to the file's first comment, or quote it with {q: ...}`)
	case d.Hint == "" && !t.opts.File && inDocument(whole) && inDocument(d.At):
		return explained.WithHint(`if the template is for another tool, add "# yaytpl: templates=off" to the file's first comment`)
	}
	return d
}

// inDocument reports whether a span lies in a file that can say something about
// itself; a query cannot.
func inDocument(at source.Span) bool {
	return at.File != nil && (at.File.Path != "" || at.File.Name == "-")
}

// explainFile is explain for the error of a file, which may be a signal or nil.
func (t *Template) explainFile(err error) error {
	if err == nil || err == errBreak || err == errContinue {
		return err
	}
	return t.explain(err)
}

func placerFile(p expr.Placer) *source.File {
	if p == nil {
		return nil
	}
	return p.TextSpan(0, 0).File
}

// maxIncludes bounds how many places an error names on the way to its file.
const maxIncludes = 20

// included adds to an error in an included file where that file was included.
func included(err error, file *source.File, at source.Span) error {
	var d *source.Diagnostic
	if file == nil || !errors.As(err, &d) || len(d.Includes) >= maxIncludes {
		return err
	}
	last := d.At.File
	if n := len(d.Includes); n > 0 {
		last = d.Includes[n-1].File
	}
	if last != file || at.File == nil || at.File == file && len(d.Includes) > 0 {
		return err
	}
	copied := *d
	copied.Includes = append(d.Includes[:len(d.Includes):len(d.Includes)], at)
	return &copied
}
