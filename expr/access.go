package expr

import (
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// evalName returns the value of a name (spec: expressions, section 7, "Variables").
func evalName(n *Name, s *Scope) (value.Value, error) {
	v, ok, err := s.lookup(n.Name, n.At, anyValue)
	if err != nil || ok {
		return lateMissing(v, located(n.At, source.BadValue, err, 0))
	}
	return undefined(func() *source.Diagnostic { return undefinedName(n, s) }), nil
}

func anyValue(value.Value) bool { return true }

func isCallable(v value.Value) bool { return v.Is(value.FuncKind) }

// lookup searches the places that give names values, in order, and returns the first
// value that fits. at is the place that asks the host by it.
func (s *Scope) lookup(name string, at source.Span, fits func(value.Value) bool) (value.Value, bool, error) {
	for place := range namePlaces {
		v, ok, err := s.lookupIn(place, name, at)
		if err != nil {
			return v, false, err
		}
		if v = plain(v); ok && fits(v) {
			s.touch(v.Marks())
			return v, true, nil
		}
	}
	return value.Null, false, nil
}

const namePlaces = 4

// lookupIn looks a name up in one place: 0 is the variables, 1 the names of every template, 2 the names that the
// surroundings have (Env.Global), 3 the functions.
func (s *Scope) lookupIn(place int, name string, at source.Span) (value.Value, bool, error) {
	switch place {
	case 0:
		return s.Var(name)
	case 1:
		return s.builtin(name, at)
	case 2:
		return s.Env.Global(name)
	}
	if f := s.lookupFunc(name, at); f != nil {
		return value.FromFunc(f), true, nil
	}
	if f := s.injectFunc(name); f != nil {
		return value.FromFunc(f), true, nil
	}
	if name == OmitName {
		return omit(), true, nil
	}
	v, ok := s.Env.Library().Global(name)
	return v, ok, nil
}

// builtin returns the values of names that every template has.
func (s *Scope) builtin(name string, at source.Span) (value.Value, bool, error) {
	switch name {
	case "SELF":
		return s.Self, true, nil
	case "ROOT":
		return s.Env.Root(), true, nil
	case "__unfurl":
		return value.FromMap(functionMap{s}), true, nil
	case "__now":
		return value.Float(float64(s.Env.Host(at, false).Now().UnixNano()) / 1e9), true, nil
	case "__python_executable":
		return value.String(s.Env.Host(at, false).Executable()), true, nil
	}
	return value.Null, false, nil
}

// evalPassing evaluates the operand of an attribute or index. Its value may be a map that contains the
// place of the operand: only the whole of it would be an error (spec: everyday, A4).
//
//	s: {eval: .}
//	a: 1
//	b: "{{ s.a }}"    1
func evalPassing(n Node, s *Scope) (value.Value, error) {
	v, err := eval(n, s)
	if err != nil && errors.Is(err, value.ErrEndless) {
		if through, ok := passing(n, s); ok {
			return through, nil
		}
	}
	return v, err
}

// passing returns the value of a name or of an attribute, although it contains its own place.
func passing(n Node, s *Scope) (value.Value, bool) {
	var in value.Value
	var key value.Value
	var err error
	switch n := n.(type) {
	case *Name:
		if s.hasVar(n.Name) {
			return value.Null, false
		}
		return s.Env.Through(n.Name)
	case *Select:
		in, err = evalPassing(n.X, s)
		key = value.String(n.Name)
	case *Index:
		if in, err = evalPassing(n.X, s); err == nil {
			key, err = eval(n.Key, s)
		}
	default:
		return value.Null, false
	}
	k, ok := value.KeyOf(key)
	if err != nil || !ok || !in.Is(value.MapKind) {
		return value.Null, false
	}
	v, ok, err := value.Through(in.Map(), k)
	return v.Mark(in.Marks() | key.Marks()), ok && err == nil
}

//go:noinline
func evalSelect(n *Select, s *Scope) (value.Value, error) {
	x, err := evalPassing(n.X, s)
	if err != nil || x.Is(value.UndefinedKind) {
		return hard(x), err
	}
	x = plain(x)
	v, ok, err := attribute(x, n.Name)
	s.touch(v.Marks())
	if err != nil || !ok {
		return notSelected(n, x, v, err)
	}
	return v.Mark(x.Marks()), nil
}

// notSelected returns the result of an attribute that x does not have, or whose value v has the error err.
//
//go:noinline
func notSelected(n *Select, x, v value.Value, err error) (value.Value, error) {
	if err != nil {
		v, err = lateMissing(v, located(n.NameAt, source.BadValue, err, 0))
		return v.Mark(x.Marks()), err
	}
	return undefinedKey(n.NameAt, n.X, x, n.Name).Mark(x.Marks()), nil
}

func attribute(x value.Value, name string) (value.Value, bool, error) {
	if f := x.Func(); f != nil && f.Attr != nil {
		v, ok := f.Attr(name)
		return v, ok, nil
	}
	switch x.Kind() {
	case value.MapKind:
		return x.Map().Get(value.K(name))
	case value.ListKind:
		if named, ok := x.List().(value.Attributes); ok {
			return named.Attr(name)
		}
	}
	return value.Null, false, nil
}

// evalIndex evaluates x[key]. In Jinja's x.80 the key may be the number 80 or the text "80". A missing item is
// undefined, and not an error, so that a filter such as default can replace it.
func evalIndex(n *Index, s *Scope) (value.Value, error) {
	x, err := evalPassing(n.X, s)
	if err != nil || x.Is(value.UndefinedKind) {
		return hard(x), err
	}
	k, err := evalUsed(n.Key, s)
	if err != nil {
		return k, err
	}
	x = plain(x)
	s.decided(k.Marks())
	if steps := len(x.Str())/charactersPerStep + value.TextSteps(k); steps > 0 {
		if err := s.step(n.Key.Span(), steps); err != nil {
			return value.Null, err
		}
	}
	v, ok, err := item(x, k)
	if err == nil && !ok && n.Dotted && x.Is(value.MapKind) {
		key, _ := value.KeyOf(k) // x.80 may also mean the key "80"
		v, ok, err = x.Map().Get(value.K(key.Text))
	}
	if err != nil || ok {
		s.touch(v.Marks())
		v, err = lateMissing(v, located(n.Key.Span(), source.BadValue, err, 0))
		return v.Mark(x.Marks() | k.Marks()), err
	}
	return missingItem(n, x, k).Mark(x.Marks() | k.Marks()), nil
}

// charactersPerStep is the number of characters of a text that are counted in a step.
const charactersPerStep = 16

// item returns x[k]. Lists and texts count from the end if k is negative.
func item(x, k value.Value) (value.Value, bool, error) {
	switch x.Kind() {
	case value.MapKind:
		return mapItem(x.Map(), k)
	case value.ListKind:
		if i, ok := position(k, x.List().Len()); ok {
			v, err := x.List().At(i)
			return v, true, err
		}
	case value.StringKind:
		v, ok := character(x.Str(), k)
		return v, ok, nil
	}
	return value.Null, false, nil
}

// character returns one character of a text without splitting the text.
func character(text string, k value.Value) (value.Value, bool) {
	i, ok := position(k, utf8.RuneCountInString(text))
	if !ok {
		return value.Null, false
	}
	for _, r := range text {
		if i--; i < 0 {
			return value.String(string(r)), true
		}
	}
	return value.Null, false
}

func mapItem(m value.Map, k value.Value) (value.Value, bool, error) {
	key, ok := value.KeyOf(k)
	if !ok {
		return value.Null, false, nil
	}
	v, ok, err := m.Get(key)
	if f := k.Float(); ok || err != nil || !k.Is(value.FloatKind) || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return v, ok, err
	}
	key, _ = value.KeyOf(value.Int(int64(k.Float()))) // 1.0 and 1 are the same key in Python
	return m.Get(key)
}

