package filters

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/jmespath-community/go-jmespath"
	"github.com/jmespath-community/go-jmespath/pkg/functions"
	"github.com/jmespath-community/go-jmespath/pkg/parsing"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

func queryFilters() []Func {
	return family("query", row("json_query", "Evaluates a JMESPath expression on the data.",
		"{{ {'h': [{'n': 'a', 'on': true}, {'n': 'b', 'on': false}]} | json_query('h[?on].n') }}", `["a"]`,
		jsonQuery, req("expr", Text)))
}

func jsonQuery(c *Ctx, in value.Value, a Bound) (out value.Value, err error) {
	if len(a.Str("expr")) > maxQuery {
		return value.Null, &value.LimitError{What: "expression", Max: maxQuery}
	}
	defer func() {
		if p := recover(); p != nil { // of the library, which panics on some expressions
			err = errors.New("JMESPath: the expression cannot be evaluated")
		}
	}()
	written := withQuotedLiterals(a.Str("expr"))
	tree, err := jmespath.NewParser().Parse(written.text)
	if err != nil {
		return value.Null, badQuery(a.Str("expr"), written, err)
	}
	if err := c.checkQuery(tree, in); err != nil {
		return value.Null, err
	}
	p := plainData{c: c, from: map[uintptr]value.Value{}}
	data, err := p.to(in, 0)
	if err != nil {
		return value.Null, err
	}
	found, err := p.search(tree, data)
	if err != nil {
		return value.Null, badQuery(a.Str("expr"), written, err)
	}
	return p.back(found, 0)
}

// maxQuery bounds the length of an expression, and with it the recursion of the parser.
const maxQuery = 10_000

// The JMESPath library has no limits: each "|[@,@][]" of a query doubles the list, so that
// twenty of them make a million items out of one. So jsonQuery estimates the size of the
// result before it runs a query, and functions that make long texts out of short ones
// check the limit when they are called.

// querySize is the limit of the data within a query, as a multiple of MaxBytes.
const querySize = 2

// checkQuery returns an error if the result of a query on v could exceed the limit.
func (c *Ctx) checkQuery(q parsing.ASTNode, v value.Value) error {
	size, err := c.size(v)
	if err != nil {
		return err
	}
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	if growth(q)*float64(size) > querySize*float64(limit) {
		return &value.LimitError{What: "the result of the query", Max: limit}
	}
	return nil
}

