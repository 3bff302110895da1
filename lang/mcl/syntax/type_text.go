package syntax

import (
	"strconv"
	"strings"
)

// typeNames are the types that are one word.
var typeNames = [...]string{BoolType: "bool", StrType: "str", IntType: "int", FloatType: "float", VariantType: "variant"}

// String returns the type in its one form (spec: mcl-format, section 6).
func (t *Type) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *Type) write(b *strings.Builder) {
	switch t.Kind {
	case ListType:
		b.WriteString("[]")
		t.Elem.write(b)
	case MapType:
		if !t.Short {
			b.WriteString("map")
		}
		b.WriteByte('{')
		t.Key.write(b)
		b.WriteString(": ")
		t.Elem.write(b)
		b.WriteByte('}')
	case StructType:
		b.WriteString("struct{")
		t.writeFields(b, "; ")
		b.WriteByte('}')
	case FuncType:
		b.WriteString("func(")
		t.writeFields(b, ", ")
		if t.Variadic {
			b.WriteString(", ...")
		}
		b.WriteString(") ")
		t.Elem.write(b)
	case VarType:
		b.WriteByte('?')
		b.WriteString(strconv.Itoa(t.Var))
	default:
		b.WriteString(typeNames[t.Kind])
	}
}

func (t *Type) writeFields(b *strings.Builder, separator string) {
	for i, f := range t.Fields {
		if i > 0 {
			b.WriteString(separator)
		}
		if f.Name != "" {
			b.WriteString(f.Name)
			b.WriteByte(' ')
		}
		f.Type.write(b)
	}
}
