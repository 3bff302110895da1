package source

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
)

// Severity is the severity of a finding.
type Severity uint8

// The severities, worst first. Error is the zero value.
const (
	Error Severity = iota
	Warning
	Info
)

// String returns error, warning or info.
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

// A Diagnostic is one finding about a source text. It is an error. After the function that
// makes it has returned it, it is not changed: others may hold it.
type Diagnostic struct {
	Severity Severity
	Code     Code   // stable: users may match on it
	Message  string // one line, lower case, no full stop
	At       Span
	Notes    []Note // other places that matter, nearest first
	Includes []Span // where the file of At was included, innermost first
	Hint     string // a correction, shown under the caret

	// Within is set if the finding is about a part of a value that exists: the default
	// for a missing value does not replace that value.
	Within bool

	// Cause is for errors.Is and errors.As. Most findings have none. It is not shown.
	Cause error
}

// Errorf returns a Diagnostic of severity Error. The place comes first, so that no caller
// forgets it.
func Errorf(at Span, code Code, format string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, Message: fmt.Sprintf(format, args...), At: at}
}

// Warnf is Errorf for a finding that stops nothing.
func Warnf(at Span, code Code, format string, args ...any) *Diagnostic {
	d := Errorf(at, code, format, args...)
	d.Severity = Warning
	return d
}

// Note adds a note to d and returns d. The caller must not pass a finding that others may
// hold, but a copy. The zero span is allowed.
func (d *Diagnostic) Note(at Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{Message: fmt.Sprintf(format, args...), At: at})
	return d
}

// Named returns a copy of the finding whose message begins with what it is about, such as a flag.
func (d *Diagnostic) Named(what string) *Diagnostic {
	named := *d
	named.Message = what + ": " + d.Message
	return &named
}

// Located returns d if it has a place, and otherwise a copy with the place at: others may
// hold d.
func (d *Diagnostic) Located(at Span) *Diagnostic {
	if !d.At.IsZero() || at.IsZero() {
		return d
	}
	there := *d
	there.At = at
	return &there
}

// WithHint sets the hint of d and returns d.
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

// Is reports whether target is the class of d's code: [ErrMissing] and so on, and for the code timeout also
// context.DeadlineExceeded. It is for errors.Is.
func (d *Diagnostic) Is(target error) bool {
	class := d.Code.class()
	return class != nil && class == target || d.Code == Timeout && target == context.DeadlineExceeded
}

// AsDiagnostic returns the Diagnostic in err, nil for nil. Any other error becomes the
// cause of a new Diagnostic with this place and [CodeOf] err.
func AsDiagnostic(err error, at Span, code Code) *Diagnostic {
	if err == nil {
		return nil
	}
	if d, ok := errors.AsType[*Diagnostic](err); ok {
		return d
	}
	return &Diagnostic{Code: CodeOf(err, code), Message: err.Error(), At: at, Cause: err}
}

// CodeOf returns the code that the method ErrorCode of an error names, and otherwise if it has
// none. Errors of packages that do not import this one have that method.
func CodeOf(err error, otherwise Code) Code {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) && coded.ErrorCode() != "" {
		return Code(coded.ErrorCode())
	}
	return otherwise
}

// Errors is an error of several findings. The last one is decisive: the command exits with
// its status.
type Errors struct {
	Diagnostics []*Diagnostic
}

// Error returns all findings, one per line.
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

// Findings returns the diagnostics in an error, the decisive one last. Any other error
// becomes a [Diagnostic] of code internal.
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

// Map returns the results of change for all findings of e.
func (e *Errors) Map(change func(*Diagnostic) *Diagnostic) error {
	changed := make([]*Diagnostic, len(e.Diagnostics))
	for i, d := range e.Diagnostics {
		changed[i] = change(d)
	}
	return &Errors{changed}
}

// OneOrMany returns the only diagnostic, or [Errors] of several.
func OneOrMany(ds []*Diagnostic) error {
	if len(ds) == 1 {
		return ds[0]
	}
	return &Errors{ds}
}

// MaxErrors is the number of failures that one error holds at most.
const MaxErrors = 50

// CutOff returns ds. If there are [MaxErrors] of them, the last one gets a note that there
// may be more.
func CutOff(ds []*Diagnostic) []*Diagnostic {
	if len(ds) < MaxErrors {
		return ds
	}
	last := *ds[len(ds)-1] // a copy: others may hold it
	last.Notes = slices.Clip(last.Notes)
	ds[len(ds)-1] = last.Note(Span{}, "there may be more: only the first %d are reported", len(ds))
	return ds
}

// EachOnce returns a function that calls warn once for each different finding, one call at
// a time. It is safe for concurrent use. warn may be nil.
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

// maxCandidates bounds the search for a near miss.
const maxCandidates = 5000

// Suggest returns the candidate that is nearest to a word, for a "did you mean", or "" if
// none is near. Up to a third of the letters may differ, at most three. Of equally near
// candidates it returns the first by name.
//
//	Suggest("prot", host, port, proto)   port: two letters swapped count as one
//	Suggest("self", SELF)                SELF: the case of all letters counts as one
//	Suggest("abc", xyz, abcdef)          ""
func Suggest(word string, candidates iter.Seq[string]) string {
	best, limit, seen := "", min((len(word)+1)/3, 3), 0
	if len(word) > 100 {
		return ""
	}
	for c := range candidates {
		if seen++; seen > maxCandidates {
			break
		}
		if c == word || len(c) > len(word)+limit || len(word) > len(c)+limit {
			continue
		}
		n := distance(word, c)
		if n > 1 && strings.EqualFold(word, c) {
			n = 1
		}
		if n < limit || n == limit && (best == "" || c < best) && n > 0 {
			best, limit = c, n
		}
	}
	return best
}

// DidYouMean sets the hint of d to the candidate that is nearest to a word, if there is a
// near one, and returns d.
func (d *Diagnostic) DidYouMean(word string, candidates iter.Seq[string]) *Diagnostic {
	if near := Suggest(word, candidates); near != "" {
		return d.WithHint("did you mean %q?", near)
	}
	return d
}

// Changes returns the number of letters to change, insert, delete or swap with the next one that
// turn a into b, and -1 if there are more than limit.
func Changes(a, b string, limit int) int {
	if len(a) > 4*(len(b)+limit) {
		return -1
	}
	if n := distance(a, b); n <= limit {
		return n
	}
	return -1
}

// distance returns the number of letters to change, insert, delete or swap with the next
// one that turn a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		next := slices.Clone(row)
		next[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(y)]
}

// Messages quote texts of users, which may be long. Of a message with more than maxMessage
// bytes only the first messageHead and the last messageTail are shown.
const (
	maxMessage  = 1000
	messageHead = 600
	messageTail = 300
)

// Cut returns the first most bytes of a text that is longer, without half a character, and
// three dots. Shorter texts are returned whole.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// shortened replaces the middle of a long message by an ellipsis.
func shortened(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	head, tail := message[:messageHead], message[len(message)-messageTail:]
	return strings.ToValidUTF8(head, "") + ellipsis + strings.ToValidUTF8(tail, "")
}

// FirstError returns the first finding of severity error, nil if there is none.
func FirstError(findings []*Diagnostic) *Diagnostic {
	for _, d := range findings {
		if d.Severity == Error {
			return d
		}
	}
	return nil
}
