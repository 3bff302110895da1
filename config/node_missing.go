package config

import (
	"errors"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// NoMatching is what errors.Is finds in the error of a [Node] that leads nowhere: a
// key, an item or a name on its way is not there. Where it does, and only there, the
// default of a getter counts. Errors of values that are there, or that cannot be
// known, are others, and so is a missing file.
//
//lint:ignore ST1012 the name is that of the error in the language (spec: yay, section 10)
var NoMatching = errors.New("no matching")

// A missing is the error of a node that leads nowhere. It becomes a diagnostic if
// nobody has a default.
type missing struct {
	found       // the place that has no such key
	depth int   // how many keys lead there
	cause error // of a name that is not there
}

func (m *missing) Error() string { return "no matching" }

func isMissing(err error) bool {
	_, ok := err.(*missing)
	return ok
}

// asMissing turns the error of a name that is not there into a *missing. What went
// wrong further inside of a value that is there does not count.
func asMissing(err error) error {
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.NoMatching && !d.Within && d.Severity == source.Error {
		return &missing{cause: d}
	}
	return err
}

func (m *missing) diagnostic(n Node) error {
	if m.cause != nil {
		return noMatching(m.cause)
	}
	key := n.keys[m.depth]
	where, at := n.in.path(n.keys[:m.depth]), m.span()
	if where == "." { // all layers together: none of them is the place
		where, at = "the configuration", source.Span{}
	}
	d := source.Errorf(at, source.NoMatching, "no %q in %s", key.Text, where)
	switch m.val.Kind() {
	case value.ListKind:
		d.WithHint("the list has %s", docpath.ItemsToTake(m.val.List().Len()))
	case value.MapKind:
		if m.val.Marks() == 0 { // else the keys are not told
			d.DidYouMean(key.Text, value.KeyTexts(m.val.Map()))
		}
	}
	return noMatching(d)
}

// noMatching returns a diagnostic in which errors.Is finds [NoMatching].
func noMatching(err error) error {
	d := *source.AsDiagnostic(err, source.Span{}, source.NoMatching)
	d.Cause = &nowhere{d.Cause}
	return &d
}

// nowhere is the cause of a diagnostic that stands for [NoMatching].
type nowhere struct{ cause error }

func (e *nowhere) Error() string        { return NoMatching.Error() }
func (e *nowhere) Is(target error) bool { return target == NoMatching }
func (e *nowhere) Unwrap() error        { return e.cause }

// inside returns a diagnostic as that of a value that is there: no default stands in
// for it.
func inside(err *source.Diagnostic) *source.Diagnostic {
	d := *err
	d.Within = true
	if e, ok := d.Cause.(*nowhere); ok {
		d.Cause = e.cause
	}
	return &d
}
