package yaml_test

import (
	"errors"
	"io"
	"iter"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func ExampleEncode() {
	web := value.NewMap(2)
	web.Set(value.K("port"), value.Int(80))
	web.Set(value.K("on"), value.ListOf(value.String("yes"), value.String("a: b")))
	_ = yaml.Encode(os.Stdout, value.FromMap(web), yaml.EncodeOptions{})
	// Output:
	// port: 80
	// "on":
	//   - "yes"
	//   - "a: b"
}

// TestEncodeParsed encodes parsed texts. An empty second text means the first one.
func TestEncodeParsed(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"block style", "a:\n  - b: 1\n    c: 2\n  - - d\n    - e\n  - {}\n  - []\nf: {}\n", ""},
		{"indentation becomes two", "a:\n    b:\n    - c\n", "a:\n  b:\n    - c\n"},
		{"spelling of numbers", "- 0x1F\n- 1_000\n- 1.50\n- 017\n- 1e3\n- -.INF\n- ~\n- True\n- 123456789012345678901234567890\n", ""},
		{"plain spelling of texts", "- yes\n- on\n- 2024-01-02\n- 1:30\n- ::a\n", ""},
		{"spelling of keys", "yes: 1\n017: 2\n~: 3\n0x1F: 4\n", ""},
		{"quotes where 1.1 or 1.2 would be misled", "- 'yes'\n- '017'\n- 'null'\n- '2024-01-02'\n- '1:30'\n- '1.2.3'\n- '='\n- ''\n", "- \"yes\"\n- \"017\"\n- \"null\"\n- \"2024-01-02\"\n- \"1:30\"\n- 1.2.3\n- \"=\"\n- \"\"\n"},
		{"kinds of quotes", "- \"it's: x\"\n- 'a \"b\": c'\n- \"tab\\t\"\n- \"\\u0085\"\n- \" x\"\n", "- \"it's: x\"\n- 'a \"b\": c'\n- \"tab\\t\"\n- \"\\x85\"\n- \" x\"\n"},
		{"literal blocks", "a: |\n  x\n\n    y\nb: |-\n  z\n  y\nc: |+\n  z\n\nd:\n  - |2\n     q\n", "a: |\n  x\n\n    y\nb: |-\n  z\n  y\nc: |+\n  z\n\nd:\n  - |2\n     q\n"},
		{"folded becomes literal", "a: >\n  x\n  y\n\n  z\n", "a: |\n  x y\n  z\n"},
		{"flow style", "a: [1, {b: c, d: [e]}]\nf: {x: \"a,b\", ?y: ::z}\n", "a: [1, {b: c, d: [e]}]\nf: {x: \"a,b\", \"?y\": \"::z\"}\n"},
		{"long flow style becomes block style", "a: [" + strings.Repeat("abcdefghi, ", 9) + "z]\n", "a:\n" + strings.Repeat("  - abcdefghi\n", 9) + "  - z\n"},
		{"tags", "a: !Ref b\nc: !Sub {d: e}\nf: !List\n  - g\n", ""},
		{"binary", "a: !!binary /w==\n", "a: !!binary \"/w==\"\n"},
		{"binary that is text", "a: !!binary aGkKCg==\n", "a: !!binary \"aGkKCg==\"\n"},
		{"a tag alone is not an empty text", "a: !reset\nb: !reset \"\"\nc:\n  - !reset\nd: [!reset , !reset \"\"]\n", ""},
		{"templates are quoted", "a: {{ x }}\n", "a: \"{{ x }}\"\n"},
		{"templates that do not end in the text are quoted", "'a {{ b': 1 # }}\nc: 'd {% e' # %}\nf: g {{ h }}\n'i {{ \"j }}': {k: 1}\n", "\"a {{ b\": 1 # }}\nc: \"d {% e\" # %}\nf: g {{ h }}\n'i {{ \"j }}': {k: 1}\n"},
		{"aliases are written out", "a: &x [1]\nb: *x\n", "a: [1]\nb: [1]\n"},
		{"comments of the first entry of an item", "# x\n-\n  # a\n  a: 1\n-\n  # b\n  - - c\n- # line\n  d: 1\n", "# x\n-\n  # a\n  a: 1\n-\n  # b\n  - - c\n-\n  # line\n  d: 1\n"},
		{"comments", "# head\na: 1 # line\n# foot\n\n# of b\nb: # behind\n  # of c\n  c: 1\n  d: | # text\n    x\ne:\n  # of f\n  - f # f\n  # g\n  - g\n", ""},
	}
	for _, tt := range tests {
		want := tt.want
		if want == "" {
			want = tt.text
		}
		if got := encode(t, yaml.Encode, mustValue(t, tt.text), yaml.EncodeOptions{}); got != want {
			t.Errorf("%s: Encode(%q)\n got %q\nwant %q", tt.rule, tt.text, got, want)
		}
	}
}

