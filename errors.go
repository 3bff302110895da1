package yaytpl

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/source"
)

// Errors is several findings. The decisive one is last.
type Errors struct {
	Diagnostics []*source.Diagnostic
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

// Findings returns the diagnostics in an error of this package, the decisive one
// last. An error of another kind becomes one of code internal.
func Findings(err error) []*source.Diagnostic {
	var many *Errors
	switch {
	case err == nil:
		return nil
	case errors.As(err, &many):
		return many.Diagnostics
	}
	return []*source.Diagnostic{source.AsDiagnostic(err, source.Span{}, source.Internal)}
}

// Map returns e with every finding changed.
func (e *Errors) Map(change func(*source.Diagnostic) *source.Diagnostic) error {
	changed := make([]*source.Diagnostic, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		changed[i] = change(d)
	}
	return &Errors{changed}
}

func oneOrMany(ds []*source.Diagnostic) error {
	if len(ds) == 1 {
		return ds[0]
	}
	return &Errors{ds}
}

// maxErrors is how many failures are reported at most.
const maxErrors = 50

// cutOff notes on the last of several findings that the search for more ended there.
func cutOff(ds []*source.Diagnostic) []*source.Diagnostic {
	if len(ds) < maxErrors {
		return ds
	}
	last := *ds[len(ds)-1] // others may hold it
	last.Notes = slices.Clip(last.Notes)
	ds[len(ds)-1] = last.Note(source.Span{}, "there may be more: only the first %d are told", len(ds))
	return ds
}

// eachOnce returns a function that passes each finding on once. It may be called by
// several goroutines.
func eachOnce(warn func(*source.Diagnostic)) func(*source.Diagnostic) {
	var mu sync.Mutex
	seen := map[string]bool{}
	return func(d *source.Diagnostic) {
		mu.Lock()
		defer mu.Unlock()
		if key := d.Error(); warn != nil && !seen[key] {
			seen[key] = true
			warn(d)
		}
	}
}