// position converts an index, negative from the end, to one from the start.
func position(k value.Value, n int) (int, bool) {
	i, ok := value.AsNumber(k).Int()
	if i < 0 {
		i += int64(n)
	}
	return int(i), ok && i >= 0 && i < int64(n)
}

func missingItem(n *Index, x, k value.Value) value.Value {
	if k.Is(value.IntKind) && !x.Is(value.MapKind) {
		return undefined(func() *source.Diagnostic {
			return source.Errorf(n.Key.Span(), source.Undefined, "no item %s%s", keyText(k), whose(n.X, x))
		})
	}
	return undefinedKey(n.Key.Span(), n.X, x, keyText(k))
}

// keyText writes a key for messages.
func keyText(k value.Value) string {
	if masked, hidden := value.Masked(k); hidden {
		return masked
	}
	text, err := value.Text(k)
	if marks, failed := value.DeepMarks(k); err != nil || failed != nil || marks != 0 {
		return value.SecretText
	}
	return text
}

// contains evaluates "x in container". looked collects the marks of the items that it compares.
func (s *Scope) contains(at source.Span, container, x value.Value, looked *value.Comparison) (bool, error) {
	if err := Raise(container); err != nil {
		return false, err
	}
	marks := container.Marks() | x.Marks()
	looked.Look(marks)
	switch container.Kind() {
	case value.ListKind:
		in, err := s.listContains(container.List(), x, looked)
		return in, located(at, source.BadType, err, marks)
	case value.MapKind:
		_, ok, err := mapItem(container.Map(), x)
		return ok, located(at, source.BadType, err, marks)
	case value.StringKind:
		if err := Raise(x); err != nil {
			return false, err
		}
		if !x.Is(value.StringKind) {
			return false, source.Errorf(at, source.BadType, "cannot look for %s in a string", value.Article(x.Kind()))
		}
		return strings.Contains(container.Str(), x.Str()), s.step(at, 1+len(container.Str())/bytesPerStep)
	}
	return false, source.Errorf(at, source.BadType, `"in" needs a list, a map or a string, not %s`, value.Article(container.Kind()))
}

