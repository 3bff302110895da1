package syntax

import (
	"strconv"
	"strings"
)

// typeNames are the types that are one word.
var typeNames = [...]string{BoolType: "bool", StrType: "str", IntType: "int", FloatType: "float", VariantType: "variant"}

// String returns the type in its one form (spec: mcl-format, section 6).
func (t *Type) String() string {
	switch t.Kind {
	case ListType:
		return "[]" + t.Elem.String()
	case MapType:
		entry := "{" + t.Key.String() + ": " + t.Elem.String() + "}"
		if t.Short {
			return entry
		}
		return "map" + entry
	case StructType:
		return "struct{" + strings.Join(t.fields(), "; ") + "}"
	case FuncType:
		parameters := t.fields()
		if t.Variadic {
			parameters = append(parameters, "...")
		}
		return "func(" + strings.Join(parameters, ", ") + ") " + t.Elem.String()
	case VarType:
		return "?" + strconv.Itoa(t.Var)
	}
	return typeNames[t.Kind]
}

// fields returns the fields, or the parameters, as texts.
func (t *Type) fields() []string {
	texts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		texts[i] = strings.TrimLeft(f.Name+" "+f.Type.String(), " ")
	}
	return texts
}
