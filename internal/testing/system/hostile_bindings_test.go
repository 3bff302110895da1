package system_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bindings"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
)

// hostileBindings are sources of bindings that try to exceed limits or to leave their directory.
// The command looks up key, or all data if it is empty; the error, if any, has one of the codes.
func hostileBindings() []hostileSource {
	levels := func(n int, format string) string {
		return "version: 5\nhierarchy:\n" + each(n, format)
	}
	nest := func(n int, open, end string) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	hiera := func(data string) map[string]string {
		return map[string]string{"hiera.yaml": "version: 5\n", "data/common.yaml": data}
	}
	pp := func(text string) map[string]string { return map[string]string{"site.pp": text} }
	yml := func(text string) map[string]string { return map[string]string{"site.yaml": text} }
	limit, cycle := []source.Code{source.Limit}, []source.Code{source.Cycle}
	doubledLists := "$l0 = [a]\n" + each(60, "$l%[2]d = [$l%[1]d, $l%[1]d]\n")
	doubledAliases := each(60, "  a%[2]d: &a%[2]d [*a%[1]d, *a%[1]d]\n")
	return []hostileSource{
		{name: "texts that double", files: hiera(doubling("k0: xxxxxxxxxxxxxxxx\n", "k%[2]d: \"%%{lookup('k%[1]d')}%%{lookup('k%[1]d')}\"\n")), key: "k60", codes: limit},
		{name: "lists that double", files: hiera(doubling("k0: [1, 2]\n", "k%[2]d: [\"%%{alias('k%[1]d')}\", \"%%{alias('k%[1]d')}\"]\n")), key: "k60", codes: limit},
		{name: "keys of maps that double", files: hiera(doubling("k0: x\n", "k%[2]d: {\"%%{lookup('k%[1]d')}%%{lookup('k%[1]d')}\": 1}\n")), key: "k60", codes: []source.Code{source.Limit, source.BadInterpolation}},
		{name: "a long chain", files: hiera("k0: x\n" + each(200_000, "k%[2]d: \"%%{lookup('k%[1]d')}\"\n")), key: "k200000", codes: limit},
		{name: "a long chain, small", files: hiera("k0: x\n" + each(50, "k%[2]d: \"%%{lookup('k%[1]d')}\"\n")), key: "k50"},
		{name: "interpolations in a text", files: hiera("k0: x\na: \"" + strings.Repeat("%{lookup('k0')}", long.Scale(200_000)) + "\"\n"), key: "a"},
		{name: "expressions in a text", files: map[string]string{"hiera.yaml": "bindings: {default: {values: {b: x, a: \"" + strings.Repeat("${inject(b)}", long.Scale(100_000)) + "\"}}}\n"}, key: "a"},
		{name: "an open interpolation", may: true, files: hiera("a: \"" + strings.Repeat("%{", 200_000) + "\"\n"), key: "a", codes: []source.Code{source.BadInterpolation, source.Limit}},
		{name: "a fact is not interpolated", files: map[string]string{"hiera.yaml": "version: 5\n", "data/common.yaml": "a: \"%{evil}\"\nsecret: 42\n"}, facts: []string{"evil=%{lookup('secret')}"}, key: "a", want: "%{lookup('secret')}"},
		{name: "a fact chooses a path", files: map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: n, path: \"%{evil}.yaml\"}]\n", "secret.yaml": "a: 1\n"}, facts: []string{"evil=../../../../../../etc/passwd"}, key: "a", codes: []source.Code{source.Forbidden, source.NotFound}},

		{name: "a pattern that backtracks", may: true, files: hiera("lookup_options: {\"^(a+)+$\": {merge: unique}}\n" + strings.Repeat("a", 200) + "b: [1]\n"), key: strings.Repeat("a", 200) + "b", codes: limit},
		{name: "many patterns", may: true, files: hiera("lookup_options:\n" + each(long.Scale(20_000), "  \"^(\\\\w*)*%[1]d$\": {merge: unique}\n") + "a: [1]\n"), key: "a", codes: limit},
		{name: "a pattern of braces", may: true, files: hiera("lookup_options: {\"^" + nest(20_000, "(", ")") + "\": {merge: unique}}\na: [1]\n"), key: "a", codes: []source.Code{source.Limit, source.BadHieraConfig}},
		{name: "a counted pattern", files: hiera("lookup_options: {\"^((a{1,1000}){1,1000}){1,1000}$\": {merge: unique}}\na: [1]\n"), key: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", codes: []source.Code{source.Limit, source.BadHieraConfig, source.NotFound}},

		{name: "a million levels", files: map[string]string{"hiera.yaml": levels(long.Scale(1_000_000), "- {name: l%[1]d}\n")}, key: "a", codes: []source.Code{source.Limit, source.BadHieraConfig}},
		{name: "levels without files", files: map[string]string{"hiera.yaml": levels(20_000, "- {name: l%[1]d, path: p%[1]d.yaml}\n")}, key: "a", codes: []source.Code{source.Limit, source.NotFound}},
		{name: "a fact of many paths", files: map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: n, mapped_paths: [f, x, \"%{x}.yaml\"]}]\n"}, facts: []string{"f=[" + strings.Repeat("1,", 200_000) + "1]"}, key: "a", codes: limit},
		{name: "a pattern of files", files: map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: n, glob: \"" + strings.Repeat("{a,b}", 60) + "\"}]\n"}, key: "a", codes: limit},

		{name: "an absolute path", files: map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: n, path: /etc/passwd}]\n"}, key: "a", codes: []source.Code{source.Forbidden, source.NotFound}},
		{name: "a directory outside", files: map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: n, datadir: /etc, path: passwd}]\n"}, key: "a", codes: []source.Code{source.Forbidden}},
		{name: "a pattern outside", files: map[string]string{"hiera.yaml": "version: 5\nhierarchy: [{name: n, datadir: /etc, glob: \"*\"}]\n"}, key: "a", codes: []source.Code{source.Forbidden}},
		{name: "dots in a URI", files: pp("site { layers => [ layer { s: include => 'hiera:/../../etc' } ] }"), key: "a", codes: []source.Code{source.BadURI}},
		{name: "modules outside", files: pp("site { Environment { modulepath => '/etc:../../..' } }\nbindings default { bind a to 1 }"), key: "a", codes: []source.Code{source.Forbidden}},
		{name: "an environment outside", files: pp("site { Environment { envdir => '../../../../etc' } }"), key: "a", codes: []source.Code{source.Forbidden}},
		{name: "directories of environments outside", files: pp("site { dynamic_environments { '/etc': } }"), key: "a", codes: []source.Code{source.Forbidden, source.NotFound}},

		{name: "a cycle of texts", files: hiera("a: \"%{lookup('b')}\"\nb: \"x%{lookup('c')}\"\nc: [\"%{lookup('a')}\"]\n"), key: "a", codes: []source.Code{source.LookupCycle}, contains: "a -> b -> c -> a"},
		{name: "a cycle of aliases", files: hiera("a: \"%{alias('b')}\"\nb: \"%{alias('a')}\"\n"), key: "b", codes: []source.Code{source.LookupCycle}, contains: "b -> a -> b"},
		{name: "a cycle of bindings", files: pp("bindings default { bind a to inject(b) bind b to inject(c) bind c to inject(a) }"), key: "a", codes: []source.Code{source.LookupCycle}, contains: "a -> b -> c -> a"},
		{name: "a cycle of aliases of bindings", files: pp("bindings default { bind alias a as b bind alias b as a bind a to 1 }"), key: "a", codes: []source.Code{source.LookupCycle, source.BindingConflict}},

		{name: "bindings that double", files: pp("bindings default { bind k0 to xxxxxxxxxxxxxxxx\n" + each(60, "bind k%[2]d to \"${inject(k%[1]d)}${inject(k%[1]d)}\"\n") + "}"), key: "k60", codes: limit},
		{name: "nested brackets", files: pp("bindings default { bind a to " + nest(200_000, "[", "]") + " }"), key: "a", codes: []source.Code{source.Limit, source.Syntax}},
		{name: "lists in a text that double", files: pp(doubledLists + "bindings default { bind a to \"${l60}\" }"), key: "a", codes: limit},
		{name: "lists that double, compared", files: pp(doubledLists + strings.ReplaceAll(doubledLists, "$l", "$m") + "bindings default { bind a to $l60 == $m60 }"), key: "a", codes: limit},
		{name: "lists that double, searched", files: pp(doubledLists + strings.ReplaceAll(doubledLists, "$l", "$m") + "bindings default { bind a to ($l60 in [$m60]) }"), key: "a", codes: limit},
		{name: "open texts", files: pp("$a = " + strings.Repeat("\"${", 5_000_000)), key: "a", codes: []source.Code{source.Syntax}},
		{name: "texts in texts", files: pp("$a = " + strings.Repeat("\"${", 5_000) + "1" + strings.Repeat("}\"", 5_000)), key: "a", codes: limit},
		{name: "tests that multiply", files: pp("bindings default { when (role a" + strings.Repeat(" or role a", 1000) + ")" + strings.Repeat(" and role b", 3000) + " { bind a to 1 } }"), key: "a", codes: limit},
		{name: "nested tests that multiply", files: pp("site { categories { role => 1 } }\nbindings default { " + strings.Repeat("when role a or role b { ", 10) + strings.Repeat("when role c { ", 900) + "bind a to 1" + strings.Repeat("}", 911)), key: "a", codes: limit},
		{name: "keys that read many keys", files: pp(manyReaders()), key: "k0_0"},
		{name: "stars of a URI", files: pp("site { layers [ { a: include => ['confdir:/" + strings.Repeat("**::", 20) + "x?optional'] } ] }\nbindings " + strings.Repeat("a::", 60) + "a { bind a to 1 }"), key: "a", codes: []source.Code{source.NotFound}},
		{name: "nested conditions", files: pp("bindings default { " + strings.Repeat("when environment x { ", 100_000) + strings.Repeat("}", 100_001)), key: "a", codes: []source.Code{source.Limit, source.Syntax}},
		{name: "alternatives that multiply", files: pp("bindings default { when " + strings.Repeat("(environment a or b) and ", 60) + "environment c { bind a to 1 } }"), key: "a", codes: limit},
		{name: "a lambda that loops", files: pp("bindings default { multibind Array[Data], m { combinator => |$memo, $x| { $memo + $memo + [$x] } }\n" + each(60, "bind to %[1]d in m\n") + "}"), key: "m", codes: limit},
		{name: "a long type", files: pp("bindings default { bind " + strings.Repeat("Array[", 100_000) + "String" + strings.Repeat("]", 100_000) + ", a to [] }"), key: "a", codes: []source.Code{source.Limit, source.Syntax}},
		{name: "a long key", files: pp("bindings default { bind a to 1 }"), key: strings.Repeat("a.", 100_000) + "a", codes: []source.Code{source.Usage, source.Limit, source.NotFound}},
		{name: "a deep fact", may: true, files: pp("bindings default { bind a to 1 }"), facts: []string{strings.Repeat("a.", 100_000) + "a=1"}, key: "a", codes: []source.Code{source.Usage, source.Limit}},
		{name: "deep data", files: hiera("a: " + nest(200_000, "[", "]") + "\n"), key: "a", codes: []source.Code{source.Limit, source.Syntax}},
		{name: "aliases that double", files: yml("variables:\n  a0: &a0 [x]\n" + doubledAliases + "bindings: {default: {values: {a: 1}}}\n"), key: "a", codes: limit},
		{name: "an anchor in itself, a value", files: yml("bindings: {default: {values: {a: &a [*a]}}}\n"), key: "a", codes: cycle},
		{name: "an anchor in itself, a block", files: yml("bindings: {default: &a {when: {if: {role: x}, do: *a}}}\n"), key: "a", codes: cycle},
		{name: "an anchor in itself, an operation", files: yml("bindings: {default: [&a {when: {role: x}, do: [*a]}]}\n"), key: "a", codes: cycle},
		{name: "an anchor in itself, a condition", files: yml("bindings: {default: [{when: &a [*a], do: {}}]}\n"), key: "a", codes: cycle},
		{name: "anchors that double", files: hiera("k0: &k0 [1]\n" + each(60, "k%[2]d: &k%[2]d [*k%[1]d, *k%[1]d]\n")), key: "", codes: limit},
	}
}

