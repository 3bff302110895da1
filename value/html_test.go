package value

import "testing"

func TestEscapeHTML(t *testing.T) {
	var b TextBuilder
	b.WriteString("<")
	_ = b.WriteValue(String("&").Mark(Secret), "&")
	parts := b.Value()
	for _, c := range []struct {
		rule         string
		v            Value
		want, masked string
	}{
		{"text", String(`<a b='c' d="e">&`), "&lt;a b=&#39;c&#39; d=&#34;e&#34;&gt;&amp;", ""},
		{"HTML", String("<").AsHTML(), "<", ""},
		{"HTML that is a text again", String("<").AsHTML().AsText(), "&lt;", ""},
		{"a text from a document", String("<").WithSource(Scalar{Plain: true}), "&lt;", ""},
		{"a secret", String("<").Mark(Secret), "&lt;", SecretText},
		{"secret parts", parts, "&lt;&amp;", "&lt;" + SecretText},
		{"a list", ListOf(String("<"), String("<").AsHTML(), Int(1)), "['&lt;', '<', 1]", ""},
		{"a number", Int(1).AsHTML(), "1", ""},
	} {
		got := EscapeHTML(c.v)
		if text, err := Text(got); text != c.want || err != nil {
			t.Errorf("%s: %s %v, want %s", c.rule, text, err, c.want)
		}
		if masked, _ := Masked(got); masked != c.masked {
			t.Errorf("%s: masked %q, want %q", c.rule, masked, c.masked)
		}
		if got.IsHTML() != got.Is(StringKind) || EscapeHTML(got).Str() != got.Str() {
			t.Errorf("%s: escaped twice", c.rule)
		}
	}
}
