package syntax

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// Contradictions returns an error of code type-conflict for each annotation of a variable that the
// literal after it contradicts, in the order of the text. Only literals are compared, also in lists,
// maps and structs: names and types of all else are not known here.
//
//	$x []int = [1, $y, "a"]   expected int, found str
func (p *Program) Contradictions() []*source.Diagnostic {
	var all []*source.Diagnostic
	WalkBlock(&p.Body, func(s Stmt) bool {
		if b, ok := s.(*Bind); ok && b.Type != nil {
			if c := contradiction(b.Type, b.Value); c != nil {
				all = append(all, source.Errorf(c.at.Span(), source.TypeConflict, "expected %s, found %s", c.want, c.found).Note(c.want.At, "the type of $%s", b.Name.Text))
			}
		}
		return true
	})
	return all
}

// A conflict is a literal with the type that it ought to have, and the type that it has.
type conflict struct {
	at    Expr
	want  *Type
	found string
}

// contradiction returns the first literal in x that is not of the type t, nil for none.
func contradiction(t *Type, x Expr) *conflict {
	if t.Kind == VariantType {
		return nil
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
			return &conflict{x, t, "a list"}
		}
		for _, item := range x.Items {
			if c := contradiction(t.Elem, item); c != nil {
				return c
			}
		}
	case *Map:
		if t.Kind != MapType {
			return &conflict{x, t, "a map"}
		}
		for _, e := range x.Entries {
			if c := cmp.Or(contradiction(t.Key, e.Key), contradiction(t.Elem, e.Value)); c != nil {
				return c
			}
		}
	case *Struct:
		return structIs(t, x)
	}
	return nil
}

func scalarIs(t *Type, kind TypeKind, x Expr) *conflict {
	if t.Kind == kind {
		return nil
	}
	return &conflict{x, t, typeNames[kind]}
}

// structIs is [contradiction] for a struct: it has the fields of its type, in their order.
func structIs(t *Type, x *Struct) *conflict {
	sameName := func(f NamedExpr, of TypeField) bool { return f.Name.Text == of.Name }
	if t.Kind != StructType || !slices.EqualFunc(x.Fields, t.Fields, sameName) {
		return &conflict{x, t, "a struct" + fieldNames(x)}
	}
	for i, f := range x.Fields {
		if c := contradiction(t.Fields[i].Type, f.Value); c != nil {
			return c
		}
	}
	return nil
}

// fieldNames returns the names of fields for a message.
func fieldNames(x *Struct) string {
	if len(x.Fields) == 0 {
		return " without fields"
	}
	names := make([]string, len(x.Fields))
	for i, f := range x.Fields {
		names[i] = f.Name.Text
	}
	return " with the fields " + strings.Join(names, ", ")
}
