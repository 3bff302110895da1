package filters

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/yaytpl/yaytpl/value"
)

func schemaFunctions() []Func {
	return []Func{{
		Name: "validate_json", Family: "schema", Call: validateJSON,
		Doc:     "Whether the first of two values is valid by the JSON schema (draft 7) that the second is.",
		Example: "{eval: {validate_json: [5, {type: integer}]}}", Result: "true",
	}}
}

func validateJSON(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	args, err := c.pair(in)
	if err != nil {
		return value.Null, err
	}
	p := plainData{c: c, from: map[uintptr]value.Value{}}
	for _, v := range args {
		if err := c.measure(v); err != nil {
			return value.Null, err
		}
	}
	data, err := p.to(args[0], 0)
	if err != nil {
		return value.Null, err
	}
	schema, err := p.to(args[1], 0)
	if err != nil {
		return value.Null, err
	}
	s, err := compileSchema(schema)
	if err != nil {
		return value.Null, fmt.Errorf("the schema: %w", err)
	}
	return value.Bool(s.Validate(data) == nil), nil
}

// draft7 is the version of a schema that names none.
const draft7 = "http://json-schema.org/draft-07/schema#"

func compileSchema(schema any) (*jsonschema.Resolved, error) {
	if err := checkReferences(schema); err != nil {
		return nil, err
	}
	if m, ok := schema.(map[string]any); ok && m["$schema"] == nil {
		m = maps.Clone(m)
		m["$schema"] = draft7
		schema = m
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}
