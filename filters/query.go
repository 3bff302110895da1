package filters

import (
	"fmt"

	"github.com/jmespath-community/go-jmespath"

	"github.com/yaytpl/yaytpl/value"
)

func queryFilters() []Func {
	return []Func{{
		Name: "json_query", Family: "query", Call: jsonQuery,
		Params:  []Param{req("expr", Text)},
		Doc:     "What a JMESPath expression finds in the data.",
		Example: "{{ {'h': [{'n': 'a', 'on': true}, {'n': 'b', 'on': false}]} | json_query('h[?on].n') }}", Result: `["a"]`,
	}}
}

func jsonQuery(c *Ctx, in value.Value, a Bound) (out value.Value, err error) {
	if len(a.Str("expr")) > maxQuery {
		return value.Null, &value.LimitError{What: "expression", Max: maxQuery}
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("JMESPath: %v", p)
		}
	}()
	tree, err := jmespath.NewParser().Parse(a.Str("expr"))
	if err != nil {
		return value.Null, fmt.Errorf("JMESPath: %w", err)
	}
	if err := c.checkQuery(tree, in); err != nil {
		return value.Null, err
	}
	q, err := jmespath.Compile(a.Str("expr"), c.queryFunctions()...)
	if err != nil {
		return value.Null, fmt.Errorf("JMESPath: %w", err)
	}
	p := plainData{c: c, from: map[uintptr]value.Value{}}
	data, err := p.to(in, 0)
	if err != nil {
		return value.Null, err
	}
	found, err := q.Search(data)
	if err != nil {
		return value.Null, fmt.Errorf("JMESPath: %w", err)
	}
	return p.back(found, 0)
}

// maxQuery keeps the recursion of the parser small.
const maxQuery = 10_000
