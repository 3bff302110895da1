package expr

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Check returns warnings about parts of an expression that fail whatever the values are:
// unknown filters and tests, operators with operands that they do not take. Evaluation
// reports the same for the parts that it reaches.
func Check(n Node, lib Library) []*source.Diagnostic {
	var in inference
	in.of(n)
	found := in.found
	Walk(n, func(n Node) bool {
		switch n := n.(type) {
		case *Filter:
			if _, ok := envFilters().find(n.Name); !ok && !lib.HasFilter(n.Name) {
				found = append(found, asWarning(unknownFilter(n.NameAt, n.Name, lib)))
			}
		case *Test:
			if !hasTest(lib, n.Name) {
				found = append(found, asWarning(unknownTest(n.NameAt, n.Name, lib)))
			}
		}
		return true
	})
	for i, d := range found {
		if quotesSecret(d) {
			found[i] = concealedIn(d)
		}
	}
	return found
}

// asWarning converts an error to a warning.
func asWarning(err error) *source.Diagnostic {
	d := *source.AsDiagnostic(err, source.Span{}, source.Syntax)
	d.Severity = source.Warning
	return &d
}

// A kindInfo is the kind of a value as far as it is known without evaluation.
type kindInfo struct {
	kind  value.Kind
	known bool
}

func known(k value.Kind) kindInfo { return kindInfo{k, true} }

// An inference derives kinds from literals and operators, and collects warnings about
// operations that can only fail. The kinds of names are not known.
type inference struct{ found []*source.Diagnostic }

// of returns the kind of a node and visits all of it, so that mistakes in parts of unknown kind are found as well.
func (in *inference) of(n Node) kindInfo {
	switch n := n.(type) {
	case nil:
		return kindInfo{}
	case *Lit:
		return known(n.Value.Kind())
	case *Unary:
		return in.unary(n)
	case *Binary:
		return in.binary(n)
	case *Cond:
		in.of(n.Test)
		return same(in.of(n.Then), in.of(n.Else))
	case *Logic:
		return same(in.of(n.X), in.of(n.Y))
	}
	for _, child := range children(n) {
		in.of(child)
	}
	switch n.(type) {
	case *Compare, *Test:
		return known(value.BoolKind)
	case *Concat:
		return known(value.StringKind)
	case *List:
		return known(value.ListKind)
	case *Map:
		return known(value.MapKind)
	}
	return kindInfo{}
}

func same(a, b kindInfo) kindInfo {
	if a == b {
		return a
	}
	return kindInfo{}
}

func (in *inference) unary(n *Unary) kindInfo {
	t := in.of(n.X)
	if n.Op == "not" {
		return known(value.BoolKind)
	}
	if t.known && !isNumericKind(t.kind) {
		in.found = append(in.found, source.Warnf(n.At, source.Suspicious, "%q does not apply to %s", n.Op, value.Article(t.kind)))
		return kindInfo{}
	}
	return t
}

func (in *inference) binary(n *Binary) kindInfo {
	x, y := in.of(n.X), in.of(n.Y)
	if !x.known || !y.known {
		return kindInfo{}
	}
	t, ok := binaryKind(n.Op, x.kind, y.kind)
	if !ok {
		in.found = append(in.found, source.Warnf(n.At, source.Suspicious, "%q does not apply to %s and %s", n.Op, value.Article(x.kind), value.Article(y.kind)))
	}
	return t
}

// binaryKind returns the kind of an operation, and false if it can only fail.
func binaryKind(op string, x, y value.Kind) (kindInfo, bool) {
	sequence := func(k value.Kind) bool { return k == value.StringKind || k == value.ListKind }
	whole := func(k value.Kind) bool { return k == value.IntKind || k == value.BoolKind }
	switch {
	case op == "%" && x == value.StringKind:
		return known(x), true
	case op == "+" && x == y && sequence(x):
		return known(x), true
	case op == "*" && sequence(x) && whole(y):
		return known(x), true
	case op == "*" && sequence(y) && whole(x):
		return known(y), true
	case !isNumericKind(x) || !isNumericKind(y):
		return kindInfo{}, false
	case op == "/" || x == value.FloatKind || y == value.FloatKind:
		return known(value.FloatKind), true
	case op == "**":
		return kindInfo{}, true // a negative exponent gives a float
	}
	return known(value.IntKind), true
}

func isNumericKind(k value.Kind) bool {
	return k == value.IntKind || k == value.FloatKind || k == value.BoolKind
}
