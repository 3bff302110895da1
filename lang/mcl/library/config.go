package library

import (
	"errors"
	"fmt"
	"math"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// configGet returns a value of the document around the program. It must be of the type that the context
// asks for (spec: mcl, section 11). Marks stay on the values.
func configGet(c *Call) (value.Value, error) {
	v, places, err := c.World.Config(c.text(0))
	var d *source.Diagnostic
	switch {
	case errors.As(err, &d) && d.Code == source.NotFound && c.hidden(0):
		return value.Null, c.Fail("the document has no value at the path, which must not be shown")
	case errors.As(err, &d) && d.Code == source.NotFound:
		failed := source.Errorf(c.At, source.Runtime, "%s", d.Message)
		failed.Hint = d.Hint
		return value.Null, failed
	case err != nil:
		return value.Null, err
	}
	k := &converter{call: c, places: places}
	out := k.convert(v, c.Result, value.Path{})
	if k.err != nil {
		return value.Null, k.err
	}
	return out.Mark(c.Args[0].Marks()), nil
}

// A converter converts values of a document to values of the language.
type converter struct {
	call   *Call
	places Places
	err    error
}

// fail records, as the first error, that the value at a path below the one that was asked for does not have
// the type, with the place of this value in the document. It returns null.
func (k *converter) fail(at value.Path, format string, args ...any) value.Value {
	if k.err == nil {
		text := k.call.quote(0)
		if len(at) > 0 {
			text += " has " + at.String() + ", which"
		}
		failed := source.Errorf(k.call.At, source.Runtime, "%s %s", text, fmt.Sprintf(format, args...))
		if there := k.places(at); !there.IsZero() {
			failed.Note(there, "the value is set here")
		}
		k.err = failed
	}
	return value.Null
}

// convert returns v as a value of a type: an int may be a float, but nothing else is converted.
func (k *converter) convert(v value.Value, t *types.Type, at value.Path) value.Value {
	if k.err == nil {
		k.err = k.call.Step(1)
	}
	if k.err != nil {
		return value.Null
	}
	t = t.Find()
	wrong := func() value.Value { return k.fail(at, "is %s, but %s is expected", value.Article(v.Kind()), t) }
	switch t.Kind {
	case types.Bool:
		if v.Is(value.BoolKind) {
			return value.Bool(v.Bool()).Mark(v.Marks())
		}
	case types.Str:
		if v.Is(value.StringKind) {
			return v.WithoutSource()
		}
	case types.Int:
		if n, ok := v.Int(); v.Is(value.IntKind) && ok {
			return value.Int(n).Mark(v.Marks())
		} else if v.Is(value.IntKind) {
			return k.fail(at, "does not fit into 64 bits")
		}
	case types.Float:
		if v.IsNumber() && !math.IsInf(v.Float(), 0) && !math.IsNaN(v.Float()) {
			return value.Float(v.Float()).Mark(v.Marks())
		}
	case types.List:
		if v.Is(value.ListKind) {
			return k.list(v, t, at)
		}
	case types.Map:
		if v.Is(value.MapKind) {
			return k.mapping(v, t, at)
		}
	case types.Struct:
		if v.Is(value.MapKind) {
			return k.structure(v, t, at)
		}
	}
	return wrong()
}

func (k *converter) list(v value.Value, t *types.Type, at value.Path) value.Value {
	all := make(value.Slice, 0, v.List().Len())
	for item, err := range value.Items(v.List()) {
		if err != nil {
			k.err = err
			return value.Null
		}
		all = append(all, k.convert(item, t.Elem, append(at, value.Index(len(all)))))
	}
	return value.FromList(all).Mark(v.Marks())
}

func (k *converter) mapping(v value.Value, t *types.Type, at value.Path) value.Value {
	m := types.NewMapping(v.Map().Len())
	for key, scalar := range value.KeyValues(v.Map()) {
		item, ok, err := v.Map().Get(key)
		if err != nil {
			k.err = err
			return value.Null
		}
		if !ok {
			continue
		}
		below := append(at, key)
		name := k.convert(scalar, t.Key, below)
		m.Set(name, k.convert(item, t.Elem, below))
	}
	return value.FromMap(m).Mark(v.Marks())
}

func (k *converter) structure(v value.Value, t *types.Type, at value.Path) value.Value {
	s := &types.Structure{Names: make([]string, len(t.Fields)), Items: make([]value.Value, len(t.Fields))}
	for i, f := range t.Fields {
		item, ok, err := v.Map().Get(value.K(f.Name))
		if err != nil {
			k.err = err
			return value.Null
		}
		if !ok {
			return k.fail(at, "has no key %s, but %s is expected", f.Name, t)
		}
		s.Names[i], s.Items[i] = f.Name, k.convert(item, f.Type, append(at, value.K(f.Name)))
	}
	for key := range v.Map().Keys() {
		if t.Field(key.Text) < 0 {
			return k.fail(at, "has the key %s, but %s is expected", key.Text, t)
		}
	}
	return value.FromMap(s).Mark(v.Marks())
}
