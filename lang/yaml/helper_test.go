package yaml_test

import (
	"io"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

type encodeFunc func(io.Writer, value.Value, yaml.EncodeOptions) error

// parse reads a text, and fails the test on an error.
func parse(t testing.TB, text string) []*yaml.Document {
	t.Helper()
	docs, diags := yaml.Parse(source.NewFile("t.yaml", text), yaml.ParseOptions{})
	if len(diags) > 0 {
		t.Fatalf("Parse(%q): %v", text, diags[0])
	}
	return docs
}

func mustValue(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := parse(t, text)[0].Root.ToValue()
	if err != nil {
		t.Fatalf("ToValue(%q): %v", text, err)
	}
	return v
}

func encode(t testing.TB, f encodeFunc, v value.Value, opts yaml.EncodeOptions) string {
	t.Helper()
	var b strings.Builder
	if err := f(&b, v, opts); err != nil {
		t.Fatalf("encode: %v", err)
	}
	return b.String()
}

func repr(t testing.TB, v value.Value) string {
	t.Helper()
	s, err := value.Repr(v)
	if err != nil {
		t.Fatalf("Repr: %v", err)
	}
	return s
}
