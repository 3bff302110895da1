package mcl

import (
	"errors"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// eval evaluates an expression in a frame. Its types are known, so that operators only meet operands
// that they have. Results have the marks of what they were computed from, and of what chose them.
func (f *frame) eval(e syntax.Expr) (value.Value, error) {
	if f.run.level == maxDepth {
		return value.Null, tooDeep(e.Span())
	}
	f.run.level++
	v, err := f.shape(e)
	f.run.level--
	if err != nil {
		return value.Null, located(err, e.Span())
	}
	return v, nil
}

// shape evaluates an expression by its form.
func (f *frame) shape(e syntax.Expr) (value.Value, error) {
	if err := f.run.step(1); err != nil {
		return value.Null, err
	}
	switch e := e.(type) {
	case *syntax.Bool:
		return literal(value.Bool(e.Value), e.At), nil
	case *syntax.Int:
		return literal(value.Int(e.Value), e.At), nil
	case *syntax.Float:
		return literal(value.Float(e.Value), e.At), nil
	case *syntax.Str:
		return f.text(e)
	case *syntax.List:
		items, err := f.evalAll(e.Items)
		return value.FromList(value.Slice(items)), err
	case *syntax.Map:
		return f.mapping(e)
	case *syntax.Struct:
		return f.structure(e)
	case *syntax.Var:
		return f.variable(e)
	case *syntax.History:
		return f.history(e)
	case *syntax.Call:
		return f.call(e)
	case *syntax.If:
		return f.choice(e)
	case *syntax.Lambda:
		return value.FromFunc(&value.Func{Name: "func", Definition: &closure{fn: e.Func, binder: f.in.unit.mod.lambdas[e.Func], frame: f}}), nil
	case *syntax.Paren:
		return f.eval(e.X)
	case *syntax.Unary:
		v, err := f.eval(e.X)
		return value.Bool(!v.Bool()).Mark(v.Marks()), err
	case *syntax.Binary:
		return f.binary(e)
	case *syntax.Index:
		return f.index(e)
	case *syntax.Field:
		return f.field(e)
	}
	panic("mcl: unknown expression")
}

// literal returns the value of a literal: one of an encrypted program is a secret.
func literal(v value.Value, at source.Span) value.Value {
	if at.File.Secret {
		return v.Mark(value.Secret)
	}
	return v
}

// evalAll evaluates several expressions.
func (f *frame) evalAll(es []syntax.Expr) ([]value.Value, error) {
	all := make([]value.Value, len(es))
	for i, e := range es {
		v, err := f.eval(e)
		if err != nil {
			return nil, err
		}
		all[i] = v
	}
	return all, nil
}

// text joins the parts of a string.
func (f *frame) text(e *syntax.Str) (value.Value, error) {
	if text, ok := plainText(e); ok {
		return literal(value.String(text), e.At), nil
	}
	var b value.TextBuilder
	for _, p := range e.Parts {
		if p.Ref == nil {
			if err := b.WriteValue(literal(value.String(p.Text), e.At), p.Text); err != nil {
				return value.Null, err
			}
			continue
		}
		v, err := f.eval(p.Ref)
		if err != nil {
			return value.Null, err
		}
		if err := f.appendText(&b, v, e.At); err != nil {
			return value.Null, err
		}
	}
	return b.Value(), nil
}

// textSteps is the number of bytes of a text that cost a step.
const textSteps = 64

// grow counts the work of copying n bytes into a text that then has size bytes.
func (f *frame) grow(size, n int, at source.Span) error {
	if most := f.run.place.Eval().Limits().Output; size > most {
		return source.Errorf(at, source.Limit, "a text of more than %d bytes", most)
	}
	return f.run.step(n / textSteps)
}

// mapping makes a map. Keys carry no marks in it, so the marks of all keys become marks of the map.
func (f *frame) mapping(e *syntax.Map) (value.Value, error) {
	m := types.NewMapping(len(e.Entries))
	var marks value.Marks
	for _, entry := range e.Entries {
		k, err := f.eval(entry.Key)
		if err != nil {
			return value.Null, err
		}
		v, err := f.eval(entry.Value)
		if err != nil {
			return value.Null, err
		}
		marks |= k.Marks()
		m.Set(k, v)
	}
	return value.FromMap(m).Mark(marks), nil
}

// structure makes a struct, with its fields in the order in which they are written: the order is a part of the type.
func (f *frame) structure(e *syntax.Struct) (value.Value, error) {
	s := &types.Structure{Names: make([]string, len(e.Fields)), Items: make([]value.Value, len(e.Fields))}
	for i, field := range e.Fields {
		v, err := f.eval(field.Value)
		if err != nil {
			return value.Null, err
		}
		s.Names[i], s.Items[i] = field.Name.Text, v
	}
	return value.FromMap(s), nil
}

// variable returns the value of a variable.
func (f *frame) variable(e syntax.Expr) (value.Value, error) {
	to := f.in.unit.mod.uses[e.ID()]
	if to.host {
		return f.run.hostname(e.Span())
	}
	return f.reach(to).symbol(to.sym)
}

// history returns the value that a variable had before it changed so many times (spec: mcl, section 8).
// In a single evaluation nothing has changed.
func (f *frame) history(e *syntax.History) (value.Value, error) {
	now, err := f.variable(e)
	if err != nil || e.Back == 0 {
		return now, err
	}
	now, isData, err := library.Lasting(now, f.run.step)
	if err != nil {
		return value.Null, err
	}
	to := f.in.unit.mod.uses[e.ID()]
	v := library.Site{At: e.At}
	if !to.host {
		v = library.Site{At: to.sym.at, Frame: f.reach(to).path}
	}
	if isData {
		if then, ok := f.run.world.Past.Before(v, now, int(e.Back)); ok {
			return then, nil
		}
	}
	return value.Null, source.Errorf(e.At, source.Runtime, "$%s has no history: its value has not changed %d times", e.Name, e.Back)
}

// choice evaluates the branch that the condition chooses. The result has the marks of the condition, and so has an
// error of the branch: that there is one tells which branch was chosen.
func (f *frame) choice(e *syntax.If) (value.Value, error) {
	cond, err := f.eval(e.Cond)
	if err != nil {
		return value.Null, err
	}
	branch := e.Else
	if cond.Bool() {
		branch = e.Then
	}
	v, err := f.eval(branch)
	return v.Mark(cond.Marks()), library.HiddenBy(err, cond.Marks())
}

// fallback evaluates x <|> y: y, if x fails.
func (f *frame) fallback(x, y syntax.Expr) (value.Value, error) {
	v, err := f.eval(x)
	if err == nil || !catches(err) {
		return v, err
	}
	return f.instead(err, y)
}

// instead evaluates an expression in place of one that failed.
func (f *frame) instead(err error, y syntax.Expr) (value.Value, error) {
	v, other := f.eval(y)
	if h, ok := errors.AsType[*library.Hidden](err); ok {
		return v.Mark(h.Marks), library.HiddenBy(other, h.Marks)
	}
	return v, other
}

// catches reports whether "<|>" goes on after an error: one of a function or operator, not of a limit.
func catches(err error) bool {
	d, ok := err.(*source.Diagnostic)
	return ok && (d.Code == source.Runtime || d.Code == source.Forbidden)
}

// index evaluates x[key].
func (f *frame) index(e *syntax.Index) (value.Value, error) {
	x, err := f.eval(e.X)
	if err != nil {
		return value.Null, err
	}
	key, err := f.eval(e.Key)
	if err != nil {
		return value.Null, err
	}
	return library.At(x, key, e.At)
}

// field evaluates x->name. A missing field with a default is known from the type of x.
func (f *frame) field(e *syntax.Field) (value.Value, error) {
	if e.Default != nil {
		if f.in.typeOf(e.X).Field(e.Name.Text) < 0 {
			return f.eval(e.Default)
		}
		v, err := f.member(e)
		if err == nil || !catches(err) {
			return v, err
		}
		return f.instead(err, e.Default)
	}
	return f.member(e)
}

// member evaluates x->name where x is certain to have the field.
func (f *frame) member(e *syntax.Field) (value.Value, error) {
	x, err := f.eval(e.X)
	if err != nil {
		return value.Null, err
	}
	return fieldOf(x, e.Name.Text, e.At)
}

// fieldOf returns a field of a struct.
func fieldOf(x value.Value, name string, span source.Span) (value.Value, error) {
	s, ok := x.Map().(*types.Structure)
	if ok {
		if v, ok := s.Field(name); ok {
			return v.Mark(x.Marks()), nil
		}
	}
	return value.Null, source.Errorf(span, source.Internal, "a struct with the field %s was expected", name)
}
