package notation

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestFormat: the layout of each form.
func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"empty lines", "\n \n", ""},
		{"a comment", "#  c \r\n", "#  c\n"},
		{"an empty set", "bindings a{\n\n}", "bindings a {}\n"},
		{"one line", "bindings  a{bind b to 1}", "bindings a { bind b to 1 }\n"},
		{"two operations", "bindings a{bind b to 1 bind c to [1,2]}", "bindings a {\n  bind b to 1\n  bind c to [1, 2]\n}\n"},
		{"a semicolon", "bindings a{bind b to 1;bind c to 2;}", "bindings a {\n  bind b to 1;\n  bind c to 2;\n}\n"},
		{"empty lines of a block", "bindings a {\n\n\n  bind b to 1\n\n\n  bind c to 2\n\n}\n\n\n", "bindings a {\n  bind b to 1\n\n  bind c to 2\n}\n"},
		{"comments", "# top\nbindings a { # in\n# own\nbind b to 1 # behind\n# end\n}\n# last", "# top\nbindings a {  # in\n  # own\n  bind b to 1  # behind\n  # end\n}\n# last\n"},
		{"arrows", "bindings a { bind b to {x=>1,\n'länge' => 2,z=>{ y=>1, zz=>2 }} }", "bindings a {\n  bind b to {\n    x       => 1,\n    'länge' => 2,\n    z       => { y => 1, zz => 2 }\n  }\n}\n"},
		{"arrows behind an empty line", "$x = {\na=>1,\n\nlong=>2}", "$x = {\n  a => 1,\n\n  long => 2\n}\n"},
		{"arrows behind a comment", "$x = {\na=>1,\n# c\nlong=>2}", "$x = {\n  a    => 1,\n  # c\n  long => 2\n}\n"},
		{"a list", "$x=[ 1,\n2 ,\n[3 ]\n]", "$x = [1,\n  2,\n  [3]\n]\n"},
		{"a list on lines of its own", "$x=[\n1,2]", "$x = [\n  1, 2\n]\n"},
		{"an operation on several lines", "bindings a {\nbind String,\nb\nto 1\n}", "bindings a {\n  bind String,\n    b\n    to 1\n}\n"},
		{"a byte order mark", "\uFEFF# c\n$a=1", "# c\n$a = 1\n"},
		{"operators", "$x=1+2*-3- -4==!true and(a)", "$x = 1 + 2 * -3 - -4 == !true and (a)\n"},
		{"an index and a call", "$x=inject( a )[ 1 ] [2]", "$x = inject(a)[1][2]\n"},
		{"a name and parentheses", "bindings a { when (role db) { bind b to x } }", "bindings a { when (role db) { bind b to x } }\n"},
		{"a type", "bindings a { multibind Hash[ String,Array [Integer[1,default]] ],b as\tc }", "bindings a { multibind Hash[String, Array[Integer[1, default]]], b as c }\n"},
		{"a lambda", "bindings a { bind b to inject(c)|$x,$y|{$x} }", "bindings a { bind b to inject(c) |$x, $y| { $x } }\n"},
		{"else", "$x=if 1 {2}\nelsif 3 {4}\nelse{5}", "$x = if 1 { 2 } elsif 3 { 4 } else { 5 }\n"},
		{"case", "$x=case 1 {1,2:{a} default:{b}}", "$x = case 1 {\n  1, 2: { a }\n  default: { b }\n}\n"},
		{"a selector", "$x=$y?{/a b/=>1,default=>2}", "$x = $y ? { /a b/ => 1, default => 2 }\n"},
		{"a site", "site{categories=>{node=>$fqdn,role=>$r}precedence=>highest}", "site {\n  categories => { node => $fqdn, role => $r }\n  precedence => highest\n}\n"},
		{"layers", "site{layers=>[layer{a:include=>'x'},{b:include=>'y',\nexclude=>'z'}]}", "site {\n  layers => [layer { a: include => 'x' }, { b:\n    include => 'y',\n    exclude => 'z'\n  }]\n}\n"},
		{"environments", "site{Environment{envdir=>'x'}environment{'p':manifest=>'y'}}", "site {\n  Environment { envdir => 'x' }\n  environment { 'p': manifest => 'y' }\n}\n"},
		{"texts stay", "$x=\"a  ${ b }\\n\"+'c  d'", "$x = \"a  ${ b }\\n\" + 'c  d'\n"},
		{"a break before a bracket", "$x={ $a }\n$y=[1]", "$x = { $a }\n$y = [1]\n"},
		{"optional", "bindings a { bind b to optional\nbind c to 1 }", "bindings a {\n  bind b to optional\n  bind c to 1\n}\n"},
		{"no-break spaces", "bindings\u00a0a\u00a0{\u00a0}", "bindings a {}\n"},
	} {
		if strings.Contains(tt.name, "bracket") {
			tt.text, tt.want = "$x=[1]\nbindings a { bind b to $x\n[1] }", "error"
		}
		got, d := Format(source.NewFile("x.pp", tt.text))
		if d != nil {
			if tt.want != "error" {
				t.Errorf("%s: %v", tt.name, d)
			}
			continue
		}
		if got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
		checkFormat(t, tt.text)
	}
}