// manyReaders returns bindings of which each of ten keys is the sum of the next ten.
func manyReaders() string {
	var b strings.Builder
	b.WriteString("bindings default {\n")
	for i := range 12 {
		for j := range 10 {
			fmt.Fprintf(&b, "bind k%d_%d to %s0\n", i, j, strings.ReplaceAll(each(10, "inject(kNEXT_%[1]d) + "), "NEXT", fmt.Sprint(i+1)))
		}
	}
	return b.String() + each(10, "bind k12_%[1]d to 1\n") + "}"
}

type hostileSource struct {
	name     string
	files    map[string]string
	facts    []string
	key      string        // "" is all data
	codes    []source.Code // of the error, if there is one
	may      bool          // the lookup may succeed
	contains string        // in the error
	want     string        // the value
}

// TestHostileBindings: bad sources of bindings end soon, in an error of the right kind.
func TestHostileBindings(t *testing.T) {
	for _, tt := range hostileBindings() {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := writeFiles(t, tt.files)
			entry := "hiera.yaml"
			for _, name := range []string{"site.pp", "site.yaml"} {
				if _, ok := tt.files[name]; ok {
					entry = name
				}
			}
			out, err := ends(t, func() (string, error) { return lookUp(dir, entry, tt) })
			if err == nil {
				if tt.codes != nil && !tt.may {
					t.Fatalf("no error; the value is %.100q", out)
				}
				if tt.want != "" && strings.TrimSpace(out) != tt.want {
					t.Fatalf("got %q, want %q", out, tt.want)
				}
				return
			}
			findings := source.Findings(err)
			code := findings[len(findings)-1].Code
			ok := false
			for _, c := range tt.codes {
				ok = ok || c == code
			}
			if !ok || !strings.Contains(err.Error(), tt.contains) {
				t.Fatalf("the error is %.300v [%s], want one of %v with %q", err, code, tt.codes, tt.contains)
			}
			if len(err.Error()) > 10_000 {
				t.Errorf("the message has %d bytes", len(err.Error()))
			}
		})
	}
}

