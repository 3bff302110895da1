package system_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
)

// programPrelude gives the attacks of programs the values of an encrypted document.
const programPrelude = `
import "config"
import "convert"
import "datetime"
import "encoding"
import "fmt"
import "golang"
import "iter"
import "list"
import "map"
import "math"
import "net"
import "os"
import "regexp"
import "strings"
import "sys"
$pw str = config.get("pw")
$pin int = config.get("pin")
$keys map{str: str} = config.get("keys")
$first = strings.has_prefix($pw, "hunt")
`

// attacks are programs that show a part of the password, or let it decide something.
var attacks = []string{
	`note "n" { v => $pw, }`,
	`note "n" { v => "x" + $pw + "y", }`,
	`note "n" { v => "x${pw}y", }`,
	`note "n" { v => [$pw], w => {"k" => $pw}, x => struct{k => $pw}, }`,
	`note "n" { v => {$pw => 1}, }`,
	`note "n" { v => map.keys({$pw => 1}), }`,
	`note "n" { v => map.keys($keys), w => map.values($keys), }`,
	`note "n" { v => $keys["a"], }`,
	`note "n" { v => $keys[$pw], }`,
	`note "n" { v => $keys[$pw] <|> "none", }`,
	`note "n" { v => {"a" => 1}[$pw] <|> 0, }`,
	`note "n" { v => [1, 2][$pin] <|> 0, }`,
	`note "n" { v => if $first { 1 } else { 2 }, }`,
	`note "n" { v => if $first { [1, 2][9] } else { 2 } <|> 3, }`,
	`note "n" { v => $pw == "x", w => $pw != "x", x => $pin < 5, y => $pin + 1, z => $pin / 2, }`,
	`note "n" { v => 1 / ($pin - 42) <|> 0.0, }`,
	`note "n" { v => $first and true, w => $first or true, x => not $first, }`,
	`note "n" { v => $pw in ["a"], w => "a" in [$pw], }`,
	`note "n" { v => len($pw), w => len($keys), }`,
	`note $pw { v => 1, }`,
	`note "n${pw}" { v => 1, }`,
	`note ["a", $pw] { v => 1, }`,
	`note "" + strings.substr($pw, 0, 0) { v => 1, }`,
	`note $pw { v => 1, }  note $pw { v => 2, }`,
	`note $pw { Before => Note[$pw], }`,
	`note "n" { Before => Note[$pw], }`,
	`note $pw {}  note "n" { Notify => Note[$pw], }`,
	`note $pw {}  note "n" {}  Note["n"].a -> Note[$pw].b`,
	`note $pw {}  note "n" {}  note "m" {}  Note["n"].a -> Note[$pw].b  Note["m"].a -> Note[$pw].b`,
	`note $pw {}  note "n" {}  Note["n"] -> Note[$pw] -> Note["n"]`,
	`note "$" + $pw {}`,
	`note "n" { Meta:noop => $first, Meta:retry => $pin, }`,
	`note "n" { Meta => struct{noop => $first, sema => [$pw]}, }`,
	`for $i, $c in strings.split($pw, "") { note "n${c}" { v => $i, w => $c, } }`,
	`forkv $k, $v in $keys { note $k { v => $v, } }`,
	`forkv $k, $v in {$pw => 1} { note "n" { v => $k, w => $v, } }`,
	`func f($x) { $x }  note "n" { v => f($pw), }`,
	`$f = if $first { func() { 1 } } else { func() { 2 } }  note "n" { v => $f(), }`,
	`$f = func($x) { $x + $pw }  note "n" { v => $f("a"), }`,
	`class c($x) { note "n${x}" { v => $x, } }  include c($pw)`,
	`class c($x) { $y = $x }  include c($pw) as i  note "n" { v => $i.y, }`,
	`panic($pw)`,
	`panic(true, $pw)`,
	`note "n" { v => convert.str_to_int($pw), }`,
	`note "n" { v => convert.str_to_int($pw) <|> 0, }`,
	`note "n" { v => convert.parse_bool($pw), w => convert.str_to_float($pw), }`,
	`note "n" { v => strings.to_upper($pw), w => strings.split($pw, ""), x => strings.substr($pw, 0, 3), }`,
	`note "n" { v => strings.left_pad($pw, "x", 30), w => strings.replace_all($pw, "u", "v"), x => strings.replace_all("aXb", "X", $pw), }`,
	`note "n" { v => strings.join_nonempty([$pw, "b"], ","), w => strings.trim_space($pw), x => strings.contains("x", $pw), }`,
	`note "n" { v => encoding.base64_encode($pw), }`,
	`note "n" { v => encoding.base64_decode($pw), }`,
	`$j map{str: int} = encoding.decode_json($pw)  note "n" { v => $j, }`,
	`$j map{str: str} = encoding.decode_json("{\"k\": \"" + $pw + "\"}")  note "n" { v => $j, }`,
	`$j map{str: int} = encoding.decode_json("{\"k\": \"" + $pw + "\"}")  note "n" { v => $j, }`,
	`note "n" { v => regexp.match($pw, "x"), }`,
	`note "n" { v => regexp.match("(" + $pw, "x"), }`,
	`note "n" { v => regexp.match("(" + $pw, "x") <|> false, }`,
	`note "n" { v => golang.template($pw), w => golang.template("{{ . }}", $pw), x => golang.template("{{ range . }}{{ . }}{{ end }}", $keys), }`,
	`note "n" { v => golang.template("{{ " + $pw + " }}"), }`,
	`note "n" { v => golang.template("{{ template \"" + $pw + "\" }}"), }`,
	`note "n" { v => golang.template("{{ ." + $pw + " }}", struct{a => 1}), }`,
	`note "n" { v => golang.template("{{ index . \"" + $pw + "\" }}", {"a" => 1}), }`,
	`note "n" { v => fmt.printf("%s %d %v", $pw, $pin, $keys), w => fmt.printf($pw), x => fmt.printf($pw + "%d", 1), }`,
	`note "n" { v => os.readfile("/" + $pw), }`,
	`note "n" { v => os.readfile($pw) <|> "none", }`,
	`note "n" { v => os.file_exists($pw), w => os.expand_home("~" + $pw), }`,
	`note "n" { v => os.system("echo " + $pw), }`,
	`note "n" { v => sys.getenv($pw), }`,
	`note "n" { v => sys.getenv($pw) <|> "x", w => sys.hasenv($pw), }`,
	`note "n" { v => net.cidr_to_ip($pw), }`,
	`note "n" { v => net.macfmt($pw), }`,
	`note "n" { v => net.split_hostport($pw), w => net.url_parser($pw), }`,
	`note "n" { v => datetime.format(0, $pw), w => datetime.print($pin), }`,
	`note "n" { v => math.pow(convert.to_float($pin), 2.0), w => math.sqrt(0.0 - convert.to_float($pin)), }`,
	`note "n" { v => iter.map([1], func($x) { $pw }), w => iter.filter([1, 2], func($x) { $x < $pin }), }`,
	`note "n" { v => iter.map(strings.split($pw, ""), func($x) { 1 }), w => iter.reduce([$pw, "a"], func($a, $b) { $a + $b }), }`,
	`note "n" { v => iter.range($pin), w => iter.zip([$pw], [1], func($a, $b) { $a }), x => iter.flatten([[$pw]]), }`,
	`note "n" { v => list.lookup([$pw], 0), w => list.concat([$pw], ["a"]), x => map.lookup($keys, $pw), }`,
	`$n int = config.get("pw")  note "n" { v => $n, }`,
	`$n struct{b str} = config.get("keys")  note "n" { v => $n, }`,
	`$n int = config.get("keys." + $pw)  note "n" { v => $n, }`,
	`$n int = config.get("keys." + $pw) <|> 3  note "n" { v => $n, }`,
	`$n int = config.get("[" + $pw)  note "n" { v => $n, }`,
	`note "n" { v => maplookup($keys, $pw, "x"), w => structlookup(struct{a => $pw}, "a"), x => random1($pin), }`,
	`note "n" { v => $pw{1}, }`,
	`note "n" { v => $pw{1} <|> "x", }`,
	`note "n" { v => struct{a => $pw}->b <|> "x", w => struct{a => $pw}->a, }`,
	`note "n" { v => "a" + $pw + "b" + $pw, w => "a" + "b" + $pw + [$pw][0], }`,
	`for $i, $x in [$pw, "a"] { note "n${x}" { v => $x, w => $i, } }`,
	`for $i, $x in ["a", "b"] { note $x { v => if $first { $x } else { $pw }, w => $i == $pin, Before => $pin == 3 ?: Note["b"], } }`,
	`func f($x) { $x + $pw }  note "n" { v => f("a"), w => f(f("b")), }`,
	`func f($x) { [$x, $pw] }  for $i, $x in f("a") { note $x { v => f($x), } }`,
	`note "n" { v => golang.template("{{ .a }}{{ .b }}", struct{a => $pw}), w => golang.template("{{ f " + $pw + " }}"), }`,
	`forkv $k, $v in $keys { note "n" { v => "$pw $k", w => $v, } }`,
	`$m = {"a" => $pw}  note "n" { v => $m["a"], w => $m["b"] <|> $m["a"], }`,
}

