package yamlnode_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yaytpl/yaytpl/internal/testing/yamltexts"
	"github.com/yaytpl/yaytpl/internal/yamlnode"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	yamlv3 "gopkg.in/yaml.v3"
)

// TestScalars shows the scalars that the library resolves differently.
func TestScalars(t *testing.T) {
	tests := []struct{ text, tag, spelling, data string }{
		{"0644", "!!int", "644", "644 int"},
		{"0o17", "!!int", "0o17", "15 int"},
		{"0b11", "!!int", "0b11", "3 int"},
		{"0x1F", "!!int", "0x1F", "31 int"},
		{"1_000", "!!str", `"1_000"`, "1_000 string"},
		{"yes", "!!str", "yes", "yes string"},
		{"2026-11-28", "!!str", `"2026-11-28"`, "2026-11-28 string"},
		{"~", "!!null", "~", "<nil> <nil>"},
		{"1e3", "!!float", "1e3", "1000 float64"},
		{"-0.0", "!!float", "-0.0", "-0 float64"},
		{".inf", "!!float", ".inf", "+Inf float64"},
		{"18446744073709551615", "!!int", "18446744073709551615", "18446744073709551615 uint64"},
		{"123456789012345678901", "!!float", "123456789012345678901", "1.2345678901234568e+20 float64"},
		{"!!binary aGk=", "!!binary", "!!binary aGk=", "hi string"},
		{"!Ref 5", "!Ref", "!Ref 5", "5 string"},
		{"'<<'", "!!str", "'<<'", "<< string"},
		{"!!str 0644", "!!str", `"0644"`, "0644 string"},
	}
	for _, tt := range tests {
		doc, err := yamlnode.FromText("t", "- "+tt.text+"\n")
		if err != nil {
			t.Fatal(err)
		}
		n := doc.Content[0].Content[0]
		written, err := yamlv3.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		var data any
		if err := n.Decode(&data); err != nil {
			t.Errorf("%s: %v", tt.text, err)
		}
		if got := fmt.Sprintf("%v %T", data, data); n.Tag != tt.tag || strings.TrimSpace(string(written)) != tt.spelling || got != tt.data {
			t.Errorf("%s: tag %s, written as %s, decoded to %s", tt.text, n.Tag, written, got)
		}
	}
}

// TestPlaces compares all of a node with the one that the library makes of the same text.
func TestPlaces(t *testing.T) {
	text := "# head\n\n# about a\na: 1 # one\nb: # two\n  - x\n  - {c: !t &n d, é: *n}\n  - - |\n      e\n# foot of b\n\nf: !m\n  g: 'h'\n"
	got, err := yamlnode.FromText("t", text)
	if err != nil {
		t.Fatal(err)
	}
	var want yamlv3.Node
	if err := yamlv3.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	if g, w := dump(got, ""), dump(&want, ""); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func dump(n *yamlv3.Node, indent string) string {
	s := fmt.Sprintf("%s%d:%d kind %d style %d tag %s anchor %q %q comments %q %q %q\n", indent, n.Line, n.Column, n.Kind, n.Style, n.ShortTag(), n.Anchor, n.Value, n.HeadComment, n.LineComment, n.FootComment)
	for _, kid := range n.Content {
		s += dump(kid, indent+"  ")
	}
	return s
}

// TestEncoded requires that the library writes the node of a document so that we read the document again,
// for the random data of texts by the productions of YAML.
func TestEncoded(t *testing.T) {
	read := 0
	for seed := range uint64(3000) {
		text, _ := yamltexts.Stream(seed)
		docs, diags := yaml.Parse(source.NewFile("t", text), yaml.ParseOptions{NoTemplates: true})
		if len(diags) > 0 {
			continue
		}
		for _, d := range docs {
			v, err := d.Root.ToValue()
			var out strings.Builder
			if err != nil || yaml.Encode(&out, v, yaml.EncodeOptions{Head: d.Head, Foot: d.Foot, MaxBytes: 1 << 16}) != nil {
				continue
			}
			read++
			checkEncoded(t, fmt.Sprint("seed ", seed), out.String())
		}
	}
	if read < 1500 {
		t.Errorf("%d documents were read", read)
	}
}

// TestEncodedFiles requires the same of the YAML in all cases.
func TestEncodedFiles(t *testing.T) {
	read := 0
	err := filepath.WalkDir("../../fixtures/cases", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		for _, f := range archive.Files {
			docs, diags := yaml.Parse(source.NewFile(path, string(f.Data)), yaml.ParseOptions{})
			if filepath.Ext(f.Name) != ".yaml" || len(diags) > 0 {
				continue
			}
			for _, d := range docs {
				v, err := d.Root.ToValue()
				var out strings.Builder
				if err != nil || yaml.Encode(&out, v, yaml.EncodeOptions{Head: d.Head, Foot: d.Foot, MaxBytes: 1 << 16}) != nil {
					continue
				}
				read++
				checkEncoded(t, path, out.String())
			}
		}
		return nil
	})
	if err != nil || read < 500 {
		t.Errorf("%d documents were read: %v", read, err)
	}
}

// checkEncoded requires that the library writes the node of a text with the data of the text.
func checkEncoded(t *testing.T, name, text string) {
	t.Helper()
	n, err := yamlnode.FromText(name, text)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	var written bytes.Buffer
	e := yamlv3.NewEncoder(&written)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got, want := dataOf(written.String()), dataOf(text); got != want {
		t.Errorf("%s: %s\nis written as\n%s\nwhich is\n%s\nwant\n%s", name, text, written.String(), got, want)
	}
}

func dataOf(text string) string {
	docs, diags := yaml.Parse(source.NewFile("t", text), yaml.ParseOptions{NoTemplates: true})
	if len(diags) > 0 {
		return diags[0].Error()
	}
	v, err := docs[0].Root.ToValue()
	if err == nil { // 644 is 0644
		v, err = value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) { return v.WithoutSource(), err })
	}
	if err != nil {
		return err.Error()
	}
	s, err := value.Repr(v)
	if err != nil {
		return err.Error()
	}
	return s
}