// checkFormat checks the law of the formatter: the result says the same, has the same comments, and
// formatting it changes nothing.
func checkFormat(t *testing.T, text string) {
	t.Helper()
	file := source.NewFile("x.pp", text)
	parsed, err := ParsePP(file)
	got, d := Format(file)
	if (err == nil) != (d == nil) {
		t.Fatalf("%q: parsed with %v, formatted with %v", text, err, d)
	}
	if err != nil {
		return
	}
	again, d := Format(source.NewFile("x.pp", got))
	if d != nil || again != got {
		t.Fatalf("%q: got\n%s\nthen %v\n%s", text, got, d, again)
	}
	reparsed, err := ParsePP(source.NewFile("x.pp", got))
	if err != nil {
		t.Fatalf("%q: got\n%s\nwhich is wrong: %v", text, got, err)
	}
	if a, b := dump(parsed), dump(reparsed); a != b {
		t.Errorf("%q: got\n%s\nwhich means\n%s, not\n%s", text, got, b, a)
	}
	if a, b := commentsOf(text), commentsOf(got); a != b {
		t.Errorf("%q: got the comments\n%s\nof\n%s", text, b, a)
	}
	for line := range strings.Lines(got) {
		if trimmed := strings.TrimRight(line, " \t\r\n"); trimmed+"\n" != line && !strings.ContainsAny(got, `'"`) {
			t.Errorf("%q: the line %q ends in blanks", text, line)
		}
	}
}

// commentsOf returns the comments of a text.
func commentsOf(text string) string {
	var b strings.Builder
	for _, p := range pieces(strings.TrimPrefix(text, byteOrderMark)) {
		for _, c := range append([]string{p.behind}, p.above...) {
			if c != "" {
				b.WriteString(c + "\n")
			}
		}
	}
	return b.String()
}

// dump writes what a parsed file says, without places.
func dump(file *File) string {
	var b strings.Builder
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch x := v; {
		case !x.IsValid():
			b.WriteString("nil")
		case x.Type() == reflect.TypeFor[source.Span]() || x.Type() == reflect.TypeFor[*source.File]():
		case x.Type() == reflect.TypeFor[*types.Type]():
			if !x.IsNil() {
				fmt.Fprintf(&b, "%v", reflect.NewAt(x.Type(), x.Addr().UnsafePointer()).Elem().Interface())
			}
		case x.Type() == reflect.TypeFor[value.Value]():
			constant := *(*value.Value)(x.Addr().UnsafePointer())
			text, err := textOf(scope(), constant, maxText)
			fmt.Fprintf(&b, "%v %q %v", constant.Kind(), text, err)
		case x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface:
			if !x.IsNil() {
				fmt.Fprintf(&b, "%s", x.Elem().Type())
				walk(x.Elem())
			}
		case x.Kind() == reflect.Struct:
			b.WriteByte('{')
			for i := range x.NumField() {
				b.WriteString(x.Type().Field(i).Name + ":")
				walk(x.Field(i))
				b.WriteByte(' ')
			}
			b.WriteByte('}')
		case x.Kind() == reflect.Slice:
			b.WriteByte('[')
			for i := range x.Len() {
				walk(x.Index(i))
				b.WriteByte(' ')
			}
			b.WriteByte(']')
		default:
			fmt.Fprintf(&b, "%v", x)
		}
	}
	walk(reflect.ValueOf(file))
	return b.String()
}

// FuzzFormat checks the law for any text.
func FuzzFormat(f *testing.F) {
	seeds(f, ".pp")
	f.Add("bindings a{bind b to{x=>1,\n# c\nlong=>2}bind c to optional\nbind d to $x[1]#\n}")
	f.Add("site{layers=>[layer{a:include=>'x',\nexclude=>[y]}]}$x=case 1{1,2:{a}default:{b}}")
	f.Fuzz(func(t *testing.T, text string) { checkFormat(t, text) })
}
