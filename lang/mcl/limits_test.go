package mcl_test

import (
	"errors"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

// TestGraphLimits: many resources and products of edges end with an error, before memory does.
func TestGraphLimits(t *testing.T) {
	const names = "import \"iter\"\nimport \"fmt\"\n$l = iter.map(iter.range(2000), func($i) { fmt.printf(\"%d\", $i) })\na $l {}\nb $l {}\n"
	for _, program := range []string{
		names + `A[$l] -> B[$l]`,
		names + `c "c" {} C["c"] -> A[$l] -> B[$l]`,
		names + `for $i, $x in $l { for $j, $y in $l { c "${x} ${y}" {} } }`,
		names + `for $i, $x in $l { d $x { Before => B[$l], } }`,
	} {
		_, err := render(t, program, yaytpl.Options{})
		if !errors.Is(err, source.ErrLimit) {
			t.Errorf("%s: %v, want a limit", program, err)
		}
	}
}
