package filters

import (
	"errors"

	"github.com/yaytpl/yaytpl/value"
)

func percentFilters() []Func {
	return []Func{{
		Name: "format", Family: "percent", Call: percentFormat, flow: joins,
		Params:  []Param{variadic("args", Any), keywords("named")},
		Doc:     "Fills the %s, %d, %05.2f, %(name)s ... of a text with the arguments.",
		Example: "{{ '%s-%03d' | format('a', 7) }}", Result: `"a-007"`,
	}}
}

func percentFormat(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	args := a.Rest()
	if len(a.Named()) > 0 {
		if len(args) > 0 {
			return value.Null, errors.New("takes arguments by position or by name, not both")
		}
		m := value.NewMap(len(a.Named()))
		for _, n := range a.Named() {
			m.Set(value.K(n.Name), n.Value)
		}
		args = []value.Value{value.FromMap(m)}
	}
	for _, arg := range args {
		if err := c.measure(arg); err != nil {
			return value.Null, err
		}
	}
	return value.Format(value.String(s), args)
}