// lookUp looks the key of a case up, and writes the value.
func lookUp(dir, entry string, tt hostileSource) (string, error) {
	o := yaytpl.Options{Dir: dir, Limits: small}
	b, err := bindings.Open(context.Background(), entry, o, yaytpl.NodeOptions{FactValues: tt.facts})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if tt.key == "" {
		all, err := b.All()
		if err != nil {
			return "", err
		}
		return out.String(), b.WriteValue(&out, all, yaytpl.RenderOptions{Form: "json"})
	}
	found, err := b.Lookup(bindings.Request{Keys: []string{tt.key}})
	switch {
	case err != nil:
		return "", err
	case !found.Found:
		return "", found.NotFound()
	}
	found.Explanation()
	err = b.WriteValue(&out, found.Value, yaytpl.RenderOptions{Form: "json"})
	return strings.Trim(out.String(), "\"\n"), err
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestBindingsSpecialFiles: pipes, devices, directories and links to the outside are refused, and
// none of them is waited for.
func TestBindingsSpecialFiles(t *testing.T) {
	hieraText := "version: 5\nhierarchy: [{name: n, path: x.yaml}]\n"
	for _, tt := range []struct{ name, path string }{
		{"data", "data/x.yaml"}, {"the hierarchy", "hiera.yaml"}, {"a module", "modules/m/hiera.yaml"}, {"facts", "facts.yaml"}, {"the ENC", "enc.yaml"}, {"a node", "nodes/n.yaml"},
	} {
		for kind, create := range map[string]func(path string) error{
			"pipe":      func(path string) error { makeFIFO(t, path); return nil },
			"directory": func(path string) error { return os.Mkdir(path, 0o755) },
			"device":    func(path string) error { return os.Symlink("/dev/zero", path) },
			"outside":   func(path string) error { return os.Symlink("/etc/passwd", path) },
			"itself":    func(path string) error { return os.Symlink(filepath.Base(path), path) },
		} {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				dir := writeFiles(t, map[string]string{"hiera.yaml": hieraText, "facts.yaml": "a: 1", "enc.yaml": "classes: []", "data/y.yaml": "", "modules/m/data/common.yaml": "m::a: 1", "nodes/other.yaml": "a: 1"})
				path := filepath.Join(dir, filepath.FromSlash(tt.path))
				_ = os.Remove(path)
				if err := create(path); err != nil {
					t.Skip(err)
				}
				_, err := ends(t, func() (string, error) {
					o, node := yaytpl.Options{Dir: dir, Roots: []string{dir}, Limits: small}, yaytpl.NodeOptions{}
					switch tt.path {
					case "facts.yaml":
						node.Facts = []string{"facts.yaml"}
					case "enc.yaml":
						node.ENC = "enc.yaml"
					case "nodes/n.yaml":
						nodes, err := bindings.OpenNodes(context.Background(), "hiera.yaml", []string{"nodes/*.yaml"}, o, node)
						if err != nil {
							return "", err
						}
						for a := range nodes.All() {
							err = errors.Join(err, a.Err)
						}
						return fmt.Sprint(nodes.Names()), err
					}
					b, err := bindings.Open(context.Background(), "hiera.yaml", o, node)
					if err != nil {
						return "", err
					}
					v, err := b.All()
					return v.Kind().String(), err
				})
				if err != nil && strings.Contains(err.Error(), "root:x:") {
					t.Errorf("the message has the content of the file: %v", err)
				}
				if err == nil && (tt.name == "data" || tt.name == "facts" || tt.name == "the ENC") && kind != "outside" {
					t.Error("no error")
				}
				if err == nil && tt.name == "data" {
					t.Error("no error")
				}
			})
		}
	}
}
