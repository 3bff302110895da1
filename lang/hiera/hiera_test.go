package hiera

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestScalars: plain scalars as Ruby's Psych 4 reads them; a text stays what it is.
func TestScalars(t *testing.T) {
	hours, _ := value.ParseInt("36000000000000001800", 10)
	for text, want := range map[string]value.Value{
		"yes": value.True, "On": value.True, "OFF": value.False, "no": value.False, "~": value.Null, "Null": value.Null,
		"010": value.Int(8), "0x1f": value.Int(31), "-0x1f": value.Int(-31), "0b11": value.Int(3), "1_000": value.Int(1000), "1,000": value.Int(1000),
		"+1": value.Int(1), "00": value.Int(0), "1:30": value.Int(5400), "1:30:45": value.Int(5445), "10000000000000000:30": hours, "1.5": value.Float(1.5), ".5": value.Float(0.5),
		"5.": value.Float(5), "1_0.5": value.Float(10.5),
		"y": value.String("y"), "n": value.String("n"), "08": value.String("08"), "0o10": value.String("0o10"), "1e3": value.String("1e3"),
		"1.5e3": value.String("1.5e3"), "_1": value.String("_1"), "1_": value.String("1_"), "1-2": value.String("1-2"), "0b2": value.String("0b2"),
		"1.2.3.4": value.String("1.2.3.4"), "'yes'": value.String("yes"), "\"010\"": value.String("010"), "!!str yes": value.String("yes"),
	} {
		docs, findings := yaml.Parse(source.NewFile("x.yaml", "k: "+text), yaml.ParseOptions{NoTemplates: true})
		if len(findings) > 0 {
			t.Fatal(findings[0])
		}
		got := scalar(docs[0].Root.Entries[0].Value)
		if same, err := value.Equal(got, want); err != nil || !same || got.Kind() != want.Kind() {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

// TestConfigErrors: each mistake in a hiera.yaml is an error at its place.
func TestConfigErrors(t *testing.T) {
	for _, test := range []struct {
		text, module string
		code         source.Code
		line         int
	}{
		{"- a\n", "", source.BadHieraConfig, 1},
		{"version: 6\n", "", source.BadHieraConfig, 1},
		{"version: 5\nhierarchy: {}\n", "", source.BadHieraConfig, 2},
		{"version: 5\nhierarchy:\n- path: a\n", "", source.BadHieraConfig, 3},
		{"version: 5\nhierarchy:\n- name: a\n", "", source.BadHieraConfig, 3},
		{"version: 5\nhierarchy:\n- name: a\n  path: a\n  glob: b\n", "", source.BadHieraConfig, 5},
		{"version: 5\nhierarchy:\n- {name: a, path: a}\n- {name: a, path: b}\n", "", source.BadHieraConfig, 4},
		{"version: 5\nhierarchy:\n- name: a\n  path: a\n  data_hash: yaml_data\n  lookup_key: x\n", "", source.BadHieraConfig, 6},
		{"version: 5\nhierarchy:\n- name: a\n  path: a\n  lookup_key: x\n", "", source.UnsupportedHieraFeature, 5},
		{"version: 5\nhierarchy:\n- name: a\n  uri: a\n", "", source.UnsupportedHieraFeature, 4},
		{"version: 5\ndefaults: {datadir: d}\nhierarchy:\n- {name: a, path: a}\n", "", source.BadHieraConfig, 4},
		{"version: 5\nhierarchy:\n- {name: a, path: a, options: {path: x}}\n", "", source.BadHieraConfig, 3},
		{"version: 5\nhierarchy:\n- {name: a, mapped_paths: [a, b]}\n", "", source.BadHieraConfig, 3},
		{"version: 5\ndefault_hierarchy: []\n", "", source.BadHieraConfig, 2},
		{"version: 4\nhierarchy:\n- {name: a}\n", "", source.BadHieraConfig, 3},
		{"version: 4\nhierarchy:\n- {name: a, backend: x}\n", "", source.UnsupportedHieraFeature, 3},
		{":backends: [yaml, yaml]\n", "", source.BadHieraConfig, 1},
		{":backends: redis\n", "", source.UnsupportedHieraFeature, 1},
	} {
		_, err := Parse(source.NewFile("hiera.yaml", test.text), "", test.module, nil)
		d := (*source.Diagnostic)(nil)
		if !errors.As(err, &d) || d.Code != test.code {
			t.Errorf("%q: got %v, want %s", test.text, err, test.code)
			continue
		}
		if line, _ := d.At.File.Position(int(d.At.Start)); line != test.line {
			t.Errorf("%q: got line %d, want %d", test.text, line, test.line)
		}
	}
}

// TestOldVersions: levels of versions 3 and 4 as their files.
func TestOldVersions(t *testing.T) {
	for _, test := range []struct {
		text  string
		paths []string
	}{
		{":backends: [yaml, json]\n:hierarchy: [a, \"b/%{x}\"]\n", []string{"a.yaml", "b/%{x}.yaml", "a.json", "b/%{x}.json"}},
		{":hierarchy: a.yaml\n", []string{"a.yaml"}},
		{"version: 3\n", []string{"nodes/%{trusted.certname}.yaml", "common.yaml"}},
		{"version: 4\n", []string{"common.yaml"}},
		{"version: 4\nhierarchy:\n- {name: a, backend: json}\n- {name: b, backend: yaml, paths: [x, y]}\n", []string{"a.json", "x.yaml", "y.yaml"}},
	} {
		c, err := Parse(source.NewFile("hiera.yaml", test.text), "", "", nil)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		var paths []string
		for _, l := range c.Levels {
			for _, p := range l.Paths {
				paths = append(paths, p.s)
			}
		}
		if !slices.Equal(paths, test.paths) {
			t.Errorf("%q: got %v, want %v", test.text, paths, test.paths)
		}
	}
}

// unlimited is a budget for texts that are small.
type unlimited struct{ steps int }

func (u *unlimited) Step(n int) error {
	if u.steps += n; u.steps > 1_000_000 {
		return errors.New("too many steps")
	}
	return nil
}
func (u *unlimited) Enter() error { return nil }
func (u *unlimited) Leave()       {}

// FuzzInterpolate: any text gives a value or an error with a place.
func FuzzInterpolate(f *testing.F) {
	for _, s := range []string{"%{role}", "a %{::facts.x.y} b", "%{literal('%')}{x}", "%{scope(\"a\")}", "%{}", "%{lookup('a')}", "%{a'b}", "%{ }%{", "%{fetch('x')}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		file := source.NewFile("x.yaml", s)
		i := &interpolator{scope: bind.NewScope(bind.Config{Budget: &unlimited{}}), functions: true}
		_, err := i.text(s, func(from, to int) source.Span { return file.Span(from, to) })
		d := (*source.Diagnostic)(nil)
		if err != nil && errors.As(err, &d) && d.At.File == nil {
			t.Errorf("no place: %v", err)
		}
	})
}

// FuzzParse: any hiera.yaml is read or refused.
func FuzzParse(f *testing.F) {
	f.Add("version: 5\nhierarchy:\n- {name: a, paths: [a, b]}\n")
	f.Add(":backends: [yaml]\n:hierarchy: [a]\n")
	f.Add("version: 4\nhierarchy: [{name: a, backend: yaml}]\n")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(source.NewFile("hiera.yaml", s), "", "m", func(*source.Diagnostic) {})
		if (c == nil) == (err == nil) {
			t.Errorf("got %v, %v", c, err)
		}
	})
}

