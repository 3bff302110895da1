package graph

import (
	"errors"
	"runtime"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// TestMeterStaysOver: after the limit of memory is exceeded every check fails, so that an evaluation
// that goes on after an error gets no more memory.
func TestMeterStaysOver(t *testing.T) {
	const limit = 16 << 20
	runtime.GC()
	m := newMeter(limit)
	held := make([]byte, 4*limit)
	for i := range 3 {
		if err := m.check(limit); !errors.Is(err, source.ErrLimit) {
			t.Errorf("check %d: %v, want an error of code limit", i, err)
		}
	}
	runtime.KeepAlive(held)
}
