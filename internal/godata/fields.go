package godata

import (
	"reflect"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// A Field is a field of a Go struct with its key in a configuration.
type Field struct {
	Name  string // the key
	Own   string // the name of the field itself if it is the key: letter case does not count then
	Index []int  // of reflect.Value.FieldByIndex
	Rest  bool   // an inline map, for the keys without a field

	omitEmpty, omitZero bool
}

// Omits reports whether a value of the field is left out of a configuration. Values with a method IsZero,
// which implement yaml.IsZeroer, decide themselves.
func (f Field) Omits(v reflect.Value) bool {
	return f.omitEmpty && isEmpty(v) || f.omitZero && isZero(v)
}

func isZero(v reflect.Value) bool {
	if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		return true
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// isEmpty reports whether omitempty leaves a value out, as in yaml.v3: a struct is empty if its exported
// fields are.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		if _, decides := v.Interface().(interface{ IsZero() bool }); decides {
			break
		}
		exported := false
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				if exported = true; !isEmpty(v.Field(i)) {
					return false
				}
			}
		}
		return exported || v.IsZero()
	}
	return isZero(v)
}

// Fields returns the fields of a struct type in order. The key of a field is the name in its yaml
// tag, or else in its json tag, or else its own name in lower case. A tag is a name, followed by the
// options omitempty, omitzero and inline; "-" omits the field. The fields of an inline struct take
// its place: it has that option, or is embedded without a name in a tag. For
//
//	type T struct {
//		Base        // type Base struct{ ID int }
//		Size int    `json:"size,omitempty"`
//		X    []byte `yaml:"-"`
//	}
//
// the fields are id and size. As in Go, a field hides fields of the same key in inline structs.
//
// Codes: usage for a key that occurs twice, and for an inline field that is neither a struct nor a
// map with string keys.
func Fields(t reflect.Type) ([]Field, error) {
	var all []Field
	if err := addFields(t, nil, map[reflect.Type]bool{}, &all); err != nil {
		return nil, err
	}
	depth := map[string]int{} // of the outermost field with a key
	for _, f := range all {
		if d, ok := depth[f.Name]; !ok || len(f.Index) < d {
			depth[f.Name] = len(f.Index)
		}
	}
	var fields []Field
	seen := map[string]bool{}
	for _, f := range all {
		if len(f.Index) > depth[f.Name] && !f.Rest {
			continue
		}
		if seen[f.Name] {
			return nil, source.Errorf(source.Span{}, source.Usage, "two fields of %s have the name %q", t, f.Name)
		}
		seen[f.Name] = true
		fields = append(fields, f)
	}
	return fields, nil
}

// tagOf returns the name and the options in the yaml tag of a field, or else in its json tag. The
// name is "-" for a field that is omitted.
func tagOf(f reflect.StructField) (name string, options []string) {
	tag, ok := f.Tag.Lookup("yaml")
	if !ok {
		tag = f.Tag.Get("json")
		if tag == "-," { // encoding/json: the key "-"
			return "-", []string{""}
		}
	}
	if tag == "-" {
		return "-", nil
	}
	name, rest, _ := strings.Cut(tag, ",")
	options = strings.Split(rest, ",")
	if name == "" && ok { // a yaml tag with options only
		if name, _, _ = strings.Cut(f.Tag.Get("json"), ","); name == "-" {
			name = ""
		}
	}
	return name, options
}

// addFields appends the fields of the struct type t, whose index path is above. The set open has
// the types around t.
func addFields(t reflect.Type, above []int, open map[reflect.Type]bool, fields *[]Field) error {
	if open[t] {
		return source.Errorf(source.Span{}, source.Usage, "%s contains itself inline", t)
	}
	open[t] = true
	defer delete(open, t)
	for i := range t.NumField() {
		f := t.Field(i)
		name, with := tagOf(f)
		if name == "-" && with == nil || f.PkgPath != "" && !f.Anonymous {
			continue
		}
		field := Field{
			Name: name, Index: append(above[:len(above):len(above)], i),
			omitEmpty: slices.Contains(with, "omitempty"), omitZero: slices.Contains(with, "omitzero"),
		}
		if slices.Contains(with, "inline") || f.Anonymous && name == "" && isStruct(f.Type) {
			if err := addInline(f, field, open, fields); err != nil {
				return err
			}
			continue
		}
		if f.PkgPath != "" {
			continue
		}
		if name == "" {
			field.Name, field.Own = strings.ToLower(f.Name), f.Name
		}
		*fields = append(*fields, field)
	}
	return nil
}

// isStruct reports whether t is a struct, or a pointer to one, that is not a scalar.
func isStruct(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && ScalarOf(t) == NotScalar
}

// addInline appends the fields of an inline struct, or an inline map as a field.
func addInline(f reflect.StructField, field Field, open map[reflect.Type]bool, fields *[]Field) error {
	t := f.Type
	switch {
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && f.PkgPath == "":
		field.Name, field.Rest = "", true
		*fields = append(*fields, field)
		return nil
	case isStruct(t) && t.Kind() == reflect.Pointer && f.PkgPath != "":
		return source.Errorf(source.Span{}, source.Usage, "the field %s cannot be inline: it is a pointer to a struct type that is not exported, which only its own package can set", f.Name)
	case !isStruct(t):
		return source.Errorf(source.Span{}, source.Usage, "the field %s cannot be inline: it must be a struct or a map with string keys", f.Name)
	case t.Kind() == reflect.Pointer:
		t = t.Elem()
	}
	return addFields(t, field.Index, open, fields)
}
