package yay

import (
	"errors"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// checkExpression warns about operations that can only fail, whatever the document
// says: those on nothing but literals.
func checkExpression(n expr.Node) []*source.Diagnostic {
	var found []*source.Diagnostic
	expr.Walk(n, func(n expr.Node) bool {
		if !isConstant(n) {
			return true
		}
		if d := constantFailure(n); d != nil {
			found = append(found, source.Warnf(d.At, source.Suspicious, "%s", d.Message).WithHint("%s", d.Hint))
		}
		return false
	})
	return found
}

// isConstant reports whether an expression needs nothing from outside.
func isConstant(n expr.Node) bool {
	constant := true
	expr.Walk(n, func(n expr.Node) bool {
		switch n.(type) {
		case *expr.Name, *expr.CallExpr, *expr.For:
			constant = false
		}
		return constant
	})
	return constant
}

// constantFailure returns why a constant expression fails, nil if it does not or if
// that takes long to find out.
func constantFailure(n expr.Node) *source.Diagnostic {
	v, err := eval(n, &emptiness{}, nil)
	if err == nil && !v.IsScalar() {
		_, err = value.DeepMarks(v) // evaluates what is in it
	}
	d := diagnosticOf(err)
	if d == nil || d.Code == source.Limit {
		return nil
	}
	return d
}

// emptiness is where nothing has a name.
type emptiness struct{ steps int }

const maxConstantSteps = 10_000

var errTooLong error = source.Errorf(source.Span{}, source.Limit, "the expression takes too long to check")

// Lookup finds nothing.
func (*emptiness) Lookup(string) (value.Value, bool, error) { return value.Null, false, nil }

// Missing is not asked: constants have no names.
func (*emptiness) Missing(n *expr.Name) error {
	return source.Errorf(n.At, source.NoMatching, "could not find %q", n.Name)
}

// Call is not asked either.
func (*emptiness) Call(source.Span, value.Value, []argument) (value.Value, error) {
	return value.Null, errors.ErrUnsupported
}

// Step counts work.
func (e *emptiness) Step(n int) error {
	if e.steps += n; e.steps > maxConstantSteps {
		return errTooLong
	}
	return nil
}

// Enter and Leave need not count: constants call nothing.
func (*emptiness) Enter() error { return nil }
func (*emptiness) Leave()       {}

// MaxText is small: the text of a source is.
func (*emptiness) MaxText() int { return 1 << 20 }
