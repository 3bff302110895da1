package source

import (
	"errors"
	"slices"
	"strings"
	"sync"
)

// Errors is an error of several findings. The decisive one is last.
type Errors struct {
	Diagnostics []*Diagnostic
}

// Error returns all findings, a line each.
func (e *Errors) Error() string {
	lines := make([]string, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the findings.
func (e *Errors) Unwrap() []error {
	errs := make([]error, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		errs[i] = d
	}
	return errs
}

// Findings returns the diagnostics in an error, the decisive one last. An error that is
// neither [Errors] nor a [Diagnostic] becomes one of code internal.
func Findings(err error) []*Diagnostic {
	var many *Errors
	switch {
	case err == nil:
		return nil
	case errors.As(err, &many):
		return many.Diagnostics
	}
	return []*Diagnostic{AsDiagnostic(err, Span{}, Internal)}
}

// Map returns e with every finding changed.
func (e *Errors) Map(change func(*Diagnostic) *Diagnostic) error {
	changed := make([]*Diagnostic, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		changed[i] = change(d)
	}
	return &Errors{changed}
}

// OneOrMany returns the only diagnostic, or several as [Errors].
func OneOrMany(ds []*Diagnostic) error {
	if len(ds) == 1 {
		return ds[0]
	}
	return &Errors{ds}
}

// MaxErrors is the number of failures that one error holds at most.
const MaxErrors = 50

// CutOff adds a note to the last of [MaxErrors] findings: there may be more.
func CutOff(ds []*Diagnostic) []*Diagnostic {
	if len(ds) < MaxErrors {
		return ds
	}
	last := *ds[len(ds)-1] // others may hold it
	last.Notes = slices.Clip(last.Notes)
	ds[len(ds)-1] = last.Note(Span{}, "there may be more: only the first %d are told", len(ds))
	return ds
}

// EachOnce returns a function that calls warn once for each different finding. It is safe
// for concurrent use; warn may be nil.
func EachOnce(warn func(*Diagnostic)) func(*Diagnostic) {
	var mu sync.Mutex
	seen := map[string]bool{}
	return func(d *Diagnostic) {
		mu.Lock()
		defer mu.Unlock()
		if key := d.Error(); warn != nil && !seen[key] {
			seen[key] = true
			warn(d)
		}
	}
}
