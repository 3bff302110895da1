package config

import (
	"encoding"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"gopkg.in/yaml.v3"
)

// Decode stores n in the variable that into points to, and evaluates only what the variable has
// room for.
//
//	map                struct, map
//	list               slice, array of that length
//	text, number, ...  string
//	integer            integer types; also a number without a fraction, or a text
//	number             float types; also a text
//	true, false        bool; also these words, and 0 and 1
//	text               time.Duration (also 0), encoding.TextUnmarshaler
//	number             json.Number, in its spelling
//	null               pointer, map, slice, any: nil; other types: unchanged
//	all                any (with the types of [Node.Resolve]), value.Value, yaml.Node of gopkg.in/yaml.v3
//	all but null       a type with the method UnmarshalYAML of gopkg.in/yaml.v3
//
// The key of a field is the name in its yaml tag, or else in its json tag, or else its own name in
// any letter case. The name "-" excludes a field. The option inline, as in `yaml:",inline"`, takes the
// keys of a struct from the same map, and all other keys for a map. Embedded structs are inline. Keys
// without a field are ignored, fields without a key are unchanged. Nil pointers are allocated as
// needed. Private keys are left out.
//
// The error holds all failures, with their places and the path of the field.
//
// Codes: usage if into is not a pointer; type and bad-value for values that do not fit; those
// of evaluation. errors.Is finds [NoMatching] if n does not exist.
func (n Node) Decode(into any) error { return n.decode(into, false) }

// DecodeStrict is [Node.Decode] with an error of code not-found for each key without a field.
func (n Node) DecodeStrict(into any) error { return n.decode(into, true) }

// Decode stores the whole configuration: see [Node.Decode].
func (c *Config) Decode(into any) error { return c.Get().Decode(into) }

// DecodeStrict stores the whole configuration: see [Node.DecodeStrict].
func (c *Config) DecodeStrict(into any) error { return c.Get().DecodeStrict(into) }

func (n Node) decode(into any, strict bool) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return source.Errorf(source.Span{}, source.Usage, "Decode needs a pointer to a variable, not %s", godata.TypeName(into))
	}
	return n.read(false, func(x lookup) error { return decodeInto(x, v.Elem(), strict, v.Type().Elem().Name()) })
}

// decodeInto stores x in v, which is called field.
func decodeInto(x lookup, v reflect.Value, strict bool, field string) error {
	d := decoder{strict: strict}
	d.value(x, v, field)
	if len(d.errs) == 0 {
		return nil
	}
	return source.OneOrMany(source.CutOff(d.errs))
}

// A decoder fills Go values and collects the failures.
type decoder struct {
	strict bool
	errs   []*source.Diagnostic
}

// fail adds the findings of err, which may be nil, for the Go value called field.
func (d *decoder) fail(x lookup, field string, err error) {
	if len(d.errs) >= source.MaxErrors {
		return
	}
	for _, f := range source.Findings(err) {
		c := *f
		if c.At.IsZero() {
			c.At = x.span()
		}
		if field != "" {
			c.Message += " (for " + field + ")"
		}
		d.errs = append(d.errs, &c)
	}
}

// value stores x in v, which is called field.
func (d *decoder) value(x lookup, v reflect.Value, field string) {
	if err := x.eval.Enter(); err != nil {
		d.fail(x, field, err)
		return
	}
	defer x.eval.Leave()
	x.val = value.Public(x.val)
	if node := v.Type() == reflect.TypeFor[yaml.Node](); node || !x.val.IsNull() && unmarshals(v) {
		d.fail(x, field, x.unmarshal(v))
		return
	}
	if x.val.IsNull() && godata.ScalarOf(v.Type()) != godata.ValueScalar {
		switch v.Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
			v.SetZero()
		}
		return
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.value(x, v.Elem(), field)
		return
	}
	if s := godata.ScalarOf(v.Type()); s != godata.NotScalar && (s != godata.TextScalar || v.Addr().Type().Implements(unmarshalerType)) {
		d.fail(x, field, setScalar(x, v, s))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.structure(x, v, field)
	case reflect.Map:
		keys, err := x.mapKeys()
		if err != nil {
			d.fail(x, field, err)
			return
		}
		d.entries(x, v, keys, field)
	case reflect.Slice, reflect.Array:
		d.list(x, v, field)
	default:
		d.fail(x, field, setBasic(x, v))
	}
}

// child returns an entry or item of x, and false if it does not exist or fails.
func (d *decoder) child(x lookup, key value.Key, field string) (lookup, bool) {
	item, at, taken, err := x.next(docpath.Known(value.Path{key}))
	if err != nil {
		d.fail(x, field, err)
		return x, false
	}
	if taken == 0 {
		return x, false
	}
	x.enter(item, at)
	return x, true
}