// deciding are programs where the number of results, a place, or whether there is an error tells something
// about the password, as in all languages. They must not show it.
var deciding = []string{
	`if $first { note "n" { v => 1, } }`,
	`if $first { note "n" { v => 1, } } else { note "m" { v => 1, } }`,
	`note "n" { v => $first ?: 1, w => 2, }`,
	`for $i, $c in iter.range($pin) { note fmt.printf("%d", $i) { v => $c, } }`,
	`panic($first)`,
	`panic($first, "stop")`,
	`note "n" { v => strings.substr($pw, 5, $pin), }`,
	`note "n" { v => math.mod(5, $pin - 42), }`,
	`note "n" { v => [1, 2][$pin], }`,
	`note "n" { v => 1 / ($pin - 42), }`,
}

// attack returns everything that a program over an encrypted document with a password prints, without
// leave to show secrets.
func attack(t *testing.T, program, password string, pin int) string {
	var said strings.Builder
	o := yaytpl.Options{Dir: tree(t, map[string]string{"main.mcl": programPrelude + program}), Trace: true}
	o.Roots, o.Limits.Output, o.NoEnv = []string{o.Dir}, 1<<20, true
	o.Warn = func(d *source.Diagnostic) { findings(&said, d) }
	p, err := openOverEncrypted(t, filepath.Join(o.Dir, "main.mcl"), fmt.Sprintf("pw: %s\npin: %d\nkeys: {a: %s}\n", password, pin, password), o)
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	fmt.Fprint(&said, everything(p, yaytpl.RenderOptions{Redact: true}), talk(p))
	var out bytes.Buffer
	d := p.Documents()[0]
	for _, path := range []string{"resources", "edges", "resources[0]", "resources[0].name", "resources[0].params.v", "resources[0].params.w", "resources[0].meta"} {
		v, err := d.Get(path)
		findings(&said, source.Findings(err)...)
		if err == nil {
			fmt.Fprintln(&out, p.WriteValue(&out, v, yaytpl.RenderOptions{Redact: true}))
		}
		x, err := d.Explain(path)
		findings(&said, source.Findings(err)...)
		if err == nil {
			_ = x.WriteText(&out, false)
		}
	}
	findings(&said, source.Findings(d.WriteDot(&out, "resources"))...)
	findings(&said, p.Check()...)
	return strings.ReplaceAll(said.String()+out.String(), o.Dir, "DIR")
}

