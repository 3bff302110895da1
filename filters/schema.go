package filters

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func schemaFunctions() []Func {
	return []Func{{
		Name: "validate_json", Family: "schema", Call: with((*Ctx).pair, validateJSON),
		Doc:     "Whether the first of two values is valid according to the second, a JSON schema (draft 7).",
		Example: "{eval: {validate_json: [5, {type: integer}]}}", Result: "true",
	}}
}

func validateJSON(c *Ctx, args []value.Value, _ Bound) (value.Value, error) {
	p := plainData{c: c, from: map[uintptr]value.Value{}}
	for _, v := range args {
		if err := c.measure(v); err != nil {
			return value.Null, err
		}
	}
	data, err := convert(args, func(v value.Value) (any, error) { return p.to(v, 0) })
	if err != nil {
		return value.Null, err
	}
	schema, err := compileSchema(data[1])
	if err != nil {
		return value.Null, fmt.Errorf("the schema: %w", err)
	}
	if err := c.step(validatedSteps(data[0], data[1])); err != nil {
		return value.Null, err
	}
	return value.Bool(schema.Validate(data[0]) == nil), nil
}

// validatedSteps returns the steps of validating data. Most parts of a schema are for some values only;
// a list of allowed values is compared with each.
func validatedSteps(data, schema any) int {
	const valueSteps, partsPerStep = 64, 8
	return dataParts(data) * (valueSteps + dataParts(schema)/partsPerStep)
}

// dataParts returns the number of lists, maps and scalars in x, and of the bytes of its texts by 64.
func dataParts(x any) int {
	n := 1
	switch x := x.(type) {
	case string:
		n += len(x) / 64
	case []any:
		for _, item := range x {
			n += dataParts(item)
		}
	case map[string]any:
		for key, v := range x {
			n += len(key)/64 + dataParts(v)
		}
	}
	return n
}

// draft7 is the version of a schema without $schema.
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
	if problem := schemaProblem(schema, "#", 0, false); problem != "" {
		return nil, errors.New(problem)
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, badSchema(schema)
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, badSchema(schema)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, badSchema(schema)
	}
	return resolved, nil
}

// checkReferences returns an error if a schema refers to other documents, or if a part
// refers to itself for the same value, as {"$ref": "#"} does: the library would follow
// such a reference until the stack overflows.
func checkReferences(schema any) error {
	r := references{root: schema, checks: map[string]int{}}
	return r.check(schema, "#")
}

// maxChecks bounds the number of parts of a schema that check one value.
const maxChecks = 10_000

// open is the number of checks of a part whose count is not complete.
const open = -1

// references walks a schema. Parts are known by their JSON pointer.
type references struct {
	root   any
	checks map[string]int // the checks of one value by a part and the parts that it applies
}

// check checks a part and everything below it.
func (r *references) check(part any, at string) error {
	switch part := part.(type) {
	case map[string]any:
		if at != "#" && part["$id"] != nil {
			return errors.New("a part with its own $id is not supported")
		}
		if _, err := r.count(part, at); err != nil {
			return err
		}
		for key, below := range part {
			if err := r.check(below, at+"/"+escapePointer(key)); err != nil {
				return err
			}
		}
	case []any:
		for i, below := range part {
			if err := r.check(below, at+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// count returns the number of checks of one value by a part and the parts that it applies
// to that value. Parts that refer to the next one twice double it each time.
func (r *references) count(part any, at string) (int, error) {
	if n := r.checks[at]; n == open {
		return 0, fmt.Errorf("%s refers to itself", at)
	} else if n > 0 {
		return n, nil
	}
	m, ok := part.(map[string]any)
	if !ok {
		return 0, nil
	}
	r.checks[at] = open
	total := 1
	for _, below := range sameValue(m, at) {
		n, err := r.count(below.part, below.at)
		if err != nil {
			return 0, err
		}
		total += n
	}
	n, err := r.follow(m)
	if err != nil {
		return 0, err
	}
	if total += n; total > maxChecks {
		return 0, source.Errorf(source.Span{}, source.Limit, "the schema checks one value more than %d times", maxChecks)
	}
	r.checks[at] = total
	return total, nil
}

// A place is a part of a schema with its JSON pointer.
type place struct {
	part any
	at   string
}

// sameValue returns the parts inside of m that check the same value as m.
func sameValue(m map[string]any, at string) []place {
	var parts []place
	for _, key := range [...]string{"not", "if", "then", "else"} {
		parts = append(parts, place{m[key], at + "/" + key})
	}
	for _, key := range [...]string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[key].([]any)
		for i, below := range list {
			parts = append(parts, place{below, at + "/" + key + "/" + strconv.Itoa(i)})
		}
	}
	for _, key := range [...]string{"dependentSchemas", "dependencies"} {
		below, _ := m[key].(map[string]any)
		for name, part := range below {
			parts = append(parts, place{part, at + "/" + key + "/" + escapePointer(name)})
		}
	}
	return parts
}

// follow returns the number of checks by the target of the $ref of a part.
func (r *references) follow(part map[string]any) (int, error) {
	for _, key := range [...]string{"$dynamicRef", "$recursiveRef"} {
		if part[key] != nil {
			return 0, fmt.Errorf("%s is not supported", key)
		}
	}
	ref, ok := part["$ref"].(string)
	if !ok {
		return 0, nil
	}
	if ref != "#" && !strings.HasPrefix(ref, "#/") {
		return 0, fmt.Errorf("%s refers to another document; only references that begin with #/ are supported", ref)
	}
	target := r.root
	for seg := range strings.SplitSeq(strings.TrimPrefix(ref, "#"), "/") {
		if seg == "" && target != nil {
			continue
		}
		target = step(target, strings.NewReplacer("~1", "/", "~0", "~").Replace(seg))
	}
	if target == nil {
		return 0, fmt.Errorf("the reference %s has no target", ref)
	}
	return r.count(target, ref)
}

func step(in any, seg string) any {
	switch in := in.(type) {
	case map[string]any:
		return in[seg]
	case []any:
		if i, err := strconv.Atoi(seg); err == nil && i >= 0 && i < len(in) {
			return in[i]
		}
	}
	return nil
}

func escapePointer(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}
