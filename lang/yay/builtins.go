package yay

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Builtin is a function that every expression can call, unless the document defines the
// name (spec: yay, section 4.6).
type Builtin struct {
	Name  string
	Usage string // calls, such as "split(text, separator)"
	Doc   string // the result

	least, most int // number of arguments; most is -1 for any number
	call        func(*builtinCall) (value.Value, error)
}

// Builtins returns all functions, in the order of the documentation.
func Builtins() []Builtin { return slices.Clone(builtins[:]) }

var builtins = [...]Builtin{
	{"range", "range(stop), range(start, stop) or range(start, stop, step)", "the list of the integers from start (default 0) to stop, exclusive", 1, 3, rangeOf},
	{"replace", "replace(text, old, new)", "the text with every old replaced by new", 3, 3, replaceText},
	{"sub", "sub(pattern, replacement, text)", `the text with every match of a regular expression (RE2) replaced; \1 and \g<name> in the replacement are groups`, 3, 3, substitute},
	{"sum", "sum(list)", "the sum of the numbers in the list, 0 if it is empty", 1, 1, sumOf},
	{"len", "len(x)", "the number of items of a list, keys of a mapping, or characters of a string", 1, 1, lengthOf},
	{"min", "min(list) or min(a, b, ...)", "the least of numbers, or the first of strings", 1, -1, leastOf},
	{"max", "max(list) or max(a, b, ...)", "the greatest of numbers, or the last of strings", 1, -1, greatestOf},
	{"sorted", "sorted(list)", "the numbers or the strings of the list in order; the keys of a mapping", 1, 1, sortedOf},
	{"str", "str(x)", "the scalar as a string", 1, 1, stringOf},
	{"int", "int(x)", "the number without its fraction, or the integer that the string spells", 1, 1, integerOf},
	{"float", "float(x)", "the number, or the number that the string spells, as a float", 1, 1, floatOf},
	{"lower", "lower(text)", "the text in lower case", 1, 1, loweredText},
	{"upper", "upper(text)", "the text in upper case", 1, 1, upperedText},
	{"join", "join(list, separator)", "the items as one string, with the separator (default empty) between them", 1, 2, joinItems},
	{"split", "split(text, separator)", "the parts of the text between the separators (default blanks), as a list", 1, 2, splitText},
	{"lookup", "lookup(key) or lookup(key, default)", "the value that the bindings of --bindings have for a key", 1, 2, lookupOf},
	{"inject", "inject(key)", "the value that the bindings of --bindings have for a key", 1, 1, lookupOf},
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

// A builtinCall is a call of a function with its evaluated arguments.
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
	return source.Errorf(at, source.WrongType, "%s does not take %d arguments", b.Name, len(n.Args)).WithHint("%s", b.Usage)
}

// at returns the place of argument i.
func (c *builtinCall) at(i int) source.Span { return c.node.Args[i].Value.Span() }

// marks returns the marks of the arguments themselves, without the marks of their items.
func (c *builtinCall) marks() value.Marks {
	m := value.Marks(0)
	for _, a := range c.args {
		m |= a.Marks()
	}
	return m
}

// step counts n units of work.
func (c *builtinCall) step(n int) error { return placed(c.in.Step(n), c.node.At) }

// integer returns argument i as an integer that fits an int64.
func (c *builtinCall) integer(i int) (int64, error) {
	v, err := asInteger(c.args[i], c.at(i))
	if err != nil {
		return 0, err
	}
	n, ok := v.Int()
	if !ok {
		return 0, source.Errorf(c.at(i), source.Limit, "the integer is too large")
	}
	return n, nil
}

// text returns argument i, which is a scalar, as text.
func (c *builtinCall) text(i int) (string, error) { return textOf(c.args[i], c.at(i)) }

// made returns a text that is computed from the arguments.
func (c *builtinCall) made(s string) value.Value {
	return value.String(s).Verbatim().Mark(c.marks())
}

