package system_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// at opens a program of a directory at a time, in seconds since 1970.
func at(t testing.TB, dir string, seconds int64, o yaytpl.Options) *yaytpl.Project {
	t.Helper()
	o.Dir, o.Now = dir, func() time.Time { return time.Unix(seconds, 0) }
	p, err := yaytpl.Open(context.Background(), []string{"main.mcl"}, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outcome returns the result of a project, or its error.
func outcome(p *yaytpl.Project) string {
	var out bytes.Buffer
	if err := p.Render(&out, yaytpl.RenderOptions{Form: "json"}); err != nil {
		return "error: " + err.Error()
	}
	return out.String()
}

// lastingPrograms are programs that read the clock, by whether they can tick.
var lastingPrograms = map[bool][]string{
	true: {
		`test "a" { int64 => datetime.now(), }`,
		`$now = datetime.now()` + "\n" + `$next = $now + 1` + "\n" + `test "a" { int64 => $next, } test "b" { int64 => 5, stringptr => "kept and long enough to be kept, more than 64 bytes", }`,
		`test "a" { anotherstr => fmt.printf("%d", datetime.now()), } test "b" { int64 => 1, Meta:noop => true, }`,
		`func f($x) { $x + datetime.now() }` + "\n" + `test "a" { int64 => f(1), int8 => 3, }`,
		`class c($x) { test "in ${x}" { int64 => datetime.now(), } }` + "\n" + `include c("1")` + "\n" + `include c("2")`,
		`$f = func($y) { $y + datetime.now() }` + "\n" + `test "a" { int64 => $f(2), }`,
		`test "a" { int64 => math.mod(datetime.now(), 2), boolptr => math.mod(datetime.now(), 2) == 0, }` + "\n" + `test "b" {}` + "\n" + `Test["a"] -> Test["b"]`,
		`$s = struct{a => datetime.now(), b => "x",}` + "\n" + `test "a" { int64 => $s->a, anotherstr => $s->b, }`,
		`$l = [datetime.now(), 2, 3,]` + "\n" + `test "a" { int64 => $l[0], int8 => len($l), }`,
		`test "a" { anotherstr => if math.mod(datetime.now(), 2) == 0 { "even" } else { "odd" }, }`,
		`for $i, $x in [1, 2, 3,] { test fmt.printf("t%d", $i) { int64 => $x + datetime.now(), } }`,
	},
	false: {
		`if math.mod(datetime.now(), 2) == 0 { test "even" {} } else { test "odd" {} }`,
		`test fmt.printf("t%d", datetime.now()) {}`,
		`for $i, $x in [datetime.now(),] { test fmt.printf("t%d", $i) { int64 => $x, } }`,
		`for $i, $x in if math.mod(datetime.now(), 2) == 0 { [1,] } else { [1, 2,] } { test fmt.printf("t%d", $i) { int64 => $x, } }`,
		`test "a" { anotherstr => random1(8), int64 => datetime.now(), }`,
		`$now = datetime.now()` + "\n" + `test "a" { int64 => $now{1} <|> 0, }`,
	},
}

const imports = "import \"datetime\"\nimport \"fmt\"\nimport \"math\"\n"

// A project that ticks has the result of one that is opened at the time.
func TestTick(t *testing.T) {
	for ticks, programs := range lastingPrograms {
		for i, text := range programs {
			t.Run(fmt.Sprintf("%v/%d", ticks, i), func(t *testing.T) {
				dir := t.TempDir()
				if err := os.WriteFile(filepath.Join(dir, "main.mcl"), []byte(imports+text), 0o600); err != nil {
					t.Fatal(err)
				}
				cache := (*yaytpl.Cache)(nil).Next()
				p := at(t, dir, 1, yaytpl.Options{Cache: cache})
				if got, want := outcome(p), outcome(at(t, dir, 1, yaytpl.Options{})); strings.HasPrefix(got, "error") || got != want && !strings.Contains(text, "random") {
					t.Fatalf("at first\n%s\nnot\n%s", got, want)
				}
				for seconds := int64(2); seconds < 6; seconds++ {
					cache.Next()
					if !p.Tick(t.Context(), time.Unix(seconds, 0)) {
						if ticks {
							t.Fatal("cannot tick")
						}
						return
					}
					if got, want := outcome(p), outcome(at(t, dir, seconds, yaytpl.Options{})); got != want && !strings.Contains(text, "random") {
						t.Errorf("after %d s\n%s\nnot\n%s", seconds, got, want)
					}
				}
				if !ticks {
					t.Errorf("can tick: %s", text)
				}
			})
		}
	}
}

// A program whose command did not run, since its text stays, cannot tick: commands that a tick does not ask for
// would be forgotten, and run again.
func TestTickKeepsOutputs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is one of a shell of Unix")
	}
	dir := t.TempDir()
	text := "import \"os\"\n" + imports + `test "a" { anotherstr => os.system("echo run >> runs; wc -l < runs"), stringptr => os.system(fmt.printf("echo %d", datetime.now() - math.mod(datetime.now(), 4))), int64 => datetime.now(), }`
	if err := os.WriteFile(filepath.Join(dir, "main.mcl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cache, past := (*yaytpl.Cache)(nil).Next(), &yaytpl.Past{}
	var p *yaytpl.Project
	for seconds := int64(1); seconds < 10; seconds++ {
		if p == nil || !p.Tick(t.Context(), time.Unix(seconds, 0)) {
			p = at(t, dir, seconds, yaytpl.Options{Cache: cache, AllowExec: true, Programs: yaytpl.Programs{Past: past}})
		}
		if got, want := outcome(p), fmt.Sprintf(`"anotherstr":"1","int64":%d,"stringptr":"%d"`, seconds, seconds/4*4); !strings.Contains(strings.Join(strings.Fields(got), ""), want) {
			t.Fatalf("after %d s\n%s\nhas not %s", seconds, got, want)
		}
		past.Next(true)
		cache = cache.Next(yaytpl.Input{Kind: yaytpl.ClockInput})
	}
}

// randomProgram returns binds and resources in which anything may read the clock.
func randomProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(imports)
	n := 2 + r.IntN(6)
	operand := func(below int) string {
		kinds := 8
		if below < 0 {
			kinds, below = 3, 0
		}
		switch r.IntN(kinds) {
		case 0:
			return "datetime.now()"
		case 1, 2:
			return fmt.Sprint(r.IntN(9))
		case 3:
			return fmt.Sprintf("f(%d)", r.IntN(5))
		case 4:
			return "len([1, 2,])"
		}
		if below == 0 {
			return "7"
		}
		return fmt.Sprintf("$b%d", r.IntN(below))
	}
	fmt.Fprintf(&b, "func f($x) { $x * %s }\n", operand(-1))
	for i := range n {
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "$b%d = if math.mod(%s, 2) == 0 { %s } else { %s }\n", i, operand(i), operand(i), operand(i))
		default:
			fmt.Fprintf(&b, "$b%d = %s + %s\n", i, operand(i), operand(i))
		}
	}
	for i := range 1 + r.IntN(5) {
		resource := fmt.Sprintf("test \"r%d\" { int64 => %s, anotherstr => fmt.printf(\"%%d and a text that is long enough to be kept\", %s), }\n", i, operand(n), operand(n))
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "if math.mod(%s, 2) == 0 { %s }\n", operand(n), resource)
		default:
			b.WriteString(resource)
		}
	}
	return b.String()
}

