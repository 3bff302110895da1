package lookup

import (
	"errors"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Inject answers a call of an expression outside of the bindings, where types are texts.
//
// Codes: not-found, type-mismatch, unknown-type, the codes of evaluating the value.
func Inject(t *bind.Table, c expr.Injection) (value.Value, error) {
	call := bind.Call{Function: c.Function, At: c.At, Args: c.Args, ParseType: func(text string) (*types.Type, error) { return parseType(text, c.At) }}
	if c.Function != "lookup" && len(c.Args) > 0 && isType(c.Args[0]) {
		name := c.Args[0].WithSource(value.Scalar{Text: c.Args[0].Str(), Tag: types.ReferenceTag})
		call.Args = append([]value.Value{name}, c.Args[1:]...)
	}
	options := value.NewMap(len(c.Named))
	for _, o := range c.Named {
		name, ok := map[string]string{"type": "value_type", "value_type": "value_type", "merge": "merge", "default": "default_value", "default_value": "default_value"}[o.Name]
		if !ok || c.Function != "lookup" {
			return value.Null, source.Errorf(c.At, source.BadType, "%s: unknown option %q: lookup has type, merge and default", c.Function, o.Name)
		}
		options.Set(value.K(name), o.Value)
	}
	if options.Len() > 0 {
		if len(call.Args) != 1 {
			return value.Null, source.Errorf(c.At, source.BadType, "%s: options by name and by position exclude each other", c.Function)
		}
		call.Args = append(call.Args[:1:1], value.FromMap(options))
	}
	return t.Scope().Call(call)
}

// isType reports whether the first argument of inject is a type: it begins with a capital letter.
func isType(v value.Value) bool {
	return v.Is(value.StringKind) && v.Str() != "" && v.Str()[0] >= 'A' && v.Str()[0] <= 'Z'
}

func parseType(text string, at source.Span) (*types.Type, error) {
	t, err := types.Parse(text)
	bad := (*types.Error)(nil)
	if errors.As(err, &bad) {
		code := source.Syntax
		if bad.Unknown {
			code = source.UnknownType
		}
		d := source.Errorf(at, code, "%s", bad.Message)
		if bad.Near != "" {
			d.WithHint("did you mean %s?", bad.Near)
		}
		return nil, d
	}
	return t, err
}
