package filters

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

func arithFunctions() []Func {
	f := func(name string, op operation, doc, example, result string, aliases ...string) Func {
		return Func{
			Name: name, Aliases: aliases, Family: "functions", Doc: doc, Example: example, Result: result,
			Call: func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
				args, err := c.pair(in)
				if err != nil {
					return value.Null, err
				}
				return op(c, args[0], args[1])
			},
		}
	}
	return []Func{
		f("add", arithmetic(value.Add), "The sum of two numbers; two texts or lists joined.", "{eval: {add: [2, 3]}}", "5"),
		f("sub", arithmetic(value.Sub), "The difference of two numbers.", "{eval: {sub: [2, 3]}}", "-1"),
		f("mul", arithmetic(value.Mul), "The product of two numbers; a text or list repeated.", "{eval: {mul: [2, 3]}}", "6"),
		f("div", arithmetic(value.Div), "The quotient of two numbers, as a float.", "{eval: {div: [7, 2]}}", "3.5", "truediv"),
		f("floordiv", arithmetic(value.FloorDiv), "The quotient of two numbers, rounded down.", "{eval: {floordiv: [7, 2]}}", "3"),
		f("mod", arithmetic(value.Mod), "The rest of a division; a text formatted.", "{eval: {mod: [7, 4]}}", "3"),
		f("pow", arithmetic(value.Pow), "A number to the power of another.", "{eval: {pow: [2, 10]}}", "1024"),
		f("eq", equal, "Whether two values are equal.", "{eval: {eq: [1, 1.0]}}", "true"),
		f("ne", unequal, "Whether two values differ.", "{eval: {ne: [a, b]}}", "true"),
		f("gt", ordered(greater), "Whether the first value is greater.", "{eval: {gt: [2, 1]}}", "true"),
		f("ge", ordered(greaterOrEqual), "Whether the first value is greater or equal.", "{eval: {ge: [2, 2]}}", "true"),
		f("lt", ordered(less), "Whether the first value is less.", "{eval: {lt: [2, 1]}}", "false"),
		f("le", ordered(lessOrEqual), "Whether the first value is less or equal.", "{eval: {le: [1, 2]}}", "true"),
	}
}

// An operation makes a value of two.
type operation func(c *Ctx, a, b value.Value) (value.Value, error)

// arithmetic is an operation that counts no work: its results are bounded.
func arithmetic(op func(a, b value.Value) (value.Value, error)) operation {
	return func(_ *Ctx, a, b value.Value) (value.Value, error) { return op(a, b) }
}

func textFunctions() []Func {
	functions := []Func{
		{
			Name: "concat", Family: "functions", Call: concat, flow: joins,
			Params:  []Param{opt("sep", Text, value.String(""))},
			Doc:     "The items of a list as one text, truth values and null as YAML spells them; anything else as it is.",
			Example: "{eval: {concat: [a, 1, true], sep: '-'}}", Result: `"a-1-true"`,
		},
		{
			Name: "token", Family: "functions", Call: token,
			Doc:     "One part of a text split at a separator: [text, separator, index].",
			Example: "{eval: {token: ['a:b:c', ':', 1]}}", Result: `"b"`,
		},
		{
			Name: "urljoin", Family: "functions", Call: urlJoin,
			Doc:     "A URL from [scheme, host, port, path, query, fragment], of which the first two are needed. The default port is left out.",
			Example: "{eval: {urljoin: [https, example.org, 443, 'a b']}}", Result: `"https://example.org/a%20b"`,
		},
	}
	for _, f := range append(scalarFilters(), valueFilters()...) {
		switch f.Name {
		case "scalar":
			f.Example, f.Result = "{eval: {scalar: 5 mb, unit: kB}}", `"5000 kB"`
		case "scalar_value":
			f.Example, f.Result = "{eval: {scalar_value: 1.5 KiB}}", "1536"
		case "sensitive":
			f.Example, f.Result = "{eval: {sensitive: pw}}", `"<<REDACTED>>"`
		default:
			continue
		}
		functions = append(functions, f)
	}
	return functions
}

func concat(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if !in.Is(value.ListKind) {
		return in, nil
	}
	items, err := c.listItems(in)
	if err != nil {
		return value.Null, err
	}
	for i, item := range items {
		if k, ok := value.KeyOf(item); ok && (item.IsNull() || item.Is(value.BoolKind)) {
			items[i] = value.String(k.Text).Mark(item.Marks())
		}
	}
	return c.joinValues(items, a.Get("sep"))
}

func token(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	args, err := c.items(in)
	if err != nil {
		return value.Null, err
	}
	if !in.Is(value.ListKind) || len(args) != 3 || !args[2].Is(value.IntKind) {
		return value.Null, errors.New("wants [text, separator, index]")
	}
	s, err := c.text(args[0])
	if err != nil {
		return value.Null, err
	}
	if args[1].Str() == "" {
		return value.Null, errEmptySeparator
	}
	parts := strings.Split(s, args[1].Str())
	i, ok := args[2].Int()
	n := int64(len(parts))
	if !ok || i >= n || i < -n {
		return value.Null, fmt.Errorf("there is no token %d, the text has %d", i, n)
	}
	return value.String(parts[(i+n)%n]), nil
}

func urlJoin(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	args, err := c.items(in)
	if err != nil {
		return value.Null, err
	}
	if !in.Is(value.ListKind) || len(args) < 2 || len(args) > 6 {
		return value.Null, errors.New("wants a list of 2 to 6: scheme, host, port, path, query, fragment")
	}
	var p [6]string
	for i, v := range args {
		if v.IsNull() {
			continue
		}
		if p[i], err = c.text(v); err != nil {
			return value.Null, err
		}
	}
	if s := joinURL(p); s != "" {
		return value.String(s), nil
	}
	return value.Null, nil
}

func joinURL(p [6]string) string {
	scheme, netloc, port := p[0], p[1], p[2]
	defaults := map[string]string{"http": "80", "https": "443", "ftp": "21", "ssh": "22"}
	if netloc != "" && port != "" && port != defaults[scheme] {
		netloc += ":" + port
	}
	path := percentEncode(p[3], "/")
	if netloc != "" && path != "" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if netloc != "" {
		path = "//" + netloc + path
	}
	if scheme != "" && path != "" {
		path = scheme + ":" + path
	}
	if p[4] != "" {
		path += "?" + quotePlus(p[4])
	}
	if p[5] != "" {
		path += "#" + percentEncode(p[5], "/")
	}
	return path
}
