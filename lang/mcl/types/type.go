package types

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// A Kind is the kind of a type.
type Kind uint8

// The kinds. A Var is a type that inference has not decided.
const (
	Var Kind = iota
	Bool
	Str
	Int
	Float
	List
	Map
	Struct
	Func
	Variant
)

var kindNames = [...]string{"?", "bool", "str", "int", "float", "list", "map", "struct", "func", "variant"}

// String returns the name of the kind as programs spell it.
func (k Kind) String() string { return kindNames[k] }

// A Type is a type of the language, or a part of one that is not decided yet (spec: mcl, section 4).
// Unification joins types: a joined type refers to the one that it was joined with, so the fields must
// only be read after [Type.Find].
type Type struct {
	Kind Kind

	// Key is the type of the keys of a map. Elem is the type of the items of a list, of the values of
	// a map, of the result of a func.
	Key, Elem *Type

	// Fields are the fields of a struct, or the parameters of a func, whose names mean nothing.
	Fields []Field

	// At is where the program says or implies the type: a literal, an annotation. It is the zero
	// span for types of the library.
	At source.Span

	link    *Type
	ground  bool  // no Var in it
	funcs   holds // of a ground type: see HoldsFunc
	seen    int32 // the last walk that visited it
	id      int32 // of a ground type: see Table
	waiting []any // of a Var: see Unifier.Wait
}

// A Field is a field of a struct or a parameter of a func.
type Field struct {
	Name string
	Type *Type
}

// Of returns a type without parts: a scalar, variant, or a new undecided type for Var.
func Of(k Kind, at source.Span) *Type { return &Type{Kind: k, At: at, ground: k != Var} }

// ListOf returns the type []elem.
func ListOf(elem *Type, at source.Span) *Type {
	return &Type{Kind: List, Elem: elem, At: at, ground: elem.Find().ground}
}

// MapOf returns the type map{key: elem}.
func MapOf(key, elem *Type, at source.Span) *Type {
	return &Type{Kind: Map, Key: key, Elem: elem, At: at, ground: key.Find().ground && elem.Find().ground}
}

// StructOf returns the type struct{fields}.
func StructOf(fields []Field, at source.Span) *Type {
	return &Type{Kind: Struct, Fields: fields, At: at, ground: areGround(fields)}
}

// FuncOf returns the type func(params) result.
func FuncOf(params []Field, result *Type, at source.Span) *Type {
	return &Type{Kind: Func, Fields: params, Elem: result, At: at, ground: result.Find().ground && areGround(params)}
}

func areGround(fields []Field) bool {
	return !slices.ContainsFunc(fields, func(f Field) bool { return !f.Type.Find().ground })
}

// Find returns the type that t was joined with, t itself if with none.
func (t *Type) Find() *Type {
	root := t
	for root.link != nil {
		root = root.link
	}
	for t.link != nil && t.link != root {
		t, t.link = t.link, root
	}
	return root
}

// Is reports whether t is of a kind.
func (t *Type) Is(k Kind) bool { return t.Find().Kind == k }

// Field returns the index of a field of a struct, -1 for none.
func (t *Type) Field(name string) int {
	return slices.IndexFunc(t.Find().Fields, func(f Field) bool { return f.Name == name })
}

// A holds says whether something was looked for in a type, and found.
type holds uint8

const (
	unknown holds = iota
	nowhere
	somewhere
)

// HoldsFunc reports whether a ground type is a func or has one among its parts: values of such a type
// cannot be compared, printed or written. Parts that occur many times are visited once.
func (t *Type) HoldsFunc() bool {
	t = t.Find()
	if t.funcs == unknown {
		t.funcs = nowhere
		if t.Kind == Func || !t.parts(func(part *Type) bool { return !part.HoldsFunc() }) {
			t.funcs = somewhere
		}
	}
	return t.funcs == somewhere
}

// parts yields the parts of t, in the order in which they are written.
func (t *Type) parts(visit func(*Type) bool) bool {
	if t.Kind == Map && !visit(t.Key) {
		return false
	}
	for _, f := range t.Fields {
		if !visit(f.Type) {
			return false
		}
	}
	return t.Elem == nil || visit(t.Elem)
}

// maxText bounds the text of a type: a type of n structs that each hold the one before twice has
// 2^n fields.
const maxText = 200

// String returns the type as today's dialect spells it. What is not decided is "?". A long type ends
// with "...".
func (t *Type) String() string {
	text, ok := t.Text(maxText)
	if !ok {
		return text + "..."
	}
	return text
}

// Text returns the text of the type, and false if it is longer than max bytes: then it is cut off there.
func (t *Type) Text(max int) (string, bool) {
	w := textWriter{max: max}
	w.write(t)
	if w.Len() > max {
		return w.String()[:max], false
	}
	return w.String(), true
}

// A textWriter writes types until there are more than max bytes.
type textWriter struct {
	strings.Builder
	max int
}

func (b *textWriter) write(t *Type) {
	if b.Len() > b.max {
		return
	}
	t = t.Find()
	switch t.Kind {
	case List:
		b.WriteString("[]")
		b.write(t.Elem)
	case Map:
		b.WriteString("map{")
		b.write(t.Key)
		b.WriteString(": ")
		b.write(t.Elem)
		b.WriteByte('}')
	case Struct:
		b.WriteString("struct{")
		for i, f := range t.Fields {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(f.Name)
			b.WriteByte(' ')
			b.write(f.Type)
		}
		b.WriteByte('}')
	case Func:
		b.WriteString("func(")
		for i, f := range t.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.write(f.Type)
		}
		b.WriteString(") ")
		b.write(t.Elem)
	default:
		b.WriteString(t.Kind.String())
	}
}

// A Table numbers ground types, so that equal types can be found in time that does not depend on
// their size. The zero Table is ready to use.
type Table struct {
	ids map[string]int32
}

// ID returns the number of a type, the same for equal types, and false if t is not ground. Parts that
// occur many times are visited once.
func (n *Table) ID(t *Type) (int32, bool) {
	t = t.Find()
	if !t.Ground() {
		return 0, false
	}
	if t.id != 0 {
		return t.id, true
	}
	key := []byte{byte(t.Kind)}
	for _, f := range t.Fields {
		if t.Kind == Struct {
			key = append(key, f.Name...)
		}
		key = append(key, ';')
	}
	t.parts(func(part *Type) bool {
		id, _ := n.ID(part)
		key = append(strconv.AppendInt(key, int64(id), 36), ',')
		return true
	})
	id, ok := n.ids[string(key)]
	if !ok {
		if n.ids == nil {
			n.ids = map[string]int32{}
		}
		id = int32(len(n.ids) + 1)
		n.ids[string(key)] = id
	}
	t.id = id
	return id, true
}
