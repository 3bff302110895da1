package value

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unsafe"
)

var (
	secret    = String("hunter2").Mark(Secret)
	sensitive = String("swordfish").Mark(Sensitive)
	number    = Int(42).Mark(Secret)
	url       = joinedURL()
)

func joinedURL() Value {
	var b TextBuilder
	b.WriteString("http://")
	_ = b.WriteValue(secret, secret.Str())
	b.WriteString("@db")
	return b.Value()
}

func op(f func(a, b Value) (Value, error), a, b Value) func() (Value, error) {
	return func() (Value, error) { return f(a, b) }
}

func is(v Value) func() (Value, error) { return func() (Value, error) { return v, nil } }

// "" in the column masked means that the value has no mark.
func TestMasked(t *testing.T) {
	tests := []struct {
		name         string
		value        func() (Value, error)
		text, masked string
	}{
		{"plain text", is(String("a")), "a", ""},
		{"secret", is(secret), "hunter2", "*****"},
		{"secret number", is(number), "42", "*****"},
		{"sensitive", is(sensitive), "swordfish", "<<REDACTED>>"},
		{"parts", is(url), "http://hunter2@db", "http://*****@db"},
		{"text + secret", op(Add, String("a"), secret), "ahunter2", "a*****"},
		{"secret + text", op(Add, secret, String("a")), "hunter2a", "*****a"},
		{"secret + secret", op(Add, secret, secret), "hunter2hunter2", "**********"},
		{"parts + text", op(Add, url, String("/x")), "http://hunter2@db/x", "http://*****@db/x"},
		{"nothing + secret", op(Add, String(""), secret), "hunter2", "*****"},
		{"sensitive + secret", op(Add, sensitive, secret), "swordfishhunter2", "<<REDACTED>>"},
		{"text + sensitive", op(Add, String("a"), sensitive), "aswordfish", "<<REDACTED>>"},
		{"text repeated", op(Mul, url, Int(2)), "http://hunter2@dbhttp://hunter2@db", "*****"},
		{"format", op(Mod, String("%s:%d!"), ListOf(secret, Int(1))), "hunter2:1!", "*****:1!"},
		{"format of parts", op(Mod, String("<%s>"), url), "<http://hunter2@db>", "<http://*****@db>"},
		{"format cuts", op(Mod, String("<%.9s>"), url), "<http://hu>", "<*****>"},
		{"format fills", op(Mod, String("<%20s>"), url), "<   http://hunter2@db>", "<*****>"},
		{"format quotes", op(Mod, String("<%r>"), url), "<'http://hunter2@db'>", "<*****>"},
		{"format of a number", op(Mod, String("n=%05d"), number), "n=00042", "n=*****"},
		{"format of a width", op(Mod, String("<%*d>"), ListOf(Int(4).Mark(Secret), Int(1))), "<   1>", "*****"},
		{"format by key", op(Mod, String("%(u)s:%(p)s"), mapOf("u", String("me"), "p", secret)), "me:hunter2", "me:*****"},
		{"format by key of a secret map", op(Mod, String("%(u)s!"), mapOf("u", String("me")).Mark(Secret)), "me!", "*****!"},
		{"format of a secret list", op(Mod, String("%s-%s"), ListOf(Int(1), Int(2)).Mark(Secret)), "1-2", "*****-*****"},
		{"format of a list", op(Mod, String("<%s>"), ListOf(ListOf(Int(1), secret))), "<[1, 'hunter2']>", "<*****>"},
		{"secret format", op(Mod, String("a%s").Mark(Secret), Int(1)), "a1", "*****"},
		{"secret is not used", op(Mod, String("%(u)s"), mapOf("u", String("me"), "p", secret)), "me", "*****"},
		{"marked as a whole", is(url.Mark(Secret)), "http://hunter2@db", "*****"},
		{"marked as sensitive", is(url.Mark(Sensitive)), "http://hunter2@db", "<<REDACTED>>"},
		{"marked by its parts", is(url.MarkParts(Secret)), "http://hunter2@db", "http://*****@db"},
		{"verbatim", is(url.Verbatim()), "http://hunter2@db", "http://*****@db"},
		{"without source", is(url.WithoutSource()), "http://hunter2@db", "http://*****@db"},
		{"with source", is(url.WithSource(Scalar{Plain: true})), "http://hunter2@db", "*****"},
		{"empty secret", op(Add, String("a"), String("").Mark(Secret)), "a", "a*****"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			v, err := c.value()
			if err != nil {
				t.Fatal(err)
			}
			text, err := Text(v)
			if err != nil || text != c.text {
				t.Errorf("text %q, %v, want %q", text, err, c.text)
			}
			if masked, hidden := Masked(v); masked != c.masked || hidden != (c.masked != "") {
				t.Errorf("masked %q, %t, want %q", masked, hidden, c.masked)
			}
		})
	}
}

