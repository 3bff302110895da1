package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/long"
)

// Attacks on secrets of bindings: pw, n, role, flag, list and map are facts of an encrypted file; s, sl and
// sm are keys of an encrypted data file; e is a value of hiera-eyaml; c is made Sensitive. All of them are
// or hold "hunter2", or 4711. No message and no derivation may show that, nor which of values a secret
// chose, which all have "chosen" in them.

// hieraAttacks are texts of a data file that is not encrypted. The key k is asked for.
var hieraAttacks = []string{
	// Parts of texts.
	`k: "%{pw}"`, `k: "%{facts.pw}"`, `k: "%{::pw}"`, `k: "x %{pw} y"`, `k: "%{scope('pw')}"`, `k: ["%{pw}"]`, `k: {a: {b: "%{pw}"}}`, `k: {"%{pw}": 1}`,
	`k: "%{lookup('s')}"`, `k: "%{hiera('s')}"`, `k: "%{alias('s')}"`, `k: "a %{lookup('e')} b"`, `k: "%{alias('e')}"`, `k: "%{lookup('c')}"`, `k: "%{alias('c')}"`,
	`k: "%{lookup('sl.0')}"`, `k: "%{lookup('sm.a')}"`, `k: "%{alias('sl')}"`, `k: "%{alias('sm')}"`, `k: "%{list.0}"`, `k: "%{map.a}"`, `k: "%{n}"`,
	"k: \"%{lookup('x')}\"\nx: \"%{pw}\"", "k: \"%{lookup('x')}\"\nx: \"%{lookup('e')}\"", "k: \"%{alias('x')}\"\nx: [\"%{pw}\", \"%{lookup('e')}\"]",
	`k: &a ["%{pw}", *a0]`, "x: &x \"%{pw}\"\nk: [*x, *x]", "x: &x {a: \"%{pw}\"}\nk: {<<: *x}",
	// Names that a secret makes.
	`k: "%{lookup('%{pw}')}"`, `k: "%{map.hunter}"`, `k: "%{sm.hunter}"`, `k: "%{lookup('sm.none')}"`, `k: "%{lookup('s.none')}"`, `k: "%{lookup('sl.none')}"`, `k: "%{pw.none}"`,
	// Errors.
	`k: "%{list} x"`, `k: "%{map} x"`, `k: "%{lookup('sl')} x"`, `k: "%{lookup('sm')} x"`, `k: "%{lookup('e')} %{alias('e')}"`, `k: "%{lookup('e')} %{none()}"`, `k: "%{pw} %{lookup('k')}"`,
	// lookup_options.
	"lookup_options: {k: {convert_to: Integer}}\nk: \"%{pw}\"", "lookup_options: {k: {convert_to: Integer}}\nk: \"%{lookup('e')}\"", "lookup_options: {k: {convert_to: Boolean}}\nk: \"%{pw}\"",
	"lookup_options: {k: {convert_to: Float}}\nk: \"%{lookup('s')}\"", "lookup_options: {k: {convert_to: String}}\nk: [\"%{pw}\"]", "lookup_options: {k: {convert_to: Array}}\nk: \"%{pw}\"",
	"lookup_options: {k: {convert_to: Integer}}\nk: \"%{n}\"", "lookup_options: {k: {convert_to: [Array, true]}}\nk: \"%{pw}\"", "lookup_options: {k: {convert_to: Sensitive}}\nk: \"%{pw}\"",
	"lookup_options: {k: {convert_to: \"Enum[a, b]\"}}\nk: \"%{pw}\"", "lookup_options: {k: {convert_to: \"%{pw}\"}}\nk: 1", "lookup_options: {k: {merge: \"%{pw}\"}}\nk: 1",
	"lookup_options: {\"%{pw}\": {merge: unique}}\nk: 1", "lookup_options: {\"^%{pw}(\": {merge: unique}}\nk: 1",
	"lookup_options: {k: {merge: {strategy: deep, knockout_prefix: \"%{pw}\"}}}\nk: [a]",
	"lookup_options: {sl: {merge: unique}}\nsl: [x]\nk: \"%{alias('sl')}\"", "lookup_options: {sm: {merge: hash}}\nsm: {z: 1}\nk: \"%{alias('sm')}\"", "lookup_options: {sm: {merge: hash}}\nsm: 1\nk: \"%{alias('sm')}\"",
	"lookup_options: {sm: {merge: deep}}\nsm: {a: [1]}\nk: \"%{alias('sm')}\"",
	// What is chosen.
	"k: {\"%{pw}\": 1, a: \"%{lookup('s.none')}\"}",
}

