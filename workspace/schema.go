package workspace

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// FileSchema returns the JSON Schema (2020-12) of project files, made of the table by which they are read.
// Editors complete and check project files with it. Only the reader checks rules
// between keys, such as that a {word} needs for.
func FileSchema() value.Value {
	top := object(topFields(), "yaytpl")
	all := dict("$schema", value.String("https://json-schema.org/draft/2020-12/schema"), "title", value.String("yaytpl project file"))
	for k := range top.Keys() {
		v, _, _ := top.Get(k) // a Dict that was just made
		all.Set(k, v)
	}
	return value.FromMap(all)
}

// object returns the schema of a map with these fields and no others.
func object(fields []field, required ...string) *value.Dict {
	properties := value.NewMap(len(fields))
	for _, f := range fields {
		s := f.kind.schema()
		s.Set(value.K("description"), value.String(f.doc))
		properties.Set(value.K(f.key), value.FromMap(s))
	}
	return dict("type", value.String("object"), "properties", value.FromMap(properties),
		"required", texts(required...), "additionalProperties", value.Bool(false))
}

// schema returns the schema of values of a kind.
func (k kind) schema() *value.Dict {
	one := func(keys ...any) value.Value { return value.FromMap(dict(keys...)) }
	str := one("type", value.String("string"), "minLength", value.Int(1))
	list := one("type", value.String("array"), "items", str)
	mapOf := func(v value.Value) *value.Dict {
		return dict("type", value.String("object"), "additionalProperties", v)
	}
	switch k {
	case versionKind:
		return dict("const", value.Int(1))
	case pathList, patternList:
		return dict("type", value.String("array"), "items", str)
	case policyMap:
		return mapOf(one("type", value.String("string"), "pattern", value.String(`^(union|append|replace|by \S+)$`)))
	case patternListMap:
		return mapOf(list)
	case patternPathMap:
		return mapOf(str)
	case levelMap:
		var kinds, levels []string
		for _, code := range source.Warnings() {
			kinds = append(kinds, string(code))
		}
		for _, l := range source.Levels() {
			levels = append(levels, string(l))
		}
		m := mapOf(one("enum", texts(levels...)))
		m.Set(value.K("propertyNames"), one("enum", texts(kinds...)))
		return m
	case targetMap:
		return mapOf(value.FromMap(object(targetFields(), "files")))
	case dataMap:
		return dict("type", value.String("object"))
	}
	return dict("type", value.String("string"), "minLength", value.Int(1))
}

// dict returns a map of keys and values in turn.
func dict(pairs ...any) *value.Dict {
	m := value.NewMap(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		m.Set(value.K(pairs[i].(string)), pairs[i+1].(value.Value))
	}
	return m
}

func texts(list ...string) value.Value {
	items := make(value.Slice, len(list))
	for i, s := range list {
		items[i] = value.String(s)
	}
	return value.FromList(items)
}
