package value

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

func TestOperators(t *testing.T) {
	big1, _ := new(big.Int).SetString("9223372036854775808", 10)
	tests := []struct {
		name string
		op   func(a, b Value) (Value, error)
		a, b Value
		want string // repr
	}{
		{"integers add", Add, Int(2), Int(3), "5"},
		{"overflow becomes big", Add, Int(1<<63 - 1), Int(1), "9223372036854775808"},
		{"big becomes small", Sub, BigInt(big1), Int(1), "9223372036854775807"},
		{"truth values count", Add, True, Int(1), "2"},
		{"float wins", Add, Int(1), Float(0.5), "1.5"},
		{"texts join", Add, String("a"), String("b"), "'ab'"},
		{"lists join", Add, ListOf(Int(1)), ListOf(Int(2)), "[1, 2]"},
		{"text repeats", Mul, String("ab"), Int(3), "'ababab'"},
		{"list repeats from the left", Mul, Int(2), ListOf(Int(1)), "[1, 1]"},
		{"negative repeat is empty", Mul, String("a"), Int(-1), "''"},
		{"a list repeated less than once", Mul, ListOf(Int(1)), Int(-1), "[]"},
		{"nothing repeated without end", Mul, ListOf(), BigInt(new(big.Int).Lsh(big1, 70)), "[]"},
		{"division gives a float", Div, Int(7), Int(2), "3.5"},
		{"whole division gives a float", Div, Int(6), Int(2), "3.0"},
		{"floor of negative", FloorDiv, Int(-7), Int(2), "-4"},
		{"floor of floats", FloorDiv, Float(-7.5), Int(2), "-4.0"},
		{"rest has the divisor's sign", Mod, Int(-7), Int(3), "2"},
		{"rest with negative divisor", Mod, Int(7), Int(-3), "-2"},
		{"float rest", Mod, Float(-7.5), Int(2), "0.5"},
		{"power", Pow, Int(2), Int(100), "1267650600228229401496703205376"},
		{"negative power", Pow, Int(2), Int(-1), "0.5"},
		{"power of one", Pow, Int(-1), BigInt(new(big.Int).Add(big1, big.NewInt(1))), "-1"},
		{"format one", Mod, String("%s-%03d"), ListOf(String("a"), Int(7)), "'a-007'"},
		{"format a whole list", Mod, String("%s"), ListOf(Int(1), Int(2)), "'[1, 2]'"},
		{"format floats", Mod, String("%.2f|%8.3e|%g|%+d"), ListOf(Float(1.005), Float(12345), Float(1e20), Int(3)), "'1.00|1.234e+04|1e+20|+3'"},
		{"format percent", Mod, String("%d%%"), Int(5), "'5%'"},
		{"format left and hex", Mod, String("[%-4s][%#x][%05d]"), ListOf(String("a"), Int(255), Int(-3)), "'[a   ][0xff][-0003]'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := tt.op(tt.a, tt.b)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := Repr(v); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestOperatorErrors(t *testing.T) {
	d := NewMap(1)
	d.Set(K("a"), Int(1))
	tests := []struct {
		name string
		op   func(a, b Value) (Value, error)
		a, b Value
		want string
	}{
		{"zero division", Div, Int(1), Int(0), "division by zero"},
		{"zero rest", Mod, Int(1), Float(0), "division by zero"},
		{"kinds named", Add, String("a"), Int(1), "cannot compute a string + an integer"},
		{"undefined", Add, Undefined(errors.New(`"x" is undefined`)), Int(1), `"x" is undefined`},
		{"power bomb", Pow, Int(9), Int(1 << 40), "limit"},
		{"text bomb", Mul, String("abc"), Int(1 << 40), "limit"},
		{"list bomb", Mul, ListOf(Int(1)), Int(1 << 62), "limit"},
		{"width bomb", Mod, String("%999999999999d"), Int(1), "limit"},
		{"decimals", Mod, String("%.2000f"), Int(1), "precision would exceed the limit of 1000 digits"},
		{"too few", Mod, String("%s %s"), Int(1), "more than 1"},
		{"too many", Mod, String("x"), Int(1), "uses 0 of the 1 arguments"},
		{"bad letter", Mod, String("%y"), Int(1), `unknown format "%y"`},
		{"missing key", Mod, String("%(b)s"), FromMap(d), `"b"`},
		{"negative root", Pow, Int(-8), Float(0.5), "no real root"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if v, err := tt.op(tt.a, tt.b); err == nil || !strings.Contains(err.Error(), tt.want) {
				r, _ := Repr(v)
				t.Errorf("got %s, %v; want an error with %q", r, err, tt.want)
			}
		})
	}
}

func TestOperatorsKeepMarks(t *testing.T) {
	pw := String("pw").Mark(Sensitive)
	for name, f := range map[string]func() (Value, error){
		"add":    func() (Value, error) { return Add(String("x"), pw) },
		"mul":    func() (Value, error) { return Mul(pw, Int(2)) },
		"format": func() (Value, error) { return Mod(String("%s"), ListOf(ListOf(pw))) },
		"neg":    func() (Value, error) { return Neg(Int(1).Mark(Sensitive)) },
		"pow":    func() (Value, error) { return Pow(Int(2).Mark(Sensitive), Int(2)) },
	} {
		if v, err := f(); err != nil || v.Marks() != Sensitive {
			t.Errorf("%s: marks %v, err %v", name, v.Marks(), err)
		}
	}
}

func TestDeepMarksOfSharedLists(t *testing.T) {
	v := ListOf(String("pw").Mark(Secret))
	for range 100 {
		v = ListOf(v, v)
	}
	if m, err := DeepMarks(v); err != nil || m != Secret {
		t.Errorf("DeepMarks = %v, %v", m, err)
	}
}

func FuzzPercent(f *testing.F) {
	f.Add("%s-%03d %(a)s %5.2f %*d %c %r %x")
	f.Fuzz(func(t *testing.T, format string) {
		_, _ = Format(String(format), []Value{Int(65), String("x"), Float(1.5)})
	})
}

func TestArith(t *testing.T) {
	steps := 0
	charge := func(n int) error { steps += n; return nil }
	long, _ := Pow(Int(2), Int(64*10_000))
	for _, c := range []struct {
		op    string
		a, b  Value
		want  string
		steps int
	}{
		{OpAdd, Int(2), Int(3), "5", 1},
		{OpSub, Int(2), Int(3), "-1", 1},
		{OpMul, Int(2), Float(3), "6.0", 0},
		{OpDiv, Int(7), Int(2), "3.5", 1},
		{OpFloorDiv, Int(7), Int(2), "3", 1},
		{OpMod, Int(7), Int(2), "1", 1},
		{OpPow, Int(2), Int(3), "8", 5},
		{OpFloorDiv, long, long, "1", 110_022},
		{OpMod, long, Int(3), "1", 5_012},
	} {
		steps = 0
		v, err := Arith(c.op, c.a, c.b, charge)
		if got, _ := Repr(v); err != nil || got != c.want || steps != c.steps {
			t.Errorf("%s: %s, %d steps and %v, want %s and %d steps", c.op, got, steps, err, c.want, c.steps)
		}
	}
	if _, err := Arith("@", Int(1), Int(2), nil); err == nil {
		t.Error("an unknown operator is an error")
	}
	refuse := func(int) error { return errNoItem }
	if _, err := Arith(OpAdd, Int(1), Int(2), refuse); err != errNoItem {
		t.Errorf("work that is refused: %v", err)
	}
}
