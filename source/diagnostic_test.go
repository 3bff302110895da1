package source_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestLocated(t *testing.T) {
	f := source.NewFile("a.yaml", "a: 1\n")
	d := &source.Diagnostic{Message: "m"}
	there := d.Located(f.Span(3, 4))
	if there == d || !d.At.IsZero() || there.At != f.Span(3, 4) || there.Message != "m" {
		t.Errorf("Located = %+v of %+v", there, d)
	}
	if again := there.Located(f.Span(0, 1)); again != there {
		t.Errorf("a place was replaced: %+v", again)
	}
	if same := d.Located(source.Span{}); same != d {
		t.Errorf("copied for no place: %+v", same)
	}
}
