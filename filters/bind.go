package filters

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Type is the type of a parameter. Binding checks and converts arguments, so that a
// Call need not.
type Type uint8

// The types of parameters.
const (
	Any   Type = iota
	Text       // any scalar, as text
	Int        // an integer or bool
	Float      // a number or bool
	Bool       // any value, by its truth
	Items      // a list; a text is a list of its characters, a map one of its keys
	Map
)

func (t Type) String() string {
	return [...]string{"a value", "a string", "an integer", "a number", "a bool", "a list", "a map"}[t]
}

// A Param is one parameter of a Func.
type Param struct {
	Name     string
	Type     Type
	Default  value.Value // of an omitted argument
	Required bool
	Variadic bool // takes all further positional arguments
	Keywords bool // takes all further named arguments
}

// String returns the parameter as in a signature: name, name=default, *names or
// **keywords.
func (p Param) String() string {
	switch {
	case p.Variadic:
		return "*" + p.Name
	case p.Keywords:
		return "**" + p.Name
	case p.Required:
		return p.Name
	}
	def, err := value.Repr(p.Default)
	if err != nil {
		def = "..."
	}
	return p.Name + "=" + def
}

func req(name string, t Type) Param { return Param{Name: name, Type: t, Required: true} }

func opt(name string, t Type, def value.Value) Param { return Param{Name: name, Type: t, Default: def} }

func variadic(name string, t Type) Param { return Param{Name: name, Type: t, Variadic: true} }

func keywords(name string) Param { return Param{Name: name, Keywords: true} }

// Bound holds the arguments of one call by parameter.
type Bound struct {
	params []Param
	vals   []value.Value
	given  []bool
	rest   []value.Value
	named  []value.Named
}

// Get returns the argument called name, or its default.
func (a Bound) Get(name string) value.Value {
	for i, p := range a.params {
		if p.Name == name {
			return a.vals[i]
		}
	}
	return value.Null
}

// Given reports whether the call has the argument.
func (a Bound) Given(name string) bool {
	for i, p := range a.params {
		if p.Name == name {
			return a.given[i]
		}
	}
	return false
}

// Str returns a Text argument; null is "".
func (a Bound) Str(name string) string { return a.Get(name).Str() }

// Bool returns a Bool argument.
func (a Bound) Bool(name string) bool { return a.Get(name).Bool() }

// Int returns an Int argument. One that does not fit becomes the largest or smallest int.
func (a Bound) Int(name string) int {
	v := a.Get(name)
	i, ok := v.Int()
	if !ok && v.Is(value.IntKind) {
		return maxInt * v.BigInt().Sign()
	}
	return int(i)
}

const maxInt = int(^uint(0) >> 1)

// Rest returns the further positional arguments, Named the further named ones.
func (a Bound) Rest() []value.Value { return a.rest }

// Named returns the further named arguments.
func (a Bound) Named() []value.Named { return a.named }

// bind assigns args to the parameters. As in Python positional arguments fill them from
// the left, so that parameters after a variadic one are reached by name only.
func (f *Func) bind(args value.Args) (Bound, error) {
	a := Bound{params: f.Params, vals: make([]value.Value, len(f.Params)), given: make([]bool, len(f.Params))}
	for i, p := range f.Params {
		a.vals[i] = p.Default
	}
	given, next := len(args.Pos)+len(args.Named), 0
	for _, v := range args.Pos {
		if next == len(f.Params) || f.Params[next].Keywords {
			return a, f.countError(given)
		}
		p := f.Params[next]
		v, err := p.convert(v, f.input == takesUndefined)
		if err != nil {
			return a, err
		}
		if p.Variadic {
			a.rest = append(a.rest, v)
			continue
		}
		a.vals[next], a.given[next] = v, true
		next++
	}
	for _, n := range args.Named {
		i := slices.IndexFunc(f.Params, func(p Param) bool { return p.Keywords || !p.Variadic && p.Name == n.Name })
		switch {
		case i < 0:
			return a, f.unknownArgument(n.Name)
		case f.Params[i].Keywords:
			a.named = append(a.named, n)
			continue
		case a.given[i]:
			return a, fmt.Errorf("argument %q is given twice", n.Name)
		}
		v, err := f.Params[i].convert(n.Value, f.input == takesUndefined)
		if err != nil {
			return a, err
		}
		a.vals[i], a.given[i] = v, true
	}
	for i, p := range f.Params {
		if p.Required && !a.given[i] {
			return a, f.countError(given)
		}
	}
	return a, nil
}

func (f *Func) unknownArgument(name string) error {
	var names []string
	for _, p := range f.Params {
		if !p.Variadic {
			names = append(names, p.Name)
		}
	}
	if near := didYouMean(name, slices.Values(names)); near != "" {
		return fmt.Errorf("unknown argument %q%s", name, near)
	}
	if len(names) == 0 {
		return fmt.Errorf("unknown argument %q; it takes none by name", name)
	}
	return fmt.Errorf("unknown argument %q; it takes %s", name, strings.Join(names, ", "))
}

func (f *Func) countError(given int) error {
	low, high := 0, len(f.Params)
	for _, p := range f.Params {
		if p.Required {
			low++
		}
		if p.Variadic || p.Keywords {
			high = -1
		}
	}
	var want string
	switch {
	case high < 0:
		want = "at least " + plural(low)
	case low == high:
		want = plural(low)
	default:
		want = fmt.Sprintf("%d to %s", low, plural(high))
	}
	return fmt.Errorf("takes %s, got %d", want, given)
}

func plural(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// convert converts v to the type of the parameter. If the default is null, the argument
// null means an omitted one.
func (p Param) convert(v value.Value, undefinedToo bool) (value.Value, error) {
	if v.Is(value.UndefinedKind) && !undefinedToo {
		return v, reason(v)
	}
	if v.IsNull() && !p.Required && p.Default.IsNull() && !p.Variadic {
		return v, nil
	}
	out, ok := p.Type.convert(v)
	if !ok {
		return v, value.Wants(fmt.Sprintf("%s for %q", p.Type, p.Name), v.Kind())
	}
	return out, nil
}

func (t Type) convert(v value.Value) (value.Value, bool) {
	switch t {
	case Text:
		if v.Is(value.StringKind) {
			return v, true
		}
		s, err := value.Text(v)
		return value.String(s).Mark(v.Marks()), v.IsScalar() && err == nil
	case Int:
		n := value.AsNumber(v)
		return n, n.Is(value.IntKind)
	case Float:
		n := value.AsNumber(v)
		return n, n.IsNumber()
	case Bool:
		return value.Bool(value.Truthy(v)).Mark(v.Marks()), true
	case Items:
		return v, v.Is(value.ListKind) || v.Is(value.StringKind) || v.Is(value.MapKind)
	case Map:
		return v, v.Is(value.MapKind)
	}
	return v, true
}

// didYouMean returns a hint with the most similar one of some names, or "".
func didYouMean(name string, names iter.Seq[string]) string {
	if near := source.Suggest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
