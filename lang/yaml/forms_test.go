package yaml_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// textParts are what texts have that is hard to write.
var textParts = []string{
	"a", "é", "\U0001F600", " ", "\n", "\t", "\r", "#", ": ", ":", "- ", "? ", "'", "\"", "\\", "{", "}", "[", "]", ",", "{{", "}}", "{%", "%}", "%", "@", "|", ">", "&x", "*x", "!t", "<<", "=", "---", "...",
	"yes", "null", "~", "1", "0x1F", "1_0", "1:30", "2024-01-02", ".", "e", "+", "_", "\u0085", "\u00a0", "\u2028", "\u3000", "\ufeff", "\ufffe", "\x00", "\x01", "\x7f",
}

// A dataGenerator makes random data.
type dataGenerator struct {
	*rand.Rand
	nulls bool
}

func (g *dataGenerator) text() string {
	var b strings.Builder
	for range g.IntN(5) {
		b.WriteString(textParts[g.IntN(len(textParts))])
	}
	if g.IntN(60) == 0 {
		return strings.Repeat(b.String(), 400)
	}
	return b.String()
}

func (g *dataGenerator) value(depth int) value.Value {
	switch n := g.IntN(10); {
	case n < 4 || depth == 0:
		return value.String(g.text())
	case n == 4:
		return value.Int(g.Int64N(200) - 100)
	case n == 5 && g.nulls:
		return value.Null
	case n == 5:
		return value.True
	case n == 6:
		return value.Float(g.Float64() * 1e10)
	case n == 7:
		var items value.Slice
		for range g.IntN(4) {
			items = append(items, g.value(depth-1))
		}
		return value.FromList(items)
	}
	return g.mapping(depth)
}

func (g *dataGenerator) mapping(depth int) value.Value {
	m := value.NewMap(0)
	for range g.IntN(4) {
		m.Set(value.K(g.text()), g.value(depth-1))
	}
	return value.FromMap(m)
}

// TestFormsRoundTrip: data is the same after it is written and read, in all forms that can hold it.
func TestFormsRoundTrip(t *testing.T) {
	forms := []struct {
		name   string
		encode encodeFunc
		parse  func(*source.File, yaml.ParseOptions) ([]*yaml.Document, []*source.Diagnostic)
		toml   bool // the root is a map, there is no null, and the order of keys may differ
	}{
		{"YAML", yaml.Encode, yaml.Parse, false},
		{"KYAML", yaml.EncodeKYAML, yaml.Parse, false},
		{"JSON", yaml.EncodeJSON, yaml.ParseJSON, false},
		{"TOML", yaml.EncodeTOML, yaml.ParseTOML, true},
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 4_000 {
		for _, form := range forms {
			g := dataGenerator{r, !form.toml}
			v := g.value(4)
			if form.toml {
				v = g.mapping(4)
			}
			text := encode(t, form.encode, v, yaml.EncodeOptions{})
			for _, o := range []yaml.ParseOptions{{}, {NoTemplates: true}} {
				docs, found := form.parse(source.NewFile("x", text), o)
				if len(found) > 0 || len(docs) != 1 {
					t.Fatalf("%s: %q is not read: %v", form.name, text, found)
				}
				got, err := docs[0].Root.ToValue()
				if err != nil {
					t.Fatalf("%s: %q: %v", form.name, text, err)
				}
				same, _ := value.Equal(got, v)
				if !same || !form.toml && data(t, got) != data(t, v) {
					t.Fatalf("%s: %q is read as %s, want %s", form.name, text, data(t, got), data(t, v))
				}
			}
		}
	}
}
