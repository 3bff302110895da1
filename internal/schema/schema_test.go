package schema_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/schema"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// data returns a YAML text as data.
func data(t testing.TB, text string) value.Value {
	t.Helper()
	docs, findings := yaml.Parse(source.NewFile("a.yaml", text), yaml.ParseOptions{NoTemplates: true})
	if len(findings) > 0 {
		t.Fatal(findings[0])
	}
	v, err := docs[0].Root.ToValue()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// violations returns the messages of all violations, with their hints and the keywords.
func violations(t testing.TB, s *schema.Schema, v value.Value) []string {
	t.Helper()
	var all []string
	err := s.Validate(v, func(x schema.Violation) bool {
		text := "#" + x.At.Pointer() + ": " + x.Message
		if x.Hint != "" {
			text += " (" + x.Hint + ")"
		}
		all = append(all, text)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestViolations(t *testing.T) {
	const old = "$schema: http://json-schema.org/draft-07/schema#, "
	for _, test := range []struct{ schema, value, want string }{
		{`{type: integer}`, `5`, ``},
		{`{type: integer}`, `5.0`, ``},
		{`{type: integer}`, `5.5`, `#/type: the document is a number; the schema allows an integer`},
		{`{type: integer}`, `"5"`, `#/type: the document is a text; the schema allows an integer (without quotes it is a number)`},
		{`{type: number}`, `nan`, `#/type: the document is a text; the schema allows a number`},
		{`{type: number}`, `1_000`, `#/type: the document is a text; the schema allows a number`},
		{`{type: [boolean, "null"]}`, `"true"`, `#/type: the document is a text; the schema allows a boolean or null (without quotes it is a boolean)`},
		{`{properties: {a: {type: string}}}`, `{a: 1}`, `#/properties/a/type: a is a number; the schema allows a text (in quotes it is a text)`},
		{`{properties: {"1": {type: string}}}`, `{1: 1}`, `#/properties/1/type: [1] is a number; the schema allows a text (in quotes it is a text)`},
		{`{required: ["1"]}`, `{1: 1}`, ``},
		{`{enum: [debug, info]}`, `inof`, `#/enum: the document is not one of the values that the schema allows (did you mean "info"?)`},
		{`{enum: [1, x, true]}`, `y`, `#/enum: the document is not one of the values that the schema allows (it allows 1, "x" or true)`},
		{`{enum: [1]}`, `true`, `#/enum: the document is not 1, the only value that the schema allows`},
		{`{enum: [[1, {a: 2}], {}]}`, `[1.0, {a: 2.0}]`, ``},
		{`{const: v1}`, `v2`, `#/const: the document is not "v1", the only value that the schema allows`},
		{`{minimum: 1, maximum: 3}`, `0`, `#/minimum: the document is below the minimum, 1`},
		{`{exclusiveMaximum: 3}`, `3.0`, `#/exclusiveMaximum: the document is not below 3`},
		{`{multipleOf: 0.01}`, `4.02`, ``},
		{`{multipleOf: 0.01}`, `4.025`, `#/multipleOf: the document is no multiple of 0.01`},
		{`{minimum: 1, maximum: 3}`, `.nan`, `#/minimum: the document is below the minimum, 1|#/maximum: the document is above the maximum, 3`},
		{`{minimum: 18446744073709551616}`, `18446744073709551615`, `#/minimum: the document is below the minimum, 18446744073709551616`},
		{`{minLength: 2, maxLength: 3}`, `ü`, `#/minLength: the document has fewer than 2 characters`},
		{`{minLength: 2, maxLength: 3}`, `üüü`, ``},
		{`{pattern: "^\\d+$"}`, `x1`, `#/pattern: the document does not match the pattern ^\d+$`},
		{`{pattern: "^(?=.*z)a"}`, `abz`, ``},
		{`{pattern: "^\\u0061\\/[.]\\s$"}`, `"a/.\u00a0"`, ``},
		{`{minItems: 2, uniqueItems: true}`, `[1]`, `#/minItems: the document has fewer than 2 items`},
		{`{uniqueItems: true}`, `[1, true, "1", 1.0]`, `#/uniqueItems: [3] is the same as an item before it`},
		{`{items: [{type: string}, {type: string}], additionalItems: false}`, `[a, 1, 2]`, `#/items/1/type: [1] is a number; the schema allows a text (in quotes it is a text)|#/additionalItems: the schema does not allow [2]`},
		{`{prefixItems: [{type: string}], items: {type: integer}}`, `[a, b]`, `#/items/type: [1] is a text; the schema allows an integer`},
		{`{contains: {type: string}, maxContains: 1}`, `[a, b]`, `#/maxContains: the document has more than 1 item of a kind that the schema limits`},
		{`{contains: {type: string}, minContains: 0}`, `[1]`, ``},
		{`{required: [port], properties: {port: {}}}`, `{prot: 1}`, `#/required: the document has no key "port", which the schema requires (is it the key "prot"?)`},
		{`{properties: {a: {additionalProperties: false, properties: {port: {}}}}}`, `{a: {prot: 1}}`, `#/properties/a/additionalProperties: the schema has no key "prot" in a (did you mean "port"?)`},
		{`{additionalProperties: false, patternProperties: {"^x-": {type: integer}}}`, `{x-a: b, y: 1}`, `#/patternProperties/^x-/type: x-a is a text; the schema allows an integer|#/additionalProperties: the schema has no key "y"`},
		{`{propertyNames: {maxLength: 2}}`, `{abc: 1}`, `#/propertyNames: the schema does not allow the key "abc"`},
		{`{dependentRequired: {a: [b]}}`, `{a: 1}`, `#/dependentRequired: the document has no key "b", which the key "a" requires`},
		{`{dependencies: {a: [b], c: {required: [d]}}}`, `{c: 1}`, `#/dependencies/c/required: the document has no key "d", which the schema requires`},
		{`{not: {type: string}}`, `a`, `#/not: the document is what the schema excludes`},
		{`{anyOf: [{type: string}, {type: integer}]}`, `[]`, `#/anyOf: the document is a list; the schema allows an integer or a text`},
		{`{anyOf: [{type: string}, {required: [b]}, {required: [c]}]}`, `{}`, `#/anyOf: the document satisfies none of the 3 alternatives of the schema (of one: the document has no key "b", which the schema requires)`},
		{`{oneOf: [{properties: {kind: {const: a}, x: {type: integer}}}, {properties: {kind: {const: b}}}]}`, `{kind: a, x: z}`, `#/oneOf/0/properties/x/type: x is a text; the schema allows an integer`},
		{`{oneOf: [{type: string}, {minLength: 1}]}`, `a`, `#/oneOf: the document satisfies several alternatives of the schema, of which only one is allowed`},
		{`{if: {required: [a]}, then: {required: [b]}, else: {required: [c]}}`, `{}`, `#/else/required: the document has no key "c", which the schema requires`},
		{`{allOf: [{properties: {a: {}}}], unevaluatedProperties: false}`, `{a: 1, b: 2}`, `#/unevaluatedProperties: the schema has no key "b"`},
		{`{anyOf: [{prefixItems: [{}]}], unevaluatedItems: {type: string}}`, `[1, 2]`, `#/unevaluatedItems/type: [1] is a number; the schema allows a text (in quotes it is a text)`},
		{`{$defs: {n: {type: integer}}, items: {$ref: "#/$defs/n"}}`, `[a]`, `#/$defs/n/type: [0] is a text; the schema allows an integer`},
		{`{$defs: {n: {$anchor: num, type: integer}}, items: {$ref: "#num"}}`, `[a]`, `#/$defs/n/type: [0] is a text; the schema allows an integer`},
		{`{definitions: {"a/b": {type: integer}}, $ref: "#/definitions/a~1b", maximum: 1}`, `2`, `#/maximum: the document is above the maximum, 1`},
		{`{` + old + `definitions: {n: {type: integer}}, $ref: "#/definitions/n", maximum: 1}`, `2`, ``},
		{`{properties: {next: {$ref: "#"}}, required: [v]}`, `{v: 1, next: {v: 2, next: {}}}`, `#/required: next.next has no key "v", which the schema requires`},
		{`{$id: "https://example.org/s.json", items: {$ref: "https://example.org/s.json#/$defs/n"}, $defs: {n: {type: integer}}}`, `[a]`, `#/$defs/n/type: [0] is a text; the schema allows an integer`},
		{`{$id: "https://example.org/s.json", items: {$ref: n.json}, $defs: {x: {$id: n.json, type: integer}}}`, `[a]`, `#/$defs/x/type: [0] is a text; the schema allows an integer`},
		{`false`, `1`, `#: the schema does not allow the document`},
		{`{format: email, contentMediaType: a/b, title: x, unknown: {type: y}}`, `1`, ``},
	} {
		s, err := schema.Compile(&schema.Document{Data: data(t, test.schema)}, schema.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.schema, err)
			continue
		}
		v := data(t, test.value)
		got := strings.Join(violations(t, s, v), "|")
		if got != test.want {
			t.Errorf("%s\n of %s: %s, want %s", test.value, test.schema, got, test.want)
		}
		if ok, err := s.Valid(v); err != nil || ok != (got == "") {
			t.Errorf("%s of %s: valid %t, %v", test.value, test.schema, ok, err)
		}
	}
}

func TestBadSchemas(t *testing.T) {
	twice := `{$ref: "#/$defs/0", $defs: {`
	for i := range 40 {
		twice += fmt.Sprintf(`"%d": {allOf: [{$ref: "#/$defs/%d"}, {$ref: "#/$defs/%d"}]}, `, i, i+1, i+1)
	}
	for _, test := range []struct {
		schema string
		code   source.Code
		want   string
	}{
		{`[]`, source.BadValue, `#: a schema is a map, true or false`},
		{`{properties: {a: 5}}`, source.BadValue, `#/properties/a: a schema is a map, true or false`},
		{`{type: intger}`, source.BadValue, `#/type: unknown type "intger"; did you mean "integer"?`},
		{`{type: {}}`, source.BadValue, `#/type: a type is a text, or a list of texts`},
		{`{minLength: -1}`, source.BadValue, `#/minLength: minLength takes a whole number that is not negative`},
		{`{maximum: "1"}`, source.BadValue, `#/maximum: maximum takes a number`},
		{`{maximum: .nan}`, source.BadValue, `#/maximum: maximum takes a number that is not .nan`},
		{`{exclusiveMaximum: true, maximum: 3}`, source.BadValue, `#/exclusiveMaximum: exclusiveMaximum takes a number; a boolean is of draft 4`},
		{`{$ref: 5}`, source.BadValue, `#/$ref: $ref takes a text`},
		{`{dependentRequired: {a: b}}`, source.BadValue, `#/dependentRequired/a: a takes a list of texts`},
		{`{multipleOf: .inf}`, source.BadValue, `#/multipleOf: multipleOf takes a finite number`},
		{`{multipleOf: .nan}`, source.BadValue, `#/multipleOf: multipleOf takes a finite number`},
		{`{multipleOf: 0}`, source.BadValue, `#/multipleOf: multipleOf takes a number above zero`},
		{`{required: [1]}`, source.BadValue, `#/required: required takes a list of texts`},
		{`{enum: 1}`, source.BadValue, `#/enum: enum takes a list of values`},
		{`{anyOf: {}}`, source.BadValue, `#/anyOf: anyOf takes a list of schemas`},
		{`{uniqueItems: 1}`, source.BadValue, `#/uniqueItems: uniqueItems takes true or false`},
		{`{pattern: "("}`, source.BadValue, `#/pattern: the pattern is not a valid regular expression`},
		{`{pattern: "` + strings.Repeat("a", 70_000) + `"}`, source.Limit, `#/pattern: the pattern has more than 65536 bytes`},
		{`{$ref: "#/$defs/x"}`, source.BadValue, `#/$ref: the reference "#/$defs/x" has no target`},
		{`{$ref: other.json}`, source.BadValue, `#/$ref: the reference "other.json" refers to another document; only references to parts of the schema are supported`},
		{`{anyOf: [{$ref: "#"}]}`, source.BadValue, `#: the schema refers to itself for the same value`},
		{`{$recursiveRef: "#"}`, source.BadValue, `#/$recursiveRef: $recursiveRef is not supported`},
		{twice + `"40": {}}}`, source.Limit, `#/$defs/25: the schema checks one value more than 100000 times`},
		{strings.Repeat(`{"not": `, 1001) + "{}" + strings.Repeat("}", 1001), source.Limit, `#: the schema is nested more than 1000 deep`},
	} {
		_, err := schema.Compile(&schema.Document{Data: data(t, test.schema)}, schema.Options{})
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Code != test.code || d.Message != test.want {
			t.Errorf("%.80s: %v, want %s", test.schema, err, test.want)
		}
	}
}

// A value that keeps being checked ends in an error of code limit.
func TestSteps(t *testing.T) {
	deep := strings.Repeat("{a: ", 60) + "1" + strings.Repeat("}", 60)
	for _, test := range []struct{ schema, value string }{
		{`{properties: {a: {allOf: [{$ref: "#"}, {$ref: "#"}]}}}`, deep},
		{`{items: {pattern: "(?!x)^(a+)+$"}}`, `[` + strings.Repeat("a", 40) + `!]`},
	} {
		steps := 0
		s, err := schema.Compile(&schema.Document{Data: data(t, test.schema)}, schema.Options{Charge: func(n int) error {
			if steps += n; steps > 1_000_000 {
				return source.Errorf(source.Span{}, source.Limit, "enough")
			}
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err = s.Validate(data(t, test.value), func(schema.Violation) bool { return true }); !errors.Is(err, source.ErrLimit) {
			t.Errorf("%s: %v", test.schema, err)
		}
	}
}

// References to other documents start from the document that has them.
func TestDocuments(t *testing.T) {
	files := map[string]string{
		"file:///d/a.json":     `{$id: "https://example.org/a.json", properties: {b: {$ref: "sub/b.json"}}}`,
		"file:///d/sub/b.json": `{properties: {c: {$ref: "c.json#/$defs/n"}, a: {$ref: "../a.json"}}}`,
		"file:///d/sub/c.json": `{$defs: {n: {type: integer}}}`,
	}
	opened := map[string]int{}
	open := func(ref, uri string, _ source.Span, from *schema.Document) (*schema.Document, error) {
		dir := "file:///d/"
		if from != nil && strings.Contains(from.URI, "/sub/") {
			dir += "sub/"
		}
		name := strings.ReplaceAll(dir+ref, "sub/../", "")
		opened[name]++
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return &schema.Document{URI: name, Data: data(t, text)}, nil
	}
	first, err := open("a.json", "", source.Span{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Compile(first, schema.Options{Open: open})
	if err != nil {
		t.Fatal(err)
	}
	got := violations(t, s, data(t, `{b: {c: x, a: {b: {c: y}}}}`))
	if len(got) != 2 || !strings.HasPrefix(got[1], "#/$defs/n/type: b.a.b.c is a text") {
		t.Errorf("%q", got)
	}
	if opened["file:///d/sub/b.json"] != 1 {
		t.Errorf("opened: %v", opened)
	}
}

// What is secret is not told: neither values, nor keys of secret maps.
func TestSecrets(t *testing.T) {
	s, err := schema.Compile(&schema.Document{Data: data(t, `{properties: {pw: {enum: [alpha, beta]}, all: {additionalProperties: {type: integer}, required: [hiddem]}}}`)}, schema.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := value.NewMap(1)
	all.Set(value.K("hidden"), value.String("x"))
	doc := value.NewMap(2)
	doc.Set(value.K("pw"), value.String("alpah").Mark(value.Sensitive))
	doc.Set(value.K("all"), value.FromMap(all).Mark(value.Secret))
	got := strings.Join(violations(t, s, value.FromMap(doc)), "\n")
	if want := 3; strings.Count(got, "\n")+1 != want || strings.Contains(got, "hidden") || strings.Contains(got, "alpah") || strings.Contains(got, "did you mean") {
		t.Errorf("%s", got)
	}
}
