package types

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func dict(pairs ...any) value.Value {
	m := value.NewMap(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		k, ok := value.KeyOf(of(pairs[i]))
		if !ok {
			panic("no key")
		}
		m.Set(k, of(pairs[i+1]))
	}
	return value.FromMap(m)
}

// of makes a value of data of Go.
func of(v any) value.Value {
	switch v := v.(type) {
	case nil:
		return value.Null
	case value.Value:
		return v
	case bool:
		return value.Bool(v)
	case int:
		return value.Int(int64(v))
	case float64:
		return value.Float(v)
	case string:
		return value.String(v)
	case []any:
		out := make([]value.Value, len(v))
		for i := range v {
			out[i] = of(v[i])
		}
		return value.ListOf(out...)
	}
	panic("unknown kind")
}

// TestParse: what String writes parses to the same type. An empty want means that the text is
// written back.
func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Any", ""},
		{"Data", ""},
		{"Scalar", "Literal"},
		{"Numeric", "Number"},
		{"Integer[1]", ""},
		{"Integer[ 1 , 0x10 ]", "Integer[1, 16]"},
		{"Integer[default, 5]", ""},
		{"Float[0.5]", ""},
		{"Array", ""},
		{"Array[Data]", "Array"},
		{"Array[Integer[1]]", ""},
		{"Hash", ""},
		{"Hash[Data]", "Hash"},
		{"Hash[Literal, Integer]", "Hash[Integer]"},
		{"Hash[String, Integer]", ""},
		{"Hash[String, Data]", ""},
		{`Pattern[/a\/b/]`, ""},
		{"Pattern['^x']", "Pattern[/^x/]"},
		{"Enum[low, 'it''s']", "error"},
		{"Enum[ärger, low]", "Enum['ärger', 'low']"},
		{"Ärger[x]", ""},
		{`Enum[low, 'it\'s']`, `Enum['low', 'it\'s']`},
		{"Optional[String]", ""},
		{"Optional['x']", "Optional[Enum['x']]"},
		{"Variant[Integer, Array[String]]", ""},
		{"Sensitive[String]", ""},
		{"Class[ntp]", ""},
		{"Class[::ntp]", "Class[ntp]"},
		{"class ntp::server", "Class[ntp::server]"},
		{"Type[runtime::name]", ""},
		{"Foo::Bar", ""},
		{"::Foo", "Foo"},
		{"Web['one two']", "Web[one two]"},
		{"Array[Type[Clock]]", ""},
		{"string", "error"},
		{"", "error"},
		{"Array[", "error"},
		{"Array[]", "error"},
		{"Array[Integer", "error"},
		{"Integer[a]", "error"},
		{"Integer[5, 1]", "error"},
		{"String]", "error"},
		{"Hash[a]", "error"},
		{"Enum", "error"},
		{"Pattern[/(/]", "error"},
		{"Boolean[true]", "error"},
		{strings.Repeat("Array[", 200) + "Data" + strings.Repeat("]", 200), "error"},
	} {
		got, err := Parse(test.text)
		if test.want == "error" {
			if bad := (*Error)(nil); !errors.As(err, &bad) || bad.End < bad.Start || bad.End > len(test.text) {
				t.Errorf("%s: got %v, %v, want an Error inside of the text", test.text, got, err)
			}
			continue
		}
		want := test.want
		if want == "" {
			want = test.text
		}
		if err != nil || got.String() != want {
			t.Errorf("%s: got %v, %v, want %s", test.text, got, err, want)
			continue
		}
		if got.Kind == Reference {
			continue // the title of a reference is written without quotes
		}
		if again, err := Parse(got.String()); err != nil || got.String() != again.String() {
			t.Errorf("%s: %s parses to %v, %v", test.text, got, again, err)
		}
	}
}

