package filters

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/jmespath-community/go-jmespath/pkg/parsing"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// Errors of libraries in the words of users (spec: everyday, A7).

// notJSON returns the error of a text that is no JSON: what and where, if the parser of files
// finds it, otherwise the given reason.
//
//	{"a": 1,}   not JSON: JSON has no comma before "}", at character 8; remove it
func notJSON(text string, reason error) error {
	if len(text) <= maxExplained {
		if _, found := yaml.ParseJSON(source.NewFile("", text), yaml.ParseOptions{}); len(found) > 0 && found[0].Code == source.Syntax {
			return fmt.Errorf("not JSON: %s", withPlace(found[0]))
		}
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(reason, &syntax) {
		return fmt.Errorf("not JSON, at character %d", syntax.Offset)
	}
	return fmt.Errorf("not JSON: %w", reason)
}

// maxExplained bounds the texts that are parsed once more for a message.
const maxExplained = 1 << 20

// withPlace writes a finding about a text that is no file: its message, place and correction.
func withPlace(d *source.Diagnostic) string {
	message := d.Message
	if line, col := d.At.File.Position(int(d.At.Start)); line > 1 {
		message += fmt.Sprintf(", in line %d at character %d", line, col)
	} else {
		message += fmt.Sprintf(", at character %d", col)
	}
	if d.Hint != "" {
		message += "; " + d.Hint
	}
	return message
}

// badQuery returns the error of a JMESPath expression.
//
//	a[      JMESPath: the expression ends too early
//	a || )  JMESPath: ")" is not expected, at character 6
func badQuery(query string, err error) error {
	var syntax parsing.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("JMESPath: %s", queryReason(err.Error()))
	}
	if syntax.Offset >= len(query) || syntax.Offset < 0 {
		return errors.New("JMESPath: the expression ends too early")
	}
	rest := strings.TrimSpace(query[syntax.Offset:])
	word := rest
	if i := strings.IndexAny(rest, " \t\n"); i > 0 {
		word = rest[:i]
	}
	if len(word) > 20 {
		word = strings.ToValidUTF8(word[:20], "") + "..."
	}
	return fmt.Errorf("JMESPath: %q is not expected, at character %d", word, utf8.RuneCountInString(query[:syntax.Offset])+1)
}

// queryReason translates an error of running a query. The library prints values and types of
// its own.
func queryReason(text string) string {
	switch {
	case strings.HasPrefix(text, "invalid type for:"):
		return "an argument of a function has a wrong type"
	case strings.HasPrefix(text, "Unknown AST node"), text == "unknown type":
		return "the expression cannot be evaluated"
	case strings.HasPrefix(text, "could not compute length"):
		return "length needs a text, a list or a map"
	}
	return text
}

// schemaTypes are the types of JSON Schema.
var schemaTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// badSchema returns the error of a schema that the library does not read: the first keyword, by
// its place, whose value is of a wrong kind or type.
//
//	{properties: {a: {type: strng}}}   #/properties/a/type: unknown type "strng"; did you mean "string"?
func badSchema(schema any) error {
	if problem := schemaProblem(schema, "#", 0, true); problem != "" {
		return errors.New(problem)
	}
	return errors.New("it is not a valid JSON schema")
}

// maxSchemaDepth bounds the depth at which badSchema looks.
const maxSchemaDepth = 100

// schemaProblem returns the first problem of a schema at a place, "" for none. In a broken schema,
// which the library does not read, it looks for the keyword at fault.
func schemaProblem(schema any, at string, depth int, broken bool) string {
	m, ok := schema.(map[string]any)
	if _, isBool := schema.(bool); isBool || depth > maxSchemaDepth {
		return ""
	}
	if !ok {
		return at + ": a schema is a map, true or false"
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		here, v := at+"/"+escapePointer(key), m[key]
		if key == "type" {
			if problem := typeProblem(v); problem != "" {
				return here + ": " + problem
			}
			continue
		}
		below, isMap := v.(map[string]any)
		switch {
		case slices.Contains([]string{"properties", "patternProperties", "definitions", "$defs", "dependentSchemas"}, key) && isMap:
			for _, name := range slices.Sorted(maps.Keys(below)) {
				if problem := schemaProblem(below[name], here+"/"+escapePointer(name), depth+1, broken); problem != "" {
					return problem
				}
			}
		case slices.Contains([]string{"not", "if", "then", "else", "additionalProperties", "contains", "propertyNames"}, key) && isMap,
			key == "items" && isMap:
			if problem := schemaProblem(v, here, depth+1, broken); problem != "" {
				return problem
			}
		case slices.Contains([]string{"allOf", "anyOf", "oneOf"}, key):
			list, _ := v.([]any)
			for i, part := range list {
				if problem := schemaProblem(part, here+"/"+strconv.Itoa(i), depth+1, broken); problem != "" {
					return problem
				}
			}
		}
		if broken && !readable(key, v) {
			return here + ": a value of the wrong kind"
		}
	}
	return ""
}

// readable reports whether the library reads a schema with this keyword alone.
func readable(key string, v any) bool {
	text, err := json.Marshal(map[string]any{"$schema": draft7, key: v})
	return err == nil && json.Unmarshal(text, new(jsonschema.Schema)) == nil
}

// typeProblem explains what is wrong with the value of the keyword type, "" if nothing is.
func typeProblem(v any) string {
	names, ok := v.([]any)
	if !ok {
		names = []any{v}
	}
	for _, name := range names {
		text, ok := name.(string)
		if !ok {
			return "a type is a text, or a list of texts"
		}
		if slices.Contains(schemaTypes, text) {
			continue
		}
		problem := fmt.Sprintf("unknown type %q", text)
		if near := source.Suggest(text, slices.Values(schemaTypes)); near != "" {
			return problem + fmt.Sprintf("; did you mean %q?", near)
		}
		return problem + "; types are " + strings.Join(schemaTypes, ", ")
	}
	return ""
}
