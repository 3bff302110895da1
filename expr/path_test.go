package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

const hosts = `{
  "hosts": {
    "web1": {"role": "web", "ip": "10.1.0.1", "ports": [80, 443], "up": true, "load": 1.5},
    "web2": {"role": "web", "ip": "10.1.0.2", "ports": [8080], "up": false},
    "db1": {"role": "db", "ip": "10.1.0.9", "ports": [], "labels": {"tier": "gold"}, "note": null}
  },
  "racks": [
    {"name": "r1", "units": [{"id": 1, "kind": "switch"}, {"id": 2, "kind": "server"}]},
    {"name": "r2", "units": [{"id": 3, "kind": "server"}]},
    [{"name": "r3", "units": [{"id": 4}]}]
  ],
  "grid": [[1, 2], [3, 4]], "words": ["alpha", "beta", "gamma"], "count": 5, "release": "5", "flag": false,
  "none": null, "empty_s": "", "empty_l": [], "empty_m": {}, "dotted.key": {"a/b": 1, "x y": 2},
  "title": "hello", "tier": "outer", "ports": {"#443": "https", "80": "http"}, ".hidden": 1,
  "alias": {"eval": "::hosts::web1"}
}`

func TestQuery(t *testing.T) {
	for _, c := range []struct{ rule, path, want string }{
		{"a list is one match", "::words", "[['alpha', 'beta', 'gamma']]"},
		{"a lone :: is the document", "::empty_m::.root::title", "['hello']"},
		{"a trailing empty segment takes lists apart", "::grid::", "[1, 2, 3, 4]"},
		{"nested lists are flattened on the way", "::racks::units::id", "[1, 2, 3, 4]"},
		{"an index steps into a list", "::grid::1::0", "[3]"},
		{"a negative index counts from the end", "::words::-1", "['gamma']"},
		{"an index past the end", "::words::7", "[]"},
		{"an index after * applies to each list", "::hosts::*::ports::0", "[80, 8080]"},
		{"digits are a text key first", "::ports::80", "['http']"},
		{"then an integer key", "::ports::443", "['https']"},
		{"dots and slashes are ordinary", "::dotted.key::a/b", "[1]"},
		{"blanks inside a key are kept", ":: dotted.key :: x y ", "[2]"},
		{"null matches", "::none", "[None]"},
		{"an empty text matches", "::empty_s", "['']"},
		{"a scalar has no keys", "::title::x", "[]"},
		{"* gives values in order", "::hosts::web1::*", "['web', '10.1.0.1', [80, 443], True, 1.5]"},
		{"* on a scalar gives nothing", "::title::*", "[]"},
		{"* on a list gives its items", "::words::*", "['alpha', 'beta', 'gamma']"},
		{"a path goes on from the items of *", "::racks::*::name", "['r1', 'r2', 'r3']"},
		{"*::* gives the values of maps in a list", "::racks::*::units::*::*", "[1, 'switch', 2, 'server', 3, 'server', 4]"},
		{"* with ? is the first item", "::words::*?", "['alpha']"},
		{"* with a filter on items", "::racks::0::units::*[kind=server]::id", "[2]"},
		{"< compares numbers", "::racks::units::[id<3]::id", "[1, 2]"},
		{"<= takes the same number", "::racks::units::[id<=2]::id", "[1, 2]"},
		{"> compares an integer with a decimal", "::racks::units::[id>2.5]::id", "[3, 4]"},
		{">= compares texts by code points", "::words::[>=beta]", "['beta', 'gamma']"},
		{"the right side is read as the left: a text is compared with a text", "::[title>1]::count", "[5]"},
		{"a text has no order with the number of a variable", "::[title>$one]::count", "[]"},
		{"null, lists and truth values have no order", "::[none<1]::count", "[]"},
		{"a text that is no number is not above a number", "::[count>many]::count", "[]"},
		{"a missing value passes no test", "::racks::units::[nope>=0]::id", "[]"},
		{"! inverts an order", "::racks::units::[!id<3]::id", "[3, 4]"},
		{"~= finds an expression in a text", "::words::[~=^.a]", "['gamma']"},
		{"~= passes no number", "::[count~=5]::count", "[]"},
		{"a quoted value may have any character", "::[title='hello']::count", "[5]"},
		{"quotes do not make a number a text", "::[count=\"5\"]::count", "[5]"},
		{"a doubled quote is one", "::[title!='it''s [a]::b?']::count", "[5]"},
		{"escapes in double quotes are YAML's", `::[title="\x68ello"]::count`, "[5]"},
		{"an order with a quoted value in a nested filter", "::hosts::*[ports::[>'443']]::ip", "['10.1.0.2']"},
		{"* with a filter", "::hosts::*[role=db]::ip", "['10.1.0.9']"},
		{"* with ? is the first value", "::hosts::*?::ip", "['10.1.0.1']"},
		{"a relative path looks outward", "title", "['hello']"},
		{"a filter first", "[title]::count", "[5]"},
		{"an expression is stepped into", "::alias::ip", "['10.1.0.1']"},
		{".name", "::hosts::*::.name", "['web1', 'web2', 'db1']"},
		{".name of a list item", "::racks::0::.name", "[0]"},
		{".name in a filter", "::hosts::*::[.name=db1]::ip", "['10.1.0.9']"},
		{"..", "::hosts::web1::..::web2::ip", "['10.1.0.2']"},
		{".. skips lists", "::racks::0::units::0::..::name", "['r1']"},
		{".. at the root", "::..", "[]"},
		{"..all", "::hosts::web1::.all::title", "['hello']"},
		{".ancestors", "::hosts::web1::.ancestors::.name", "['web1', 'hosts', '']"},
		{".parents", "::hosts::web1::.parents::.name", "['', 'hosts']"},
		{".children", "::hosts::.children::ip", "['10.1.0.1', '10.1.0.2', '10.1.0.9']"},
		{".descendants", "::hosts::.descendants::.name", "['hosts', 'web1', 'web2', 'db1', 'labels']"},
		{"unknown special keys", "::hosts::.owner", "[]"},
		{"a real key with a dot, by variable", "::$hidden", "[1]"},
		{"filters keep lists whole", "::racks::0::units[kind=server]", "[[{'id': 1, 'kind': 'switch'}, {'id': 2, 'kind': 'server'}]]"},
		{"an empty segment selects items", "::racks::0::units::[kind=server]::id", "[2]"},
		{"existence", "::hosts::*::[note]::ip", "['10.1.0.9']"},
		{"an empty list exists", "::hosts::*::[ports]::ip", "['10.1.0.1', '10.1.0.2', '10.1.0.9']"},
		{"negated existence", "::hosts::*::[!load]::.name", "['web2', 'db1']"},
		{"negated test", "::hosts::*::[!load=1.5]::ip", "['10.1.0.2', '10.1.0.9']"},
		{"!= needs a left side", "::hosts::*::[load!=2]::ip", "['10.1.0.1']"},
		{"!= on what cannot be compared", "::hosts::*::[labels!=x]::ip", "['10.1.0.9']"},
		{"nested filters", "::hosts[web1[role=web]]::web2::ip", "['10.1.0.2']"},
		{"nested filters that fail", "::hosts[web1[role=db]]::web2::ip", "[]"},
		{"filters with a path", "::racks::[units::id=3]::name", "['r2']"},
		{"a leading :: in a filter", "::hosts::*::[::role=db]::ip", "['10.1.0.9']"},
		{"any value in a filter", "::hosts::*::[*=gold]", "[]"},
		{"any value below", "::hosts::*::[labels::*=gold]::ip", "['10.1.0.9']"},
		{"all filters must hold", "::hosts::web1[role=web][load=2]::ip", "[]"},
		{"an index in a filter", "::words[1=beta]::0", "['alpha']"},
		{"[=x] on a list is any", "::words[=gamma]::0", "['alpha']"},
		{"[!=x] on a list is none", "::words[!=gamma]", "[]"},
		{"no test holds on an empty list", "::empty_l[=x]", "[]"},
		{"truth words, any case", "::hosts::*::[up=TRUE]::ip", "['10.1.0.1']"},
		{"other words are not coercible", "::hosts::*::[up=yes]::ip", "[]"},
		{"integers", "::count[=5]", "[5]"},
		{"integers take no fraction", "::count[=5.0]", "[]"},
		{"floats", "::hosts::*::[load=1.50]::ip", "['10.1.0.1']"},
		{"texts", "::release[=5]", "['5']"},
		{"variables keep their type", "::release[=$five]", "[]"},
		{"built-in variables", "::flag[=$false]", "[False]"},
		{"$null", "::none[=$null]", "[None]"},
		{"? on the last segment", "::hosts::*::[role=web]?", "[{'role': 'web', 'ip': '10.1.0.1', 'ports': [80, 443], 'up': True, 'load': 1.5}]"},
		{"? in the middle keeps all below", "::racks::units?::id", "[1, 2]"},
		{"? takes the first for which the rest matches", "::racks::[units::id=3]?::units::id", "[3]"},
		{"? per inner list", "::racks::units::id?", "[1, 3, 4]"},
		{"a variable first", "$l::n", "[1, 2]"},
		{"a bare variable is one match", "$l", "[[{'n': 1}, {'n': 2}]]"},
		{"a filtered variable", "$l[n=2]::n", "[1, 2]"},
		{"a variable as an index", "::words::$one", "['beta']"},
		{"an unknown variable", "$ghost", "[]"},
		{"an unknown variable in the middle", "::hosts::$ghost", "[]"},
		{"an unknown variable in a test", "::words[=$ghost]", "[]"},
	} {
		env := newEnv(t, hosts)
		s := env.scope().With("five", value.Int(5)).With("one", value.Int(1)).With("hidden", value.String(".hidden")).
			With("l", parseJSON(t, `[{"n": 1}, {"n": 2}]`))
		p, err := ParsePath(c.path, Nowhere{})
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		found, err := All(p, s)
		if got := show(value.ListOf(found...), err); got != c.want {
			t.Errorf("%s: All(%q) = %s, want %s", c.rule, c.path, got, c.want)
		}
	}
}

