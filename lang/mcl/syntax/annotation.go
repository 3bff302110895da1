package syntax

import "github.com/yaytpl/yaytpl/source"

// Contradictions returns an error of code type-conflict for each annotation of a variable that the
// literal after it contradicts, in the order of the text. Only literals are compared, also in lists,
// maps and structs: names and types of all else are not known here.
//
//	$x []int = [1, $y, "a"]   expected int, found str
func (p *Program) Contradictions() []*source.Diagnostic {
	var all []*source.Diagnostic
	WalkBlock(&p.Body, func(s Stmt) bool {
		if b, ok := s.(*Bind); ok && b.Type != nil {
			if x, want, found := contradiction(b.Type, b.Value); x != nil {
				all = append(all, source.Errorf(x.Span(), source.TypeConflict, "expected %s, found %s", want, found).Note(want.At, "the type of $%s", b.Name.Text))
			}
		}
		return true
	})
	return all
}

// contradiction returns the first literal in x that is not of the type t, with the type that it
// ought to have and that it has.
func contradiction(t *Type, x Expr) (at Expr, want *Type, found string) {
	if t.Kind == VariantType {
		return nil, nil, ""
	}
	switch x := x.(type) {
	case *Paren:
		return contradiction(t, x.X)
	case *Bool:
		return scalarIs(t, BoolType, x)
	case *Int:
		return scalarIs(t, IntType, x)
	case *Float:
		return scalarIs(t, FloatType, x)
	case *Str:
		return scalarIs(t, StrType, x)
	case *List:
		if t.Kind != ListType {
			return x, t, "a list"
		}
		for _, item := range x.Items {
			if at, want, found = contradiction(t.Elem, item); at != nil {
				return at, want, found
			}
		}
	case *Map:
		if t.Kind != MapType {
			return x, t, "a map"
		}
		for _, e := range x.Entries {
			if at, want, found = contradiction(t.Key, e.Key); at != nil {
				return at, want, found
			}
			if at, want, found = contradiction(t.Elem, e.Value); at != nil {
				return at, want, found
			}
		}
	case *Struct:
		return structIs(t, x)
	}
	return nil, nil, ""
}

func scalarIs(t *Type, kind TypeKind, x Expr) (at Expr, want *Type, found string) {
	if t.Kind == kind {
		return nil, nil, ""
	}
	return x, t, typeNames[kind]
}

// structIs is [contradiction] for a struct: it has the fields of its type, in their order.
func structIs(t *Type, x *Struct) (at Expr, want *Type, found string) {
	if t.Kind != StructType || len(t.Fields) != len(x.Fields) {
		return x, t, "a struct" + fieldNames(x)
	}
	for i, f := range x.Fields {
		if f.Name.Text != t.Fields[i].Name {
			return x, t, "a struct" + fieldNames(x)
		}
	}
	for i, f := range x.Fields {
		if at, want, found = contradiction(t.Fields[i].Type, f.Value); at != nil {
			return at, want, found
		}
	}
	return nil, nil, ""
}

// fieldNames returns the names of fields for a message.
func fieldNames(x *Struct) string {
	if len(x.Fields) == 0 {
		return " without fields"
	}
	names := " with the fields "
	for i, f := range x.Fields {
		if i > 0 {
			names += ", "
		}
		names += f.Name.Text
	}
	return names
}
