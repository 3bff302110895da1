package graph

import (
	"runtime"
	"runtime/metrics"

	"github.com/yaytpl/yaytpl/source"
)

// A meter watches what an evaluation takes of the process's memory. Steps and depth
// bound work; what a step leaves behind differs too much between a pointer and a
// loop of a template to bound memory by them.
type meter struct {
	samples [2]metrics.Sample
	before  uint64 // bytes of live objects when the evaluation began
}

// The names of what is measured: objects that the last collection found, and the
// stacks of goroutines. Reading both takes about a microsecond.
const (
	liveMetric  = "/gc/heap/live:bytes"
	stackMetric = "/memory/classes/heap/stacks:bytes"
)

// maxStack bounds the stacks of the process. The runtime ends a program whose stack
// would have to grow beyond 512 MB; this much means that half of that is in use.
const maxStack = 400 << 20

func newMeter() *meter {
	m := &meter{}
	m.samples[0].Name, m.samples[1].Name = liveMetric, stackMetric
	metrics.Read(m.samples[:])
	m.before = m.samples[0].Value.Uint64()
	return m
}

// check returns an error of code limit if the evaluation has become too large or
// too deep for the machine.
func (m *meter) check(limit int) error {
	if m.read(limit) == nil {
		return nil
	}
	runtime.GC() // what an earlier evaluation left behind does not count
	return m.read(limit)
}

func (m *meter) read(limit int) error {
	metrics.Read(m.samples[:])
	live, stack := m.samples[0].Value.Uint64(), m.samples[1].Value.Uint64()
	switch {
	case live > m.before+uint64(limit):
		return source.Errorf(source.Span{}, source.Limit, "the evaluation needs more than %d MB of memory", limit>>20)
	case stack > maxStack:
		return source.Errorf(source.Span{}, source.Limit, "evaluation is nested too deeply for the stack")
	}
	return nil
}
