package mcl_test

import (
	"errors"
	"runtime"
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

// TestLinear: what a program allocates grows with its size, and no faster.
func TestLinear(t *testing.T) {
	for _, s := range shapes {
		small, large := allocated(t, s.text(500)), allocated(t, s.text(4*500))
		if large > 5*small {
			t.Errorf("%s: %d bytes for 500, %d for 2000", s.name, small, large)
		}
	}
}

// allocated returns the bytes that opening and printing a program allocates.
func allocated(t *testing.T, text string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := render(t, text, yaytpl.Options{})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return after.TotalAlloc - before.TotalAlloc
}
