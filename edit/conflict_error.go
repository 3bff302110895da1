package edit

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A ConflictError is the error of edits that cannot all be written. Nothing was.
type ConflictError struct {
	Report *Report // of all changes, those that could be written too
}

// Error returns the conflicts, a line each.
func (e *ConflictError) Error() string {
	var lines []string
	for _, d := range e.diagnostics() {
		lines = append(lines, d.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the conflicts as findings of code output.
func (e *ConflictError) Unwrap() []error {
	return (&source.Errors{Diagnostics: e.diagnostics()}).Unwrap()
}

// As gives the conflicts as [Errors], so that [Findings] has all of them.
func (e *ConflictError) As(target any) bool {
	many, ok := target.(**source.Errors)
	if ok {
		*many = &source.Errors{Diagnostics: e.diagnostics()}
	}
	return ok
}

func (e *ConflictError) diagnostics() []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, c := range e.Report.Conflicts() {
		found = append(found, c.diagnostic())
	}
	return found
}

// diagnostic returns a conflict as a finding at the place that defines the value.
func (c ReportChange) diagnostic() *source.Diagnostic {
	d := source.Errorf(source.Span{}, source.Output, "%s (%s): %s", c.complaint(), c.Reason, c.Reason.Meaning())
	for i, at := range c.Defined {
		if i == 0 {
			d.At = at
			continue
		}
		d.Note(at, "defined here as well")
	}
	for _, at := range c.Through {
		d.Note(at, "brought by this")
	}
	if len(c.Ways) > 0 {
		d.Hint = c.Ways[0]
	}
	return d
}

// complaint says what cannot be done, without secrets.
func (c ReportChange) complaint() string {
	switch {
	case c.asWell && !c.HasNew:
		return c.Path.String() + " would go as well"
	case c.asWell && c.HasOld:
		return c.Path.String() + " would change from " + c.briefOld(false) + " to " + c.briefNew(false) + " as well"
	case c.asWell:
		return c.Path.String() + " would come as well, as " + c.briefNew(false)
	case !c.HasOld && !c.HasNew:
		return c.Path.String() + " cannot be kept out"
	case !c.HasOld:
		return c.Path.String() + " cannot be set to " + c.briefNew(false)
	case !c.HasNew:
		return c.Path.String() + " cannot be deleted"
	case value.IsSame(c.Old, c.New):
		return c.Path.String() + " cannot be kept as " + c.briefNew(false)
	}
	return c.Path.String() + " cannot be changed from " + c.briefOld(false) + " to " + c.briefNew(false)
}
