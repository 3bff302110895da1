package expr

import (
	"errors"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var errSelfReference = source.Errorf(source.Span{}, source.Cycle, "a variable needs its own value")

// located gives an error of a value or a library the place of the expression that
// met it. An error that has a place keeps it. If marks is not zero, the message may
// show what must not be shown, and is replaced.
func located(at source.Span, code source.Code, err error, marks value.Marks) error {
	if err == nil {
		return nil
	}
	var tooBig *value.LimitError
	if errors.As(err, &tooBig) {
		return source.Errorf(at, source.Limit, "%s", tooBig)
	}
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		d = source.Errorf(at, codeOf(err, code), "%s", err)
		if marks != 0 {
			d.Message = "the operation failed on a value that must not be shown"
		}
		return d
	}
	if d.At.IsZero() && !at.IsZero() {
		placed := *d
		placed.At = at
		return &placed
	}
	return d
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