func TestQueryFromInside(t *testing.T) {
	env := newEnv(t, `{"port": 1, "x": 5, "outer": {"port": 2, "inner": {"list": [{"deep": 3}]}}}`)
	inner, _, _ := env.root.Map().Get(value.K("outer"))
	inner, _, _ = inner.Map().Get(value.K("inner"))
	s := env.scope().withSelf(inner)
	for path, want := range map[string]string{
		"port": "[2]", "x": "[5]", "inner::list::deep": "[3]", "outer::port": "[2]", ".::list::deep": "[3]", "..::port": "[2]", "nope": "[]", "$start::list::0::deep": "[3]",
	} {
		p, err := ParsePath(path, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := All(p, s)
		if got := show(value.ListOf(found...), err); got != want {
			t.Errorf("All(%q) = %s, want %s", path, got, want)
		}
	}
}

func TestQueryListDocument(t *testing.T) {
	env := newEnv(t, `[{"a": 1}, {"a": 2}]`)
	for path, want := range map[string]string{"::": "[[{'a': 1}, {'a': 2}]]", "::a": "[1, 2]", "::1::a": "[2]"} {
		p, _ := ParsePath(path, Nowhere{})
		found, err := All(p, env.scope())
		if got := show(value.ListOf(found...), err); got != want {
			t.Errorf("All(%q) = %s, want %s", path, got, want)
		}
	}
}

func TestDescendantsOfACycle(t *testing.T) {
	env := newEnv(t, `{"a": {"up": {"eval": "::"}}}`)
	p, _ := ParsePath("::.descendants::.name", Nowhere{})
	found, err := All(p, env.scope())
	if got := show(value.ListOf(found...), err); got != "['', 'a']" {
		t.Errorf("descendants = %s", got)
	}
}

func TestPathErrors(t *testing.T) {
	for _, c := range []struct{ path, at, want string }{
		{"::hosts]", "]", `closing bracket "]" without an opening one`},
		{"::hosts[role", "[", `bracket "[" is not closed`},
		{"::a[b]c::d", "c", `text after a closing bracket: expected "::", "[" or "?"`},
		{"::a=x", "=", "a test belongs in brackets: [name=value]"},
		{"!a", "!", `"!" negates a filter and belongs inside its brackets`},
		{"::a?b", "b", `"?" ends a segment: expected "::" after it`},
		{"::a?[b]", "[b]", `"?" ends a segment: expected "::" after it`},
		{"::$", "$", `"$" without the name of a variable`},
		{"::a$b", "$", `'$' cannot be part of a key: use a variable`},
		{"[a=b:c]", ":", `':' cannot be part of a test: quote the value, or use a variable`},
		{"[a=$]", "$", `"$" without the name of a variable`},
		{"[a=b[c]]", "[", `'[' (a bracket) cannot be part of a test: quote the value, or use a variable`},
		{"::a::[n>]", ">", `">" without a value after it`},
		{"::a::[n~= ]", "~=", `"~=" without a value after it`},
		{"::a::[n='x]", "'", "the quote is not closed"},
		{"::a::[n='x'y]", "y", "text after the closing quote"},
		{`::a::[n="\q"]`, `\q`, `unknown escape \q`},
		{`::a::[n="\ü"]`, `\ü`, `unknown escape \ü`},
		{`::a::[n="\x4ü"]`, `\x4`, `unknown escape \x4`},
		{"::a::[n~=(]", "(", "regular expression: missing closing )"},
		{strings.Repeat("[", 3000) + strings.Repeat("]", 3000), "", "brackets are nested too deeply"},
	} {
		file := source.NewFile("q", c.path)
		_, err := ParsePath(c.path, At(file.Span(0, len(c.path))))
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Message != "path: "+c.want || c.at != "" && d.At.Text() != c.at {
			t.Errorf("ParsePath(%.20q) = %v (at %.20q), want %q at %q", c.path, err, d.At.Text(), c.want, c.at)
		}
	}
}

func TestConstantPath(t *testing.T) {
	for path, want := range map[string]string{
		"::a::b c::0": "[{a string} {b c string} {0 integer}]", "::": "[]", "a": "none", "::*": "none", "::a[b]": "none", "::a?": "none", "::.name": "none", "::a::": "none",
	} {
		p, err := ParsePath(path, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		keys, ok := p.Constant()
		got := "none"
		if ok {
			got = fmt.Sprint(keys)
		}
		if got != want {
			t.Errorf("Constant of %q = %s, want %s", path, got, want)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"::a[b=c]?::*", "$x[!y!=$z]::-1", "a! [b! =c]", "::a: ::b", "[!!=x]", ".::[[]]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text, Nowhere{})
		if err != nil {
			return
		}
		printed := p.String()
		again, err := ParsePath(printed, Nowhere{})
		if err != nil {
			t.Fatalf("%q prints as %q, which does not parse: %v", text, printed, err)
		}
		if got := again.String(); got != printed || fmt.Sprintf("%#v", describePath(p)) != fmt.Sprintf("%#v", describePath(again)) {
			t.Errorf("%q prints as %q, which reads back as %q", text, printed, got)
		}
		env := newEnv(t, `{"a": {"b": [1, {"c": 2}]}}`)
		_, _ = All(p, env.scope())
	})
}

// describePath writes the structure of a path without its places.
func describePath(p *Path) string {
	var b strings.Builder
	for _, s := range p.Segments {
		fmt.Fprintf(&b, "(%d %q %d %v", s.Kind, s.Key, s.Index, s.First)
		for _, f := range s.Filters {
			fmt.Fprintf(&b, " %v%s", f.Negate, describePath(f.Path))
		}
		if s.Test != nil {
			fmt.Fprintf(&b, " %+v", *s.Test)
		}
		b.WriteString(")")
	}
	return b.String()
}

func TestNoMatch(t *testing.T) {
	for _, c := range []struct{ path, at, want string }{
		{"::hots::web1", "hots", `no "hots" at the top; did you mean "hosts"?`},
		{"::hosts::web1::prots", "prots", `no "prots" in ::hosts::web1; did you mean "ports"?`},
		{"::hosts::web1::ip::x", "x", `no "x" in ::hosts::web1::ip`},
		{"::words::7", "7", `no item 7 in ::words`},
		{"::hosts::*::[role=nope]::ip", "[role=nope]", `no match in ::hosts::* passes [role=nope]`},
		{"::hosts::*::[rle=web]::ip", "[rle=web]", `no match in ::hosts::* passes [rle=web]; did you mean "role"?`},
		{"::$nope::a", "$nope", `the variable $nope has no value`},
		{"contn", "contn", `no "contn" at the top; did you mean "count"?`},
	} {
		p, err := ParsePath(c.path, At(source.NewFile("q", c.path).Span(0, len(c.path))))
		if err != nil {
			t.Fatal(err)
		}
		d, err := NoMatch(p, newEnv(t, hosts).scope())
		if err != nil {
			t.Errorf("NoMatch(%q): %v", c.path, err)
			continue
		}
		got := d.Message
		if d.Hint != "" {
			got += "; " + d.Hint
		}
		if got != c.want || d.At.Text() != c.at || d.Severity != source.Warning || d.Code != source.NoMatch {
			t.Errorf("NoMatch(%q) = %s (%s %s) at %q, want %s at %q", c.path, got, d.Severity, d.Code, d.At.Text(), c.want, c.at)
		}
	}
}
