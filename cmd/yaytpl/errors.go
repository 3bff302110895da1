package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/yaytpl/yaytpl/source"
)

// Exit statuses.
const (
	exitDone        = 0
	exitInput       = 1 // an error in the input
	exitUsage       = 2 // wrong command line
	exitAccess      = 3 // a file cannot be accessed or decrypted
	exitLimit       = 4 // a limit or the time-out was reached
	exitFindings    = 5 // check, diff or fmt found something
	exitInterrupted = 130
)

// errFindings is the result of check, diff and fmt --check if they found something. They
// have printed it already.
var errFindings = errors.New("findings")

// errReported is the result of a command that has printed its errors.
type errReported struct{ status int }

func (e errReported) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// report prints the findings in err and returns the exit status, which the last one
// determines.
func (a *app) report(err error) int {
	var reported errReported
	switch {
	case err == nil, errors.Is(err, errReaderGone):
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &reported):
		return reported.status
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	findings := findingsOf(err)
	if a.general.errors.is("json") {
		findings = firstCauseLast(findings)
	}
	for _, d := range findings {
		a.show(d)
	}
	return statusOf(findings)
}

// findingsOf returns the findings in an error, one for the end of the time.
func findingsOf(err error) []*source.Diagnostic {
	if isTimeout(err) {
		err = timeoutError()
	}
	return source.Findings(err)
}

// isTimeout reports whether an error says that the time of --timeout is over.
func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, source.ErrLimit)
}

// firstCauseLast moves the first of several syntax errors to the end. The others may only
// follow from it, people read from the top, but programs read the last line.
func firstCauseLast(findings []*source.Diagnostic) []*source.Diagnostic {
	for _, d := range findings {
		if d.Code != source.Syntax && d.Code != source.Indent {
			return findings
		}
	}
	if len(findings) < 2 {
		return findings
	}
	return append(findings[1:len(findings):len(findings)], findings[0])
}

func timeoutError() *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Timeout, "time is up (--timeout)")
}

// statusOf returns the exit status for the last finding.
func statusOf(findings []*source.Diagnostic) int {
	if len(findings) == 0 {
		return exitDone
	}
	switch findings[len(findings)-1].Code {
	case source.Usage:
		return exitUsage
	case source.Access, source.Decryption:
		return exitAccess
	case source.Limit, source.Timeout:
		return exitLimit
	}
	return exitInput
}

// showWarning shows a warning of a project. One whose level is error fails the command.
func (a *app) showWarning(d *source.Diagnostic) {
	a.raised = a.raised || d.Severity == source.Error
	a.show(d)
}

// show prints a finding to standard error, with the level of its kind. With -q it prints errors
// only.
func (a *app) show(d *source.Diagnostic) { a.showIf(d, a.isNews) }

// showIf is show for a finding that isNews accepts; nil accepts all.
func (a *app) showIf(d *source.Diagnostic, isNews func(*source.Diagnostic) bool) {
	warning := d.Severity == source.Warning
	if d = a.checks.Apply(d); d == nil {
		return
	}
	a.raised = a.raised || warning && d.Severity == source.Error
	if d.Severity != source.Error && a.general.quiet || !a.tells(d) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if isNews != nil && !isNews(d) {
		return
	}
	a.progress.clear()
	to := a.err
	if a.messages != nil {
		to = io.MultiWriter(a.err, a.messages)
	}
	switch a.general.errors.value {
	case "json":
		if b, err := d.MarshalJSON(); err == nil { // json.Marshal would escape HTML
			fmt.Fprintf(to, "%s\n", b)
		}
	case "github":
		fmt.Fprintln(to, d.Annotation())
	case "sarif":
		if len(a.log) < maxLog {
			a.log = append(a.log, d)
		}
	default:
		d.WriteText(to, source.TextStyle{Color: a.colored(a.err)})
	}
}

// maxLog bounds the findings of one log.
const maxLog = 25_000

// writeLog writes the findings of the run for --errors sarif.
func (a *app) writeLog() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.general.errors.is("sarif") {
		_ = source.WriteSARIF(a.err, version(), a.log) // an error of standard error cannot be reported
	}
}

// tells reports whether a finding is printed: a missing optional include, and a schema at a URL that may
// not be read, are with -v only.
func (a *app) tells(d *source.Diagnostic) bool {
	return a.general.verbose || d.Severity != source.Info || d.Code != source.MissingInclude && d.Code != source.Forbidden
}

// usageErrorf returns an error of the command line.
func usageErrorf(format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Usage, format, args...)
}

// remark prints a message of severity info. It is about what the command does now, so that it is news also if
// it was said before: watch writes the same file again and again.
func (a *app) remark(format string, args ...any) {
	d := source.Errorf(source.Span{}, "", format, args...)
	d.Severity = source.Info
	a.showIf(d, nil)
}