// growth bounds the size of the result of an expression as a multiple of its input:
// alternatives in a list add up, stages of a pipe multiply. [@,@] has the growth 2 and
// [@,@]|[@,@,@] the growth 6. The texts of functions in resultSizes are not included,
// since these check the limit themselves.
func growth(n parsing.ASTNode) float64 {
	name, _ := n.Value.(string)
	makesText := n.NodeType == parsing.ASTFunctionExpression && resultSizes.Get()[name] != nil
	sum, most, product := 0.0, 1.0, 1.0
	for i, child := range n.Children {
		if n.NodeType == parsing.ASTFilterProjection && i == 2 {
			break // the result does not contain the condition
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

// queryFunctions returns the functions of JMESPath whose results can be much longer than
// their arguments, with a limit that all of one query share.
func (c *Ctx) queryFunctions() []jmespath.FunctionEntry {
	limit := cmp.Or(c.MaxBytes, defaultMaxBytes)
	total := 0.0
	var limited []jmespath.FunctionEntry
	for _, f := range functions.GetDefaultFunctions() {
		size, ok := resultSizes.Get()[f.Name]
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

// resultSizes return the length of the result of a function. The library has checked the
// types of the arguments.
var resultSizes = lazy.Value[map[string]func(args []any) float64]{Make: func() map[string]func(args []any) float64 {
	return map[string]func(args []any) float64{
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
}}

func paddedSize(args []any) float64 {
	width, _ := args[1].(float64)
	return max(width, float64(len(textOf(args[0]))))
}

func textOf(x any) string {
	s, _ := x.(string)
	return s
}

// plainData converts values to the types of encoding/json, for libraries, and back. A map
// that a library returns unchanged becomes the original value again, with the order of
// its keys and the spelling of its numbers.
type plainData struct {
	c    *Ctx
	from map[uintptr]value.Value
}

func (p *plainData) to(v value.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	switch v.Kind() {
	case value.NullKind:
		return nil, nil
	case value.BoolKind:
		return v.Bool(), nil
	case value.IntKind, value.FloatKind:
		return v.Float(), nil
	case value.StringKind:
		return v.Str(), nil
	case value.ListKind:
		items, err := p.c.listItems(v)
		if err != nil {
			return nil, err
		}
		return convert(items, func(item value.Value) (any, error) { return p.to(item, depth+1) })
	case value.MapKind:
		entries, err := p.c.entries(v)
		out := make(map[string]any, len(entries))
		for i := 0; i < len(entries) && err == nil; i++ {
			out[entries[i].key.Text], err = p.to(entries[i].val, depth+1)
		}
		p.from[reflect.ValueOf(out).Pointer()] = v
		return out, err
	case value.UndefinedKind:
		return nil, reason(v)
	}
	return nil, fmt.Errorf("%s is not data", value.Article(v.Kind()))
}

func (p *plainData) back(x any, depth int) (value.Value, error) {
	if depth > maxDepth {
		return value.Null, errTooDeep
	}
	switch x := x.(type) {
	case nil:
		return value.Null, nil
	case bool:
		return value.Bool(x), nil
	case string:
		return value.String(x), nil
	case float64:
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return value.Int(int64(x)), nil
		}
		return value.Float(x), nil
	case int:
		return value.Int(int64(x)), nil
	case []any:
		return p.backList(x, depth)
	case map[string]any:
		return p.backMap(x, depth)
	}
	if v := reflect.ValueOf(x); v.Kind() == reflect.Slice {
		items := make([]any, v.Len())
		for i := range items {
			items[i] = v.Index(i).Interface()
		}
		return p.backList(items, depth)
	}
	return value.Null, errors.New("the result is not data")
}

func (p *plainData) backList(x []any, depth int) (value.Value, error) {
	if err := p.c.reserveItems(len(x)); err != nil {
		return value.Null, err
	}
	return listOf(convert(x, func(item any) (value.Value, error) { return p.back(item, depth+1) }))
}

func (p *plainData) backMap(x map[string]any, depth int) (value.Value, error) {
	if v, ok := p.from[reflect.ValueOf(x).Pointer()]; ok {
		return v, nil
	}
	m := value.NewMap(len(x))
	for _, k := range slices.Sorted(maps.Keys(x)) {
		v, err := p.back(x[k], depth+1)
		if err != nil {
			return value.Null, err
		}
		m.Set(value.K(k), v)
	}
	return value.FromMap(m), nil
}

// A writtenQuery is an expression of JMESPath in which every literal is JSON, and where
// quotes were added to make it so.
type writtenQuery struct {
	text  string
	added []int // offsets in text, in order
}

// withQuotedLiterals puts the literals of an expression that are no JSON into double quotes.
// JMESPath read `web` as the text "web" before it asked for JSON. Its implementation in Python,
// which Ansible's json_query runs, still does, and the guides of Ansible write it.
//
//	[?kind==`web` && n==`5`].n    [?kind==`"web"` && n==`5`].n
func withQuotedLiterals(expr string) writtenQuery {
	var w writtenQuery
	var b strings.Builder
	for i := 0; i < len(expr); {
		c := expr[i]
		end := i + 1
		if c == '`' || c == '\'' || c == '"' {
			end = queryQuoteEnd(expr, i)
		}
		if c == '`' && end-i > 1 && expr[end-1] == '`' {
			inner := expr[i+1 : end-1]
			blanks := len(inner) - len(strings.TrimLeft(inner, " \t\r\n"))
			if quoted := inner[:blanks] + `"` + inner[blanks:] + `"`; !isLiteral(inner) && isLiteral(quoted) {
				b.WriteByte('`')
				w.added = append(w.added, b.Len()+blanks, b.Len()+len(quoted)-1)
				b.WriteString(quoted)
				b.WriteByte('`')
				i = end
				continue
			}
		}
		b.WriteString(expr[i:end])
		i = end
	}
	w.text = b.String()
	return w
}

// isLiteral reports whether the inside of a literal is JSON.
func isLiteral(inner string) bool {
	return json.Valid([]byte(strings.ReplaceAll(inner, "\\`", "`")))
}

// queryQuoteEnd returns the offset after the quote that closes the one at i, or the end.
func queryQuoteEnd(expr string, i int) int {
	for j := i + 1; j < len(expr); j++ {
		switch expr[j] {
		case '\\':
			j++
		case expr[i]:
			return j + 1
		}
	}
	return len(expr)
}

// offset returns the offset in the expression as it was written.
func (w *writtenQuery) offset(at int) int {
	before := 0
	for _, a := range w.added {
		if a < at {
			before++
		}
	}
	return at - before
}
