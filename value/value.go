package value

import (
	"math"
	"math/big"
	"unsafe"
)

// A Kind is the type of a value, in the coarse sense of YAML and JSON.
type Kind uint8

// The kinds. The zero Value is Null.
const (
	NullKind Kind = iota
	BoolKind
	IntKind
	FloatKind
	StringKind
	ListKind
	MapKind
	FuncKind
	UndefinedKind
)

// String returns the name of the kind for messages.
func (k Kind) String() string {
	return [...]string{"null", "bool", "integer", "number", "string", "list", "map", "function", "undefined"}[k]
}

// Marks restrict how a value may be shown.
type Marks uint8

// The two marks (design: decisions, "Secrets").
const (
	Sensitive Marks = 1 << iota // never shown, results included
	Secret                      // from an encrypted source: not in explain, errors, traces
)

// A Value is one immutable piece of data. The zero Value is null.
//
// Values are not comparable with ==; use [Equal].
type Value struct {
	_     [0]func() // no ==
	kind  Kind
	marks Marks
	lit   bool   // see Verbatim
	html  bool   // see AsHTML
	num   uint64 // bool, int64, float64 bits, or the length of a string
	ref   any    // stringptr, *Scalar, *joined, *big.Int, List, Map, *Func, error
}

type stringptr *byte

// A Scalar has the properties of the source text that a value keeps.
type Scalar struct {
	Text     string // the data of a string
	Spelling string // the text in the source, without quotes; "" if it does not matter
	Tag      string // an explicit tag that is not one of YAML's own, such as "!Ref"
	Plain    bool   // written without quotes
	Foreign  bool   // YAML readers take the spelling for another number, so output does not use it
	big      *big.Int
}

// Constructors.
var (
	// Null is the null value.
	Null = Value{}
	// True and False are the two truth values.
	True  = Value{kind: BoolKind, num: 1}
	False = Value{kind: BoolKind}
)

// Bool returns the truth value b.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Int returns the integer i.
func Int(i int64) Value { return Value{kind: IntKind, num: uint64(i)} }

// BigInt returns the integer i, which must not be changed afterwards.
func BigInt(i *big.Int) Value {
	if i.IsInt64() {
		return Int(i.Int64())
	}
	return Value{kind: IntKind, ref: i}
}

// Float returns the number f.
func Float(f float64) Value { return Value{kind: FloatKind, num: math.Float64bits(f)} }

// String returns the text s.
func String(s string) Value {
	return Value{kind: StringKind, num: uint64(len(s)), ref: stringptr(unsafe.StringData(s))}
}

// FromList returns a value that is the list l.
func FromList(l List) Value { return Value{kind: ListKind, ref: l} }

// FromMap returns a value that is the map m.
func FromMap(m Map) Value { return Value{kind: MapKind, ref: m} }

// FromFunc returns a value that is the function f.
func FromFunc(f *Func) Value { return Value{kind: FuncKind, ref: f} }

// Undefined returns the value of an unknown name. The reason is the error of any use of
// the value.
func Undefined(reason error) Value { return Value{kind: UndefinedKind, ref: reason} }

// WithSource returns v with a spelling and a tag. The text of a string does not change.
func (v Value) WithSource(s Scalar) Value {
	switch v.kind {
	case StringKind:
		s.Text = v.Str()
	case IntKind:
		if b, ok := v.ref.(*big.Int); ok {
			s.big = b
		}
	case NullKind, BoolKind, FloatKind:
	default:
		return v
	}
	v.ref = &s
	return v
}

// Source returns the spelling and tag in the source, or nil for a computed value.
func (v Value) Source() *Scalar {
	s, _ := v.ref.(*Scalar)
	return s
}

// WithoutSource returns v without its spelling and tag.
func (v Value) WithoutSource() Value {
	s := v.Source()
	if s == nil {
		return v
	}
	switch {
	case v.kind == StringKind:
		plain := String(s.Text).Mark(v.marks)
		plain.html = v.html
		return plain
	case s.big != nil:
		v.ref = s.big
	default:
		v.ref = nil
	}
	return v
}