func mapOf(pairs ...any) Value {
	m := NewMap(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		m.Set(K(pairs[i].(string)), pairs[i+1].(Value))
	}
	return FromMap(m)
}

// What may be shown of a text does not count for what it is.
func TestJoinedTextsAreTexts(t *testing.T) {
	plain := String("http://hunter2@db")
	if eq, err := Equal(url, plain); err != nil || !eq {
		t.Errorf("a joined text does not equal the same text: %v", err)
	}
	if c, err := Compare(url, plain); err != nil || c != 0 {
		t.Errorf("Compare = %d, %v", c, err)
	}
	a, _ := KeyOf(url)
	if b, _ := KeyOf(plain); a != b {
		t.Errorf("keys %v and %v differ", a, b)
	}
	if !Truthy(url) || url.Source() != nil || !url.IsScalar() {
		t.Error("a joined text is no text")
	}
	if size := unsafe.Sizeof(url); size != 32 {
		t.Errorf("a value takes %d bytes, want 32", size)
	}
}

// Texts without secrets cost nothing more.
func TestPlainTextsAreNotMasked(t *testing.T) {
	var b TextBuilder
	b.WriteString("a")
	_ = b.WriteValue(Int(1), "1")
	_ = b.WriteValue(sensitive, sensitive.Str())
	if b.masked != nil || b.Len() != len("a1swordfish") || b.String() != "a1swordfish" {
		t.Errorf("%q is masked", b.String())
	}
	if v := b.Value(); v.Marks() != Sensitive || v.ref == nil {
		t.Errorf("marks %d", v.Marks())
	}
}

func TestWriteValueFails(t *testing.T) {
	endless := &Dict{}
	endless.Set(K("a"), FromMap(endless))
	deep := ListOf()
	for range MaxNesting + 2 {
		deep = ListOf(deep)
	}
	var b TextBuilder
	if err := b.WriteValue(FromMap(endless), "..."); err != nil {
		t.Errorf("a map that contains itself: %v", err)
	}
	if err := b.WriteValue(deep, "..."); err == nil {
		t.Error("a value that is nested too deep was written")
	}
}

// No verb of package fmt shows a secret, alone or in a struct, or evaluates a list or a map.
func TestFormat(t *testing.T) {
	m := NewMap(1)
	m.Set(K("pw"), Int(4711).Mark(Sensitive))
	for _, test := range []struct {
		v    Value
		want string
	}{
		{Value{}, "null"}, {True, "true"}, {Int(-5), "-5"}, {Float(1.5), "1.5"}, {String("a b"), "a b"},
		{Float(1.5).WithSource(Scalar{Spelling: "1.50"}), "1.50"}, {String("x").WithSource(Scalar{Spelling: "yes"}), "x"},
		{Int(4711).Mark(Sensitive), SensitiveText}, {Int(4711).Mark(Secret), SecretText}, {url, "http://*****@db"},
		{FromMap(m), "a map"}, {ListOf(Int(4711)), "a list"}, {FromMap(m).Mark(Sensitive), SensitiveText},
	} {
		for _, verb := range []string{"%v", "%s", "%+v", "%#v", "%d"} {
			if got := fmt.Sprintf(verb, test.v); got != test.want {
				t.Errorf("%s gives %s, want %s", verb, got, test.want)
			}
		}
		if got, want := fmt.Sprintf("%v", []any{test.v, struct{ V Value }{test.v}}), "["+test.want+" {"+test.want+"}]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := fmt.Sprintf("%q|%6s|%-6v|", String("a"), Int(1), Int(2)); got != `"a"|     1|2     |` {
		t.Error(got)
	}
}

// TestMarshal: no package writes a Value as an empty object.
func TestMarshal(t *testing.T) {
	if text, err := json.Marshal(map[string]any{"a": Int(1)}); err == nil || !strings.Contains(err.Error(), "WriteValue") {
		t.Errorf("JSON: %q, %v, want an error that names WriteValue", text, err)
	}
	if _, err := Int(1).MarshalYAML(); err == nil {
		t.Error("YAML: no error")
	}
}
