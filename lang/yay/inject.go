package yay

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// lookupOf looks up a key in the bindings of the document (spec: bindings, section 9).
//
// Code: injection-not-allowed without bindings.
func lookupOf(c *builtinCall) (value.Value, error) {
	var in expr.Injector
	if s, ok := c.in.(*site); ok {
		in = s.runtime().Injector
	}
	at := c.node.At
	if in == nil {
		return value.Null, source.Errorf(at, source.InjectionNotAllowed, "keys cannot be looked up here: the document has no bindings").
			WithHint("--bindings SOURCE gives it bindings")
	}
	call := expr.Injection{Function: "lookup", At: at, Args: c.args[:1]}
	if len(c.args) > 1 {
		call.Named = []value.Named{{Name: "default", Value: c.args[1]}}
	}
	v, err := in.Inject(call)
	return v.Mark(c.args[0].Marks()), err
}
