package config

import (
	"encoding"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"time"

	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var unmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()

func setAny(x found, v reflect.Value) error {
	if v.NumMethod() > 0 {
		return source.Errorf(source.Span{}, source.Usage, "nothing is known about what to store as %s", v.Type())
	}
	data, err := x.goData()
	if err == nil {
		v.Set(reflect.ValueOf(data))
	}
	return err
}

// setScalar stores x in a type that is one scalar.
func setScalar(x found, v reflect.Value, s godata.ScalarType) error {
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
		n, err := x.number()
		if err == nil {
			k, _ := value.KeyOf(n)
			v.Set(reflect.ValueOf(json.Number(k.Text)))
		}
		return err
	case godata.DurationScalar:
		return setDuration(x, v)
	}
	text, err := x.text()
	if err != nil {
		return err
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		return x.unreadable(v, err)
	}
	return nil
}

func setDuration(x found, v reflect.Value) error {
	if !x.val.Is(value.StringKind) {
		return withHint(x.typeError("duration"), "write it as 1h30m or 250ms")
	}
	t, err := time.ParseDuration(x.val.Str())
	if err != nil {
		return withHint(x.typeError("duration"), "write it as 1h30m or 250ms")
	}
	v.SetInt(int64(t))
	return nil
}

func withHint(err error, hint string) error {
	var d *source.Diagnostic
	if errors.As(err, &d) {
		return d.WithHint("%s", hint)
	}
	return err
}

// unreadable says that a type does not read the text of x. What it says itself may
// quote the text: of a secret it is left out.
func (x found) unreadable(v reflect.Value, cause error) error {
	d := source.Errorf(source.Span{}, source.BadValue, "%s, %s, is no %s", x.name(), describe(x.val), v.Type())
	if x.val.Marks() == 0 {
		d.Message += ": " + cause.Error()
		d.Cause = cause
	}
	return d
}

// setBasic stores x in a basic type.
func setBasic(x found, v reflect.Value) error {
	switch v.Kind() {
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
		f, err := x.number()
		if err == nil {
			v.SetFloat(f.Float())
		}
		return err
	}
	return source.Errorf(source.Span{}, source.Usage, "a configuration cannot be stored as %s", v.Type())
}

// truthValue returns x as a bool. Unlike [Node.Bool] it does not take what is merely
// not empty for true; Yay has no word for truth values, so 0, 1 and words do.
func (x found) truthValue() (bool, error) {
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
	return false, x.typeError("bool")
}

// exactInteger returns x as an integer if that loses nothing.
func (x found) exactInteger() (*big.Int, error) {
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
