package config

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// The getters take a default, which they return if n does not exist: where errors.Is would find
// [NoMatching]. A value of the wrong kind is an error of code type, with or without a default
// (spec: yay, section 10.3).

// Int returns n as an int. A number loses its fraction, a boolean is 1 or 0, and a string must
// be an integer.
func (n Node) Int(def ...int) (int, error) { return get(n, def, lookup.int) }

// Float returns n as a float64. A boolean is 1 or 0, and a string must be a number.
func (n Node) Float(def ...float64) (float64, error) { return get(n, def, lookup.float) }

// Number is [Node.Float] with integers of any size: the result is of kind value.IntKind or
// value.FloatKind.
func (n Node) Number(def ...value.Value) (value.Value, error) { return get(n, def, lookup.number) }

// Bool returns a boolean, or the truth of another value as expressions see it: zero, null, and empty
// lists and maps are false. A text is an error, since "false" would be true (spec: everyday, A8).
func (n Node) Bool(def ...bool) (bool, error) { return get(n, def, lookup.bool) }

// Text returns the text of a scalar as written in the source: 1.50 is "1.50". Booleans are "true" and
// "false", null is "null". Lists and maps are errors.
func (n Node) Text(def ...string) (string, error) { return get(n, def, lookup.text) }

// SafeText is [Node.Text] with secrets masked, for logs and messages.
func (n Node) SafeText(def ...string) (string, error) { return get(n, def, lookup.safeText) }

// get returns n converted by as, or the default in def if n does not exist.
func get[T any](n Node, def []T, as func(lookup) (T, error)) (T, error) {
	var out T
	err := n.read(len(def) > 0, func(x lookup) (err error) {
		out, err = as(x)
		return err
	})
	if isMissing(err) {
		return def[0], nil
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return out, nil
}

func (x lookup) int() (int, error) {
	var i *big.Int
	switch v := godata.Number(x.val); {
	case v.Is(value.IntKind):
		i = v.BigInt()
	case v.Is(value.FloatKind) && !x.val.Is(value.StringKind):
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			i, _ = big.NewFloat(f).Int(nil)
		}
	}
	if i == nil {
		return 0, x.typeError("integer")
	}
	if n := int(i.Int64()); i.IsInt64() && i.Cmp(big.NewInt(int64(n))) == 0 {
		return n, nil
	}
	return 0, x.typeError(fmt.Sprintf("integer of %d bits", strconv.IntSize))
}

func (x lookup) float() (float64, error) {
	v, err := x.number()
	if v.Is(value.IntKind) && math.IsInf(v.Float(), 0) {
		return 0, x.typeError("float64")
	}
	return v.Float(), err
}

func (x lookup) number() (value.Value, error) {
	if v := godata.Number(x.val); v.IsNumber() {
		return v, nil
	}
	return value.Null, x.typeError("number")
}

func (x lookup) bool() (bool, error) {
	switch x.val.Kind() {
	case value.MapKind:
		keys, err := x.mapKeys()
		return len(keys) > 0, err
	case value.FuncKind:
		return false, x.typeError("value")
	case value.StringKind:
		return false, x.noBool()
	}
	return value.Truthy(x.val), nil
}

// noBool returns the error of a value that is no boolean, with a hint for words that look like one.
func (x lookup) noBool() *source.Diagnostic {
	d := x.typeError("boolean")
	if !x.val.Is(value.StringKind) || x.val.Marks() != 0 {
		return d
	}
	switch word := x.val.Str(); strings.ToLower(word) {
	case "yes", "on", "y":
		d.WithHint("%s is a boolean in YAML 1.1 and a text in YAML 1.2: write true", word)
	case "no", "off", "n":
		d.WithHint("%s is a boolean in YAML 1.1 and a text in YAML 1.2: write false", word)
	case "true", "false":
		d.WithHint("it is a text: in YAML write %s without quotes; Decode and config.Get[bool] read this text too", strings.ToLower(word))
	}
	return d
}

func (x lookup) text() (string, error) {
	if !x.val.IsScalar() {
		return "", x.typeError("string")
	}
	return textOf(x.val), nil
}