// TestNearNames: a name near to a built-in one is a mistake, another one is a component.
func TestNearNames(t *testing.T) {
	for name, near := range map[string]string{
		"Integr": "Integer", "Sting": "String", "Arrray": "Array", "Dat": "Data", "Bolean": "Boolean", "Hsh": "Hash",
		"Web": "", "Sql": "", "Service": "", "File": "", "Host": "", "Cart": "",
	} {
		got, err := Parse("Array[" + name + "]")
		bad := (*Error)(nil)
		if near == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		} else if !errors.As(err, &bad) || !bad.Unknown || bad.Near != near {
			t.Errorf("%s: got %v, %v, want a hint at %s", name, got, err, near)
		}
	}
}

func TestInfer(t *testing.T) {
	for _, test := range []struct {
		v    value.Value
		want string
	}{
		{of("x"), "String"},
		{of(1), "Integer"},
		{of(1.5), "Float"},
		{of(nil), "Undef"},
		{of([]any{}), "Array"},
		{of([]any{1, 2}), "Array[Integer]"},
		{of([]any{1, 2.5}), "Array[Number]"},
		{of([]any{1, "a"}), "Array[Literal]"},
		{of([]any{1, []any{1}}), "Array"},
		{dict(), "Hash"},
		{dict("a", 1), "Hash[String, Integer]"},
		{dict("a", 1, 2, "b"), "Hash"},
		{PatternValue("^a"), "Pattern"},
		{ReferenceValue(ReferenceTo("Type[Clock]")), "Type[Clock]"},
		{of([]any{PatternValue("a"), "b"}), "Array[Literal]"},
		{of([]any{ReferenceValue(ReferenceTo("Type[Clock]")), "b"}), "Array[Any]"},
	} {
		got, err := Infer(test.v)
		if test.want == "Hash" && got.Args[1].Kind == Literal {
			test.want = "Hash[Literal]"
		}
		if err != nil || got.String() != test.want {
			t.Errorf("%v: got %v, %v, want %s", test.v, got, err, test.want)
		}
	}
}

// TestAssignable: to accepts from; and it accepts it as a part of lists and maps.
func TestAssignable(t *testing.T) {
	for _, test := range []struct {
		to, from string
		want     bool
	}{
		{"Any", "Type[Clock]", true},
		{"Data", "Hash[Integer, Array[String]]", true},
		{"Data", "Array[Type[Clock]]", false},
		{"Data", "Any", false},
		{"Literal", "Array", false},
		{"Number", "Integer", true},
		{"Integer", "Number", false},
		{"Float", "Integer", false},
		{"Integer[1, 5]", "Integer[2, 4]", true},
		{"Integer[1, 5]", "Integer[2]", false},
		{"String", "Enum[a]", true},
		{"String", "Pattern[/a/]", true},
		{"Pattern[/a/]", "String", false},
		{"Enum[a, b]", "Enum[b]", true},
		{"Enum[a]", "Enum[a, b]", false},
		{"Optional[Integer]", "Integer", true},
		{"Integer", "Optional[Integer]", false},
		{"Variant[Integer, String]", "Variant[String, Integer]", true},
		{"Variant[Integer, String]", "Boolean", false},
		{"Type[Clock]", "Type[AtomClock]", true},
		{"Type[Clock]", "Class[clock]", false},
		{"Hash[String, Integer]", "Hash[Integer]", false},
	} {
		to, err := Parse(test.to)
		if err != nil {
			t.Fatal(err)
		}
		from, err := Parse(test.from)
		if err != nil {
			t.Fatal(err)
		}
		if Assignable(to, from) != test.want || Assignable(ArrayOf(to), ArrayOf(from)) != test.want {
			t.Errorf("%s accepts %s: want %v", to, from, test.want)
		}
		if !Assignable(to, to) {
			t.Errorf("%s does not accept itself", to)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		typ  string
		v    value.Value
		want string
	}{
		{"Integer[1, 3]", of(2), ""},
		{"Integer[1, 3]", of(4), "expected Integer[1, 3], got Integer"},
		{"Integer", of("1"), "expected Integer, got String"},
		{"Float", of(1), "expected Float, got Integer"},
		{"Array[String]", of([]any{"ann", 7}), "expected Array[String], got Array[Literal]"},
		{"Hash[String, Integer]", dict("a", 1), ""},
		{"Hash[Integer]", dict(1, 1), ""},
		{"Hash[String, Integer]", dict(1, 1), "expected Hash[String, Integer], got Hash[Integer, Integer]"},
		{"Data", dict("a", nil), ""},
		{"Data", of([]any{nil}), ""},
		{"Array", of([]any{nil}), ""},
		{"Data", of(nil), "expected Data, got Undef"},
		{"Literal", of([]any{1}), "expected Literal, got Array[Integer]"},
		{"Pattern[/^a+$/]", of("x\naa"), ""},
		{"Pattern[/\\Aa+\\z/]", of("x\naa"), "expected Pattern[/\\Aa+\\z/], got String"},
		{"Pattern[/\\h{2}(?!x)/]", of("ffy"), ""},
		{"Pattern", PatternValue("a"), ""},
		{"Enum[a, b]", of("c"), "expected Enum['a', 'b'], got String"},
		{"Optional[Integer]", of(nil), ""},
		{"Variant[Integer, String]", of(true), "expected Variant[Integer, String], got Boolean"},
		{"Type[Clock]", ReferenceValue(ReferenceTo("Type[Clock]")), ""},
	} {
		typ, err := Parse(test.typ)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := Check(typ, test.v, noLimit); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.typ, got, test.want)
		}
	}
}

