package source

import (
	"errors"
	"fmt"
)

// Severity says how bad a finding is.
type Severity uint8

// The severities, worst first. Error is the zero value.
const (
	Error Severity = iota
	Warning
	Info
)

// String returns the word that messages use.
func (s Severity) String() string { return [...]string{"error", "warning", "info"}[s] }

// A Note is another place that matters to a finding.
type Note struct {
	Message string
	At      Span
}

// An Edit replaces the text of a span.
type Edit struct {
	At      Span
	NewText string
}

// A Diagnostic is one finding about a source text. It is an error. Once it was handed
// on it is not changed.
type Diagnostic struct {
	Severity Severity
	Code     Code   // stable: users may match on it
	Message  string // one line, lower case, no full stop
	At       Span
	Notes    []Note // other places that matter, nearest first
	Includes []Span // where the file of At was included, innermost first
	Hint     string // what would be right, under the caret

	// Within says that it arose within a value that was found: what stands in for
	// missing values does not stand in for this one.
	Within bool

	// Cause is what a caller may want to look at with errors.Is or errors.As; most
	// findings have none. It is not shown.
	Cause error
}

// Errorf makes a Diagnostic. The place comes first and is not optional:
// positions added later are added one forgotten error at a time.
func Errorf(at Span, code Code, format string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, Message: fmt.Sprintf(format, args...), At: at}
}

// Warnf is Errorf for a finding that does not stop anything.
func Warnf(at Span, code Code, format string, args ...any) *Diagnostic {
	d := Errorf(at, code, format, args...)
	d.Severity = Warning
	return d
}

// Note adds another place and returns d, which is changed: a finding that others may
// hold is copied first. No place is allowed.
func (d *Diagnostic) Note(at Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Message: fmt.Sprintf(format, args...), At: at})
	return d
}

// Located returns d with a place if it has none: a copy, since others may hold d.
func (d *Diagnostic) Located(at Span) *Diagnostic {
	if !d.At.IsZero() || at.IsZero() {
		return d
	}
	there := *d
	there.At = at
	return &there
}

// WithHint sets what would be right and returns d, which is changed.
func (d *Diagnostic) WithHint(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// Error returns place, message and code on one line.
func (d *Diagnostic) Error() string {
	s := shortened(d.Message)
	if d.Code != "" {
		s += " [" + string(d.Code) + "]"
	}
	if place := d.At.String(); place != "" {
		s = place + ": " + s
	}
	return s
}

// Unwrap returns the cause.
func (d *Diagnostic) Unwrap() error { return d.Cause }

// Is reports whether target is the class of d's code: [ErrMissing] and so on. It is for
// errors.Is.
func (d *Diagnostic) Is(target error) bool {
	class := d.Code.class()
	return class != nil && class == target
}

// AsDiagnostic returns the Diagnostic in err, and nil for nil. Another error becomes one
// with the place and the code that the caller gives, and is its cause.
func AsDiagnostic(err error, at Span, code Code) *Diagnostic {
	if err == nil {
		return nil
	}
	var d *Diagnostic
	if errors.As(err, &d) {
		return d
	}
	return &Diagnostic{Code: code, Message: err.Error(), At: at, Cause: err}
}
