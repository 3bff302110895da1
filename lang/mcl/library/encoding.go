package library

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/value"
)

// codeFunctions returns the functions on encoded texts, patterns and times.
func codeFunctions() []*Func {
	return append([]*Func{
		{
			Name: "encoding.base64_encode", Signatures: []string{"func(data str) str"}, Doc: "the text in Base64, with padding",
			Example: `encoding.base64_encode("hi?>")`, Result: `"aGk/Pg=="`,
			Call: func(c *Call) (value.Value, error) {
				return c.textResult(base64.StdEncoding.EncodeToString([]byte(c.text(0))))
			},
		},
		{
			Name: "encoding.base64_decode", Signatures: []string{"func(data str) str"}, Doc: "the text that is written in Base64, with padding",
			Example: `encoding.base64_decode("aGk/Pg==")`, Result: `"hi?>"`,
			Call: func(c *Call) (value.Value, error) {
				text, err := base64.StdEncoding.DecodeString(c.text(0))
				switch {
				case err != nil:
					return value.Null, c.Fail("%s is not Base64", c.quote(0))
				case !utf8.Valid(text):
					return value.Null, c.Fail("the decoded data is not text in UTF-8")
				}
				return c.textResult(string(text))
			},
		},
		{
			Name: "encoding.decode_json", Signatures: []string{"func(data str) ?1"}, Doc: "the value that a text in JSON has; its type comes from the context",
			Example: `encoding.decode_json("[1, 2]")`, Result: `[1, 2]`,
			Call: decodeJSON,
		},
		{
			Name: "regexp.match", Signatures: []string{"func(pattern str, s str) bool"}, Doc: "whether a pattern (RE2) is found anywhere in s",
			Example: `regexp.match("^a+$", "aaa")`, Result: `true`,
			Call: func(c *Call) (value.Value, error) {
				re, err := value.CompileRegexp(c.text(0))
				if err != nil {
					if c.hidden(0) {
						return value.Null, c.Fail("the pattern is not a regular expression")
					}
					return value.Null, c.Fail("%v", err)
				}
				if err := c.Step(len(c.text(0)) + re.Steps(len(c.text(1)))); err != nil {
					return value.Null, err
				}
				return c.truth(re.MatchString(c.text(1)))
			},
		},
	}, timeFunctions()...)
}

// timeFunctions returns the functions on times, which are seconds since 1970 in UTC.
func timeFunctions() []*Func {
	row := func(name, doc, example, result string, call func(t time.Time) value.Value) *Func {
		return &Func{
			Name: name, Signatures: []string{"func(a int) str"}, Doc: doc, Example: example, Result: result,
			Call: func(c *Call) (value.Value, error) {
				t, err := c.time()
				if err != nil {
					return value.Null, err
				}
				return c.result(call(t))
			},
		}
	}
	hour := row("datetime.hour", "the hour of a time, 0 to 23", `datetime.hour(1700000000)`, `22`, func(t time.Time) value.Value { return value.Int(int64(t.Hour())) })
	hour.Signatures = []string{"func(a int) int"}
	return []*Func{
		row("datetime.print", "a time as text", `datetime.print(0)`, `"1970-01-01 00:00:00 +0000 UTC"`, func(t time.Time) value.Value {
			return value.String(t.Format("2006-01-02 15:04:05 -0700 MST"))
		}),
		{
			Name: "datetime.format", Signatures: []string{"func(a int, b str) str"}, Doc: "a time in a layout of Go, such as 2006-01-02 15:04",
			Example: `datetime.format(0, "2006-01-02 15:04")`, Result: `"1970-01-01 00:00"`,
			Call: func(c *Call) (value.Value, error) {
				t, err := c.time()
				if err != nil {
					return value.Null, err
				}
				return c.textResult(t.Format(c.text(1)))
			},
		},
		row("datetime.weekday", "the day of the week, in English and small letters", `datetime.weekday(0)`, `"thursday"`, func(t time.Time) value.Value {
			return value.String(strings.ToLower(t.Weekday().String()))
		}),
		hour,
	}
}

// maxTime is the last second of the year 9999.
const maxTime = 253402300799

// time returns the first argument as a time.
func (c *Call) time() (time.Time, error) {
	switch n := c.int(0); {
	case n < 0:
		return time.Time{}, c.Fail("the time is negative")
	case n > maxTime:
		return time.Time{}, c.Fail("the time is after the year 9999")
	default:
		return time.Unix(n, 0).UTC(), nil
	}
}

