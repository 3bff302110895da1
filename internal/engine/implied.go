package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// ImpliedSchema returns the JSON Schema that the layers of the document imply (spec: everyday, B8): the keys
// of the finished value, the types that they have there and in overridden layers, and the comments on them,
// which may be secrets in an encrypted file and are left out there.
//
//	# where it listens
//	port: 80                {type: integer, description: where it listens}
//	hosts: [a, 1]           {type: array, items: {type: [integer, string]}}
func (d *Document) ImpliedSchema() (value.Value, error) {
	e, err := d.Eval()
	if err != nil {
		return value.Null, err
	}
	v, err := d.Value()
	if err != nil {
		return value.Null, err
	}
	var root implied
	if err := root.add(e, e.Root(), v); err != nil {
		return value.Null, err
	}
	return value.FromMap(root.schema(draft)), nil
}

const draft = "https://json-schema.org/draft/2020-12/schema"

// An implied is the schema of the values at one place.
type implied struct {
	types map[string]bool
	keys  []string // of below, in the order of the document
	below map[string]*implied
	items *implied // nil for none
	about string   // the comment
}

// stepsOfShape is the cost of a value, in steps of the evaluation.
const stepsOfShape = 32

// add adds the value of a cell.
func (s *implied) add(e *graph.Eval, c *graph.Cell, v value.Value) error {
	if err := e.Enter(); err != nil {
		return err
	}
	defer e.Leave()
	if err := e.Step(stepsOfShape); err != nil {
		return err
	}
	if s.types == nil {
		s.types = map[string]bool{}
	}
	s.types[typeName(v.Kind())] = true
	for _, kind := range c.WrittenKinds() {
		s.types[typeName(kind)] = true
	}
	switch v.Kind() {
	case value.MapKind:
		return s.addMap(e, c, value.Public(v).Map())
	case value.ListKind:
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			if err != nil {
				return err
			}
			if s.items == nil {
				s.items = &implied{}
			}
			if err := s.items.add(e, c.Shown(value.Path{value.Index(i)}), item); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMap adds the entries of a map.
func (s *implied) addMap(e *graph.Eval, c *graph.Cell, m value.Map) error {
	notes, _ := m.(value.Annotated)
	i := 0
	for k := range m.Keys() {
		v, _, err := m.Get(k)
		if err != nil {
			return err
		}
		below := s.below[k.Text]
		if below == nil {
			below = &implied{}
			if s.below == nil {
				s.below = map[string]*implied{}
			}
			s.below[k.Text] = below
			s.keys = append(s.keys, k.Text)
		}
		if notes != nil && below.about == "" {
			if note := notes.AnnotationAt(i); note != nil && !note.Secret {
				if below.about = comment(note.Head); below.about == "" {
					below.about = comment(note.Line)
				}
			}
		}
		if err := below.add(e, c.Shown(value.Path{k}), v); err != nil {
			return err
		}
		i++
	}
	return nil
}

// comment returns the text of a comment.
func comment(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "#")
		lines = append(lines, strings.TrimPrefix(line, " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// typeName returns the name of a kind in JSON Schema.
func typeName(kind value.Kind) string {
	switch kind {
	case value.NullKind:
		return "null"
	case value.BoolKind:
		return "boolean"
	case value.IntKind:
		return "integer"
	case value.FloatKind:
		return "number"
	case value.ListKind:
		return "array"
	case value.MapKind:
		return "object"
	}
	return "string"
}

// schema returns s as a schema, with $schema if that is not empty.
func (s *implied) schema(draft string) *value.Dict {
	m := value.NewMap(4)
	if draft != "" {
		m.Set(value.K("$schema"), value.String(draft))
	}
	var names []value.Value
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		names = append(names, value.String(name))
	}
	if len(names) == 1 {
		m.Set(value.K("type"), names[0])
	} else {
		m.Set(value.K("type"), value.ListOf(names...))
	}
	if len(s.keys) > 0 {
		properties := value.NewMap(len(s.keys))
		for _, k := range s.keys {
			properties.Set(value.K(k), value.FromMap(s.below[k].schema("")))
		}
		m.Set(value.K("properties"), value.FromMap(properties))
	}
	if s.items != nil {
		m.Set(value.K("items"), value.FromMap(s.items.schema("")))
	}
	if s.about != "" {
		m.Set(value.K("description"), value.String(s.about))
	}
	return m
}