// siteAttacks are operations of a site, with the categories role and flag of secret facts.
var siteAttacks = []string{
	`bind k to $pw`, `bind k to "x ${pw} y"`, `bind k to [$pw, $n]`, `bind k to { a => $pw }`, `bind k to { "$pw" => 1 }`, `bind k to $list + [z]`, `bind k to $list - [z]`,
	`bind k to $map[a]`, `bind k to { hunter2 => chosen }[$pw]`, `bind k to $pw ? { hunter2 => chosen, default => other }`, `bind k to if $flag { chosen } else { other }`,
	`bind k to case $pw { hunter2: { chosen } default: { other } }`, `bind k to $pw == hunter2`, `bind k to $pw =~ /hunter2/`, `bind k to !$flag`, `bind k to $n + 1`, `bind k to -$n`, `bind k to $n * 1`,
	`bind k to $pw + 1`, `bind k to $n + "a"`, `bind k to $pw / 0`, `bind k to $n / 0`, `bind k to $pw[a]`, `bind k to $list[a]`, `bind k to $map + $pw`, `bind k to $pw < 1`, `bind k to 1 in $pw`,
	`bind k to inject($pw)`, `bind k to inject("x$pw")`, `bind k to optionally_inject($pw)`, `bind k to lookup($pw)`, `bind k to lookup(k0, $pw)`, `bind k to lookup(k0, String, $pw)`, `bind k to lookup("${pw}.x")`,
	`bind k to lookup([$pw, "b$pw"])`, `bind k to lookup(none, { default_value => $pw })`, `bind Integer, k to $pw`, `bind Enum[a, b], k to $pw`, `bind String[1, 2], k to $pw`, `bind Array[Integer], k to $list`,
	`when role hunter2 { bind k to chosen } bind k to other`, `when role $pw { bind k to chosen } bind k to other`, `when role [a, $pw] { bind k to chosen }`, `when role "x$pw" { bind k to chosen } bind k to other`, `when flag true { bind k to chosen } bind k to other`,
	`when role $pw { bind k to a bind k to b }`, `multibind Array, k bind to $pw in k`, `multibind Hash, k bind a to $pw in k`, `multibind Hash, k bind a to $pw in k bind a to 2 in k`, `multibind Array[Integer], k bind to $pw in k`,
	`multibind Hash, k when role $pw { bind a to chosen in k }`, `multibind Array, k { conflict_resolution => "$pw" } bind to 1 in k`, `multibind Array, k { combinator => |$m, $x| { $m + $x } } bind to $pw in k`,
	`bind variables to { v => $pw } bind k to $v`, `bind variables to { v => $pw } bind k to "${v}"`, `bind parameters ntp to { k => $pw } bind k to inject("/param/Class[ntp]/k")`, `bind parameters ntp to $pw`,
	`include [ntp] when role $pw { include chosen } bind k to inject("/classes")`, `bind x to $pw bind alias x as k`, `bind x to $pw bind renamed x as k`, `bind x to $pw bind k to "${inject(x)}"`, `bind k to inject(x) |$y| { "$y" } bind x to $pw`,
	`bind hunter2 to chosen bind k to inject($pw)`, `bind hunter2 to chosen bind k to lookup([none, $pw])`, `bind hunter2 to { a => chosen } bind k to lookup("$pw.a")`,
	`bind k to $nope[$pw]`, `bind k to nonsense($pw)`, `bind k to producer "uuid" { producer_args => { a => $pw } }`, `bind k to optional if $flag { undef } bind k0 to 1`,
}

