package roundtrip

import (
	"fmt"
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestWriterExample checks the example at the top of writer.go.
func TestWriterExample(t *testing.T) {
	const src = "# site\nweb:\n  port:  80  # http\n  # all\n  hosts: [a, c]\ndb: 1\n"
	text, err := Parse(source.NewFile("t", src), Syntax{})
	if err != nil {
		t.Fatal(err)
	}
	e := newEditor(text, 0)
	web := value.Path{value.K("web")}
	for _, edit := range []Edit{
		{Op: Set, Path: append(web, value.K("port")), Value: value.Int(8080)},
		{Op: Insert, Path: append(web, value.K("hosts"), value.Index(1)), Value: value.String("b")},
		{Op: Insert, Path: append(web, value.K("tls")), Place: Position{Where: After, Key: value.K("port")}, Value: value.True},
		{Op: Delete, Path: value.Path{value.K("db")}},
	} {
		if err := e.edit(edit); err != nil {
			t.Fatal(err)
		}
	}
	w := newWriter(e)
	root := text.Docs[0].Root
	slots, _ := blockSlots(src, root)
	w.setLines(root, site{col: -1}, slots)
	inner, _ := blockSlots(src, root.Entries[0].Value)
	w.setLines(root.Entries[0].Value, site{at: slots[0].mark, last: slots[0].last}, inner)
	want := [][5]int{{7, 11, 55, 7, 55}, {56, 59, 61, 56, 61}, {14, 19, 23, 12, 31}, {42, 48, 55, 32, 55}}
	for i, s := range append(slots, inner...) {
		if got := [5]int{s.start, s.mark, s.end, s.lead, s.last}; got != want[i] {
			t.Errorf("slot %d is %v, want %v", i, got, want[i])
		}
	}
	r, err := w.document()
	if err != nil {
		t.Fatal(err)
	}
	var pieces []string
	for _, p := range r {
		if p.end < 0 {
			pieces = append(pieces, fmt.Sprintf("%q", p.text))
		} else {
			pieces = append(pieces, fmt.Sprintf("[%d, %d)", p.start, p.end))
		}
	}
	if want := []string{
		"[0, 21)", `"8080"`, "[23, 31)", `"\n  tls: true"`, "[31, 52)", `" "`, `"b"`, `","`, "[52, 55)", "[61, 62)",
	}; !slices.Equal(pieces, want) {
		t.Errorf("the rope is %v, want %v", pieces, want)
	}
	patches := []patch{{21, 23, "8080"}, {31, 31, "\n  tls: true"}, {52, 52, " b,"}, {55, 61, ""}}
	if got := r.patches(src); !slices.Equal(got, patches) {
		t.Errorf("the patches are %v, want %v", got, patches)
	}
}
