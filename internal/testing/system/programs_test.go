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
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// openProgram opens a program of the mgmt language.
func openProgram(t testing.TB, text string, o yaytpl.Options) (*yaytpl.Document, error) {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	o.Overlay = map[string]string{filepath.Join(o.Dir, "site.mcl"): text}
	p, err := yaytpl.Open(context.Background(), []string{"site.mcl"}, o)
	if err != nil {
		return nil, err
	}
	return p.Only(0)
}

// Every function of the library has an example that evaluates to what the table says, one sentence of
// documentation, and a signature with the right number of arguments.
func TestProgramLibrary(t *testing.T) {
	for f := range library.All() {
		t.Run(f.Name, func(t *testing.T) {
			if f.Doc == "" || f.Example == "" || f.Call == nil {
				t.Fatal("a part of the row is missing")
			}
			if f.Result == "" {
				return
			}
			program := "$v = " + f.Example + "\n$w = " + f.Result + "\nnote \"n\" {\n\tv => $v,\n\tw => $w,\n\tx => $v == $w,\n}\n"
			for _, module := range library.Modules() {
				if strings.Contains(f.Example, module+".") {
					program = fmt.Sprintf("import %q\n", module) + program
				}
			}
			d, err := openProgram(t, program, yaytpl.Options{
				AllowExec: true, Roots: []string{"/"}, Environ: func() []string { return []string{"HOME", "USER", "PATH"} },
				Getenv: func(name string) (string, bool) {
					v, ok := map[string]string{"HOME": "/root", "USER": "root", "PATH": os.Getenv("PATH")}[name]
					return v, ok
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			v, err := d.Value()
			if err == nil {
				err = d.Force(v)
			}
			if err != nil {
				t.Fatalf("%v in\n%s", err, program)
			}
			got, _ := d.Get("resources[0].params.v")
			want, _ := d.Get("resources[0].params.w")
			if same, err := value.Same(got, want); err != nil || !same {
				a, _ := value.Repr(got)
				b, _ := value.Repr(want)
				t.Errorf("%s is %s, want %s", f.Example, a, b)
			}
		})
	}
}

// The functions of classes Host and Time are closed with NoEnv, but for the clock and files.
func TestProgramNoEnv(t *testing.T) {
	for _, c := range []struct {
		expr string
		want source.Code
	}{
		{"sys.getenv(\"HOME\")", source.Runtime},
		{"sys.hostname()", source.Forbidden},
		{"$hostname", source.Forbidden},
		{"sys.cpu_count()", source.Forbidden},
		{"sys.uptime()", source.Forbidden},
		{"sys.load()->x1", source.Forbidden},
		{"os.args()", source.Forbidden},
		{"os.home(\"root\")", source.Forbidden},
		{"os.expand_home(\"~/x\")", source.Forbidden},
		{"os.system(\"echo a\")", source.Forbidden},
		{"os.readfile(\"/etc/passwd\")", source.Forbidden},
		{"sys.hasenv(\"HOME\")", ""},
		{"len(sys.env())", ""},
		{"datetime.now()", ""},
		{"os.expand_home(\"/x\")", ""},
		{"random1(3)", ""},
	} {
		program := "import \"sys\"\nimport \"os\"\nimport \"datetime\"\nnote \"n\" {\n\tv => " + c.expr + ",\n\tw => " + c.expr + " <|> " + c.expr + ",\n}\n"
		d, err := openProgram(t, program, yaytpl.Options{NoEnv: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"resources[0].params.v", "resources[0].params.w"} {
			_, err = d.Get(path)
			var got source.Code
			if found := (*source.Diagnostic)(nil); errors.As(err, &found) {
				got = found.Code
			}
			if got != c.want {
				t.Errorf("%s: %q (%v), want %q", c.expr, got, err, c.want)
			}
		}
	}
	d, err := openProgram(t, "note $hostname {}\n", yaytpl.Options{NoEnv: true, Programs: yaytpl.Programs{FactValues: []string{"hostname=web1"}}})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := d.Get("resources[0].name"); err != nil || v.Str() != "web1" {
		t.Errorf("the name is %q, %v", v.Str(), err)
	}
}

// A text that a call of the library makes has a limit, before it is made.
func TestProgramLimits(t *testing.T) {
	for _, expr := range []string{
		`strings.left_pad("", "ab", 9000000000000000000)`,
		`strings.replace_all(strings.left_pad("", "a", 60000), "a", strings.left_pad("", "b", 60000))`,
		`len(iter.range(9000000000000000000))`,
		`golang.template("{{ range . }}{{ end }}", iter.range(100000000))`,
		`golang.template("{{ range . }}{{ range $ }}{{ range $ }}{{ end }}{{ end }}{{ end }}", iter.range(10000))`,
		`golang.template("{{ range . }}{{ range $ }}{{ . }}{{ end }}{{ end }}", iter.range(100000))`,
		`iter.reduce("a", iter.range(100) , func($a str, $b) { $a + $a })`,
		`len(iter.reduce(["a"], iter.map(iter.range(100), func($i) { ["b"] }), func($a, $b) { list.concat($a, $a) }))`,
	} {
		program := "import \"strings\"\nimport \"iter\"\nimport \"golang\"\nimport \"list\"\nnote \"n\" {\n\tv => " + expr + ",\n}\n"
		d, err := openProgram(t, program, yaytpl.Options{Limits: graph.Limits{Steps: long.Scale(500_000_000)}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Get("resources[0].params.v")
		if !errors.Is(err, source.ErrLimit) && !strings.Contains(fmt.Sprint(err), "type-conflict") {
			t.Errorf("%s: %v, want a limit", expr, err)
		}
	}
}

var _ library.Machine = (*load.Machine)(nil)
