package expr

import (
	"github.com/yaytpl/yaytpl/value"
)

// evalIf evaluates only the branch that is taken. A branch that is missing gives
// the truth value of the test.
func (c *funcCall) evalIf(s *Scope) (value.Value, error) {
	test, err := eval(c.arg, s)
	if err != nil {
		return test, err
	}
	branch := "else"
	if value.Truthy(test) {
		branch = "then"
	}
	for _, a := range c.kwargs {
		if a.Name == branch {
			v, err := eval(a.Value, s)
			return v.Mark(test.Marks()), err
		}
	}
	return value.Bool(value.Truthy(test)).Mark(test.Marks()), nil
}

// evalAndOr evaluates operands until one decides.
func (c *funcCall) evalAndOr(s *Scope) (value.Value, error) {
	operands, err := c.operandNodes(s)
	if err != nil {
		return value.Null, err
	}
	decisive := c.name == "or"
	last := value.Bool(c.name == "and")
	var marks value.Marks
	for _, n := range operands {
		v, err := eval(n, s)
		if err != nil {
			return v, err
		}
		marks |= v.Marks()
		last = plain(v)
		if value.Truthy(v) == decisive {
			return last.Mark(marks), nil
		}
	}
	if c.name == "or" {
		last = value.False
	}
	return last.Mark(marks), nil
}

// operandNodes returns the operands; a computed list has its items for operands.
func (c *funcCall) operandNodes(s *Scope) ([]Node, error) {
	if list, ok := c.arg.(*List); ok {
		return list.Items, nil
	}
	v, err := evalUsed(c.arg, s)
	if err != nil {
		return nil, err
	}
	if !v.Is(value.ListKind) {
		return nil, badExpression(c.At, "%q takes a list of operands, not %s", c.name, value.Article(v.Kind()))
	}
	items, err := listItems(v)
	if err != nil {
		return nil, err
	}
	nodes := make([]Node, len(items))
	for i, item := range items {
		nodes[i] = &Lit{c.Place, item}
	}
	return nodes, nil
}

func (c *funcCall) compare(arg value.Value, s *Scope) (value.Value, error) {
	x, y, err := c.pair(arg)
	if err != nil {
		return value.Null, err
	}
	op := map[string]string{"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}[c.name]
	holds, err := s.compare(c.At, op, x, y)
	return value.Bool(holds).Mark(x.Marks() | y.Marks()), err
}

func (c *funcCall) arith(arg value.Value) (value.Value, error) {
	x, y, err := c.pair(arg)
	if err != nil {
		return value.Null, err
	}
	op := map[string]string{
		"add": "+", "sub": "-", "mul": "*", "div": "/", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
	}[c.name]
	return arithmetic(c.At, op, x, y)
}
