package filters

import (
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

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

func compileSchema(schema any) (*jsonschema.Schema, error) {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.UseLoader(noLoader{})
	const name = "schema.json"
	if err := compiler.AddResource(name, schema); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
}

// noLoader keeps schemas from reading files or the network.
type noLoader struct{}

// Load refuses.
func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("other documents cannot be loaded: " + url)
}

// pair reads a list of two.
func (c *Ctx) pair(v value.Value) ([]value.Value, error) {
	if !v.Is(value.ListKind) {
		return nil, fmt.Errorf("wants a list of two, got %s", value.Article(v.Kind()))
	}
	items, err := c.listItems(v)
	if err == nil && len(items) != 2 {
		err = fmt.Errorf("wants a list of two, got %d items", len(items))
	}
	return items, err
}
