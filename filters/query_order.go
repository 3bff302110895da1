package filters

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/jmespath-community/go-jmespath"
	"github.com/jmespath-community/go-jmespath/pkg/functions"
	"github.com/jmespath-community/go-jmespath/pkg/interpreter"
	"github.com/jmespath-community/go-jmespath/pkg/parsing"
)

// The JMESPath library keeps objects in maps of Go, whose order is another one at each run. So a
// query is changed before it runs: what depends on the order of an object becomes the call of a
// function of ours, which knows the order of the document.

// The functions that replace parts of a query. A query cannot name them: they have blanks.
const (
	valuesInOrder = "values in order"
	textsToo      = "order of texts too " // and the operator
)

// orderOf returns the function of an operator of order, or "". Between texts the library has no
// order; Python's implementation, which Ansible's json_query runs, compares texts too.
func orderOf(op any) string {
	if i := slices.Index(orderOperators, op); i >= 0 {
		return textsToo + [...]string{"<", "<=", ">", ">="}[i]
	}
	return ""
}

var orderOperators = []any{parsing.TOKLT, parsing.TOKLTE, parsing.TOKGT, parsing.TOKGTE}

// search runs a query on data that p converted.
func (p *plainData) search(query parsing.ASTNode, data any) (any, error) {
	all := slices.Concat(functions.GetDefaultFunctions(), p.c.queryFunctions(), p.orderFunctions())
	run := interpreter.NewInterpreter(data, interpreter.NewFunctionCaller(all...), nil)
	return run.Execute(inOrder(query), data)
}

// inOrder returns a query with the functions of ours in it: the projection m.*.n goes over the
// list of the values of m, as [*] does.
func inOrder(n parsing.ASTNode) parsing.ASTNode {
	children := make([]parsing.ASTNode, len(n.Children))
	for i, child := range n.Children {
		children[i] = inOrder(child)
	}
	n.Children = children
	call := func(name string, args ...parsing.ASTNode) parsing.ASTNode {
		return parsing.ASTNode{NodeType: parsing.ASTFunctionExpression, Value: name, Children: args}
	}
	switch n.NodeType {
	case parsing.ASTValueProjection:
		n.NodeType = parsing.ASTProjection
		n.Children[0] = call(valuesInOrder, n.Children[0])
	case parsing.ASTComparator:
		if name := orderOf(n.Value); name != "" {
			return call(name, n.Children...)
		}
	}
	return n
}

// orderFunctions returns the functions whose results have the order of an object, and those that
// replace parts of a query.
func (p *plainData) orderFunctions() []jmespath.FunctionEntry {
	values := func(m map[string]any) any { return p.each(m, func(k string) any { return m[k] }) }
	handlers := map[string]func(m map[string]any) any{
		"values": values,
		"keys":   func(m map[string]any) any { return p.each(m, func(k string) any { return k }) },
		"items":  func(m map[string]any) any { return p.each(m, func(k string) any { return []any{k, m[k]} }) },
	}
	var all []jmespath.FunctionEntry
	for _, f := range functions.GetDefaultFunctions() {
		if do, ok := handlers[f.Name]; ok {
			f.Handler = func(args []any) (any, error) { return do(args[0].(map[string]any)), nil } // the library has checked the type
			all = append(all, f)
		}
	}
	all = append(all, jmespath.FunctionEntry{Name: valuesInOrder, Handler: func(args []any) (any, error) {
		if m, ok := args[0].(map[string]any); ok {
			return values(m), nil
		}
		return nil, nil
	}})
	for _, op := range orderOperators {
		all = append(all, jmespath.FunctionEntry{Name: orderOf(op), Handler: func(args []any) (any, error) {
			switch x := args[0].(type) {
			case float64:
				if y, ok := args[1].(float64); ok {
					return ordersAs(op, x, y), nil
				}
			case string:
				if y, ok := args[1].(string); ok {
					return ordersAs(op, x, y), nil
				}
			}
			return nil, nil
		}})
	}
	return all
}

func ordersAs[T cmp.Ordered](op any, x, y T) bool {
	switch op {
	case parsing.TOKLT:
		return x < y
	case parsing.TOKLTE:
		return x <= y
	case parsing.TOKGT:
		return x > y
	}
	return x >= y
}

// each returns the results of get for the keys of an object, in their order.
func (p *plainData) each(m map[string]any, get func(key string) any) []any {
	list := make([]any, 0, len(m))
	for _, k := range p.keys(m) {
		list = append(list, get(k))
	}
	return list
}

// keys returns the keys of an object as the document has them, or in the order of texts if the
// query made the object.
func (p *plainData) keys(m map[string]any) []string {
	v, ok := p.from[reflect.ValueOf(m).Pointer()]
	if !ok {
		return slices.Sorted(maps.Keys(m))
	}
	keys, seen := make([]string, 0, len(m)), make(map[string]bool, len(m)) // 1 and "1" have one text
	for k := range v.Map().Keys() {
		if _, ok := m[k.Text]; ok && !seen[k.Text] {
			keys, seen[k.Text] = append(keys, k.Text), true
		}
	}
	return keys
}
