package expr

import (
	"context"
	"errors"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var errSelfReference = source.Errorf(source.Span{}, source.Cycle, "a variable needs its own value")

// located gives an error of a value or a library the place of the expression that
// met it. An error that has a place keeps it. If marks is not zero, the message may
// show what must not be shown, and is replaced. That an evaluation was called off is no
// finding, and is handed on.
func located(at source.Span, code source.Code, err error, marks value.Marks) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var tooBig *value.LimitError
	if errors.As(err, &tooBig) {
		return source.Errorf(at, source.Limit, "%s", tooBig)
	}
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		d = source.Errorf(at, codeOf(err, code), "%s", err)
		if marks != 0 {
			d.Message = concealed
		}
		return d
	}
	if marks != 0 && mayQuote(d, at) {
		return &source.Diagnostic{At: at, Severity: d.Severity, Code: d.Code, Message: concealed}
	}
	return d.Located(at)
}

// quotable returns the marks of what a message about arguments may quote: what is in
// lists and maps counts. Where an item cannot be computed, that is what the message is
// about.
func quotable(args value.Args) value.Marks {
	marks, _ := value.DeepMarks(value.ListOf(append(optionValues(args.Named), args.Pos...)...))
	return marks
}

const concealed = "the operation failed on a value that must not be shown"

// mayQuote reports whether a finding about the expression at a place may quote what
// was given to it: the name of a file or of a filter, a path. Findings from elsewhere,
// as from the body of a macro, are about what stands there.
func mayQuote(d *source.Diagnostic, at source.Span) bool {
	if d.Code == source.Limit || d.Code == source.Timeout {
		return false
	}
	return d.At.IsZero() || d.At.File == at.File && d.At.Start >= at.Start && d.At.End <= at.End
}

// codeOf lets an error of a library say its kind.
func codeOf(err error, otherwise source.Code) source.Code {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) && coded.ErrorCode() != "" {
		return source.Code(coded.ErrorCode())
	}
	return otherwise
}

// badExpression is the error of an expression object that makes no sense.
func badExpression(at source.Span, format string, args ...any) error {
	return source.Errorf(at, source.BadExpression, format, args...)
}
