package yay

import (
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Builtin is a function that every expression can call, unless the document has
// something of the same name (spec: yay, section 4.6).
type Builtin struct {
	Name  string
	Usage string // how it is called, such as "split(text, separator)"
	Doc   string // what it returns

	least, most int // how many arguments; most is -1 for any number
	call        func(*builtinCall) (value.Value, error)
}

// Builtins returns all functions, in the order of the documentation.
func Builtins() []Builtin { return slices.Clone(builtins[:]) }

var builtins = [...]Builtin{
	{"range", "range(stop), range(start, stop) or range(start, stop, step)", "the list of the integers from start, or 0, up to stop, which is not in it", 1, 3, rangeOf},
	{"replace", "replace(text, old, new)", "the text with new for every old", 3, 3, replaceText},
	{"sub", "sub(pattern, replacement, text)", `the text with the replacement for every match of a regular expression (RE2); \1 and \g<name> in the replacement are groups`, 3, 3, substitute},
	{"sum", "sum(list)", "the sum of the numbers in the list, 0 of none", 1, 1, sumOf},
	{"len", "len(x)", "how many items a list, keys a mapping or characters a string has", 1, 1, lengthOf},
	{"min", "min(list) or min(a, b, ...)", "the least of numbers, or the first of strings", 1, -1, leastOf},
	{"max", "max(list) or max(a, b, ...)", "the greatest of numbers, or the last of strings", 1, -1, greatestOf},
	{"sorted", "sorted(list)", "the numbers or the strings of the list in order; the keys of a mapping", 1, 1, sortedOf},
	{"str", "str(x)", "the scalar as a string", 1, 1, stringOf},
	{"int", "int(x)", "the number without its fraction, or the integer that the string spells", 1, 1, integerOf},
	{"float", "float(x)", "the number, or that which the string spells, as a float", 1, 1, floatOf},
	{"lower", "lower(text)", "the text in lower case", 1, 1, lowerCase},
	{"upper", "upper(text)", "the text in upper case", 1, 1, upperCase},
	{"join", "join(list, separator)", "the items as one string, with the separator between them, by default nothing", 1, 2, joinItems},
	{"split", "split(text, separator)", "the list of what is between the separators, by default between blanks", 1, 2, splitText},
	{"keys", "keys(mapping)", "the sorted list of its keys", 1, 1, keysOf},
}

func findBuiltin(name string) *Builtin {
	for i := range builtins {
		if builtins[i].Name == name {
			return &builtins[i]
		}
	}
	return nil
}

// A builtinCall is a call of a function with its arguments, evaluated.
type builtinCall struct {
	in   surroundings
	node *expr.CallExpr
	args []value.Value
}

func (ev evaluator) callBuiltin(b *Builtin, n *expr.CallExpr) (value.Value, error) {
	if err := b.checkArguments(n); err != nil {
		return value.Null, err
	}
	c := &builtinCall{ev.in, n, make([]value.Value, len(n.Args))}
	for i, a := range n.Args {
		v, err := ev.eval(a.Value)
		if err != nil {
			return value.Null, reached(err)
		}
		c.args[i] = v
	}
	v, err := b.call(c)
	if err != nil {
		return value.Null, reached(err)
	}
	return v, nil
}

func (b *Builtin) checkArguments(n *expr.CallExpr) error {
	for _, a := range n.Args {
		if a.Name != "" {
			return source.Errorf(a.NameAt, source.WrongType, "%s takes no arguments by name", b.Name).WithHint("%s", b.Usage)
		}
	}
	at := n.At
	switch given := len(n.Args); {
	case given < b.least:
	case b.most >= 0 && given > b.most:
		at = n.Args[b.most].Value.Span()
	default:
		return nil
	}
	return source.Errorf(at, source.WrongType, "%s takes another number of arguments than %d", b.Name, len(n.Args)).WithHint("%s", b.Usage)
}

// at returns where argument i stands.
func (c *builtinCall) at(i int) source.Span { return c.node.Args[i].Value.Span() }

// marks returns the marks of the arguments themselves, not of what is in them.
func (c *builtinCall) marks() value.Marks {
	m := value.Marks(0)
	for _, a := range c.args {
		m |= a.Marks()
	}
	return m
}

// step counts n units of work.
func (c *builtinCall) step(n int) error { return placed(c.in.Step(n), c.node.At) }

// integer returns argument i as an integer that fits a word.
func (c *builtinCall) integer(i int) (int64, error) {
	v, err := asInteger(c.args[i], c.at(i))
	if err != nil {
		return 0, err
	}
	n, ok := v.Int()
	if !ok {
		return 0, source.Errorf(c.at(i), source.Limit, "the integer is too large to count with")
	}
	return n, nil
}

// text returns argument i, a scalar, as text.
func (c *builtinCall) text(i int) (string, error) { return textOf(c.args[i], c.at(i)) }

// made returns a text that was made of the arguments.
func (c *builtinCall) made(s string) value.Value {
	return value.String(s).Verbatim().Mark(c.marks())
}

// each calls do for every item of argument i, with its marks.
func (c *builtinCall) each(i int, do func(value.Value) error) error {
	list, err := iterate(c.args[i], c.at(i))
	if err != nil {
		return err
	}
	for j := range list.Len() {
		if err := c.step(1); err != nil {
			return err
		}
		v, err := list.At(j)
		if err == nil {
			v, err = defined(v, c.at(i))
		}
		if err != nil {
			return err
		}
		if err := do(v.Mark(c.args[i].Marks())); err != nil {
			return err
		}
	}
	return nil
}
