package yaml

import (
	"bufio"
	"errors"
	"io"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EncodeOptions changes how values are written. The zero value is the usual case.
type EncodeOptions struct {
	Reveal     bool // write sensitive values as they are, not as <<REDACTED>>
	Redact     bool // mask what is secret: see value.Masked
	NoComments bool // YAML: leave comments out
	DropTags   bool // leave tags out that are not YAML's own
	MaxBytes   int  // most that may be written; 0 means 256 MB

	Head, Foot string // YAML: comments before and behind the first document

	Compact bool // JSON: on one line
	Indent  int  // JSON: blanks per level; 0 means 2
}

const defaultMaxOutput = 256 << 20

// An output is where an encoder writes to. The first failure stops it: what is
// written after that is dropped, and end returns it.
type output struct {
	EncodeOptions
	w    *bufio.Writer
	left int
	err  error
	path value.Path // of the value that is being written
}

func newOutput(w io.Writer, opts EncodeOptions) *output {
	left := opts.MaxBytes
	if left <= 0 {
		left = defaultMaxOutput
	}
	return &output{EncodeOptions: opts, w: bufio.NewWriterSize(w, 32<<10), left: left}
}

// end flushes and returns the first failure.
func (o *output) end() error {
	if err := o.w.Flush(); o.err == nil && err != nil {
		o.err = source.AsDiagnostic(err, source.Span{}, source.Access)
	}
	return o.err
}

func (o *output) write(s string) {
	if o.err != nil {
		return
	}
	if o.left -= len(s); o.left < 0 {
		o.fail(source.Limit, "the output is longer than the limit of %d bytes (--max-bytes)", o.maxBytes())
		return
	}
	if _, err := o.w.WriteString(s); err != nil {
		o.err = source.AsDiagnostic(err, source.Span{}, source.Access)
	}
}

func (o *output) maxBytes() int {
	if o.MaxBytes <= 0 {
		return defaultMaxOutput
	}
	return o.MaxBytes
}

const blanks = "                                                                "

// indent writes n blanks.
func (o *output) indent(n int) {
	for n > len(blanks) {
		o.write(blanks)
		n -= len(blanks)
	}
	o.write(blanks[:max(n, 0)])
}

// fail records a failure that has no place in a source text: the path says where.
func (o *output) fail(code source.Code, format string, args ...any) {
	if o.err != nil {
		return
	}
	d := source.Errorf(source.Span{}, code, format, args...)
	if code != source.Limit && len(o.path) > 0 {
		d.Message = o.path.String() + ": " + d.Message
		d.Cause = &PathError{append(value.Path{}, o.path...)}
	}
	o.err = d
}

// A PathError is the cause of an error about one value that was to be written. It
// lets those who know the document find the place in its source.
type PathError struct{ Path value.Path }

// Error returns the path.
func (e *PathError) Error() string { return "at " + e.Path.String() }

// enter goes to a child and reports whether it may be written; leave comes back.
func (o *output) enter(k value.Key) bool {
	o.path = append(o.path, k)
	if len(o.path) > mostDepth && o.err == nil {
		d := source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep", mostDepth)
		d.Cause = ErrDepth
		o.err = d
	}
	return o.err == nil
}

// ErrDepth is the cause of the error of a value that is nested too deeply: more often
// than not it contains itself.
var ErrDepth = errors.New("nested too deeply")

func (o *output) leave() { o.path = o.path[:len(o.path)-1] }

// shown returns the value that is written for v: a mark hides it.
func (o *output) shown(v value.Value) value.Value {
	if m := v.Marks(); (m&value.Sensitive == 0 || o.Reveal) && (m&value.Secret == 0 || !o.Redact) {
		return v
	}
	masked, _ := value.Masked(v)
	return value.String(masked)
}

// unwritable records that v is no data.
func (o *output) unwritable(v value.Value) {
	if reason := v.Reason(); reason != nil {
		if o.err == nil {
			o.err = reason
		}
		return
	}
	o.fail(source.Output, "%s cannot be written", value.Article(v.Kind()))
}

// items calls emit for each item of a list.
func (o *output) items(l value.List, emit func(i int, v value.Value)) {
	lazy, _ := l.(value.Releasing)
	for i := range l.Len() {
		if !o.enter(value.Index(i)) {
			return
		}
		v, err := l.At(i)
		if err != nil {
			o.setErr(err)
			return
		}
		emit(i, o.shown(v))
		o.leave()
		if lazy != nil {
			lazy.Release(i) // it is written, and will not be asked for again
		}
	}
}

// entries calls emit for each entry of a map.
func (o *output) entries(m value.Map, emit func(i int, k value.Key, v value.Value)) {
	i := -1
	for k := range m.Keys() {
		i++
		if !o.enter(k) {
			return
		}
		v, ok, err := m.Get(k)
		if err != nil {
			o.setErr(err)
			return
		}
		if ok {
			emit(i, k, o.shown(v))
		}
		o.leave()
	}
}

func (o *output) setErr(err error) {
	if o.err == nil {
		o.err = err
	}
}

// spelling returns how a null, truth value or number is written: as it was, if it is still the same.
func spelling(v value.Value) string {
	if s := v.Source(); s != nil && s.Spelling != "" && !s.Foreign {
		return s.Spelling
	}
	return canonical(v)
}

// annotationOf returns what the source says about item i of a list or map.
func annotationOf(collection any, i int) value.Annotation {
	if a, ok := collection.(value.Annotated); ok {
		if note := a.AnnotationAt(i); note != nil {
			return *note
		}
	}
	return value.Annotation{}
}
