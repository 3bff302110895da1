package types

import (
	"fmt"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// Written returns a type as a program writes it. Its parts have the places of the text.
func Written(t *syntax.Type) *Type { return written(t, nil) }

// Signature returns the type of a function of the library as it is documented. Its parts have no
// places: no file of the user has them.
//
//	func(needle ?1, haystack []?1) bool
func Signature(t *syntax.Type) *Scheme {
	s := &Scheme{}
	vars := map[int]*Type{}
	s.Type = written(t, func(n int) *Type {
		if vars[n] == nil {
			vars[n] = &Type{Kind: Var, id: int32(len(vars))}
		}
		return vars[n]
	})
	s.Vars = len(vars)
	return s
}

var scalarKinds = [...]Kind{
	syntax.BoolType: Bool, syntax.StrType: Str, syntax.IntType: Int, syntax.FloatType: Float, syntax.VariantType: Variant,
}

// written converts a type; variable returns the type of a variable of a signature.
func written(t *syntax.Type, variable func(n int) *Type) *Type {
	at := t.At
	if variable != nil {
		at = source.Span{}
	}
	switch t.Kind {
	case syntax.ListType:
		return ListOf(written(t.Elem, variable), at)
	case syntax.MapType:
		return MapOf(written(t.Key, variable), written(t.Elem, variable), at)
	case syntax.StructType:
		return StructOf(writtenFields(t.Fields, variable), at)
	case syntax.FuncType:
		return FuncOf(writtenFields(t.Fields, variable), written(t.Elem, variable), at)
	case syntax.VarType:
		return variable(t.Var)
	}
	return Of(scalarKinds[t.Kind], at)
}

func writtenFields(fields []syntax.TypeField, variable func(n int) *Type) []Field {
	all := make([]Field, len(fields))
	for i, f := range fields {
		all[i] = Field{f.Name, written(f.Type, variable)}
	}
	return all
}

// Check returns the error of a type that cannot be: a field of a struct twice, a list or func as the
// key of a map.
//
// Codes: duplicate-key, type-conflict.
func Check(t *syntax.Type) *source.Diagnostic {
	names := map[string]bool{}
	for _, f := range t.Fields {
		if t.Kind == syntax.StructType && names[f.Name] {
			return source.Errorf(f.At, source.DuplicateKey, "the struct has two fields %s", f.Name)
		}
		names[f.Name] = true
		if d := Check(f.Type); d != nil {
			return d
		}
	}
	if t.Key != nil {
		if reason := KeyReason(Written(t.Key)); reason != "" {
			return source.Errorf(t.Key.At, source.TypeConflict, "%s cannot be the key of a map", reason)
		}
		if d := Check(t.Key); d != nil {
			return d
		}
	}
	if t.Elem != nil {
		return Check(t.Elem)
	}
	return nil
}

// KeyReason returns the part of a type because of which it cannot be the type of keys of a map, "" if
// it can: scalars and structs of these can.
func KeyReason(t *Type) string {
	t = t.Find()
	switch t.Kind {
	case List, Map, Func:
		return fmt.Sprintf("a %s", t.Kind)
	case Struct:
		for _, f := range t.Fields {
			if r := KeyReason(f.Type); r != "" {
				return r
			}
		}
	}
	return ""
}
