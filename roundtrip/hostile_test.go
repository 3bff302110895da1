package roundtrip_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// laughs is a list of lists that share their items, 10^n values in all.
func laughs(n int) value.Value {
	v := value.String("ha")
	for range n {
		items := make(value.Slice, 10)
		for i := range items {
			items[i] = v
		}
		v = value.FromList(items)
	}
	return v
}

func nested(n int) value.Value {
	v := value.Int(1)
	for range n {
		v = value.ListOf(v)
	}
	return v
}

// TestHostile edits with values and texts that are far bigger than they look.
func TestHostile(t *testing.T) {
	bomb := "a: &a [ha, ha]\n"
	for c := 'b'; c < 'z'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+", ", 9) + "*" + string(c-1) + "]\n"
	}
	tests := []struct {
		name, text string
		edit       roundtrip.Edit
		want       source.Code // "" for none
	}{
		{"shared value", "a: 1\n", roundtrip.Edit{Path: path("a"), Value: laughs(9)}, source.Limit},
		{"deep value", "a: 1\n", roundtrip.Edit{Path: path("a"), Value: nested(100_000)}, source.Limit},
		{"shared text", bomb, roundtrip.Edit{Path: path("y"), Value: value.Int(1)}, ""},
		{"shared text and value", bomb, roundtrip.Edit{Path: path("y"), Value: laughs(24)}, source.Limit},
		{"alias of itself", "a: &a [*a]\nb: 1\n", roundtrip.Edit{Path: path("b"), Value: value.Int(2)}, ""},
		{"set an alias of itself", "a: &a [*a]\nb: 1\n", roundtrip.Edit{Path: path("a[0]"), Value: value.Int(2)}, ""},
		{"deep text", strings.Repeat("[", 9000) + strings.Repeat("]", 9000), roundtrip.Edit{Op: roundtrip.Append, Path: path("[0][0]"), Value: value.Int(2)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := apply(tt.text, yamlSyntax, 0, []roundtrip.Edit{tt.edit})
			var d *source.Diagnostic
			if errors.As(err, &d) != (tt.want != "") || d != nil && d.Code != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}