// structure stores the map x in a struct.
func (d *decoder) structure(x lookup, v reflect.Value, field string) {
	fields, err := godata.Fields(v.Type())
	if err == nil && !x.val.Is(value.MapKind) {
		err = x.typeError("mapping")
	}
	if err != nil {
		d.fail(x, field, err)
		return
	}
	known, taken := map[string]bool{}, map[string]bool{}
	rest := -1
	for i, f := range fields {
		if f.Rest {
			rest = i
			continue
		}
		known[f.Name] = true
		name := v.Type().FieldByIndex(f.Index).Name
		if field != "" {
			name = field + "." + name
		}
		key, ok, err := x.keyOf(f)
		if err != nil {
			d.fail(x, name, err)
		}
		if !ok {
			continue
		}
		taken[key.Text] = true
		if item, ok := d.child(x, key, name); ok {
			d.value(item, fieldAt(v, f.Index), name)
		}
	}
	if rest < 0 && !d.strict {
		return
	}
	others, err := x.mapKeys()
	others = slices.DeleteFunc(others, func(k value.Key) bool { return taken[k.Text] })
	switch {
	case err != nil:
		d.fail(x, field, err)
	case rest < 0:
		d.refuse(x, others, known, field)
	case len(others) > 0:
		d.entries(x, fieldAt(v, fields[rest].Index), others, field)
	}
}

// keyOf returns the key of the map x for a field, false if x has none. Without a tag, letter case
// does not count, as in encoding/json: it prefers the name of the field as it is, then the name in lower
// case, then the only key that differs in letter case.
func (x lookup) keyOf(f godata.Field) (value.Key, bool, error) {
	names := []string{f.Name}
	if f.Own != "" {
		names = []string{f.Own, f.Name}
	}
	for _, name := range names {
		_, k, taken, err := docpath.Entry(x.val, docpath.Known(value.Path{value.K(name)}))
		if taken > 0 || err != nil {
			return k, true, nil // reading the value reports the error
		}
	}
	if f.Own == "" {
		return value.Key{}, false, nil
	}
	keys, err := x.mapKeys()
	if err != nil {
		return value.Key{}, false, err
	}
	keys = slices.DeleteFunc(keys, func(k value.Key) bool { return !strings.EqualFold(k.Text, f.Own) })
	switch len(keys) {
	case 0:
		return value.Key{}, false, nil
	case 1:
		return keys[0], true, nil
	}
	return value.Key{}, false, source.Errorf(source.Span{}, source.BadKey, "several keys of %s are %s in other letter case", x.name(), f.Own).
		WithHint("a yaml or json tag of the field names the key")
}

// fieldAt returns a field. It allocates nil pointers to the inline structs around it.
func fieldAt(v reflect.Value, index []int) reflect.Value {
	for i, at := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v
}

// refuse adds an error for each key without a field.
func (d *decoder) refuse(x lookup, keys []value.Key, known map[string]bool, field string) {
	for _, k := range keys {
		at := x
		at.enter(value.Null, k)
		diag := source.Errorf(source.Span{}, source.NotFound, "unknown key %q", k.Text)
		d.fail(at, field, diag.DidYouMean(k.Text, maps.Keys(known)))
	}
}

// entries adds entries of x to the map v.
func (d *decoder) entries(x lookup, v reflect.Value, keys []value.Key, field string) {
	if v.IsNil() {
		v.Set(reflect.MakeMapWithSize(v.Type(), len(keys)))
	}
	seen := map[string]bool{}
	for _, k := range keys {
		name := field + "[" + k.Text + "]"
		if seen[k.Text] {
			d.fail(x, field, source.Errorf(source.Span{}, source.BadKey, "two keys have the text %q; a Go map cannot distinguish them", k.Text))
			continue
		}
		seen[k.Text] = true
		item, ok := d.child(x, k, name)
		if !ok {
			continue
		}
		key := item
		key.val, key.path = k.Value(), x.path
		into := reflect.New(v.Type().Key()).Elem()
		before := len(d.errs)
		d.value(key, into, name)
		elem := reflect.New(v.Type().Elem()).Elem()
		d.value(item, elem, name)
		if len(d.errs) == before {
			v.SetMapIndex(into, elem)
		}
	}
}

// list stores the list x in a slice, or in an array of the same length.
func (d *decoder) list(x lookup, v reflect.Value, field string) {
	if !x.val.Is(value.ListKind) {
		d.fail(x, field, x.typeError("list"))
		return
	}
	n := x.val.List().Len()
	if v.Kind() == reflect.Array && v.Len() != n {
		d.fail(x, field, source.Errorf(source.Span{}, source.WrongType, "expected a list of %d items, but %s has %d", v.Len(), x.name(), n))
		return
	}
	items := v
	if v.Kind() == reflect.Slice {
		items = reflect.MakeSlice(v.Type(), n, n)
	}
	for i := range n {
		name := field + "[" + strconv.Itoa(i) + "]"
		if item, ok := d.child(x, value.Index(i), name); ok {
			d.value(item, items.Index(i), name)
		}
	}
	v.Set(items)
}

var unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()

// setScalar stores x in a type that godata reads as a scalar.
func setScalar(x lookup, v reflect.Value, s godata.ScalarType) error {
	switch s {
	case godata.ValueScalar:
		if err := x.force(); err != nil {
			return err
		}
		plain, err := godata.Plain(x.val, x.eval)
		if err == nil {
			v.Set(reflect.ValueOf(plain))
		}
		return err
	case godata.BigScalar:
		i, err := x.exactInteger()
		if err == nil {
			v.Addr().Interface().(*big.Int).Set(i)
		}
		return err
	case godata.NumberScalar:
		n, err := x.jsonNumber()
		if err == nil {
			v.SetString(n)
		}
		return err
	case godata.DurationScalar:
		if text, err := x.text(); err == nil && (x.val.Is(value.StringKind) || text == "0") {
			if t, err := time.ParseDuration(text); err == nil {
				v.SetInt(int64(t))
				return nil
			}
		}
		return x.typeError("duration").WithHint("write it as 1h30m or 250ms")
	}
	text, err := x.text()
	if err != nil {
		return err
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		d := source.Errorf(source.Span{}, source.BadValue, "%s, %s, cannot be parsed as %s", x.name(), describe(x.val), v.Type())
		if x.val.Marks() == 0 { // else the error may quote a secret
			d.Message += ": " + err.Error()
			d.Cause = err
		}
		return d
	}
	return nil
}

// setBasic stores x in a basic type, or in an any.
func setBasic(x lookup, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Interface:
		if v.NumMethod() > 0 {
			break
		}
		data, err := x.goData()
		if err == nil {
			v.Set(reflect.ValueOf(data))
		}
		return err
	case reflect.String:
		s, err := x.text()
		if err == nil {
			v.SetString(s)
		}
		return err
	case reflect.Bool:
		b, err := x.truthValue()
		if err == nil {
			v.SetBool(b)
		}
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := x.exactInteger()
		if err == nil && (!i.IsInt64() || v.OverflowInt(i.Int64())) {
			err = x.typeError(v.Type().String())
		}
		if err == nil {
			v.SetInt(i.Int64())
		}
		return err
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		i, err := x.exactInteger()
		if err == nil && (!i.IsUint64() || v.OverflowUint(i.Uint64())) {
			err = x.typeError(v.Type().String())
		}
		if err == nil {
			v.SetUint(i.Uint64())
		}
		return err
	case reflect.Float32, reflect.Float64:
		f, err := x.float()
		if err == nil && v.OverflowFloat(f) {
			err = x.typeError(v.Type().String())
		}
		if err == nil {
			v.SetFloat(f)
		}
		return err
	}
	return source.Errorf(source.Span{}, source.Usage, "a configuration cannot be stored as %s", v.Type())
}

// jsonNumber returns x as a number of JSON: in the spelling of the source, such as 1.50, where JSON has it.
func (x lookup) jsonNumber() (string, error) {
	n, err := x.number()
	if err != nil {
		return "", err
	}
	if text := textOf(x.val); json.Valid([]byte(text)) && x.val.IsNumber() {
		return text, nil
	}
	if f := n.Float(); n.Is(value.FloatKind) && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return "", x.typeError("number of JSON")
	}
	k, _ := value.KeyOf(n)
	return k.Text, nil
}

// truthValue returns x as a bool. Unlike [Node.Bool] it is strict: true and false, and, since Yay
// has no literals for booleans, 0, 1, "true" and "false".
func (x lookup) truthValue() (bool, error) {
	switch v := x.val; {
	case v.Is(value.BoolKind):
		return v.Bool(), nil
	case v.Is(value.StringKind) && (v.Str() == "true" || v.Str() == "false"):
		return v.Str() == "true", nil
	case v.Is(value.IntKind):
		if i, ok := v.Int(); ok && (i == 0 || i == 1) {
			return i == 1, nil
		}
	}
	return false, x.noBool()
}

// exactInteger returns x as an integer: an integer, a float without a fraction, or a string of
// either.
func (x lookup) exactInteger() (*big.Int, error) {
	v := x.val
	if v.Is(value.StringKind) {
		v = godata.Number(v)
	}
	switch {
	case v.Is(value.IntKind):
		return v.BigInt(), nil
	case v.Is(value.FloatKind):
		if f := new(big.Rat).SetFloat64(v.Float()); f != nil && f.IsInt() {
			return f.Num(), nil
		}
	}
	return nil, x.typeError("integer")
}