// Comparing an item costs comparedSteps, charged for itemsCounted items at once.
const (
	comparedSteps = 4
	itemsCounted  = 64
)

// listContains reports whether an item equals x. It charges items in groups of itemsCounted.
func (s *Scope) listContains(l value.List, x value.Value, looked *value.Comparison) (bool, error) {
	for i := range l.Len() {
		if i%itemsCounted == 0 {
			if err := looked.Charge(comparedSteps * min(itemsCounted, l.Len()-i)); err != nil {
				return false, err
			}
		}
		v, err := l.At(i)
		if err != nil {
			return false, err
		}
		if eq, err := looked.Equal(v, x); eq || err != nil {
			return eq, err
		}
	}
	return false, nil
}

// copySteps is the cost of an item of a new list: lists are too long for the caches.
const copySteps = 3

// evalSlice evaluates x[from:to:step] of a list or text, with Python's rules. The result has
// the marks of the bounds.
func evalSlice(n *Slice, s *Scope) (value.Value, error) {
	x, err := evalUsed(n.X, s)
	if err != nil {
		return x, err
	}
	bounds, marks := [3]*int64{}, value.Marks(0)
	for i, b := range []Node{n.From, n.To, n.Step} {
		if bounds[i], err = sliceBound(b, s, &marks); err != nil {
			return value.Null, err
		}
	}
	if bounds[2] != nil && *bounds[2] == 0 {
		return value.Null, source.Errorf(n.Step.Span(), source.BadValue, "the step of a slice cannot be zero")
	}
	switch x.Kind() {
	case value.StringKind:
		if err := s.step(n.At, 1+len(x.Str())/2); err != nil {
			return value.Null, err
		}
		text := sliceText(x, bounds).Mark(marks)
		if x.IsHTML() {
			text = text.AsHTML()
		}
		return text, nil
	case value.ListKind:
		s.decided(marks)
		first, step, count := value.SliceOf(x.List().Len(), bounds)
		if err := s.step(n.At, 1+copySteps*count); err != nil { // a template may copy what it sets
			return value.Null, err
		}
		if items, ok := x.List().(value.Slice); ok && step == 1 {
			return value.FromList(items[first : first+count : first+count]).Mark(x.Marks() | marks), nil
		}
		v, err := sliceList(x, bounds)
		return v.Mark(marks), located(n.At, source.BadValue, err, 0)
	}
	return value.Null, source.Errorf(n.At, source.BadType, "cannot take a slice of %s", value.Article(x.Kind()))
}

// sliceBound evaluates a bound of x[a:b:c]. A bound beyond 64 bits is beyond every list, so its sign is enough.
func sliceBound(n Node, s *Scope, marks *value.Marks) (*int64, error) {
	if n == nil {
		return nil, nil
	}
	v, err := evalUsed(n, s)
	*marks |= v.Marks()
	if err != nil || v.IsNull() {
		return nil, err
	}
	if v.Is(value.BoolKind) {
		v = value.AsNumber(v)
	}
	if !v.Is(value.IntKind) {
		return nil, source.Errorf(n.Span(), source.BadType, "the bounds of a slice are integers, not %s", value.Article(v.Kind()))
	}
	i, ok := v.Int()
	if !ok {
		i = int64(v.BigInt().Sign()) << 62
	}
	return &i, nil
}

// indexes returns the positions that a slice of n items takes.
func indexes(n int, bounds [3]*int64) []int {
	first, step, count := value.SliceOf(n, bounds)
	at := make([]int, count)
	for i := range at {
		at[i] = first + i*step
	}
	return at
}

func sliceText(x value.Value, bounds [3]*int64) value.Value {
	runes := []rune(x.Str())
	at := indexes(len(runes), bounds)
	out := make([]rune, len(at))
	for i, j := range at {
		out[i] = runes[j]
	}
	return value.String(string(out)).Mark(x.Marks())
}

func sliceList(x value.Value, bounds [3]*int64) (value.Value, error) {
	at := indexes(x.List().Len(), bounds)
	out := make([]value.Value, len(at))
	for i, j := range at {
		v, err := x.List().At(j)
		if err != nil {
			return value.Null, err
		}
		out[i] = v
	}
	return value.ListOf(out...).Mark(x.Marks()), nil
}
