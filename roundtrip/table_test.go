package roundtrip_test

import (
	"errors"
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
)

// An example is a text, edits of it and what comes out.
type example struct{ name, text, edits, want string }

func check(t *testing.T, syntax roundtrip.Syntax, examples []example) {
	t.Helper()
	for _, x := range examples {
		t.Run(x.name, func(t *testing.T) {
			list := edits(t, x.edits)
			r, err := apply(x.text, syntax, 0, list)
			if err != nil {
				t.Fatalf("%s: %v", x.edits, err)
			}
			if r.Text != x.want {
				t.Errorf("%s\n%s\ngives\n%q\nwant\n%q", x.text, x.edits, r.Text, x.want)
			}
			if len(list) == 1 && list[0].Op != roundtrip.Append && !list[0].Create {
				checkTree(t, x, syntax, list[0])
			}
		})
	}
}

// checkTree reads both texts and compares them, where the model knows the edit.
func checkTree(t *testing.T, x example, syntax roundtrip.Syntax, e roundtrip.Edit) {
	old := treeOf(rootOf(t, x.text, syntax))
	if len(e.Path) == 0 || e.Op == roundtrip.Set && !old.has(e.Path) {
		return
	}
	if e.Op == roundtrip.Set && !e.Value.IsScalar() || e.Op == roundtrip.Move {
		return // only what differs is written, and the order is that of the text
	}
	whole(t, x.name, x.text, x.want, syntax, 0, e)
}

// checkErrors demands a kind of error, and if the code is output a reason.
func checkErrors(t *testing.T, syntax roundtrip.Syntax, examples []example) {
	t.Helper()
	for _, x := range examples {
		t.Run(x.name, func(t *testing.T) {
			r, err := apply(x.text, syntax, 0, edits(t, x.edits))
			var d *source.Diagnostic
			if !errors.As(err, &d) || r.Text != "" || len(r.Patches) > 0 {
				t.Fatalf("%s: no error but %q", x.edits, r.Text)
			}
			if d.At.IsZero() && d.Code != source.Internal {
				t.Errorf("%s: %v has no place", x.edits, err)
			}
			got := string(d.Code)
			var refusal *source.Refusal
			if errors.As(err, &refusal) {
				got = string(refusal.Reason)
			}
			if got != x.want {
				t.Errorf("%s: %v, want %s", x.edits, err, x.want)
			}
		})
	}
}
