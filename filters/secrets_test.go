package filters

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

const password = "hunter2"

// secretInputs are values with the password in them, or made with it.
func secretInputs(t testing.TB) map[string]value.Value {
	t.Helper()
	pw := value.String(password).Mark(value.Secret)
	url, err := value.Add(value.String("db://me:"), pw)
	if err != nil {
		t.Fatal(err)
	}
	entry := value.NewMap(2)
	entry.Set(value.K("k"), url)
	entry.Set(value.K("name"), value.String("a"))
	return map[string]value.Value{
		"pw": pw, "url": url, "list": value.ListOf(value.String("a"), url, pw), "map": value.FromMap(entry),
		"maps": value.ListOf(value.FromMap(entry), value.FromMap(entry)), "pairs": value.ListOf(value.ListOf(pw, value.Int(1))),
		"whole": value.ListOf(value.String(password), value.Int(2)).Mark(value.Secret), "json": value.String(`{"` + password + `": "` + password + `"}`).Mark(value.Secret),
		"plain": value.String("a %s {} " + "b"), "number": value.Int(3), "names": value.ListOf(value.String("a"), value.String("b")),
	}
}

func TestSecretPartsOfTexts(t *testing.T) {
	in := secretInputs(t)
	pw, url := in["pw"], in["url"]
	text := value.String
	for _, c := range []struct {
		name   string
		in     value.Value
		args   []value.Value
		masked string
	}{
		{"join", value.ListOf(text("a"), pw, value.Int(1)), []value.Value{text("-")}, "a-*****-1"},
		{"join", value.ListOf(text("a"), url), nil, "adb://me:*****"},
		{"join", value.ListOf(text("a"), text("b")), []value.Value{pw}, "a*****b"},
		{"join", value.ListOf(text("a")), []value.Value{pw}, "*****"},
		{"join", in["whole"], []value.Value{text("-")}, "*****"},
		{"join", in["maps"], []value.Value{text(","), text("k")}, "db://me:*****,db://me:*****"},
		{"join", pw, []value.Value{text("-")}, "*****"},
		{"join", value.ListOf(text("a"), value.ListOf(pw)), []value.Value{text("-")}, "a-*****"},
		{"join", in["names"], nil, ""},
		{"format", text("<%s|%d>"), []value.Value{url, value.Int(1)}, "<db://me:*****|1>"},
		{"format", pw, nil, "*****"},
		{".format", text("<{}|{:>5}|{!r}>"), []value.Value{url, pw, url}, "<db://me:*****|*****|*****>"},
		{".format", text("<{0[k]}|{0[name]}>"), []value.Value{in["map"]}, "<db://me:*****|a>"},
		{".format", text("<{0[1]}>"), []value.Value{in["whole"]}, "<*****>"},
		{".format", text("<{0:{1}}>"), []value.Value{value.Int(1), value.Int(5).Mark(value.Secret)}, "<*****>"},
		{".format", text("<{!s}>"), []value.Value{url}, "<db://me:*****>"},
		{".format", url, nil, "*****"},
		{".format_map", text("<{k}>"), []value.Value{in["map"]}, "<db://me:*****>"},
		{".join", text("-"), []value.Value{value.ListOf(text("a"), pw)}, "a-*****"},
		{".join", text("-"), []value.Value{value.ListOf(text(password), text("b")).Mark(value.Secret)}, "*****"},
		{"default", url, []value.Value{text("x")}, "db://me:*****"},
		{"default", value.Undefined(nil), []value.Value{url}, "db://me:*****"},
		{"default", text("").Mark(value.Secret), []value.Value{url, value.True}, "*****"},
		{"ternary", value.True, []value.Value{url, text("x")}, "db://me:*****"},
		{"ternary", pw, []value.Value{url, text("x")}, "*****"},
		{"mandatory", url, nil, "db://me:*****"},
		{"safe", url, nil, "db://me:*****"},
		{"string", url, nil, "db://me:*****"},
		{"first", value.ListOf(url), nil, "db://me:*****"},
		{"last", in["whole"], nil, "*****"},
		{"upper", url, nil, "*****"},
		{"replace", url, []value.Value{text("d"), text("x")}, "*****"},
		{"trim", url, nil, "*****"},
		{"replace", text("abc"), []value.Value{text("b"), pw}, "*****"},
		{"length", url, nil, "*****"},
		{"to_json", in["map"], nil, "*****"},
		{"sensitive", url, nil, "<<REDACTED>>"},
	} {
		call, args := CallFilter, value.Args{Pos: c.args}
		name, isMethod := strings.CutPrefix(c.name, ".")
		if isMethod {
			call = func(c *Ctx, name string, in value.Value, args value.Args) (value.Value, error) {
				v, _, err := CallMethod(c, in, name, args)
				return v, err
			}
		}
		v, err := call(nil, name, c.in, args)
		if masked, _ := value.Masked(v); err != nil || masked != c.masked {
			t.Errorf("%s of %v %v is shown as %q, %v, want %q", c.name, c.in, c.args, masked, err, c.masked)
		}
	}
}

// Whatever is called with whatever: neither a result nor an error shows a secret.
func TestNothingShowsSecrets(t *testing.T) {
	in := secretInputs(t)
	arguments := []value.Args{{}}
	for _, v := range in {
		arguments = append(arguments, value.Args{Pos: []value.Value{v}}, value.Args{Pos: []value.Value{v, v}})
	}
	for _, name := range []string{"pw", "url", "plain", "names"} {
		arguments = append(arguments,
			value.Args{Pos: []value.Value{in["plain"], in[name]}}, value.Args{Pos: []value.Value{in[name], in["number"]}},
			value.Args{Named: []value.Named{{Name: "attribute", Value: in[name]}}}, value.Args{Named: []value.Named{{Name: "nothing", Value: in[name]}}})
	}
	for _, f := range append(allTemplateFuncs(), Functions()...) {
		for inName, v := range in {
			for _, args := range arguments {
				out, err := f.Apply(&Ctx{Caller: &counter{most: 100_000}, MaxBytes: 1 << 16}, v, args)
				if shown := shownOf(t, out, err); strings.Contains(shown, password) {
					t.Errorf("%s %q of %s with %d arguments shows %s", f.kind, f.Name, inName, len(args.Pos), shown)
				}
			}
		}
	}
}

// shownOf is what may be shown of a result or error.
func shownOf(t testing.TB, v value.Value, err error) string {
	t.Helper()
	if err != nil {
		return err.Error()
	}
	if v.Is(value.UndefinedKind) {
		return v.Reason().Error()
	}
	if masked, hidden := value.Masked(v); hidden {
		return masked
	}
	var b strings.Builder
	if err := yaml.EncodeJSON(&b, v, yaml.EncodeOptions{Redact: true, DropTags: true}); err != nil {
		return err.Error()
	}
	return b.String()
}
