package yay

import (
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// A compiler compiles the expressions of a layout for its shortcuts. A part of an expression that is not compiled
// is evaluated as it is, among the names of the activation, or has no code.
type compiler struct {
	*shortcuts
	layout *layout // the names
	here   bool    // "here" is the map of the layout
}

// maxNodes bounds the nodes that are compiled in an evaluation: an expression is compiled for each layout.
const maxNodes = 1 << 18

// compile returns the code of an expression.
func (c compiler) compile(n expr.Node) code {
	if c.nodes++; c.nodes > maxNodes {
		return noCode{}
	}
	switch n := n.(type) {
	case *expr.Lit:
		return &literalCode{n.Value}
	case *expr.Name:
		return c.name(n)
	case *expr.Select:
		return c.selected(n)
	case *expr.Binary:
		return &binaryCode{n, c.compile(n.X), c.compile(n.Y)}
	case *expr.Compare:
		if len(n.Rest) == 1 {
			return &compareCode{n, c.compile(n.First), c.compile(n.Rest[0].Y)}
		}
	case *expr.Cond:
		if n.Else != nil {
			return &conditionCode{n.Test, c.compile(n.Test), c.compile(n.Then), c.compile(n.Else)}
		}
	case *expr.Logic:
		return &logicCode{n, c.compile(n.X), c.compile(n.Y)}
	case *expr.Else:
		return &elseCode{c.compile(n.X), c.compile(n.Y)}
	}
	if !c.isEager(n) {
		return noCode{}
	}
	return &exprCode{n}
}

// text returns the code of a text with expressions in it.
func (c compiler) text(t *Text) code {
	var head code = noCode{}
	for i := len(t.Parts) - 1; i >= 0; i-- {
		n := t.Parts[i].Node
		if n == nil {
			continue
		}
		if !c.isEager(n) {
			return noCode{}
		}
		head = c.compile(n)
	}
	return &textCode{t, head}
}

// isEager reports whether an expression can be evaluated as it is: nothing of its value is evaluated
// later, as the items of displays are, and its names are those of the activation.
func (c compiler) isEager(n expr.Node) bool {
	eager := true
	expr.Walk(n, func(n expr.Node) bool {
		c.nodes++
		switch n := n.(type) {
		case *expr.List, *expr.Map:
			eager = false
		case *expr.Name:
			eager = eager && (c.here || n.Name != "here")
		}
		return eager
	})
	return eager && c.nodes <= maxNodes
}

// name returns the code of a name that is not followed by a key.
func (c compiler) name(n *expr.Name) code {
	if n.Name == "here" {
		return noCode{}
	}
	switch b := c.layout.binding(n.Name); {
	case !b.known:
		return &nameCode{c.ref(n.Name), n}
	case b.local != nil:
		return &localCode{b.up, b.local, n}
	case b.arg >= 0:
		return &argumentCode{b.up, b.arg}
	}
	return noCode{} // an instance as a whole
}

// A boundName is what certainly binds a name, as far as layouts say: otherwise the name has its meaning around a call or an
// instance.
type boundName struct {
	known bool
	up    int    // the number of activations on the way
	local *entry // a name of "set", or nil
	arg   int    // an argument, or -1: then the name is "self" of an instance
}

func (l *layout) binding(name string) boundName {
	for up := 0; l != nil; l, up = l.outer, up+1 {
		if e := l.local(name); e != nil {
			return boundName{true, up, e, -1}
		}
		if i := l.param(name); i >= 0 {
			return boundName{true, up, nil, i}
		}
		if l.kind == instanceLayout {
			return boundName{name == selfName, up, nil, -1}
		}
	}
	return boundName{}
}

// selected returns the code of x.name.
func (c compiler) selected(n *expr.Select) code {
	switch head := headOf(n).(type) {
	case *expr.Name:
		if head.Name == "here" {
			if !c.here {
				return noCode{}
			}
			return &mapRead{0, keysOfRead(n)}
		}
		if head.Name != selfName {
			break
		}
		switch b := c.layout.binding(selfName); {
		case !b.known:
			return &selfRead{c.ref(selfName), head, keysOfRead(n)}
		case b.local == nil && b.arg < 0:
			return &mapRead{b.up, keysOfRead(n)}
		}
	case *expr.CallExpr:
		if !isNamed(head) {
			break
		}
		r := newCallRead(c.shortcuts, n, head)
		r.args = make([]code, len(head.Args))
		for i := range head.Args {
			r.args[i] = c.compile(head.Args[i].Value)
		}
		return r
	}
	return &selectCode{c.compile(headOf(n)), keysOfRead(n)}
}

// headOf returns what the keys of x.name.name begin at.
func headOf(n *expr.Select) expr.Node {
	for {
		x, ok := n.X.(*expr.Select)
		if !ok {
			return n.X
		}
		n = x
	}
}

// keysOfRead returns the keys of x.name.name.
func keysOfRead(n *expr.Select) []keyRef {
	var keys []keyRef
	for n != nil {
		keys = append(keys, keyRef{name: n.Name, at: n.NameAt})
		n, _ = n.X.(*expr.Select)
	}
	slices.Reverse(keys)
	return keys
}

// marked returns code for the value of other code with marks.
func marked(c code, m value.Marks) code {
	if m == 0 {
		return c
	}
	return &markedCode{c, m}
}