// attackFiles writes the files of all attacks and returns the case that runs the command.
func attackFiles(t *testing.T) *conformanceCase {
	t.Helper()
	c := &conformanceCase{dir: t.TempDir()}
	fixtures, err := filepath.Abs("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	password := eyamlValue(t, filepath.Join(fixtures, "eyaml", "secrets.eyaml"))
	c.env = map[string]string{"YAYTPL_KEY": filepath.Join(fixtures, "secrets", "ann.key.asc")}
	for name, text := range map[string]string{
		"facts.yaml":            "pw: hunter2\nn: 4711\nrole: hunter2\nflag: true\nlist: [hunter2, b]\nmap: {a: hunter2}\n",
		"data/secret.yaml":      "s: hunter2\nsl: [hunter2, x]\nsm: {a: hunter2}\n",
		"data/eyaml.yaml":       "e: " + password + "\n",
		"data/role/hunter2.yml": "r: chosen\n",
		"data/low.yaml":         "c: hunter2\nlookup_options: {c: {convert_to: Sensitive}}\nr: other\n",
		"nodes/a.yaml":          "{}\n",
		"nodes/b.yaml":          "pw: hunter2b\nlist: [hunter2b]\nflag: false\nn: 47112\n",
		"main.yaml":             "v: {eval: {lookup: k, default: none}}\n",
		"hiera.yaml": "version: 5\nhierarchy:\n- {name: role, path: \"role/%{role}.yml\"}\n- {name: own, path: own.yaml}\n- {name: secret, path: secret.yaml.asc}\n" +
			"- {name: eyaml, path: eyaml.yaml, lookup_key: eyaml_lookup_key, options: {pkcs7_private_key: " + filepath.Join(fixtures, "eyaml", "private_key.pkcs7.pem") + "}}\n- {name: low, path: low.yaml}\n",
	} {
		writeFile(t, filepath.Join(c.dir, name), text)
	}
	for _, name := range []string{"facts.yaml", "data/secret.yaml", "nodes/b.yaml"} {
		if _, stderr, status := c.run("encrypt", "-r", filepath.Join(fixtures, "secrets", "ann.pub.asc"), "--out", name+".asc", name); status != 0 {
			t.Fatal(stderr)
		}
		if err := os.Remove(filepath.Join(c.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// eyamlValue returns the first value of a file of hiera-eyaml.
func eyamlValue(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	_, v, _ := strings.Cut(line, ": ")
	return v
}

// attack runs all commands on a source, and reports where one of the words is shown.
func attack(t *testing.T, c *conformanceCase, what, sourceFile string, words ...string) {
	t.Helper()
	key := "../../fixtures/eyaml/private_key.pkcs7.pem"
	key, _ = filepath.Abs(key)
	common := []string{"--facts", "facts.yaml.asc", "--eyaml-key", key}
	for _, args := range [][]string{
		{"lookup", "--explain", sourceFile, "k"},
		{"lookup", "--explain", "-o", "json", sourceFile, "k"},
		{"lookup", "--redact", "-o", "json", sourceFile, "k"},
		{"lookup", "-o", "json", sourceFile, "k"},
		{"lookup", "--merge", "unique", "--redact", "-o", "json", sourceFile, "k"},
		{"lookup", "--type", "Integer", "--redact", sourceFile, "k"},
		{"lookup", "--redact", "--all", sourceFile},
		{"lookup", "--redact", "--nodes", "nodes/*.yaml", "-o", "jsonl", sourceFile, "k"},
		{"lookup", sourceFile, "--diff-nodes=nodes/a.yaml", "--diff-nodes=nodes/b.yaml.asc"},
		{"lookup", "--redact", "--nodes", "nodes/*", sourceFile, "k"},
		{"check", "--bindings", sourceFile},
		{"explain", "--bindings", sourceFile, "main.yaml", "v"},
		{"render", "--redact", "--bindings", sourceFile, "main.yaml"},
		{"dot", "--bindings", sourceFile, "main.yaml"},
	} {
		stdout, stderr, status := c.run(append(args, common...)...)
		if status == exitUsage {
			t.Fatalf("%v: %s", args, stderr)
		}
		if args[1] == "-o" { // the result itself
			stdout = ""
		}
		for _, word := range words {
			if word == "chosen" && strings.Contains(what, "bind hunter2") && slices.Contains(args, "--all") {
				continue // it is the value of another key, too
			}
			for _, text := range []string{stdout, stderr} {
				for line := range strings.Lines(text) {
					if strings.Contains(line, word) && !strings.Contains(line, " | ") { // the line of a source that is not encrypted
						t.Errorf("%s\n%v shows %q: %s", what, args, word, line)
					}
				}
			}
		}
	}
}

// TestSecretsOfHiera runs attacks on Hiera.
func TestSecretsOfHiera(t *testing.T) {
	c := attackFiles(t)
	for _, text := range long.Sample(append(hieraAttacks, `k: "%{lookup('r')}"`)) {
		writeFile(t, filepath.Join(c.dir, "data/own.yaml"), text+"\n")
		attack(t, c, text, "hiera.yaml", "hunter2", "4711", "chosen")
	}
}

// TestSecretsOfPartialFacts: a fact within a secret map, of the command line or the name of the node, leaves the rest
// of the map secret.
func TestSecretsOfPartialFacts(t *testing.T) {
	c := attackFiles(t)
	writeFile(t, filepath.Join(c.dir, "hiera.yaml"), "version: 5\nhierarchy: [{name: own, path: own.yaml}]\n")
	writeFile(t, filepath.Join(c.dir, "data/own.yaml"), "k: \"%{map.a} %{trusted.map.a}\"\n")
	writeFile(t, filepath.Join(c.dir, "c.yaml"), "map: {a: hunter2}\ntrusted: {map: {a: hunter2}}\n")
	public, err := filepath.Abs("../../fixtures/secrets/ann.pub.asc")
	if err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := c.run("encrypt", "-r", public, "--out", "nodes/c.yaml.asc", "c.yaml"); status != 0 {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{
		{"--explain", "--facts", "nodes/c.yaml.asc"},
		{"--explain", "--facts", "nodes/c.yaml.asc", "--fact", "map.b=1", "--fact", "trusted.map.c.d=1"},
		{"--explain", "--nodes", "nodes/c.*", "--fact", "map.b=1"},
	} {
		stdout, stderr, status := c.run(append([]string{"lookup", "hiera.yaml", "k"}, args...)...)
		if status != exitDone || strings.Contains(stdout+stderr, "hunter2") || !strings.Contains(stdout, "*****") {
			t.Errorf("%v: status %d, want a masked value: %s%s", args, status, stdout, stderr)
		}
	}
}

// TestSecretsOfSites runs attacks on .pp files.
func TestSecretsOfSites(t *testing.T) {
	c := attackFiles(t)
	for _, text := range long.Sample(siteAttacks) {
		site := "site { categories { role => $role, flag => $flag } }\nbindings default {\n" + text + "\n}\n"
		writeFile(t, filepath.Join(c.dir, "site.pp"), site)
		attack(t, c, text, "site.pp", "4711", "chosen")
		if !strings.Contains(text, "hunter2") {
			attack(t, c, text, "site.pp", "hunter2")
		}
	}
}

// TestSecretsOfSources: the values of sources that are encrypted themselves.
func TestSecretsOfSources(t *testing.T) {
	c := attackFiles(t)
	for name, text := range map[string]string{
		"own.pp":     "bindings default { bind k to { a => hunter2 } }\n",
		"own.yaml":   "bindings: {default: {values: {k: [hunter2]}}}\n",
		"values.yml": "k: hunter2\n",
	} {
		writeFile(t, filepath.Join(c.dir, name), text)
		if _, stderr, status := c.run("encrypt", "-r", filepath.Join(filepath.Dir(c.env["YAYTPL_KEY"]), "ann.pub.asc"), "--out", name+".asc", name); status != 0 {
			t.Fatal(stderr)
		}
		if stdout, stderr, _ := c.run("lookup", name+".asc", "k"); !strings.Contains(stdout, "hunter2") {
			t.Errorf("%s: got %s%s", name, stdout, stderr)
		}
		attack(t, c, name, name+".asc", "hunter2")
	}
}