// decodeJSON returns the value of a text in JSON, which must be of the type that the context asks for.
func decodeJSON(c *Call) (value.Value, error) {
	if err := c.Step(len(c.text(0))); err != nil {
		return value.Null, err
	}
	d := json.NewDecoder(strings.NewReader(c.text(0)))
	d.UseNumber()
	var data any
	if err := d.Decode(&data); err != nil {
		if c.hidden(0) {
			return value.Null, c.Fail("the text is not JSON")
		}
		return value.Null, c.Fail("the text is not JSON: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return value.Null, c.Fail("the text has more than one value of JSON")
	}
	v, problem := ofJSON(data, c.Result)
	if problem != "" {
		if c.hidden(0) {
			problem = "the data does not have the type " + c.Result.String()
		}
		return value.Null, c.Fail("%s", problem)
	}
	return c.deep(v)
}

// deep returns a value with the marks of the arguments on everything in it.
func (c *Call) deep(v value.Value) (value.Value, error) {
	marks, err := c.Marks()
	if err != nil || marks == 0 {
		return v, err
	}
	return v.Mark(marks), nil
}

// ofJSON returns decoded data as a value of a type, or what is wrong with it.
func ofJSON(data any, t *types.Type) (v value.Value, problem string) {
	wrong := func() (value.Value, string) {
		return value.Null, "expected " + t.String() + ", found " + describeJSON(data)
	}
	t = t.Find()
	switch t.Kind {
	case types.Bool:
		if b, ok := data.(bool); ok {
			return value.Bool(b), ""
		}
	case types.Str:
		if s, ok := data.(string); ok {
			return value.String(s), ""
		}
	case types.Int:
		if n, ok := data.(json.Number); ok {
			if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
				return value.Int(i), ""
			}
		}
	case types.Float:
		if n, ok := data.(json.Number); ok {
			if f, err := n.Float64(); err == nil && !math.IsInf(f, 0) {
				return value.Float(f), ""
			}
		}
	case types.List:
		items, ok := data.([]any)
		if !ok {
			return wrong()
		}
		all := make(value.Slice, len(items))
		for i, item := range items {
			if all[i], problem = ofJSON(item, t.Elem); problem != "" {
				return value.Null, problem
			}
		}
		return value.FromList(all), ""
	case types.Map:
		return mapOfJSON(data, t, wrong)
	case types.Struct:
		return structOfJSON(data, t, wrong)
	}
	return wrong()
}

func mapOfJSON(data any, t *types.Type, wrong func() (value.Value, string)) (value.Value, string) {
	entries, ok := data.(map[string]any)
	if !ok || !t.Key.Is(types.Str) {
		return wrong()
	}
	m := types.NewMapping(len(entries))
	for _, k := range sortedKeys(entries) {
		item, problem := ofJSON(entries[k], t.Elem)
		if problem != "" {
			return value.Null, problem
		}
		m.Set(value.String(k), item)
	}
	return value.FromMap(m), ""
}

func structOfJSON(data any, t *types.Type, wrong func() (value.Value, string)) (value.Value, string) {
	entries, ok := data.(map[string]any)
	if !ok {
		return wrong()
	}
	s := &types.Structure{Names: make([]string, len(t.Fields)), Items: make([]value.Value, len(t.Fields))}
	for i, f := range t.Fields {
		item, ok := entries[f.Name]
		if !ok {
			return value.Null, "the object has no key " + strconv.Quote(f.Name) + ", which the type " + t.String() + " has"
		}
		v, problem := ofJSON(item, f.Type)
		if problem != "" {
			return value.Null, problem
		}
		s.Names[i], s.Items[i] = f.Name, v
	}
	if len(entries) > len(t.Fields) {
		for _, k := range sortedKeys(entries) {
			if t.Field(k) < 0 {
				return value.Null, "the object has the key " + strconv.Quote(k) + ", which the type " + t.String() + " does not have"
			}
		}
	}
	return value.FromMap(s), ""
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// describeJSON names decoded data for messages.
func describeJSON(data any) string {
	switch data := data.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(data)
	case string:
		return strconv.Quote(value.Clip(data, 40))
	case json.Number:
		return value.Clip(data.String(), 40)
	case []any:
		return "a list"
	}
	return "an object"
}
