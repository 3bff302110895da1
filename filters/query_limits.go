package filters

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/jmespath-community/go-jmespath"
	"github.com/jmespath-community/go-jmespath/pkg/functions"
	"github.com/jmespath-community/go-jmespath/pkg/parsing"

	"github.com/yaytpl/yaytpl/value"
)

// The library that runs JMESPath knows no limits: "@|[@,@][]" twice as often as a name
// is long makes a list of a million items out of one. So what a query may come to is
// estimated before it is run, and functions that make long texts out of short ones ask
// first.

// querySize is how large the data may become within a query, in bytes, next to what one
// filter may make.
const querySize = 2

// checkQuery refuses a query that could make far more than there is in v.
func (c *Ctx) checkQuery(q parsing.ASTNode, v value.Value) error {
	size, err := c.size(v)
	if err != nil {
		return err
	}
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	if growth(q)*float64(size) > querySize*float64(limit) {
		return &value.LimitError{What: "what the query makes", Max: limit}
	}
	return nil
}

// growth is how many times its input the result of an expression can be: what stands
// beside each other adds up, what stands behind each other multiplies. The texts that
// functions of resultSizes make are counted when they are made.
func growth(n parsing.ASTNode) float64 {
	name, _ := n.Value.(string)
	makesText := n.NodeType == parsing.ASTFunctionExpression && resultSizes[name] != nil
	sum, most, product := 0.0, 1.0, 1.0
	for i, child := range n.Children {
		if n.NodeType == parsing.ASTFilterProjection && i == 2 {
			break // the condition is no part of the result
		}
		if makesText && child.NodeType == parsing.ASTLiteral {
			continue
		}
		g := growth(child)
		sum, most, product = sum+g, max(most, g), product*g
	}
	switch n.NodeType {
	case parsing.ASTMultiSelectList, parsing.ASTMultiSelectHash, parsing.ASTBindings, parsing.ASTFunctionExpression:
		return max(sum, product)
	case parsing.ASTOrExpression, parsing.ASTAndExpression, parsing.ASTComparator, parsing.ASTArithmeticExpression:
		return most
	case parsing.ASTLiteral:
		return max(1, float64(len(fmt.Sprint(n.Value))))
	}
	return product
}

// queryFunctions are the functions of JMESPath whose results can be much longer than
// what they are given. In one query they share a limit.
func (c *Ctx) queryFunctions() []jmespath.FunctionEntry {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	total := 0.0
	var limited []jmespath.FunctionEntry
	for _, f := range functions.GetDefaultFunctions() {
		size, ok := resultSizes[f.Name]
		if !ok {
			continue
		}
		handle := f.Handler
		f.Handler = func(args []any) (any, error) {
			if total += size(args); total > float64(limit) {
				return nil, &value.LimitError{What: "text", Max: limit}
			}
			return handle(args)
		}
		limited = append(limited, f)
	}
	return limited
}

// resultSizes say how long the text is that a function makes. The library has checked
// the types of the arguments.
var resultSizes = map[string]func(args []any) float64{
	"pad_left":  paddedSize,
	"pad_right": paddedSize,
	"join": func(args []any) float64 {
		texts, _ := args[1].([]any)
		size := float64(len(textOf(args[0]))) * float64(len(texts))
		for _, s := range texts {
			size += float64(len(textOf(s)))
		}
		return size
	},
	"replace": func(args []any) float64 {
		s, old, replacement := textOf(args[0]), textOf(args[1]), textOf(args[2])
		return float64(len(s)) + float64(strings.Count(s, old))*float64(len(replacement))
	},
}

func paddedSize(args []any) float64 {
	width, _ := args[1].(float64)
	return max(width, float64(len(textOf(args[0]))))
}

func textOf(x any) string {
	s, _ := x.(string)
	return s
}
