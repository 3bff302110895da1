package graph

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync/atomic"

	"github.com/yaytpl/yaytpl/source"
)

// Limits bound the resources of one evaluation. A field that is 0 has its default, so that
// Limits{} is safe for untrusted text.
type Limits struct {
	Steps    int // units of work for one question to an evaluation
	Depth    int // nested evaluations
	Includes int // nested includes, macros, prototypes
	Files    int // files read
	Bytes    int // bytes of input
	Output   int // bytes of output
	Rounds   int // rounds of choosing again for guards that see each other
	Memory   int // bytes of live objects created meanwhile; see [Options.Before]
}

// defaults are the default limits (design: decisions, "Files, environment, programs").
var defaults = Limits{
	Steps:    500_000_000,
	Depth:    100_000,
	Includes: 2_000,
	Files:    10_000,
	Bytes:    1 << 30,
	Output:   256 << 20,
	Rounds:   100,
	Memory:   640 << 20, // a process has up to 45 % more
}

// WithDefaults returns l with defaults for all fields that are 0.
func (l Limits) WithDefaults() Limits {
	set := func(f *int, d int) {
		if *f <= 0 {
			*f = d
		}
	}
	set(&l.Steps, defaults.Steps)
	set(&l.Depth, defaults.Depth)
	set(&l.Includes, defaults.Includes)
	set(&l.Files, defaults.Files)
	set(&l.Bytes, defaults.Bytes)
	set(&l.Output, defaults.Output)
	set(&l.Rounds, defaults.Rounds)
	set(&l.Memory, defaults.Memory)
	return l
}

// A budget is the work that an evaluation has done, and may do. steps and meter count since the last
// [Eval.Begin]. depth is 0 unless something is being evaluated. Once steps exceeds its limit, all
// steps until the next Begin fail, with the error exceeded.
type budget struct {
	ctx          context.Context
	limits       Limits
	steps, depth int
	meter        *meter
	exceeded     *source.Diagnostic // the first error of too many steps; see exceeds
}

// restart forgets the steps of the last question.
func (b *budget) restart() { b.steps, b.meter.next, b.meter.over, b.exceeded = 0, 0, nil, nil }

// Limits returns the limits of the evaluation.
func (b *budget) Limits() Limits { return b.limits }

// Step counts n units of work. Every 1024 units it checks for cancellation, and every [meter.pace] units
// for memory.
func (b *budget) Step(n int) error {
	before := b.steps
	b.steps += max(n, 1)
	if before>>10 == b.steps>>10 && b.steps <= b.limits.Steps {
		return nil
	}
	return b.check()
}

// check returns an error if the evaluation has exceeded a limit or is cancelled.
func (b *budget) check() error {
	if b.steps < 0 { // the sum was too large for an int
		b.steps = math.MaxInt
	}
	if b.steps > b.limits.Steps {
		if b.exceeded != nil {
			again := *b.exceeded
			again.Notes = slices.Clip(again.Notes)
			return &again
		}
		return source.Errorf(source.Span{}, source.Limit, "more than %d steps (--max-steps)", b.limits.Steps)
	}
	if err := b.ctx.Err(); err != nil {
		b.steps |= 1<<10 - 1 // so that the next step fails too
		if !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		return source.Errorf(source.Span{}, source.Timeout, "time is up (--timeout)")
	}
	if b.steps < b.meter.next {
		return nil
	}
	if err := b.meter.check(b.limits.Memory); err != nil {
		b.steps |= 1<<10 - 1 // so that the next step fails too
		return err
	}
	b.meter.next = b.steps + b.meter.pace()
	return nil
}

// exceeds keeps the first error of too many steps: its place is where the work was done, the places of later errors
// are where the evaluation was asked again, such as for the keys of a map after a failed attempt.
func (b *budget) exceeds(err error) error {
	if b.exceeded == nil && b.steps > b.limits.Steps {
		if d, ok := err.(*source.Diagnostic); ok && d.Code == source.Limit {
			b.exceeded = d
		}
	}
	return err
}

// Enter counts one level of nesting. If it succeeds the caller must call Leave.
func (b *budget) Enter() error {
	if b.depth >= b.limits.Depth {
		return source.Errorf(source.Span{}, source.Limit, "evaluation is nested more than %d deep (--max-depth)", b.limits.Depth)
	}
	b.depth++
	reserveStack(b.depth)
	return b.Step(1)
}

// Leave ends a level that Enter began.
func (b *budget) Leave() { b.depth-- }

// Depths at which an evaluation gets a stack that is several times as large at once. Otherwise a full stack is
// copied to one of twice the size, frame by frame: an evaluation that nests deeply would copy as much as it uses,
// and touch twice the memory. What is reserved and not used takes no memory.
const (
	deep     = 100 // some 0.3 to 1 MB are in use
	veryDeep = 400 // some 1 to 6 MB are in use
)

// reserveStack makes room for more levels of nesting if depth is deep or veryDeep.
func reserveStack(depth int) {
	switch depth {
	case deep:
		reserveSome(false)
	case veryDeep:
		reserveMuch(false)
	}
}

// reserveSome and reserveMuch have frames of twice the size of their arrays. The runtime makes room for a frame
// before a function begins. Callers pass false, so that nothing is written to it.
//
//go:noinline
func reserveSome(write bool) byte {
	if !write {
		return 0
	}
	return zeros[[2 << 20]byte]()[0]
}

//go:noinline
func reserveMuch(write bool) byte {
	if !write {
		return 0
	}
	return zeros[[16 << 20]byte]()[0]
}

//go:noinline
func zeros[T any]() (t T) { return }

