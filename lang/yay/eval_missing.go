package yay

import (
	"errors"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// errProbe stands for any error of something missing that the "else" around catches
// at once. What is near to the missing name is not searched for then.
var errProbe error = source.Errorf(source.Span{}, source.NoMatching, "nothing there")

// fallback is "x else y": y if x cannot be found (spec: yay, section 4.3). What
// fails while a value that was found is computed is not caught.
func (ev evaluator) fallback(n *expr.Else) (value.Value, error) {
	left := ev
	left.probing = true
	v, err := left.eval(n.X)
	if err == nil || !isMissing(err) {
		return v, err
	}
	return ev.eval(n.Y)
}

// isMissing reports whether err says that what an "else" asks for cannot be found.
func isMissing(err error) bool {
	d := diagnosticOf(err)
	return d != nil && d.Code == source.NoMatching && !d.Within
}

// diagnosticOf returns the finding that err is or wraps, nil if there is none.
func diagnosticOf(err error) *source.Diagnostic {
	if d, ok := err.(*source.Diagnostic); ok || err == nil {
		return d
	}
	var d *source.Diagnostic
	errors.As(err, &d)
	return d
}

// within returns the error of an operand: what is missing there is missing within a
// value that was found, since an operator is not evaluated to find its value.
func within(err error) error { return setWithin(err, true) }

// reached returns the error of what is needed to find a value, such as an index or
// a condition. What is missing there makes the value missing, even if it is within
// an operand.
func reached(err error) error { return setWithin(err, false) }

// setWithin changes a copy: errors are remembered and shared.
func setWithin(err error, within bool) error {
	d := diagnosticOf(err)
	if d == nil || d.Code != source.NoMatching || d.Within == within {
		return err
	}
	changed := *d
	changed.Within = within
	return &changed
}

// defined returns v unless it is undefined, as names of a template may be.
func defined(v value.Value, at source.Span) (value.Value, error) {
	if !v.Is(value.UndefinedKind) {
		return v, nil
	}
	if reason := v.Reason(); reason != nil {
		return value.Null, source.AsDiagnostic(reason, at, source.Undefined)
	}
	return value.Null, source.Errorf(at, source.Undefined, "the value is undefined")
}

// withHint returns the error of something missing with a hint, if it has none.
func withHint(err error, hint string) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || hint == "" || d.Hint != "" || d.Code != source.NoMatching {
		return err
	}
	copied := *d
	return copied.WithHint("%s", hint)
}

// placed gives an error without a place the place of the expression that met it.
func placed(err error, at source.Span) error {
	if d, ok := err.(*source.Diagnostic); ok {
		return d.Located(at)
	}
	return err
}

// dataError is the error of an operation on values of any size and depth: that of an
// item that cannot be computed, or of a limit that lies in the operation.
func dataError(err error, at source.Span) error {
	if err == nil {
		return nil
	}
	return source.AsDiagnostic(err, at, source.Limit)
}