// Kind returns the kind of v.
func (v Value) Kind() Kind { return v.kind }

// Is reports whether v is of kind k.
func (v Value) Is(k Kind) bool { return v.kind == k }

// IsNull reports whether v is null.
func (v Value) IsNull() bool { return v.kind == NullKind }

// IsNumber reports whether v is an integer or a float.
func (v Value) IsNumber() bool { return v.kind == IntKind || v.kind == FloatKind }

// IsScalar reports whether v is null, a truth value, a number or a text.
func (v Value) IsScalar() bool { return v.kind <= StringKind }

// Marks returns the marks of v itself, without the marks of its items.
func (v Value) Marks() Marks { return v.marks }

// Verbatim returns v as final data: a text is not a template and a map is not an
// expression, whatever they contain. Results of templates and of "q", and texts from a
// file with templates switched off, are verbatim.
func (v Value) Verbatim() Value {
	v.lit = true
	return v
}

// IsVerbatim reports whether v is final data: see [Value.Verbatim].
func (v Value) IsVerbatim() bool { return v.lit }

// Bool returns the truth value v.
func (v Value) Bool() bool { return v.num != 0 }

// Int returns the integer v, and false if it does not fit.
func (v Value) Int() (int64, bool) {
	if v.kind != IntKind || v.bigRef() != nil {
		return 0, false
	}
	return int64(v.num), true
}

// BigInt returns the integer v whatever its size. The result must not be changed.
func (v Value) BigInt() *big.Int {
	if b := v.bigRef(); b != nil {
		return b
	}
	return big.NewInt(int64(v.num))
}

func (v Value) bigRef() *big.Int {
	switch r := v.ref.(type) {
	case *big.Int:
		return r
	case *Scalar:
		return r.big
	}
	return nil
}

// Float returns the number v; an integer is converted.
func (v Value) Float() float64 {
	if v.kind == FloatKind {
		return math.Float64frombits(v.num)
	}
	if b := v.bigRef(); b != nil {
		f, _ := new(big.Float).SetInt(b).Float64()
		return f
	}
	return float64(int64(v.num))
}

// Str returns the text of a string, and "" for other kinds.
func (v Value) Str() string {
	if v.kind != StringKind {
		return ""
	}
	switch r := v.ref.(type) {
	case stringptr:
		return unsafe.String((*byte)(r), v.num)
	case *Scalar:
		return r.Text
	case *joined:
		return r.text
	}
	return ""
}

// List returns the list v, or an empty one for other kinds.
func (v Value) List() List {
	if l, ok := v.ref.(List); ok && v.kind == ListKind {
		return l
	}
	return Slice(nil)
}

// Map returns the map v, or an empty one for other kinds.
func (v Value) Map() Map {
	if m, ok := v.ref.(Map); ok && v.kind == MapKind {
		return m
	}
	return &Dict{}
}

// Func returns the function v, or nil.
func (v Value) Func() *Func {
	f, _ := v.ref.(*Func)
	return f
}

// Reason returns why v is undefined, or nil if it is not.
func (v Value) Reason() error {
	if v.kind != UndefinedKind {
		return nil
	}
	err, _ := v.ref.(error)
	return err
}

// A Func is a value that can be called.
type Func struct {
	Name string
	Call func(args Args) (Value, error)

	// Attr returns an attribute of the function, such as the index of a loop. It
	// may be nil.
	Attr func(name string) (v Value, ok bool)

	// Definition is the macro or prototype of a language, whose Call is nil: only
	// that language can use it.
	Definition any
}

// Attributes is implemented by lists whose items also have names, such as the pairs of
// groupby. ok is false for an unknown name.
type Attributes interface {
	Attr(name string) (v Value, ok bool, err error)
}

// Methods is implemented by lists and maps with methods, such as those that a template
// may change. ok is false for an unknown name.
type Methods interface {
	CallMethod(name string, args Args) (v Value, ok bool, err error)
}

// Args are the arguments of a call.
type Args struct {
	Pos   []Value
	Named []Named // in source order
}

// A Named is an argument passed by name.
type Named struct {
	Name  string
	Value Value
}
