package value

import (
	"math"
	"testing"
)

func TestNumberFormat(t *testing.T) {
	for _, test := range []struct {
		format       NumberFormat
		v            Value
		sign, digits string
	}{
		{NumberFormat{Precision: -1}, Float(-2.5), "-", "2.5"},
		{NumberFormat{Precision: 0}, Float(30), "", "3e+01"},
		{NumberFormat{Precision: 3}, Float(30), "", "30.0"},
		{NumberFormat{Verb: 'd', Sign: '+', Group: ","}, Int(1234567), "+", "1,234,567"},
		{NumberFormat{Verb: 'x', Alt: true, Group: "_"}, Int(-1234567), "-0x", "12_d687"},
		{NumberFormat{Verb: 'X', Alt: true}, Int(255), "0X", "FF"},
		{NumberFormat{Verb: 'o', MinDigits: 4}, Int(8), "", "0010"},
		{NumberFormat{Verb: 'b', Sign: ' '}, True, " ", "1"},
		{NumberFormat{Verb: 'c'}, Int('é'), "", "é"},
		{NumberFormat{Verb: 'f', Precision: 1, Group: ","}, Float(-1234.56), "-", "1,234.6"},
		{NumberFormat{Verb: 'E', Precision: -1}, Float(math.Inf(-1)), "-", "INF"},
		{NumberFormat{Verb: 'f'}, Float(math.Copysign(math.NaN(), -1)), "", "nan"},
		{NumberFormat{Verb: '%', Precision: 1}, Float(0.125), "", "12.5%"},
		{NumberFormat{Verb: 'n', Precision: -1}, Float(1e20), "", "1e+20"},
	} {
		sign, digits, err := test.format.Digits(test.v)
		if sign != test.sign || digits != test.digits || err != nil {
			t.Errorf("%+v of %v = %q %q %v, want %q %q", test.format, test.v, sign, digits, err, test.sign, test.digits)
		}
	}
	for _, f := range []NumberFormat{{Verb: 'x'}, {Verb: 'f', Precision: maxPrecision + 1}} {
		if _, _, err := f.Digits(Float(1.5)); err == nil {
			t.Errorf("%+v of 1.5 gives no error", f)
		}
	}
	for _, v := range []Value{String("1"), Null} {
		if _, _, err := (NumberFormat{Verb: 'd'}).Digits(v); err == nil {
			t.Errorf("%v is formatted as a number", v)
		}
	}
	if _, _, err := (NumberFormat{Verb: 'c'}).Digits(Int(-1)); err == nil {
		t.Error("-1 is formatted as a character")
	}
}

func TestFields(t *testing.T) {
	for align, want := range map[byte]string{'<': "-é**", '>': "**-é", '^': "*-é*", '=': "-**é", 0: "**-é"} {
		if got := (Field{4, "*", align}).Pad("-", "é"); got != want {
			t.Errorf("%q in a field of 4: %q, want %q", align, got, want)
		}
	}
	if got := (Field{1, "*", '<'}).Pad("-", "é"); got != "-é" {
		t.Errorf("a text that is too long is %q", got)
	}
}
