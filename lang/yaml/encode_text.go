package yaml

import (
	"io"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EncodeText writes a scalar bare, and a list of scalars with one a line.
//
// Codes: output (a map, a list in a list, a function), limit. Errors of computed
// lists are returned as they are.
func EncodeText(w io.Writer, v value.Value, opts EncodeOptions) error {
	o := newOutput(w, opts)
	v = o.shown(v)
	if v.Is(value.ListKind) {
		o.items(v.List(), func(_ int, item value.Value) { o.textLine(item) })
	} else {
		o.textLine(v)
	}
	return o.end()
}

func (o *output) textLine(v value.Value) {
	switch {
	case v.IsScalar():
		o.write(bareText(v))
		o.write("\n")
	case v.Is(value.ListKind), v.Is(value.MapKind):
		o.fail(source.Output, "a %s has no text form; use yaml or json", v.Kind())
	default:
		o.unwritable(v)
	}
}
