package value

import (
	"fmt"
	"strings"
)

// A MisfitError reports that an operation does not take values of a kind.
type MisfitError struct {
	text, hint string
}

func (e *MisfitError) Error() string { return e.text }

// Hint returns the expression that authors of templates usually write instead, "" if there is none.
func (e *MisfitError) Hint() string { return e.hint }

// Wants returns the error of an operation that wants something else, such as "a list", than a value of
// kind got. The text may go on after the name: `a list for "start"`.
func Wants(wanted string, got Kind) error {
	e := &MisfitError{text: fmt.Sprintf("wants %s, got %s", wanted, Article(got))}
	is := func(word string) bool { return wanted == word || strings.HasPrefix(wanted, word+" ") }
	switch {
	case got == NullKind:
		e.hint = nullHint
	case is("a list") && got == StringKind:
		e.hint = "split(',') makes a list of a text, [x] a list with it"
	case is("a list"):
		e.hint = "[x] is a list with it"
	case (is("a number") || is("an integer")) && got == StringKind:
		e.hint = "the filters int and float make a number of a text"
	case (is("a string") || is("a text")) && (got == ListKind || got == MapKind):
		e.hint = "the filter join makes a text of items, to_json of all values"
	case is("a string") || is("a text"):
		e.hint = "the filter string makes a text of it"
	case is("a map") && got == ListKind:
		e.hint = "items2dict makes a map of a list of keys and values, dict() of pairs"
	case is("a map") && got == StringKind:
		e.hint = "from_yaml and from_json make a map of a text"
	}
	return e
}

const nullHint = "x | default(VALUE, true) replaces null"

// cannotCompute returns the error of an operator that does not take these kinds.
func cannotCompute(a Kind, op string, b Kind) error {
	e := &MisfitError{text: fmt.Sprintf("cannot compute %s %s %s", Article(a), op, Article(b))}
	number := func(k Kind) bool { return k == IntKind || k == FloatKind || k == BoolKind }
	switch {
	case a == NullKind || b == NullKind:
		e.hint = nullHint
	case op == OpAdd && a == StringKind && number(b) || op == OpAdd && number(a) && b == StringKind:
		e.hint = "x ~ y joins texts; the filters int and float make a number of a text"
	case a == StringKind && number(b) || number(a) && b == StringKind || a == StringKind && b == StringKind:
		e.hint = "the filters int and float make a number of a text"
	case op == OpAdd && (a == ListKind) != (b == ListKind):
		e.hint = "[x] is a list with one item"
	case op == OpAdd && a == MapKind && b == MapKind:
		e.hint = "x | combine(y) merges maps"
	case op == OpAdd && (a == StringKind || b == StringKind):
		e.hint = "x ~ y joins texts"
	}
	return e
}

// cannotOrder returns the error of a comparison of values that have no order.
func cannotOrder(a, b Kind) error {
	e := &MisfitError{text: fmt.Sprintf("cannot order %s and %s", Article(a), Article(b))}
	switch {
	case a == NullKind || b == NullKind:
		e.hint = nullHint
	case a == StringKind || b == StringKind:
		e.hint = "the filters int and float make a number of a text, string a text of a number"
	}
	return e
}
