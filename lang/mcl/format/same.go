package format

import (
	"reflect"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// same reports whether two programs have the same tree, places apart, and the same comments.
func same(a, b *syntax.Program) bool {
	if len(a.Comments) != len(b.Comments) {
		return false
	}
	for i := range a.Comments {
		if a.Comments[i].At.Text() != b.Comments[i].At.Text() {
			return false
		}
	}
	return equal(reflect.ValueOf(a.Body.Stmts), reflect.ValueOf(b.Body.Stmts))
}

// equal compares parts of trees. Places are not compared, but for the text of strings, of which the
// trees have only what it means.
func equal(a, b reflect.Value) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		return equalFields(a, b)
	}
	return a.Equal(b)
}

func equalFields(a, b reflect.Value) bool {
	t := a.Type()
	switch t {
	case reflect.TypeFor[source.Span]():
		return true
	case reflect.TypeFor[syntax.Str]():
		x, y := a.Addr().Interface().(*syntax.Str), b.Addr().Interface().(*syntax.Str)
		return x.At.Text() == y.At.Text()
	}
	for i := range t.NumField() {
		if !equal(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
