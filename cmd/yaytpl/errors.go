package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/yaytpl/yaytpl/source"
)

// Exit statuses (design: cli, "Exit status").
const (
	exitDone        = 0
	exitInput       = 1 // the input is at fault
	exitUsage       = 2 // wrong use of the command
	exitAccess      = 3 // a file or a key cannot be read or written
	exitLimit       = 4 // a limit or time-out was hit
	exitFindings    = 5 // check, diff or fmt found something
	exitInterrupted = 130
)

// errFindings ends check, diff and fmt when they found something. It is no failure and
// has been told about already.
var errFindings = errors.New("findings")

// errReported ends a command that has shown what is wrong.
type errReported struct{ status int }

func (e errReported) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// report shows the findings in err, the decisive one last, and returns the exit
// status that goes with it.
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
	case errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, source.ErrLimit):
		err = timeoutError()
	}
	findings := source.Findings(err)
	if a.general.errors.is("json") {
		findings = firstCauseLast(findings)
	}
	for _, d := range findings {
		a.show(d)
	}
	return statusOf(findings)
}

// firstCauseLast puts the first thing that is wrong with a text behind what may only
// follow from it: programs look at the last line, people read from the top.
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

// statusOf returns the status that the last finding decides.
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

// show writes one finding to standard error; -q leaves errors only.
func (a *app) show(d *source.Diagnostic) {
	if d.Severity != source.Error && a.general.quiet {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.progress.clear()
	if a.general.errors.is("json") {
		if b, err := d.MarshalJSON(); err == nil { // json.Marshal would escape it for HTML
			fmt.Fprintf(a.err, "%s\n", b)
		}
		return
	}
	d.WriteText(a.err, source.TextStyle{Color: a.colored(a.err)})
}

// usageErrorf makes a finding about the command line.
func usageErrorf(format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Usage, format, args...)
}

// remark writes a line of severity info.
func (a *app) remark(format string, args ...any) {
	d := source.Errorf(source.Span{}, "", format, args...)
	d.Severity = source.Info
	a.show(d)
}