// TestInferredTypesAccept: the type of a value accepts it.
func TestInferredTypesAccept(t *testing.T) {
	for _, v := range []value.Value{
		of(1), of("x"), of(1.5), of(true), of([]any{}), of([]any{1, 2.5, "x", []any{nil}}), dict(), dict("a", dict(1, nil)), PatternValue("x"),
	} {
		typ, err := Infer(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(typ, v, noLimit); err != nil {
			t.Errorf("%s: %v", typ, err)
		}
	}
}

// TestConvert: results as of Puppet 7.23's function new.
func TestConvert(t *testing.T) {
	for _, test := range []struct {
		typ  string
		v    value.Value
		args []value.Value
		want value.Value
		bad  bool
	}{
		{"Integer", of("12"), nil, of(12), false},
		{"Integer", of("0x1F"), nil, of(31), false},
		{"Integer", of("010"), nil, of(8), false},
		{"Integer", of("0b11"), nil, of(3), false},
		{"Integer", of("- 5"), nil, of(-5), false},
		{"Integer", of(" +5"), nil, of(5), false},
		{"Integer", of("5 "), nil, of(nil), true},
		{"Integer", of("1.5"), nil, of(nil), true},
		{"Integer", of("1_000"), nil, of(nil), true},
		{"Integer", of(1.9), nil, of(1), false},
		{"Integer", of(true), nil, of(1), false},
		{"Integer", of(nil), nil, of(nil), true},
		{"Integer", of("0xff"), []value.Value{of(16)}, of(255), false},
		{"Integer", of("12"), []value.Value{of(7)}, of(nil), true},
		{"Integer[1, 5]", of("7"), nil, of(nil), true},
		{"Float", of("1"), nil, of(1.0), false},
		{"Float", of("1e3"), nil, of(1000.0), false},
		{"Float", of(".5"), nil, of(nil), true},
		{"Numeric", of("1.5"), nil, of(1.5), false},
		{"Numeric", of("0x1f"), nil, of(31), false},
		{"Boolean", of("YES"), nil, of(true), false},
		{"Boolean", of("n"), nil, of(false), false},
		{"Boolean", of("1"), nil, of(nil), true},
		{"Boolean", of(0.0), nil, of(false), false},
		{"String", of(1.5), nil, of("1.500000"), false},
		{"String", of(nil), nil, of(""), false},
		{"String", of([]any{true, nil, 1.5, []any{"x"}}), nil, of("[true, undef, 1.5, ['x']]"), false},
		{"String", dict("a", 1), nil, of("{'a' => 1}"), false},
		{"Array", of("abé"), nil, of([]any{"a", "b", "é"}), false},
		{"Array", dict("a", 1), nil, of([]any{[]any{"a", 1}}), false},
		{"Array", dict("a", 1), []value.Value{of(true)}, of([]any{dict("a", 1)}), false},
		{"Array", of(nil), []value.Value{of(true)}, of([]any{nil}), false},
		{"Array", of(nil), nil, of(nil), true},
		{"Array[Integer]", of([]any{"1"}), nil, of(nil), true},
		{"Hash", of([]any{[]any{"a", 1}}), nil, dict("a", 1), false},
		{"Hash", of([]any{"a", 1}), nil, dict("a", 1), false},
		{"Hash", of("x"), nil, of(nil), true},
		{"Optional[Integer]", of("3"), nil, of(3), false},
		{"Timestamp", of("2020-01-01"), nil, of(nil), true},
	} {
		typ, err := Parse(test.typ)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Convert(typ, test.v, test.args, noLimit)
		if test.bad != (err != nil) {
			t.Errorf("%s of %v: got %v, %v", test.typ, test.v, got, err)
			continue
		}
		if same, err := value.Equal(got, test.want); err != nil || !same || got.Kind() != test.want.Kind() {
			t.Errorf("%s of %v: got %v, want %v", test.typ, test.v, got, test.want)
		}
	}
}

// TestConvertKeepsMarks: what is made of a secret is secret, and Sensitive marks.
func TestConvertKeepsMarks(t *testing.T) {
	secret := of([]any{"a", value.String("pw").Mark(value.Secret)})
	got, err := Convert(StringType, secret, nil, noLimit)
	if err != nil || got.Marks() != value.Secret {
		t.Errorf("got marks %v, %v", got.Marks(), err)
	}
	got, err = Convert(&Type{Kind: Sensitive}, of("x"), nil, noLimit)
	if err != nil || got.Marks() != value.Sensitive {
		t.Errorf("got marks %v, %v", got.Marks(), err)
	}
	if _, err := Convert(IntegerType, value.String("hunter2").Mark(value.Secret), nil, noLimit); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func noLimit(int) error { return nil }

// TestPatternSteps: an expression counts steps by its size and that of the text.
func TestPatternSteps(t *testing.T) {
	typ, err := Parse("Array[Pattern[/(a?){1000}b/]]")
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	limit := errors.New("too many steps")
	step := func(n int) error {
		if steps += n; steps > 1_000_000 {
			return limit
		}
		return nil
	}
	text := value.String(strings.Repeat("a", 100))
	if err := Check(typ, value.ListOf(text), step); errors.Is(err, limit) || err == nil {
		t.Errorf("got %v, want a mismatch", err)
	}
	if one := steps; one < 10_000 || one > 100_000 {
		t.Errorf("%d steps for a match", one)
	}
	if err := Check(typ, value.ListOf(value.String(strings.Repeat("a", 100_000))), step); !errors.Is(err, limit) {
		t.Errorf("got %v, want the limit", err)
	}
}

// TestCatastrophicPattern: a pattern ends with an error instead of running for ever.
func TestCatastrophicPattern(t *testing.T) {
	r, err := CompileRegexp(`(a+)+(?=b)$`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Match(strings.Repeat("a", 60), noLimit); err == nil {
		t.Error("no error")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"Array[Integer[1, default]]", "Hash[String, Data]", "Enum['a', b]", "Pattern[/x/]", "class ntp", "Web['a b', 1]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		typ, err := Parse(s)
		if err != nil {
			if bad := (*Error)(nil); !errors.As(err, &bad) || bad.Start < 0 || bad.End < bad.Start || bad.End > len(s) {
				t.Errorf("error %v outside of the text", err)
			}
			return
		}
		if typ.Kind == Reference || strings.Contains(typ.String(), "[") {
			return // titles are not quoted when they are written
		}
		if again, err := Parse(typ.String()); err != nil || typ.String() != again.String() {
			t.Errorf("%q: %s parses to %v, %v", s, typ, again, err)
		}
	})
}
