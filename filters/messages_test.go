package filters

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// goWords match what only a programmer in Go, or a user of the libraries that are used, knows.
var goWords = regexp.MustCompile(`map\[|struct|interface ?\{|\*errors|0x[0-9a-f]{6,}|goroutine|runtime error|` +
	`\b(?:strconv|strings|json|jsonschema|yaml|gjson|jmespath|regexp2|url|netip|time|base64|hex|big|fmt|reflect|os|net|crypto|tls|value|filters|expr)\.[A-Z]|` +
	`\b(?:json|jsonschema|yaml|base64|hex|asn1|url|parsing time|strconv|SyntaxError|Unmarshal\w*|unmarshal\w*|marshal)\b:? ?(?:cannot|unsupported|illegal|invalid|unexpected|data)|` +
	`cannot unmarshal|Go (?:value|type)|nil pointer|<nil>|%!|\bfloat64\b|\bint64\b|\buint\d*\b|\bSyntaxError\b|invalid syntax|value out of range|\bEOF\b|parsing "`)

// wrongValues are arguments of all kinds, most of them wrong for any one function.
func wrongValues() []value.Value {
	m := value.NewMap(2)
	m.Set(value.K("a"), value.ListOf(value.Null, value.Int(1)))
	m.Set(value.K("type"), value.String("strng"))
	texts := []string{"", "x", "é\x00", "[", "(", "{", "%", "%q", "\\", "1e999", "-", "2020-13-45", "1.2.3.4/99", "::1/200", "http://[::1", "!!!",
		"{\"a\":", "a: [", "- :", "((((", "[a-", "(?P<", "a||", "&&", "@.[", "$.a[?", "%Z", "9999999999999999999999", "nan", "not a thing"}
	var list []value.Value
	for _, t := range texts {
		list = append(list, value.String(t))
	}
	return append(list, value.Null, value.True, value.Int(-1), value.Int(1<<62), value.Float(1.5), value.ListOf(), value.ListOf(value.String("x"), value.Int(1)),
		value.ListOf(value.ListOf(value.Int(1))), value.FromMap(value.NewMap(0)), value.FromMap(m), value.ListOf(value.FromMap(m), value.Null))
}

// TestMessagesOfMisuse: no message about a wrong value or argument of a filter, test, function or
// method shows a type of Go or the words of a library (spec: everyday, A7).
func TestMessagesOfMisuse(t *testing.T) {
	values := wrongValues()
	seen, known := map[string]bool{}, map[string]bool{}
	try := func(f *Func, in value.Value, args value.Args) {
		defer func() {
			if r := recover(); r != nil {
				t.Errorf("%s %s panics: %v", f.kind, f.Name, r)
			}
		}()
		_, err := f.Apply(&Ctx{MaxBytes: 1 << 16, Caller: &counter{most: 5000}}, in, args)
		if err == nil {
			return
		}
		text := err.Error()
		if known[text] {
			return
		}
		known[text] = true
		if word := goWords.FindString(text); word != "" && !seen[f.Name+word] {
			seen[f.Name+word] = true
			t.Errorf("%s %s(%s, %s): %q has %q", f.kind, f.Name, brief(in), brief(value.ListOf(args.Pos...)), text, word)
		}
	}
	var funcs []Func
	for _, list := range [][]Func{Filters(), Tests(), Globals(), Functions(), Methods(value.StringKind), Methods(value.ListKind), Methods(value.MapKind), Methods(value.IntKind)} {
		funcs = append(funcs, list...)
	}
	for i := range funcs {
		f := &funcs[i]
		try(f, value.Null, value.Args{Named: []value.Named{{Name: "no_such_argument", Value: value.True}}})
		for i, in := range values {
			try(f, in, value.Args{})
			if i%3 != 0 {
				continue
			}
			for _, a := range values {
				try(f, in, value.Args{Pos: []value.Value{a}})
				if f.kind == functionKind {
					try(f, value.ListOf(in, a), value.Args{})
				}
			}
		}
		for _, in := range values[:1] {
			for _, a := range values {
				for _, p := range f.Params {
					try(f, in, value.Args{Named: []value.Named{{Name: p.Name, Value: a}}})
				}
				try(f, in, value.Args{Pos: []value.Value{a, a}})
				try(f, in, value.Args{Pos: []value.Value{a, a, a}})
			}
		}
	}
}

func TestTranslatedErrors(t *testing.T) {
	tests := []struct{ expr, want string }{
		{`{"validate_json": [1, {"type": "strng"}]}`, `#/type: unknown type "strng"; did you mean "string"?`},
		{`{"validate_json": [1, {"properties": {"a": {"minimum": "x"}}}]}`, "#/properties/a/minimum: minimum takes a number"},
		{`{"validate_json": [1, {"allOf": [{"type": 5}]}]}`, "#/allOf/0/type: a type is a text, or a list of texts"},
		{`{"validate_json": [1, "x"]}`, "#: a schema is a map, true or false"},
		{`{"validate_json": [1, {"properties": 5}]}`, "#/properties: properties takes a map of schemas"},
	}
	for _, tt := range tests {
		in, err := fromJSON(&Ctx{}, tt.expr, Bound{})
		if err != nil {
			t.Fatal(err)
		}
		for k := range in.Map().Keys() {
			f, _ := LookupFunction(k.Text)
			arg, _, _ := in.Map().Get(k)
			if _, err := f.Apply(&Ctx{}, arg, value.Args{}); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.expr, err, tt.want)
			}
		}
	}
	filters := []struct{ name, in, arg, want string }{
		{"json_query", "x", "a[", "JMESPath: the expression ends too early"},
		{"json_query", "x", "a || )", `JMESPath: ")" is not expected, at character 6`},
		{"json_query", "x", "abs('x')", "JMESPath: an argument of a function has a wrong type"},
		{"json_query", "x", "nope(@)", "JMESPath: unknown function: nope"},
		{"from_json", `{"a": 1,}`, "", `not JSON: JSON has no comma before "}", at character 8; remove it`},
		{"from_json", "{\"a\": 1\n\"b\": 2}", "", `not JSON: missing comma or "}" before this, in line 2 at character 1; write "," after the value before it`},
		{"from_json", "hello", "", `not JSON: no JSON value begins like this, at character 1; write a text in double quotes: "hello"`},
	}
	for _, tt := range filters {
		args := value.Args{}
		if tt.arg != "" {
			args.Pos = []value.Value{value.String(tt.arg)}
		}
		if _, err := CallFilter(&Ctx{}, tt.name, value.String(tt.in), args); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%q | %s(%q): %v, want %s", tt.in, tt.name, tt.arg, err, tt.want)
		}
	}
}

func brief(v value.Value) string {
	text, err := value.Repr(v)
	if err != nil {
		return err.Error()
	}
	return strings.ToValidUTF8(fmt.Sprintf("%.60s", text), "")
}
