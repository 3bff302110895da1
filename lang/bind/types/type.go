package types

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// A Kind is the constructor of a type.
type Kind uint8

// The kinds. Any accepts all values, Data what YAML can hold, Literal its leaves.
const (
	Any Kind = iota
	Data
	Literal
	Number
	Integer
	Float
	String
	Boolean
	Pattern
	Array
	Hash
	Optional
	Variant
	Enum
	Undef
	Sensitive
	Reference // Class[ntp], Type[Clock], Shop, Web[one]: a symbol, compared as text
)

// A Type is a set of values. Types are immutable.
type Type struct {
	Kind Kind

	// Args are the parts: of an Array its items; of a Hash its keys and values; of Optional,
	// Variant and Sensitive the accepted types.
	Args []*Type

	// Min and Max bound an Integer or Float. Null is no bound.
	Min, Max value.Value

	// Texts are the values of an Enum.
	Texts []string

	// Match is the expression that a String must match: of a Pattern with an argument.
	Match *Regexp

	// Name is the text of a Reference.
	Name string
}

// Types without arguments.
var (
	AnyType     = &Type{Kind: Any}
	DataType    = &Type{Kind: Data}
	LiteralType = &Type{Kind: Literal}
	NumberType  = &Type{Kind: Number}
	IntegerType = &Type{Kind: Integer}
	FloatType   = &Type{Kind: Float}
	StringType  = &Type{Kind: String}
	BooleanType = &Type{Kind: Boolean}
	PatternType = &Type{Kind: Pattern}
	UndefType   = &Type{Kind: Undef}
)

// A kindName is a name of a kind.
type kindName struct {
	kind Kind
	name string
}

// names of the kinds. A synonym follows the name that messages use.
var names = []kindName{
	{Any, "Any"}, {Data, "Data"}, {Literal, "Literal"}, {Literal, "Scalar"}, {Number, "Number"}, {Number, "Numeric"},
	{Integer, "Integer"}, {Float, "Float"}, {String, "String"}, {Boolean, "Boolean"}, {Pattern, "Pattern"},
	{Array, "Array"}, {Hash, "Hash"}, {Optional, "Optional"}, {Variant, "Variant"}, {Enum, "Enum"},
	{Undef, "Undef"}, {Sensitive, "Sensitive"},
}

// String returns the name of the kind.
func (k Kind) String() string {
	for _, n := range names {
		if n.kind == k {
			return n.name
		}
	}
	return "Reference"
}

// ArrayOf returns Array[item].
func ArrayOf(item *Type) *Type { return &Type{Kind: Array, Args: []*Type{item}} }

// HashOf returns Hash[key, val].
func HashOf(key, val *Type) *Type { return &Type{Kind: Hash, Args: []*Type{key, val}} }

// ReferenceTo returns the symbolic reference that is written name, such as "Class[ntp]".
func ReferenceTo(name string) *Type { return &Type{Kind: Reference, Name: name} }

// Item returns the type of the items of an Array and of the values of a Hash.
func (t *Type) Item() *Type { return t.Args[len(t.Args)-1] }

// IsData reports whether all values of t are data, so that bindings of t share one name
// space (spec: bindings, section 4).
func (t *Type) IsData() bool { return Assignable(DataType, t) }

// String writes the type as in a source: Hash[Integer] for keys of any kind, and
// Array for items of any kind of data.
func (t *Type) String() string {
	switch t.Kind {
	case Reference:
		return t.Name
	case Integer, Float:
		if t.Min.IsNull() && t.Max.IsNull() {
			return t.Kind.String()
		}
		if t.Max.IsNull() {
			return t.Kind.String() + "[" + bound(t.Min) + "]"
		}
		return t.Kind.String() + "[" + bound(t.Min) + ", " + bound(t.Max) + "]"
	case Pattern:
		if t.Match != nil {
			return "Pattern[/" + escapedSlashes(t.Match.source) + "/]"
		}
	case Enum:
		quoted := make([]string, len(t.Texts))
		for i, s := range t.Texts {
			quoted[i] = "'" + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "'", `\'`) + "'"
		}
		return "Enum[" + strings.Join(quoted, ", ") + "]"
	}
	return t.Kind.String() + t.arguments()
}

// arguments writes the parts in brackets, without those that are the default.
func (t *Type) arguments() string {
	args := t.Args
	if t.Kind == Hash && args[0].Kind == Literal {
		args = args[1:]
	}
	ofData := (t.Kind == Array || t.Kind == Hash) && len(args) == 1 && args[0].Kind == Data
	if ofData || len(args) == 0 {
		return ""
	}
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.String()
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// escapedSlashes writes an expression between slashes.
func escapedSlashes(expression string) string {
	var b strings.Builder
	for i := 0; i < len(expression); i++ {
		switch {
		case expression[i] == '\\' && i+1 < len(expression):
			b.WriteByte(expression[i])
			i++
		case expression[i] == '/':
			b.WriteByte('\\')
		}
		b.WriteByte(expression[i])
	}
	return b.String()
}

func bound(v value.Value) string {
	text, err := value.Text(v)
	if v.IsNull() || err != nil { // each number has a text
		return "default"
	}
	return text
}

// builtIn returns the kind with a name.
func builtIn(name string) (Kind, bool) {
	i := slices.IndexFunc(names, func(n kindName) bool { return n.name == name })
	if i < 0 {
		return 0, false
	}
	return names[i].kind, true
}