func TestTickRandom(t *testing.T) {
	dir := t.TempDir()
	ticked := 0
	for seed := range long.Scale(uint64(400)) {
		text := randomProgram(rand.New(rand.NewPCG(seed, 1)))
		if err := os.WriteFile(filepath.Join(dir, "main.mcl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cache := (*yaytpl.Cache)(nil).Next()
		p := at(t, dir, 1, yaytpl.Options{Cache: cache})
		first := outcome(p)
		if strings.HasPrefix(first, "error") {
			t.Fatalf("%s\n%s", first, text)
		}
		for seconds := int64(2); seconds < 5; seconds++ {
			cache.Next()
			if !p.Tick(t.Context(), time.Unix(seconds, 0)) {
				break
			}
			ticked++
			if got, want := outcome(p), outcome(at(t, dir, seconds, yaytpl.Options{})); got != want {
				t.Fatalf("seed %d: after %d s\n%s\nnot\n%s\nof\n%s", seed, seconds, got, want, text)
			}
		}
	}
	if ticked < long.Scale(300) {
		t.Errorf("only %d ticks", ticked)
	}
}

// BenchmarkTick is a tick of a program with 10,000 resources, of which one reads the clock.
func BenchmarkTick(b *testing.B) {
	dir := b.TempDir()
	var text strings.Builder
	text.WriteString(imports)
	for i := range 10_000 {
		fmt.Fprintf(&text, "file \"/srv/%d\" {\n\tcontent => \"text %d\",\n\tmode => \"0644\",\n}\n", i, i)
	}
	text.WriteString("file \"/srv/now\" {\n\tcontent => fmt.printf(\"%d\", datetime.now()),\n}\n")
	if err := os.WriteFile(filepath.Join(dir, "main.mcl"), []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("fresh", func(b *testing.B) {
		for b.Loop() {
			outcome(at(b, dir, 1, yaytpl.Options{}))
		}
	})
	b.Run("tick", func(b *testing.B) {
		cache := (*yaytpl.Cache)(nil).Next()
		p := at(b, dir, 1, yaytpl.Options{Cache: cache})
		outcome(p)
		seconds := int64(1)
		for b.Loop() {
			seconds++
			cache.Next()
			if !p.Tick(b.Context(), time.Unix(seconds, 0)) {
				b.Fatal("cannot tick")
			}
			outcome(p)
		}
	})
}