// A plainDecrypter returns the text itself, nothing for the method NONE, an error for BAD.
type plainDecrypter struct{}

func (plainDecrypter) DecryptEyaml(e Encrypted) (string, *source.Diagnostic, error) {
	switch e.Method {
	case "NONE":
		return "", source.Warnf(source.Span{}, source.Encrypted, "there is no key"), nil
	case "BAD":
		return "", nil, source.Errorf(source.Span{}, source.Decryption, "it is damaged")
	}
	return strings.ReplaceAll(e.Text, "PP", "%{literal('x')}"), nil, nil
}

// FuzzDecrypt: any text with encrypted parts gives a value or an error with a place; what was decrypted
// is masked.
func FuzzDecrypt(f *testing.F) {
	for _, s := range []string{"ENC[PKCS7,secretAA]", "a ENC[secretAA] %{b}ENC[GPG,PP]", "ENC[NONE,secretAA]x", "ENC[BAD,secretAA]", "ENC[pkcs7,se cret\nAA]\n", "ENC[PKCS7,*]", "ENC[]ENC[PKCS7,"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		file := source.NewFile("x.yaml", s)
		cache := NewCache(nil, plainDecrypter{})
		i := &interpolator{scope: bind.NewScope(bind.Config{Budget: &unlimited{}}), functions: true, cache: cache, eyaml: &eyamlKeys{cache: cache}}
		v, err := i.decrypted(s, func(from, to int) source.Span { return file.Span(from, to) })
		d := (*source.Diagnostic)(nil)
		if err != nil {
			if errors.As(err, &d) && d.At.File == nil {
				t.Errorf("no place: %v", err)
			}
			return
		}
		shown := v.Str()
		if hidden, ok := value.Masked(v); ok {
			shown = hidden
		}
		plain := encryptedText.Get().ReplaceAllString(s, "")
		if strings.Contains(shown, "secretAA") && !strings.Contains(plain, "secretAA") && v.Is(value.StringKind) {
			t.Errorf("%q shows %q", s, shown)
		}
	})
}