func TestEncodeOptions(t *testing.T) {
	commented := mustValue(t, "# h\na: 1 # l\n# f\n")
	secrets := value.ListOf(value.String("pw").Mark(value.Sensitive), value.ListOf(value.Int(1)).Mark(value.Secret))
	url, err := value.Add(value.String("http://"), value.String("pw").Mark(value.Secret))
	if err != nil {
		t.Fatal(err)
	}
	parts := value.ListOf(url, value.ListOf(url, value.Int(7).Mark(value.Secret)), url.Mark(value.Sensitive))
	flow := mustValue(t, "a: [1]")
	tests := []struct {
		rule string
		v    value.Value
		opts yaml.EncodeOptions
		want string
	}{
		{"without comments", commented, yaml.EncodeOptions{NoComments: true}, "a: 1\n"},
		{"sensitive is hidden, secret is not", secrets, yaml.EncodeOptions{}, "- <<REDACTED>>\n- - 1\n"},
		{"reveal and redact", secrets, yaml.EncodeOptions{Reveal: true, Redact: true}, "- pw\n- \"*****\"\n"},
		{"redacted by parts", parts, yaml.EncodeOptions{Redact: true}, "- http://*****\n- - http://*****\n  - \"*****\"\n- <<REDACTED>>\n"},
		{"reveal and redact both marks", parts, yaml.EncodeOptions{Reveal: true, Redact: true}, "- http://*****\n- - http://*****\n  - \"*****\"\n- <<REDACTED>>\n"},
		{"dropped tags", mustValue(t, "a: !x b\nc: !y {d: 1}"), yaml.EncodeOptions{DropTags: true}, "a: b\nc: {d: 1}\n"},
		{"a comment after a text that keeps its empty lines", mustValue(t, "a:\n  - |+\n    x\n\n"), yaml.EncodeOptions{Foot: "# end"}, "a:\n  - |+\n    x\n\n# end\n"},
		{"a comment after a long text", value.String(strings.Repeat("x", 64<<10) + "\n\n"), yaml.EncodeOptions{Foot: "# end"}, "|+\n  " + strings.Repeat("x", 64<<10) + "\n\n# end\n"},
		{"comments of the document", flow, yaml.EncodeOptions{Head: "# top", Foot: "# end"}, "# top\n\na: [1]\n\n# end\n"},
	}
	for _, tt := range tests {
		if got := encode(t, yaml.Encode, tt.v, tt.opts); got != tt.want {
			t.Errorf("%s: Encode = %q, want %q", tt.rule, got, tt.want)
		}
	}
}

func TestEncodeJSONKeepsNumbersBeyondFloats(t *testing.T) {
	const text = "[1e999,-1e-999,123456789012345678901234567890]\n"
	if got := encode(t, yaml.EncodeJSON, mustValue(t, text), yaml.EncodeOptions{Compact: true}); got != text {
		t.Errorf("EncodeJSON(%s) = %s", text, got)
	}
}

