package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// The tags of values that are no data: regular expressions and symbolic references. Their
// text is the text of the expression or the reference.
const (
	PatternTag   = "!regexp"
	ReferenceTag = "!type"
)

// PatternValue returns a regular expression as a value.
func PatternValue(source string) value.Value {
	return value.String(source).WithSource(value.Scalar{Text: source, Tag: PatternTag})
}

// ReferenceValue returns a type as a value.
func ReferenceValue(t *Type) value.Value {
	text := t.String()
	return value.String(text).WithSource(value.Scalar{Text: text, Tag: ReferenceTag})
}

// TagOf returns PatternTag, ReferenceTag or "".
func TagOf(v value.Value) string {
	s := v.Source()
	if s == nil || s.Tag != PatternTag && s.Tag != ReferenceTag {
		return ""
	}
	return s.Tag
}

// Infer returns the type of a value: of a list the common type of its items, of a map those
// of its keys and values.
//
//	[1, 2.5] Array[Number]   [1, a] Array[Literal]   {a: [1], b: 2} Hash[String, Data]   [] Array
func Infer(v value.Value) (*Type, error) { return (&inferrer{}).infer(v) }

// An inferrer infers types. Of lists and maps that are in many places, as aliases make them, it
// keeps the type.
type inferrer struct {
	visits int
	known  map[any]*Type
}

// rememberAfter is the number of visits after which types are kept.
const rememberAfter = 1000

func (f *inferrer) infer(v value.Value) (*Type, error) {
	if f.visits++; f.visits <= rememberAfter {
		return f.inferNew(v)
	}
	id, ok := value.IdentityOf(v)
	if !ok {
		return f.inferNew(v)
	}
	if t := f.known[id]; t != nil {
		return t, nil
	}
	t, err := f.inferNew(v)
	if f.known == nil {
		f.known = map[any]*Type{}
	}
	f.known[id] = t
	return t, err
}

func (f *inferrer) inferNew(v value.Value) (*Type, error) {
	switch v.Kind() {
	case value.NullKind:
		return UndefType, nil
	case value.BoolKind:
		return BooleanType, nil
	case value.IntKind:
		return IntegerType, nil
	case value.FloatKind:
		return FloatType, nil
	case value.StringKind:
		switch TagOf(v) {
		case PatternTag:
			return PatternType, nil
		case ReferenceTag:
			return ReferenceTo(v.Str()), nil
		}
		return StringType, nil
	case value.ListKind:
		var items []*Type
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return nil, err
			}
			t, err := f.infer(item)
			if err != nil {
				return nil, err
			}
			items = append(items, t)
		}
		return ArrayOf(common(items)), nil
	case value.MapKind:
		return f.inferMap(v.Map())
	}
	return AnyType, nil
}

func (f *inferrer) inferMap(m value.Map) (*Type, error) {
	var keys, values []*Type
	for k, at := range value.KeyValues(m) {
		item, _, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		kt, err := f.infer(at)
		if err != nil {
			return nil, err
		}
		vt, err := f.infer(item)
		if err != nil {
			return nil, err
		}
		keys, values = append(keys, kt), append(values, vt)
	}
	if len(keys) == 0 {
		return HashOf(LiteralType, DataType), nil
	}
	return HashOf(common(keys), common(values)), nil
}

// common returns the smallest type of the lattice that accepts all of ts: the type itself if
// there is one, Number, Literal, Data, Any.
func common(ts []*Type) *Type {
	if len(ts) == 0 {
		return DataType
	}
	for _, wide := range []*Type{ts[0], NumberType, LiteralType, DataType} {
		if !slices.ContainsFunc(ts, func(t *Type) bool { return !Assignable(wide, t) }) {
			return wide
		}
	}
	return AnyType
}

// Assignable reports whether each value of from is one of to.
func Assignable(to, from *Type) bool {
	switch from.Kind { // a choice fits if all that it accepts does
	case Variant:
		return !slices.ContainsFunc(from.Args, func(t *Type) bool { return !Assignable(to, t) })
	case Optional:
		return Assignable(to, UndefType) && Assignable(to, from.Args[0])
	}
	switch to.Kind {
	case Any:
		return true
	case Variant:
		return slices.ContainsFunc(to.Args, func(t *Type) bool { return Assignable(t, from) })
	case Optional:
		return from.Kind == Undef || Assignable(to.Args[0], from)
	case Data:
		return dataType(from)
	case Literal:
		return literalKind(from.Kind)
	case Number:
		return from.Kind == Number || from.Kind == Integer || from.Kind == Float
	case Integer, Float:
		return from.Kind == to.Kind && inside(to.Min, from.Min, -1) && inside(to.Max, from.Max, 1)
	case String:
		return from.Kind == String || from.Kind == Enum || from.Kind == Pattern && from.Match != nil
	case Pattern:
		return from.Kind == Pattern && (to.Match == nil) == (from.Match == nil) && (to.Match == nil || to.Match.source == from.Match.source)
	case Enum:
		return from.Kind == Enum && !slices.ContainsFunc(from.Texts, func(s string) bool { return !slices.Contains(to.Texts, s) })
	case Array, Hash, Sensitive:
		return from.Kind == to.Kind && slices.EqualFunc(to.Args, from.Args, Assignable)
	case Reference:
		// Components and classes of a runtime have no relations that are known here.
		return from.Kind == Reference && constructor(from.Name) == constructor(to.Name)
	}
	return to.Kind == from.Kind
}

