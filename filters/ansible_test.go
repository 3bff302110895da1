package filters

import (
	"math/big"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestFiltersOfAnsible(t *testing.T) {
	tests := []struct{ example, want string }{
		{"{{ [{'a': 1}, {'b': 2}] | combine }}", `{"a": 1, "b": 2}`},
		{"{{ {'l': [1, 2]} | combine({'l': [2, 3]}, list_merge='append_rp') }}", `{"l": [1, 2, 3]}`},
		{"{{ {'l': [1, 2]} | combine({'l': [2, 3]}, list_merge='prepend_rp') }}", `{"l": [2, 3, 1]}`},
		{"{{ {'l': [1]} | combine({'l': [3]}, list_merge='keep') }}", `{"l": [1]}`},
		{"{{ [1, [2, none, [3, [4]]]] | flatten }}", "[1, 2, 3, 4]"},
		{"{{ [1, none] | flatten(skip_nulls=false) }}", "[1, null]"},
		{"{{ 1 | extract(['p', 'q']) }}", `"q"`},
		{"{{ 'a' | extract({'a': {'b': [5]}}, ['b', 0]) }}", "5"},
		{"{{ [{'n': 'a'}] | subelements('k', skip_missing=true) }}", "[]"},
		{"{{ 'maybe' | bool }}", "false"},
		{"{{ 'y' | bool }}", "false"},
		{"{{ '2024-01-01 00:00:00'.__sub__('2024-01-01 00:00:01') }}", `{"days": -1, "seconds": 86399, "microseconds": 0}`},
		{"{{ none | bool }}", "null"},
		{"{{ none | ternary('y', 'n') }}", `"n"`},
		{"{{ 'x' | comment('cblock') }}", `"/*\n *\n * x\n *\n */"`},
		{"{{ 'x' | comment('xml') }}", `"<!--\n -\n - x\n -\n-->"`},
		{"{{ 'x' | comment(decoration='! ') }}", `"!\n! x\n!"`},
		{"{{ '' | quote }}", `"''"`},
		{"{{ 1073741824 | human_readable }}", `"1.00 GB"`},
		{"{{ 0 | human_readable }}", `"0.00 Bytes"`},
		{"{{ 10 | human_readable(isbits=true) }}", `"10.00 bits"`},
		{"{{ 1048576 | human_readable(unit='K') }}", `"1024.00 KB"`},
		{"{{ '10.00 KB' | human_to_bytes }}", "10240"},
		{"{{ '2' | human_to_bytes('M') }}", "2097152"},
		{"{{ '1 Kb' | human_to_bytes(isbits=true) }}", "1024"},
		{"{{ '3 megabytes' | human_to_bytes }}", "3145728"},
		{"{{ '/a/b/' | basename }}", `""`},
		{"{{ '/a' | dirname }}", `"/"`},
		{"{{ '.bashrc' | splitext }}", `[".bashrc", ""]`},
		{"{{ ['a', '/b', '', 'c'] | path_join }}", `"/b/c"`},
		{"{{ 'a/b' | relpath('a/b') }}", `"."`},
		{"{{ 'a/b' | relpath }}", `"a/b"`},
		{"{{ '10.0.0.0/24' | ipaddr('address') }}", "false"},
		{"{{ '10.0.0.1' | ipaddr('address') }}", `"10.0.0.1"`},
		{"{{ '10.0.0.5/24' | ipaddr('1') }}", `"10.0.0.1/24"`},
		{"{{ '10.0.0.5/24' | ipaddr(-1) }}", `"10.0.0.255/24"`},
		{"{{ '10.0.0.5/255.255.255.0' | ipaddr('prefix') }}", "24"},
		{"{{ '10.0.0.5/24' | ipaddr('netmask') }}", `"255.255.255.0"`},
		{"{{ '10.0.0.5/24' | ipaddr('hostmask') }}", `"0.0.0.255"`},
		{"{{ '10.0.0.5/24' | ipaddr('broadcast') }}", `"10.0.0.255"`},
		{"{{ '10.0.0.5/24' | ipaddr('host') }}", `"10.0.0.5/24"`},
		{"{{ '10.0.0.5/24' | ipaddr('subnet') }}", `"10.0.0.0/24"`},
		{"{{ '10.0.0.0/24' | ipaddr('size') }}", "256"},
		{"{{ '10.0.0.0/24' | ipaddr('net') }}", `"10.0.0.0/24"`},
		{"{{ '10.0.0.1' | ipaddr('int') }}", "167772161"},
		{"{{ '10.0.0.0/29' | ipaddr('range_usable') }}", `"10.0.0.1-10.0.0.6"`},
		{"{{ ['10.0.0.1', '8.8.8.8', 'x', '2001:db8::1'] | ipaddr('private') }}", `["10.0.0.1"]`},
		{"{{ ['10.0.0.1', '8.8.8.8'] | ipaddr('8.0.0.0/8') }}", `["8.8.8.8"]`},
		{"{{ 'nope' | ipaddr }}", "false"},
		{"{{ '2001:db8::/32' | ipaddr('first_usable') }}", `"2001:db8::1"`},
		{"{{ '192.168.144.5/16' | ipsubnet(20) }}", "16"},
		{"{{ '10.1.1.1' | ipsubnet(24) }}", `"10.1.1.0/24"`},
		{"{{ '::1' | ipaddr('revdns') }}", `"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa."`},
		{"{{ 'http://[::1]:80/a?b' | urlsplit('hostname') }}", `"::1"`},
		{"{{ 'https://u:p@h:8443/p' | urlsplit('password') }}", `"p"`},
		{"{{ {'h': [{'n': 3, 'z': 1}]} | json_query('h[0]') | list }}", `["n", "z"]`},
		{"{{ [1, 2, 3] | json_query('length(@)') }}", "3"},
		{"{{ ['a', 'b'] | json_query('[1]') }}", `"b"`},
		{"{{ [{'k': 'w', 'n': 1}, {'k': '5', 'n': 2}, {'k': 5, 'n': 3}] | json_query('[?k==`w` || k==`5`].n') }}", "[1, 3]"},
		{"{{ ['a b', 'it`s', '`'] | json_query('[?@==` a b` || @==`it\\\\`s`]') }}", `["a b", "it` + "`" + `s"]`},
		{"{{ [{'k': '`w`'}] | json_query(\"[?k=='`w`']\") }}", `[{"k": "` + "`w`" + `"}]`},
		{"{{ {'`w`': 1} | json_query('\"`w`\"') }}", "1"},
		{"{{ 'ab' | truncate(10, leeway=-9) }}", `"ab..."`},
		{"{{ 'a'.ljust(100000, 'a') | json_query('@'.ljust(21, '!') | replace('!', '|replace(@, `\"a\"`, `\"b\"`)')) | truncate(3, true, '', 0) }}", `"bbb"`},
		{"{{ range(100000) | json_query('[].{a: @, b: @, c: @, d: @, e: @, f: @, g: @, h: @}') | length }}", "100000"},
		{"{{ {'x': {'y': 1}} | json_query('{a: x.y}') }}", `{"a": 1}`},
		{"{{ {'a': {'b': [1, {'c': 'x', 'd': []}]}, 'e': 'true', 'f': 'a\\nb'} | to_nice_yaml }}", `"a:\n    b:\n    - 1\n    -   c: x\n        d: []\ne: 'true'\nf: 'a\n\n    b'\n"`},
		{"{{ 'x' | to_yaml }}", `"x\n"`},
		{"{{ [] | to_yaml }}", `"[]\n"`},
		{"{{ {'a': 1} | to_nice_json }}", `"{\n    \"a\": 1\n}"`},
		{"{{ '%j %U %W %V %a %b' | strftime(1700000000) }}", `"318 46 46 46 Tue Nov"`},
		{"{{ '2024-02-30' is search('\\\\d+') }}", "true"},
		{"{{ '1.2.3-rc.1' is version('1.2.3', '<', version_type='semver') }}", "true"},
		{"{{ '1.0.dev1' is version('1.0a1', 'lt', version_type='pep440') }}", "true"},
		{"{{ '1.0.post1' is version('1.0', 'gt', version_type='pep440') }}", "true"},
		{"{{ '1.0' is version('1.0.0', 'eq', version_type='pep440') }}", "true"},
		{"{{ '1.0' is version('1.0.0', '<') }}", "true"},
		{"{{ 'no' is truthy(convert_bool=true) }}", "false"},
	}
	for _, tt := range tests {
		checkExample(t, &Ctx{}, tt.example, tt.want)
	}
}

func TestTruncateRefusesLengthsBelowAllIntegers(t *testing.T) {
	least, _ := new(big.Int).SetString("-99999999999999999999", 10)
	_, err := CallFilter(nil, "truncate", value.String("a"), value.Args{Pos: []value.Value{value.BigInt(least)}})
	if err == nil || !strings.Contains(err.Error(), "has no room") {
		t.Errorf("truncate gives the error %v", err)
	}
}

func TestSeedsAreReproducible(t *testing.T) {
	for _, example := range []string{"{{ range(100) | shuffle(seed='a') }}", "{{ 1000000 | random(seed=5) }}"} {
		x, err1 := runExample(t, &Ctx{}, example, unchanged)
		y, err2 := runExample(t, &Ctx{}, example, unchanged)
		if same, _ := value.Equal(x, y); !same || err1 != nil || err2 != nil {
			t.Errorf("%s differs: %v, %v", example, err1, err2)
		}
	}
}

// TestFunctionExamples runs the expression objects of the table.
func TestFunctionExamples(t *testing.T) {
	for _, f := range Functions() {
		t.Run(f.Name, func(t *testing.T) {
			in, args := readCall(t, f)
			v, err := f.Apply(nil, in, args)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(t, v); !sameJSON(t, got, f.Result) {
				t.Errorf("%s = %s, want %s", f.Example, got, f.Result)
			}
		})
	}
}

func readCall(t *testing.T, f Func) (in value.Value, args value.Args) {
	t.Helper()
	text := strings.ReplaceAll(f.Example, ": none}", ": null}")
	docs, diags := yaml.Parse(source.NewFile("example", text), yaml.ParseOptions{NoTemplates: true})
	if len(diags) > 0 || len(docs) != 1 {
		t.Fatalf("%s: %v", f.Example, diags)
	}
	whole, err := docs[0].Root.ToValue()
	if err != nil {
		t.Fatal(err)
	}
	call, err := attribute(whole, "eval")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := (&Ctx{}).entries(call)
	if err != nil || len(entries) == 0 || entries[0].key.Text != f.Name {
		t.Fatalf("%s is no call of %s", f.Example, f.Name)
	}
	for _, e := range entries[1:] {
		args.Named = append(args.Named, value.Named{Name: e.key.Text, Value: e.val})
	}
	return entries[0].val, args
}

func TestURLJoin(t *testing.T) {
	list := func(parts ...any) value.Value {
		items := make([]value.Value, len(parts))
		for i, p := range parts {
			switch p := p.(type) {
			case string:
				items[i] = value.String(p)
			case int:
				items[i] = value.Int(int64(p))
			}
		}
		return value.ListOf(items...)
	}
	f, _ := LookupFunction("urljoin")
	tests := []struct {
		in   value.Value
		want string
	}{
		{list("https", "example.org", 443, "a b", "q=1", "frag"), `"https://example.org/a%20b?q%3D1#frag"`},
		{list("http", "example.org", 8080), `"http://example.org:8080"`},
		{list("", "", "", "rel/path"), `"rel/path"`},
		{list(nil, nil), "null"},
	}
	for _, tt := range tests {
		v, err := f.Apply(nil, tt.in, value.Args{})
		if got := shown(t, v); err != nil || got != tt.want {
			t.Errorf("got %s, %v; want %s", got, err, tt.want)
		}
	}
}

func TestLabels(t *testing.T) {
	long := strings.Repeat("a", 100)
	for _, name := range []string{"to_label", "to_dns_label", "to_kubernetes_label", "to_googlecloud_label"} {
		x, err := CallFilter(nil, name, value.String(long), value.Args{})
		y, _ := CallFilter(nil, name, value.String(long+"a"), value.Args{})
		if err != nil || len(x.Str()) != 63 || x.Str() == y.Str() {
			t.Errorf("%s of long texts: %q and %q, error %v", name, x.Str(), y.Str(), err)
		}
	}
	sep := []value.Named{{Name: "sep", Value: value.String("-")}}
	v, err := CallFilter(nil, "to_label", value.ListOf(value.String("a b"), value.String("c")), value.Args{Named: sep})
	if err != nil || v.Str() != "ab-c" {
		t.Errorf("list: %q, %v", v.Str(), err)
	}
	v, err = CallFilter(nil, "to_dns_label", value.String("1abc-"), value.Args{})
	if err != nil || v.Str() != "x1abc" {
		t.Errorf("bad start and end: %q, %v", v.Str(), err)
	}
}
