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
	samples [3]metrics.Sample
	before  uint64 // bytes of live objects when the evaluation began
	collect uint64 // bytes of objects, garbage included, from which on to collect
}

// The samples: objects that the last collection found, all objects, and the stacks
// of goroutines. Reading them takes about a microsecond.
const (
	liveSample = iota
	allSample
	stackSample
)

// maxStack bounds the stacks of the process. The runtime ends a program whose stack
// would have to grow beyond 512 MB; this much means that half of that is in use.
const maxStack = 400 << 20

func newMeter(limit int) *meter {
	m := &meter{}
	m.samples[liveSample].Name = "/gc/heap/live:bytes"
	m.samples[allSample].Name = "/memory/classes/heap/objects:bytes"
	m.samples[stackSample].Name = "/memory/classes/heap/stacks:bytes"
	metrics.Read(m.samples[:])
	m.before = m.bytes(liveSample)
	m.collect = m.before + uint64(limit)
	return m
}

func (m *meter) bytes(sample int) uint64 { return m.samples[sample].Value.Uint64() }

// check returns an error of code limit if the evaluation has become too large or
// too deep for the machine. Garbage is collected first, also that of evaluations
// that are over: how much of it may pile up otherwise is no concern of the limit.
func (m *meter) check(limit int) error {
	metrics.Read(m.samples[:])
	if m.bytes(allSample) < m.collect && m.bytes(stackSample) <= maxStack {
		return nil
	}
	runtime.GC()
	metrics.Read(m.samples[:])
	m.collect = max(m.before+uint64(limit), m.bytes(liveSample)+uint64(limit)/4)
	switch {
	case m.bytes(liveSample) > m.before+uint64(limit):
		return source.Errorf(source.Span{}, source.Limit, "the evaluation needs more than %d MB of memory", limit>>20)
	case m.bytes(stackSample) > maxStack:
		return source.Errorf(source.Span{}, source.Limit, "evaluation is nested too deeply for the stack")
	}
	return nil
}