// A meter measures the memory of the process during an evaluation. Steps cannot bound it: a
// step may be a pointer or a turn of a loop, which keep very different amounts.
type meter struct {
	samples [4]metrics.Sample
	most    uint64       // bytes of live objects
	slack   uint64       // bytes of objects between two collections
	collect uint64       // bytes of objects, garbage included, above which check collects garbage
	next    int          // the number of steps at which it is asked again
	over    func() error // a limit was exceeded: all checks fail, so that a caller that goes on after an error gets no more
}

// The samples: objects that survived the last collection, all objects, the size at which the
// runtime has collected them next, and the stacks of goroutines. Reading them takes about a
// microsecond.
const (
	liveSample = iota
	allSample
	goalSample
	stackSample
)

// maxStack bounds the stacks of the process. Go aborts a program whose stack must grow
// beyond 512 MB. A full stack doubles, so above 400 MB more than half of 512 MB is in use.
const maxStack = 400 << 20

// deepFrames is a number of frames that every goroutine with a stack of maxStack has: its frames take
// some hundred bytes on average.
const deepFrames = 50_000

// stackIsDeep reports whether the stack of this goroutine may be the one that fills maxStack. Otherwise the stack of
// another evaluation does, which ends by itself.
func stackIsDeep() bool {
	var frame [1]uintptr
	return runtime.Callers(deepFrames, frame[:]) > 0
}

// Nodes and evaluated parts of a document keep memory in proportion to its text, beside what its
// templates and references make. textFactor times the size of the text is added to the limit, in which
// the nodes are contained: they take 10 times the size of an ordinary text, and up to 30 times the size of a
// text of short values.
//
// treeFactor times the size is more than what parsing creates.
const (
	textFactor = 12
	treeFactor = 60
)

// LiveMemory returns the bytes of objects that survived the last collection of garbage. It takes about a
// microsecond. See [Options.Before].
func LiveMemory() uint64 {
	if !collected() {
		return 0
	}
	sample := []metrics.Sample{{Name: liveMetric}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

const liveMetric = "/gc/heap/live:bytes"

// collected reports whether garbage has been collected. Before that no object has survived, and a short run
// ends without asking for metrics: the runtime makes a table of them when it is asked first.
func collected() bool {
	if !everCollected.Load() {
		var stats debug.GCStats
		debug.ReadGCStats(&stats)
		everCollected.Store(stats.NumGC > 0)
	}
	return everCollected.Load()
}

var everCollected atomic.Bool

// newMeter returns a meter for documents whose texts have a number of bytes. before are the bytes of live
// objects before they were parsed, if it is known.
func newMeter(limit int, before, text uint64) *meter {
	m := &meter{}
	m.samples[liveSample].Name = liveMetric
	m.samples[allSample].Name = "/memory/classes/heap/objects:bytes"
	m.samples[goalSample].Name = "/gc/heap/goal:bytes"
	m.samples[stackSample].Name = "/memory/classes/heap/stacks:bytes"
	if collected() {
		metrics.Read(m.samples[:])
		m.most = m.bytes(liveSample)
	}
	if before > 0 {
		m.most = max(before, m.most-min(m.most, treeFactor*text)) + textFactor*text
	}
	m.most += uint64(limit)
	m.slack = uint64(limit) / 4
	m.collect = m.most
	return m
}

func (m *meter) bytes(sample int) uint64 { return m.samples[sample].Value.Uint64() }

// check returns an error of code limit if the evaluation uses too much memory or stack. If garbage may
// be the reason, of earlier evaluations as well, it collects it first.
func (m *meter) check(limit int) error {
	if m.over != nil {
		return m.over()
	}
	metrics.Read(m.samples[:])
	if !m.suspicious() {
		return nil
	}
	runtime.GC()
	metrics.Read(m.samples[:])
	m.collect = max(m.most, m.bytes(liveSample)+m.slack)
	switch {
	case m.bytes(liveSample) > m.most:
		m.over = func() error { return errMemory(limit) }
	case m.stackIsFull():
		m.over = errStack
	default:
		return nil
	}
	return m.over()
}

// pace returns the number of steps until the next check: fewer, the less memory is left. A step keeps less
// than stepBytes on average, and takes less of the stack; most keep a hundredth.
func (m *meter) pace() int {
	const stepBytes = 64 << 10
	if m.over != nil || m.bytes(stackSample) > maxStack/4 {
		return 0
	}
	used := m.bytes(allSample)
	return int(min((m.collect-min(m.collect, used))/stepBytes, mostSteps))
}

// mostSteps is the largest number of steps between two checks.
const mostSteps = 8 << 10

// suspicious reports whether the samples may exceed a limit. A collection of some 100 MB takes a second
// of CPU time. So where the runtime collects soon after the size m.collect, it waits for that; and it
// looks at the live objects after each collection of the runtime, which has one after the other when
// these come close to its own limit.
func (m *meter) suspicious() bool {
	collect := m.collect
	if goal := m.bytes(goalSample); goal > collect && goal <= collect+m.slack {
		collect = goal
	}
	return m.bytes(allSample) >= collect || m.bytes(liveSample) > m.most || m.stackIsFull()
}

func (m *meter) stackIsFull() bool { return m.bytes(stackSample) > maxStack && stackIsDeep() }

func errStack() error {
	return source.Errorf(source.Span{}, source.Limit, "evaluation is nested too deeply for the stack")
}

func errMemory(limit int) error {
	d := source.Errorf(source.Span{}, source.Limit, "the evaluation needs more than %d MB of memory", limit>>20)
	d.Cause = source.ErrMemory
	return d
}