func TestEncodeDocuments(t *testing.T) {
	var b strings.Builder
	docs := []value.Value{value.Int(1), mustValue(t, "a: |\n  x\n"), value.String("x\ny")}
	if err := yaml.EncodeDocuments(&b, docs, yaml.EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := "1\n---\na: |\n  x\n---\n|-\n  x\n  y\n"; b.String() != want {
		t.Errorf("EncodeDocuments = %q, want %q", b.String(), want)
	}
}

func TestEncodeJSON(t *testing.T) {
	tests := []struct {
		text string
		opts yaml.EncodeOptions
		want string
	}{
		{"b: 1\na: [x, {}, []]", yaml.EncodeOptions{}, "{\n  \"b\": 1,\n  \"a\": [\n    \"x\",\n    {},\n    []\n  ]\n}\n"},
		{"b: 1\na: [x, 'y']", yaml.EncodeOptions{Compact: true}, "{\"b\":1,\"a\":[\"x\",\"y\"]}\n"},
		{"[1]", yaml.EncodeOptions{Indent: 4}, "[\n    1\n]\n"},
		{"[1.50, 0x10, 017, 1e3, .5, -0, 1., 12345678901234567890123]", yaml.EncodeOptions{Compact: true}, "[1.50,16,17,1e3,0.5,-0,1.0,12345678901234567890123]\n"},
		{`"é<&>\u0001\"\\\n\x7f` + "\U0001F600" + `"`, yaml.EncodeOptions{}, "\"é<&>\\u0001\\\"\\\\\\n\x7f\U0001F600\"\n"},
		{"80: a\ntrue: b\n~: c", yaml.EncodeOptions{Compact: true}, "{\"80\":\"a\",\"true\":\"b\",\"null\":\"c\"}\n"},
		{"!x {a: !y 1}", yaml.EncodeOptions{Compact: true, DropTags: true}, "{\"a\":\"1\"}\n"},
	}
	for _, tt := range tests {
		if got := encode(t, yaml.EncodeJSON, mustValue(t, tt.text), tt.opts); got != tt.want {
			t.Errorf("EncodeJSON(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestEncodeTOML(t *testing.T) {
	text := "a: 1\nt: {x: 1.5, deep: {y: [1, [two, {z: .inf}]]}}\nb: \"q\\\"\\n\"\nrows:\n  - {k: v}\n  - {k: w, s: {u: true}}\n'odd key': {}\n"
	want := `a = 1
b = "q\"\n"

[t]
x = 1.5

[t.deep]
y = [1, ["two", {z = inf}]]

[[rows]]
k = "v"

[[rows]]
k = "w"

[rows.s]
u = true

["odd key"]
`
	if got := encode(t, yaml.EncodeTOML, mustValue(t, text), yaml.EncodeOptions{}); got != want {
		t.Errorf("EncodeTOML(%q)\n got %s\nwant %s", text, got, want)
	}
}

// A map that is masked is a text, so that the table around it needs a header.
func TestTOMLOfMaskedTables(t *testing.T) {
	masked := func(v value.Value) value.Value { return v.Mark(value.Sensitive) }
	tables := value.ListOf(mustValue(t, "b: 1"))
	for _, v := range []value.Value{masked(mustValue(t, "b: 1")), masked(tables), value.ListOf(masked(mustValue(t, "b: 1")))} {
		inner, outer := value.NewMap(1), value.NewMap(2)
		inner.Set(value.K("pw"), v)
		outer.Set(value.K("t"), value.FromMap(inner))
		got := encode(t, yaml.EncodeTOML, value.FromMap(outer), yaml.EncodeOptions{})
		if want := "[t]\npw = "; !strings.HasPrefix(got, want) {
			t.Errorf("EncodeTOML = %q, want %q first", got, want)
		}
	}
}

// A number of the source keeps its spelling if TOML allows it.
func TestTOMLFloats(t *testing.T) {
	for text, want := range map[string]string{
		"1.50": "1.50", "-0.50": "-0.50", "1.": "1.0", "00.5": "0.5", ".5": "0.5", "1e3": "1000.0", ".inf": "inf",
	} {
		docs, findings := yaml.Parse(source.NewFile("f.yaml", "n: "+text+"\n"), yaml.ParseOptions{})
		if len(findings) > 0 {
			t.Fatal(findings[0])
		}
		v, err := docs[0].Root.ToValue()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := yaml.EncodeTOML(&b, v, yaml.EncodeOptions{}); err != nil || b.String() != "n = "+want+"\n" {
			t.Errorf("EncodeTOML(%s) = %q, %v, want %s", text, b.String(), err, want)
		}
	}
}

func TestEncodeEnvAndText(t *testing.T) {
	tests := []struct {
		name   string
		encode encodeFunc
		text   string
		want   string
	}{
		{"env", yaml.EncodeEnv, "a: {b-c: 1, d: [x, \"y z\"]}\n9: it's\ne: ~\nf: ''\ng: $HOME", "A_B_C=1\nA_D_0=x\nA_D_1='y z'\n_9=\"it's\"\nE=\nF=\nG='$HOME'\n"},
		{"env of nothing", yaml.EncodeEnv, "", ""},
		{"text of a scalar", yaml.EncodeText, "'a: b'", "a: b\n"},
		{"text of a number", yaml.EncodeText, "1.50", "1.50\n"},
		{"text of a list", yaml.EncodeText, "[a, 1, true]", "a\n1\ntrue\n"},
	}
	for _, tt := range tests {
		if got := encode(t, tt.encode, mustValue(t, tt.text), yaml.EncodeOptions{}); got != tt.want {
			t.Errorf("%s: %q = %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// failing is a map whose only value fails.
type failing struct{ err error }

func (failing) Len() int { return 1 }
func (failing) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) { yield(value.K("k")) }
}
func (f failing) Get(value.Key) (value.Value, bool, error) { return value.Null, false, f.err }

func TestEncodeErrors(t *testing.T) {
	nested := value.Null
	for range 20_000 {
		nested = value.ListOf(nested)
	}
	null := mustValue(t, "a: {b: [~]}")
	function := value.ListOf(value.FromFunc(&value.Func{Name: "f"}))
	long := value.ListOf(value.String(strings.Repeat("x", 100)))
	huge := value.NewMap(1)
	huge.Set(value.K("n"), value.BigInt(new(big.Int).Lsh(big.NewInt(1), 64)))
	tests := []struct {
		rule   string
		encode encodeFunc
		v      value.Value
		opts   yaml.EncodeOptions
		want   string
	}{
		{"depth", yaml.Encode, nested, yaml.EncodeOptions{}, "the value is nested more than 10000 deep [limit]"},
		{"depth in JSON", yaml.EncodeJSON, nested, yaml.EncodeOptions{}, "the value is nested more than 10000 deep [limit]"},
		{"bytes", yaml.Encode, long, yaml.EncodeOptions{MaxBytes: 50}, "the output is longer than the limit of 50 bytes (--max-bytes) [limit]"},
		{"function", yaml.Encode, function, yaml.EncodeOptions{}, "[0]: a function cannot be written [output]"},
		{"not a number in JSON", yaml.EncodeJSON, mustValue(t, "a: .nan"), yaml.EncodeOptions{}, "a: .nan has no spelling in JSON [output]"},
		{"two keys with one text", yaml.EncodeJSON, mustValue(t, "80: 1\n'80': 2"), yaml.EncodeOptions{}, `[80]: two keys have the text "80", which JSON cannot tell apart [bad-key]`},
		{"tag in JSON", yaml.EncodeJSON, mustValue(t, "a: !Ref b"), yaml.EncodeOptions{}, "a: the tag !Ref cannot be written in this form; --drop-tags omits tags [bad-tag]"},
		{"tag of a map in JSON", yaml.EncodeJSON, mustValue(t, "a: !Sub {b: c}"), yaml.EncodeOptions{}, "a: the tag !Sub cannot be written in this form; --drop-tags omits tags [bad-tag]"},
		{"bytes in JSON", yaml.EncodeJSON, mustValue(t, "!!binary /w=="), yaml.EncodeOptions{}, "the text is not UTF-8, and JSON has no type for bytes [output]"},
		{"two keys with one text in TOML", yaml.EncodeTOML, mustValue(t, "80: 1\n'80': 2"), yaml.EncodeOptions{}, `[80]: two keys have the text "80", which TOML cannot tell apart [bad-key]`},
		{"and in braces", yaml.EncodeTOML, mustValue(t, "a: [1, {80: 1, '80': 2}]"), yaml.EncodeOptions{}, `a[1][80]: two keys have the text "80", which TOML cannot tell apart [bad-key]`},
		{"a key of bytes in TOML", yaml.EncodeTOML, mustValue(t, "!!binary /w==: 1"), yaml.EncodeOptions{}, "\xff: a key is not UTF-8, and TOML has no keys of bytes [output]"},
		{"tag of a table", yaml.EncodeTOML, mustValue(t, "a: !x {b: 1}"), yaml.EncodeOptions{}, "a: the tag !x cannot be written in this form; --drop-tags omits tags [bad-tag]"},
		{"tag of a list of tables", yaml.EncodeTOML, mustValue(t, "a: !x [{b: 1}]"), yaml.EncodeOptions{}, "a: the tag !x cannot be written in this form; --drop-tags omits tags [bad-tag]"},
		{"tag in a list of tables", yaml.EncodeTOML, mustValue(t, "a: [!x {b: 1}]"), yaml.EncodeOptions{}, "a[0]: the tag !x cannot be written in this form; --drop-tags omits tags [bad-tag]"},
		{"null in TOML", yaml.EncodeTOML, null, yaml.EncodeOptions{}, "a.b[0]: null has no TOML form [output]"},
		{"list as TOML", yaml.EncodeTOML, value.ListOf(), yaml.EncodeOptions{}, "a list has no TOML form: TOML needs a map [output]"},
		{"big integer in TOML", yaml.EncodeTOML, value.FromMap(huge), yaml.EncodeOptions{}, "n: the integer 18446744073709551616 does not fit into TOML's 64 bits [output]"},
		{"one name twice in env", yaml.EncodeEnv, mustValue(t, "a-b: 1\na_b: 2"), yaml.EncodeOptions{}, "a_b: the name A_B is also that of a-b [output]"},
		{"scalar as env", yaml.EncodeEnv, value.Int(1), yaml.EncodeOptions{}, "an integer has no name; the env form needs a map or a list [output]"},
		{"map as text", yaml.EncodeText, null, yaml.EncodeOptions{}, "a map has no text form; use yaml or json [output]"},
	}
	for _, tt := range tests {
		if err := tt.encode(io.Discard, tt.v, tt.opts); err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.rule, err, tt.want)
		}
	}
	cause := errors.New("cannot compute")
	for name, encode := range map[string]encodeFunc{"yaml": yaml.Encode, "json": yaml.EncodeJSON, "toml": yaml.EncodeTOML, "env": yaml.EncodeEnv} {
		if err := encode(io.Discard, value.FromMap(failing{cause}), yaml.EncodeOptions{}); err != cause {
			t.Errorf("%s: error of a computed value = %v, want it as it is", name, err)
		}
		undefined := value.NewMap(1)
		undefined.Set(value.K("u"), value.Undefined(cause))
		if err := encode(io.Discard, value.FromMap(undefined), yaml.EncodeOptions{}); err != cause {
			t.Errorf("%s: error of an undefined value = %v, want its reason", name, err)
		}
	}
}

// A deep value with long keys takes time in proportion to its text.
func TestEncodeDeepNames(t *testing.T) {
	v := value.Int(1)
	for range 9000 {
		m := value.NewMap(1)
		m.Set(value.K(strings.Repeat("k", 3000)), v)
		v = value.FromMap(m)
	}
	for name, encode := range map[string]encodeFunc{"yaml": yaml.Encode, "json": yaml.EncodeJSON, "kyaml": yaml.EncodeKYAML, "toml": yaml.EncodeTOML, "env": yaml.EncodeEnv} {
		start := time.Now()
		if err := encode(io.Discard, v, yaml.EncodeOptions{MaxBytes: 1 << 30}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteErrorIsReported(t *testing.T) {
	err := yaml.Encode(brokenPipe{}, value.Int(1), yaml.EncodeOptions{})
	if !errors.Is(err, io.ErrClosedPipe) || !errors.Is(err, source.ErrAccess) {
		t.Errorf("Encode into a closed pipe = %v, want an access error that wraps it", err)
	}
}