// What functions take for an item that they read, a comparison of two, and a key of a map.
const (
	itemSteps    = 12
	compareSteps = 8
	keySteps     = 20
)

// each calls do for every item of argument i, with the marks of the argument.
func (c *builtinCall) each(i int, do func(value.Value) error) error {
	list, err := iterate(c.args[i], c.at(i))
	if err != nil {
		return err
	}
	for j := range list.Len() {
		if err := c.step(itemSteps); err != nil {
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

func sumOf(c *builtinCall) (value.Value, error) {
	plus := &expr.Binary{Range: expr.Range{At: c.at(0)}, Op: "+", X: c.node.Args[0].Value, Y: c.node.Args[0].Value}
	sum, marks := value.Int(0), c.marks()
	if !c.args[0].Is(value.ListKind) {
		return value.Null, wrongType(c.at(0), "a list of numbers", c.args[0])
	}
	err := c.each(0, func(item value.Value) error {
		n, err := asNumber(item, c.at(0))
		if err != nil {
			return err
		}
		marks |= item.Marks()
		sum, err = arithmetic(c.in, plus, sum, n)
		return err
	})
	return sum.Mark(marks), err
}

func lengthOf(c *builtinCall) (value.Value, error) {
	n := 0
	switch v := c.args[0]; v.Kind() {
	case value.ListKind:
		n = v.List().Len()
	case value.MapKind:
		keys, err := value.KeysOf(v.Map())
		if err != nil {
			return value.Null, placed(err, c.at(0))
		}
		n = len(keys)
		if err := c.step(1 + n*keySteps/4); err != nil {
			return value.Null, err
		}
	case value.StringKind:
		if err := c.step(1 + len(v.Str())/bytesPerStep); err != nil {
			return value.Null, err
		}
		n = utf8.RuneCountInString(v.Str())
	default:
		return value.Null, wrongType(c.at(0), "a list, a mapping or a string", v)
	}
	return value.Int(int64(n)).Mark(c.marks()), nil
}

func leastOf(c *builtinCall) (value.Value, error)    { return c.extreme(-1) }
func greatestOf(c *builtinCall) (value.Value, error) { return c.extreme(1) }

// extreme returns the least (sign -1) or the greatest item (sign 1). Of equal items it is the first.
func (c *builtinCall) extreme(sign int) (value.Value, error) {
	var best value.Value
	some, marks := false, c.marks()
	take := func(item value.Value, at source.Span) error {
		marks |= item.Marks()
		if !some {
			best, some = item, true
		}
		o, err := order(item, best, at)
		if err == nil {
			err = c.step(min(len(item.Str()), len(best.Str())) / bytesPerStep)
		}
		if o*sign > 0 {
			best = item
		}
		return err
	}
	if len(c.args) > 1 {
		for i, v := range c.args {
			if err := take(v, c.at(i)); err != nil {
				return value.Null, err
			}
		}
		return best.Mark(marks), nil
	}
	err := c.each(0, func(item value.Value) error { return take(item, c.at(0)) })
	if err == nil && !some {
		err = source.Errorf(c.at(0), source.WrongType, "expected a list with at least one item, not an empty one")
	}
	return best.Mark(marks), err
}

// order compares two numbers or two strings.
func order(a, b value.Value, at source.Span) (int, error) {
	if a.Is(value.StringKind) && b.Is(value.StringKind) {
		return strings.Compare(a.Str(), b.Str()), nil
	}
	for _, v := range [2]value.Value{a, b} {
		if !value.AsNumber(v).IsNumber() && !v.Is(value.StringKind) {
			return 0, wrongType(at, "numbers or strings", v)
		}
	}
	if a.Is(value.StringKind) || b.Is(value.StringKind) {
		return 0, source.Errorf(at, source.WrongType, "expected numbers or strings, not a number and a string: they have no order")
	}
	return value.Compare(a, b)
}

func sortedOf(c *builtinCall) (value.Value, error) {
	var items value.Slice
	marks, work := c.marks(), 0
	err := c.each(0, func(item value.Value) error {
		if err := fitsItems(len(items), c.at(0)); err != nil {
			return err
		}
		items = append(items, item)
		work += compareSteps + len(item.Str())/bytesPerStep
		marks |= item.Marks() // each decides the order
		_, err := order(items[0], item, c.at(0))
		return err
	})
	if err == nil {
		err = c.step(work * bits.Len(uint(len(items))))
	}
	if err != nil {
		return value.Null, err
	}
	slices.SortStableFunc(items, func(a, b value.Value) int {
		o, _ := order(a, b, c.at(0)) // all are of the kind of the first
		return o
	})
	return value.FromList(items).Mark(marks), nil
}

func keysOf(c *builtinCall) (value.Value, error) {
	if !c.args[0].Is(value.MapKind) {
		return value.Null, wrongType(c.at(0), "a mapping", c.args[0])
	}
	if err := c.step(keySteps * (1 + c.args[0].Map().Len())); err != nil {
		return value.Null, err
	}
	keys, err := sortedKeys(c.args[0].Map(), c.at(0))
	if err != nil {
		return value.Null, err
	}
	return value.FromList(keys).Mark(c.marks()), nil
}

// maxRange bounds the items of a range.
const maxRange = 500_000_000

// A rangeList is a list of integers with a constant step. It takes the same memory for
// any number of items.
type rangeList struct {
	start, step int64
	n           int
}

// Len returns the number of items.
func (r *rangeList) Len() int { return r.n }

// At returns item i.
func (r *rangeList) At(i int) (value.Value, error) {
	return value.Int(r.start + int64(i)*r.step), nil
}

// contains reports whether x equals an item.
func (r *rangeList) contains(x value.Value) bool {
	x = value.AsNumber(x)
	if !x.IsNumber() || r.n == 0 {
		return false
	}
	low, high := r.start, r.start+int64(r.n-1)*r.step
	if r.step < 0 {
		low, high = high, low
	}
	if below, _ := value.Compare(x, value.Int(low)); below < 0 || isNaN(x) {
		return false
	}
	if above, _ := value.Compare(x, value.Int(high)); above > 0 {
		return false
	}
	i, ok := x.Int()
	if !ok {
		i = int64(x.Float())
		if eq, _ := value.Equal(x, value.Int(i)); !eq {
			return false
		}
	}
	return uint64(i-low)%distance(0, r.step) == 0
}

func rangeOf(c *builtinCall) (value.Value, error) {
	bounds := [3]int64{0, 0, 1}
	for i := range c.args {
		n, err := c.integer(i)
		if err != nil {
			return value.Null, err
		}
		bounds[i] = n
	}
	if len(c.args) == 1 {
		bounds[0], bounds[1] = 0, bounds[0]
	}
	start, stop, step := bounds[0], bounds[1], bounds[2]
	if step == 0 {
		return value.Null, source.Errorf(c.at(2), source.WrongType, "expected an integer other than 0 as the step of a range")
	}
	n := uint64(0)
	if (step > 0) == (stop > start) && stop != start {
		n = (distance(start, stop)-1)/distance(0, step) + 1
	}
	switch {
	case n > maxRange && c.marks() != 0:
		return value.Null, source.Errorf(c.node.At, source.Limit, "a range would have more than %d items", maxRange)
	case n > maxRange:
		return value.Null, source.Errorf(c.node.At, source.Limit, "a range would have %d items, more than %d", n, maxRange)
	}
	return value.FromList(&rangeList{start, step, int(n)}).Mark(c.marks()), nil
}

// distance returns |b-a|, which may be larger than an int64.
func distance(a, b int64) uint64 {
	if b < a {
		a, b = b, a
	}
	return uint64(b) - uint64(a)
}
