package render

import (
	"io"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Options say how results are written: see RenderOptions of the root package.
type Options struct {
	ExpandOnly bool
	Form       string
	Compact    bool
	NoComments bool
	DropTags   bool
	Reveal     bool
	Redact     bool
	NoMask     bool
	Partial    bool
	Findings   bool
	Doc        int
	Each       string
	Dialect    string
	Autoescape bool
	Place      Place
}

// A Place is the place of documents in a result of several parts, which are written one after the other.
type Place uint8

// The places.
const (
	Alone Place = iota // the documents are the whole result
	First              // the first part
	Later              // another part
)

// An Encoder writes values of one result in the form of its options. It needs no project.
type Encoder struct {
	Options
	MaxBytes int        // most bytes of one value
	Memo     *yaml.Memo // texts of earlier revisions, or nil
	Tag      string     // of the list or map that is written, or ""

	// Warning is the finding about the first mask that the result has in place of a sensitive value, or nil. One
	// result has one warning, however many values it hides.
	Warning *source.Diagnostic

	marks value.Marks // of all values in the result
}

// Encode writes v.
//
// Codes: usage for an unknown form, output for a value that the form cannot express, redacted, limit.
func (e *Encoder) Encode(w io.Writer, v value.Value) error {
	o := e.options()
	o.Tag = e.Tag
	return e.encode(w, v, o)
}

// options returns the options of the encoders of forms.
func (e *Encoder) options() yaml.EncodeOptions {
	return yaml.EncodeOptions{
		Reveal: e.Reveal, Redact: e.Redact, NoComments: e.NoComments || e.Redact, DropTags: e.DropTags,
		Compact: e.Compact, MaxBytes: e.MaxBytes, Memo: e.Memo,
	}
}

// encode is Encode with options of its own. Some forms must not mask a value.
func (e *Encoder) encode(w io.Writer, v value.Value, o yaml.EncodeOptions) error {
	var marks value.Marks
	o.Marks = &marks
	form, err := FormNamed(e.Form)
	if err == nil {
		err = form.Encode(w, v, o)
	}
	e.marks |= marks
	if err != nil || marks&value.Sensitive == 0 || e.Reveal {
		return err
	}
	return e.masked(v, e.NoMask || form.NoMask)
}

// masked records that v was written with masks in place of sensitive values. With refuse it returns an error.
//
// Code: redacted.
func (e *Encoder) masked(v value.Value, refuse bool) error {
	if !refuse && (e.Redact || e.Warning != nil) {
		return nil // it was asked for, or there is a warning already
	}
	path, more := value.FirstMarked(v, value.Sensitive)
	if !refuse {
		others := ""
		if more {
			others = ", and so are others"
		}
		e.Warning = source.Warnf(source.Span{}, source.Redacted, "%s is printed as %s%s", nameOf(path), value.SensitiveText, others).
			WithHint("--reveal prints it")
		e.Warning.Cause = &yaml.PathError{Path: path}
		return nil
	}
	d := source.Errorf(source.Span{}, source.Redacted, "%s", mistaken(path)).
		WithHint("--reveal prints it")
	d.Cause = &yaml.PathError{Path: path}
	return d
}

// mistaken returns the message for a mask that must not be printed.
func mistaken(path value.Path) string {
	return nameOf(path) + " is sensitive, and " + value.SensitiveText + " would be taken for its value"
}

// nameOf returns a path in a result for messages; the result may be one value without a path.
func nameOf(path value.Path) string {
	if len(path) == 0 {
		return "the value"
	}
	return path.String()
}
