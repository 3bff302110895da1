package filters

import (
	"errors"
	"fmt"
	"maps"

	"github.com/yaytpl/yaytpl/value"
)

// Apply calls f on a piped value: it binds args, refuses undefined values unless f
// is about them, counts steps, and marks the result with what went in.
func (f *Func) Apply(c *Ctx, in value.Value, args value.Args) (value.Value, error) {
	if c == nil {
		c = &Ctx{}
	}
	if in.Is(value.UndefinedKind) && f.input != takesUndefined {
		return value.Null, reason(in)
	}
	a, err := f.bind(args)
	if err != nil {
		return value.Null, f.wrap(err)
	}
	if err := c.step(1); err != nil {
		return value.Null, err
	}
	out, err := f.Call(c, in, a)
	if err != nil {
		return value.Null, f.wrap(withhold(err, in, args))
	}
	if err := c.reserve(len(out.Str())); err != nil {
		return value.Null, f.wrap(err)
	}
	return f.marked(out, in, args)
}

// marked returns a result with the marks that it has to have.
func (f *Func) marked(out, in value.Value, args value.Args) (value.Value, error) {
	if out.Is(value.UndefinedKind) {
		out = withholdReason(out, in, args)
	}
	if passes(in, out) {
		marks, err := f.marks(value.Null, args)
		return out.Mark(marks), err
	}
	marks, err := f.marks(in, args)
	if f.flow == joins {
		return out.MarkParts(marks).Mark(in.Marks()), err
	}
	return out.Mark(marks), err
}

// passes reports whether a secret text comes out as it went in, so that what may be
// shown of it is the same.
func passes(in, out value.Value) bool {
	if in.Marks()&value.Secret == 0 || in.Marks() != out.Marks() || in.Str() != out.Str() {
		return false
	}
	before, _ := value.Masked(in)
	after, _ := value.Masked(out)
	return before == after
}

func (f *Func) wrap(err error) error { return fmt.Errorf("%s %q: %w", f.kind, f.Name, err) }

func (f *Func) marks(in value.Value, args value.Args) (value.Marks, error) {
	switch f.flow {
	case plain:
		return 0, nil
	case chooses:
		return in.Marks(), nil
	}
	marks, collections := in.Marks(), isCollectionKind(in)
	for _, v := range args.Pos {
		marks, collections = marks|v.Marks(), collections || isCollectionKind(v)
	}
	for _, n := range args.Named {
		marks, collections = marks|n.Value.Marks(), collections || isCollectionKind(n.Value)
	}
	if f.flow == moves || !collections {
		return marks, nil
	}
	return value.DeepMarks(value.ListOf(everything(in, args)...))
}

func isCollectionKind(v value.Value) bool { return v.Is(value.ListKind) || v.Is(value.MapKind) }

func everything(in value.Value, args value.Args) []value.Value {
	all := append([]value.Value{in}, args.Pos...)
	for _, n := range args.Named {
		all = append(all, n.Value)
	}
	return all
}

// A withheldError keeps its text to itself, which may quote a value that must not
// be shown. What kind of error it is can still be found out.
type withheldError struct{ cause error }

// Error says that there is more to say.
func (withheldError) Error() string {
	return "cannot do this with the given value, which must not be shown"
}

// Unwrap returns the error that was withheld.
func (e withheldError) Unwrap() error { return e.cause }

// withhold hides the text of an error about marked values.
func withhold(err error, in value.Value, args value.Args) error {
	var limit *value.LimitError
	if errors.As(err, &limit) || errors.Is(err, errTooDeep) {
		return err
	}
	if marks, failed := value.DeepMarks(value.ListOf(everything(in, args)...)); marks == 0 && failed == nil {
		return err
	}
	return withheldError{err}
}

// withholdReason hides why a result is undefined if that may quote what was asked for.
// The keys of a map with secrets are no secrets, so that what is in it does not count.
func withholdReason(out, in value.Value, args value.Args) value.Value {
	asked := value.ListOf(everything(value.Null, args)...)
	if marks, err := value.DeepMarks(asked); err == nil && marks|in.Marks() == 0 {
		return out
	}
	return value.Undefined(errors.New(withheldError{}.Error()))
}

// CallFilter calls the filter called name of this package.
func CallFilter(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
	return tables().filters.call(c, name, in, args)
}

// CallTest asks the test called name of this package. The answer carries marks.
func CallTest(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
	return tables().tests.call(c, name, in, args)
}

func (t *table) call(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
	f, ok := t.lookup(name)
	if !ok {
		return value.Null, t.unknown(name)
	}
	return f.Apply(c, in, args)
}

func (t *table) unknown(name string) error {
	return fmt.Errorf("unknown %s %q%s", t.all[0].kind, name, didYouMean(name, maps.Keys(t.byName)))
}