// TestProgramsKeepSecrets: nothing that a program prints shows a value of an encrypted document, and
// another value of it prints the same.
func TestProgramsKeepSecrets(t *testing.T) {
	const word, other = "hunterzwei", "mallorydrei"
	attacks := long.Sample(attacks)
	for i, program := range slices.Concat(attacks, long.Sample(deciding)) {
		said := attack(t, program, word, 42)
		for _, text := range []string{word, strings.ToUpper(word), base64.StdEncoding.EncodeToString([]byte(word)), "hvnter"} {
			if i := strings.Index(said, text); i >= 0 {
				t.Errorf("%s\nshows the password: ...%s...", program, said[max(i-200, 0):min(i+60, len(said))])
			}
		}
		if i >= len(attacks) {
			continue
		}
		if again := attack(t, program, other, 7); again != said {
			a, b := strings.Split(said, "\n"), strings.Split(again, "\n")
			for i := range a {
				if i >= len(b) || a[i] != b[i] {
					t.Errorf("%s\nlets the password decide:\n%s\n%s", program, a[i], strings.Join(b[min(i, len(b)):min(i+1, len(b))], ""))
					break
				}
			}
		}
	}
}

// TestEncryptedPrograms: the literals of an encrypted program are secrets, and no message quotes one.
func TestEncryptedPrograms(t *testing.T) {
	for _, program := range []string{
		`note "hunter" { v => "hunter", w => 77412, x => [77412.5], y => "a${hostname}hunter", z => {"hunter" => 1}, }`,
		`note "n" { v => 77412 + 1, w => 77412 == 77412, }`,
		`$x = "hunter"  note "n" { v => $x + 1, }`,
		`note "n" { v => {"a" => 1}["hunter"], }`,
		`note "n" { v => {"hunter" => 1, "hunter" => 2}, }`,
		`note "hunter" { v => 1, }  note "hunter" { v => 2, }`,
		`note "n" { Before => Note["hunter"], }`,
		`note "hunter" {}  Note["hunter"] -> Note["hunter"]`,
		`note "$hunter" {}`,
		`panic("hunter")`,
		`import "hunter"`,
		`import "hunter.mcl"`,
		`import "hunter.mcl"  import "hunter.mcl"`,
		`import "//hunter"`,
		`import "convert"  note "n" { v => convert.str_to_int("hunter"), }`,
		`import "os"  note "n" { v => os.readfile("/hunter"), }`,
		`import "config"  $n int = config.get("hunter")  note "n" { v => $n, }`,
		`import "fmt"  note "n" { v => fmt.printf("hunter%d"), }`,
		`import "fmt"  note "n" { v => fmt.printf("hunter%z", 1), }`,
		`import "golang"  note "n" { v => golang.template("{{ hunter }}"), }`,
		`note "n" { v => "hunter\q", }`,
		`note "n" { v => "hunter${", }`,
		`note "n" { v => 774127741277412774127741277412, }`,
		`note "n" "hunter" {}`,
		`Note "hunter" {}`,
		`note "n" { Before => "hunter", }`,
		`note "n" { "hunter" => 1, }`,
		`note "n" { v => .77412, }`,
		`note "n" { v => -77412, w => 1 -77412, }`,
		`$n = 1  note "n" { v => "hunter $n", w => $n, }`,
		`import "fmt"  import "hunter" as fmt`,
		`note "n" { v => "a" in "hunter", }`,
		`note "n" { v => "hunter" + "a" + "b" + 1, }`,
		`for $i, $x in ["hunter"] { note $x { v => $x, } }`,
		`func f($x) { $x + "hunter" }  note "n" { v => f("a"), }`,
		`note "n" { v => 1 77412, }`,
	} {
		o := yaytpl.Options{Dir: tree(t, map[string]string{"s.mcl.gpg": sealed(t, strings.ReplaceAll(program, "  ", "\n")+"\n")}), Decrypter: crypto.New(annsKeys(t))}
		var said strings.Builder
		o.Warn = func(d *source.Diagnostic) { findings(&said, d) }
		p, err := yaytpl.Open(t.Context(), []string{"s.mcl.gpg"}, o)
		findings(&said, source.Findings(err)...)
		if err == nil {
			fmt.Fprint(&said, everything(p, yaytpl.RenderOptions{Redact: true}), talk(p))
			findings(&said, p.Check()...)
			var out bytes.Buffer
			findings(&said, source.Findings(p.Documents()[0].WriteDot(&out, "resources"))...)
			said.WriteString(out.String())
		}
		for _, text := range []string{"hunter", "77412", "77413"} {
			if i := strings.Index(said.String(), text); i >= 0 {
				t.Errorf("%s\nshows a literal: ...%s...", program, said.String()[max(i-100, 0):min(i+60, said.Len())])
			}
		}
	}
}