// constructor returns the name of a reference without its arguments.
func constructor(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// dataType reports whether all values of t are data. Undef counts: lists and maps of data
// may hold it.
func dataType(t *Type) bool {
	switch t.Kind {
	case Data, Undef:
		return true
	case Array:
		return dataType(t.Args[0])
	case Hash:
		return literalKind(t.Args[0].Kind) && dataType(t.Args[1])
	}
	return literalKind(t.Kind)
}

func literalKind(k Kind) bool {
	switch k {
	case Literal, Number, Integer, Float, String, Boolean, Pattern, Enum:
		return true
	}
	return false
}

// inside reports whether a bound of a type holds for another type with the bound got:
// side is -1 for the smallest value, 1 for the largest.
func inside(bound, got value.Value, side int) bool {
	if bound.IsNull() {
		return true
	}
	if got.IsNull() {
		return false
	}
	order, err := value.Compare(got, bound)
	return err == nil && order*side <= 0
}

// A Mismatch says that a value is not one of a type.
type Mismatch struct {
	Type *Type
	Got  *Type
	Path value.Path // of the part at fault, empty for the value itself
}

// Error names the expected type and the type of the value.
func (m *Mismatch) Error() string { return fmt.Sprintf("expected %s, got %s", m.Type, m.Got) }

// Check returns a [*Mismatch] if v is no value of t. It returns other errors of computing
// what v holds, and the error of step.
func Check(t *Type, v value.Value, step Step) error {
	ok, err := Holds(t, v, step)
	if err != nil || ok {
		return err
	}
	got, err := Infer(v)
	if err != nil {
		return err
	}
	return &Mismatch{Type: t, Got: got}
}

// Holds reports whether v is a value of t.
func Holds(t *Type, v value.Value, step Step) (bool, error) {
	return (&checker{step: step}).accepts(t, v)
}

// A checker checks values. Of lists and maps that are in many places it keeps which types accept
// them.
type checker struct {
	step     Step
	visits   int
	accepted map[accepted]bool
}

// accepted is a type with the identity of a list or map that is one of its values.
type accepted struct {
	t  *Type
	id any
}

// accepts reports whether v is a value of t.
func (c *checker) accepts(t *Type, v value.Value) (bool, error) {
	if c.visits++; c.visits <= rememberAfter {
		return c.acceptsNew(t, v)
	}
	id, known := value.IdentityOf(v)
	if known && c.accepted[accepted{t, id}] {
		return true, nil
	}
	ok, err := c.acceptsNew(t, v)
	if ok && known {
		if c.accepted == nil {
			c.accepted = map[accepted]bool{}
		}
		c.accepted[accepted{t, id}] = true
	}
	return ok, err
}

// The types of what data holds, in one place each, so that a checker knows them again.
var (
	dataOrUndef = &Type{Kind: Optional, Args: []*Type{DataType}}
	dataHash    = HashOf(LiteralType, dataOrUndef)
)

func (c *checker) acceptsNew(t *Type, v value.Value) (bool, error) {
	switch t.Kind {
	case Any, Sensitive:
		return true, nil
	case Variant:
		for _, part := range t.Args {
			if ok, err := c.accepts(part, v); ok || err != nil {
				return ok, err
			}
		}
		return false, nil
	case Optional:
		if v.IsNull() {
			return true, nil
		}
		return c.accepts(t.Args[0], v)
	case Undef:
		return v.IsNull(), nil
	case Integer, Float:
		of := value.IntKind
		if t.Kind == Float {
			of = value.FloatKind
		}
		return v.Kind() == of && inside(t.Min, v, -1) && inside(t.Max, v, 1), nil
	case Pattern:
		if t.Match == nil {
			return TagOf(v) == PatternTag, nil
		}
		if !v.Is(value.StringKind) || TagOf(v) != "" {
			return false, nil
		}
		return t.Match.Match(v.Str(), c.step)
	case Enum:
		return v.Is(value.StringKind) && slices.Contains(t.Texts, v.Str()), nil
	case Array:
		return c.acceptsAll(t.Args[0], v)
	case Hash:
		return c.acceptsMap(t, v)
	case Data:
		switch v.Kind() {
		case value.NullKind:
			return false, nil
		case value.ListKind:
			return c.acceptsAll(dataOrUndef, v)
		case value.MapKind:
			return c.acceptsMap(dataHash, v)
		}
	}
	got, err := Infer(v)
	if err != nil {
		return false, err
	}
	return Assignable(t, got), nil
}

func (c *checker) acceptsAll(item *Type, v value.Value) (bool, error) {
	if !v.Is(value.ListKind) {
		return false, nil
	}
	for part, err := range value.Items(v.List()) {
		if err != nil {
			return false, err
		}
		if part.IsNull() && item.Kind == Data {
			continue
		}
		if ok, err := c.accepts(item, part); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (c *checker) acceptsMap(t *Type, v value.Value) (bool, error) {
	if !v.Is(value.MapKind) {
		return false, nil
	}
	m := v.Map()
	for k, at := range value.KeyValues(m) {
		if ok, err := c.accepts(t.Args[0], at); !ok || err != nil {
			return false, err
		}
		part, _, err := m.Get(k)
		if err != nil {
			return false, err
		}
		if part.IsNull() && t.Args[1].Kind == Data {
			continue
		}
		if ok, err := c.accepts(t.Args[1], part); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