// textOf returns the text of a scalar.
func textOf(v value.Value) string {
	if v.Is(value.StringKind) {
		return v.Str()
	}
	if s := v.Source(); s != nil && s.Spelling != "" && !v.IsNull() {
		return s.Spelling
	}
	k, _ := value.KeyOf(v) // every scalar can be a key
	return k.Text
}

func (x lookup) safeText() (string, error) {
	s, err := x.text()
	if masked, ok := value.Masked(x.val); ok && err == nil {
		return masked, nil
	}
	return s, err
}

// typeError returns the error of a value of the wrong kind.
func (x lookup) typeError(want string) *source.Diagnostic {
	return source.Errorf(x.span(), source.WrongType, "expected %s, but %s is %s", want, x.name(), describe(x.val))
}

// name returns the name of the place of x for messages.
func (x lookup) name() string {
	if p := x.where(); p != "." {
		return p
	}
	return "the document"
}

// where returns the path of x.
func (x lookup) where() string { return x.in.path(x.path.String()) }

// maxQuoted is the longest text in bytes that messages quote.
const maxQuoted = 100

// describe returns the kind of v with its text, as in the string "x", or without if the text is
// long. A secret is masked.
func describe(v value.Value) string {
	switch v.Kind() {
	case value.MapKind:
		return "a mapping"
	case value.NullKind, value.ListKind, value.FuncKind, value.UndefinedKind:
		return value.Article(v.Kind())
	}
	text := textOf(v)
	if v.Is(value.StringKind) {
		text = strconv.Quote(text)
	}
	if masked, ok := value.Masked(v); ok {
		text = masked
	}
	if len(text) > maxQuoted {
		return value.Article(v.Kind())
	}
	return "the " + v.Kind().String() + " " + text
}

// List returns a list as Go data, converted as by [Node.Resolve].
func (n Node) List(def ...[]any) ([]any, error) {
	n.runAhead()
	return get(n, def, func(x lookup) ([]any, error) {
		if !x.val.Is(value.ListKind) {
			return nil, x.typeError("list")
		}
		data, err := x.goData()
		if err != nil {
			return nil, err
		}
		return data.([]any), nil
	})
}

// Map returns a map as Go data, converted as by [Node.Resolve].
func (n Node) Map(def ...map[string]any) (map[string]any, error) {
	n.runAhead()
	return get(n, def, func(x lookup) (map[string]any, error) {
		if !x.val.Is(value.MapKind) {
			return nil, x.typeError("mapping")
		}
		data, err := x.goData()
		if err != nil {
			return nil, err
		}
		return data.(map[string]any), nil
	})
}

// Resolve evaluates all of n and returns plain Go data: map[string]any, []any, string, int64,
// *big.Int for larger integers, float64, bool and nil. The error holds all independent failures.
// Secrets are not masked.
//
// Codes: bad-key for two keys with the same text, type for a macro or function, and the codes of
// evaluation.
func (n Node) Resolve() (any, error) {
	n.runAhead()
	return get(n, nil, lookup.goData)
}

// Resolve returns the whole configuration as plain Go data: see [Node.Resolve]. A configuration
// without layers is an empty map. Native classes whose instances do not need each other are
// applied at the same time.
func (c *Config) Resolve() (any, error) { return c.Get().Resolve() }

// Value evaluates all of n, as [Node.Resolve] does. The result has the order of keys, the
// spelling of numbers and the marks of secrets, and may be shared between goroutines.
func (n Node) Value() (value.Value, error) {
	n.runAhead()
	return get(n, nil, func(x lookup) (value.Value, error) {
		if err := x.force(); err != nil {
			return value.Null, err
		}
		return godata.Plain(x.val, x.eval)
	})
}

// Value returns the whole configuration: see [Node.Value].
func (c *Config) Value() (value.Value, error) { return c.Get().Value() }

// force evaluates everything in x.
func (x lookup) force() error { return engine.Force(x.val, x.eval) }

// goData evaluates x and converts it to plain Go data.
func (x lookup) goData() (any, error) {
	if err := x.force(); err != nil {
		return nil, err
	}
	return godata.FromValue(x.val, x.eval)
}
