package filters

import (
	"errors"
	"fmt"

	"github.com/yaytpl/yaytpl/internal/schema"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// schemaFunctions check values by JSON Schema. References to other files are errors: the library opens none.
func schemaFunctions() []Func {
	return family("schema", row("validate_json", "Whether the first of two values is valid according to the second, a JSON schema (draft 7 or 2020-12).",
		"{eval: {validate_json: [5, {type: integer}]}}", "true", with((*Ctx).pair, validateJSON)))
}

// validateJSON reports validity without the reasons. It counts the sizes of value and schema first, and then
// the steps of validation, which alternatives in alternatives can make many more.
func validateJSON(c *Ctx, args []value.Value, _ Bound) (value.Value, error) {
	for _, v := range args {
		bytes, err := c.size(v)
		if err == nil {
			err = c.step(bytes) // reading and checking a part takes longer than measuring it
		}
		if err != nil {
			return value.Null, err
		}
	}
	s, err := schema.Compile(&schema.Document{Data: args[1]}, schema.Options{Charge: c.step})
	if d := (*source.Diagnostic)(nil); errors.As(err, &d) && d.Code == source.BadValue {
		return value.Null, fmt.Errorf("the schema: %s", d.Message)
	} else if err != nil {
		return value.Null, err
	}
	valid, err := s.Valid(args[0])
	return value.Bool(valid), err
}
