package graph

import (
	"errors"
	"math"
	"runtime"
	"runtime/metrics"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// TestMeterStaysOver: after the limit of memory is exceeded every check fails, so that an evaluation
// that goes on after an error gets no more memory.
func TestMeterStaysOver(t *testing.T) {
	const limit = 16 << 20
	runtime.GC()
	m := newMeter(limit, 0, 0)
	held := make([]byte, 4*limit)
	for i := range 3 {
		if err := m.check(limit); !errors.Is(err, source.ErrLimit) {
			t.Errorf("check %d: %v, want an error of code limit", i, err)
		}
	}
	runtime.KeepAlive(held)
}

// TestMeterOfLargeTexts: where the memory before the documents is known, their nodes count, and the limit
// grows with their texts. The garbage of parsing is no memory that was there before.
func TestMeterOfLargeTexts(t *testing.T) {
	const limit, text = 64 << 20, 8 << 20
	runtime.GC()
	small, large := newMeter(limit, 1, 0), newMeter(limit, 1, text)
	if unknown := newMeter(limit, 0, text); unknown.most < limit+unknown.bytes(liveSample) {
		t.Errorf("memory before unknown: limit %d, want the live objects and %d", unknown.most, limit)
	}
	if most := small.bytes(liveSample) + limit; small.most != most {
		t.Errorf("small text: limit %d, want %d", small.most, most)
	}
	if live, most := large.bytes(liveSample), uint64(limit+textFactor*text); live < treeFactor*text && large.most != most+1 {
		t.Errorf("large text: limit %d, want %d", large.most, most+1)
	}
}

// TestStepsBeyondInt: a sum of steps that no int can be exceeds the limit.
func TestStepsBeyondInt(t *testing.T) {
	e := New(t.Context(), nil, Options{})
	for i := range 3 {
		if err := e.Step(math.MaxInt); !errors.Is(err, source.ErrLimit) {
			t.Errorf("call %d: %v, want an error of code limit", i, err)
		}
	}
}

// TestReserveStack: at these depths the stack becomes large at once, and is not written to.
func TestReserveStack(t *testing.T) {
	runtime.GC() // new stacks have the average size of those that the last collection has seen
	for _, tt := range []struct {
		depth int
		least uint64 // bytes
	}{{deep, 4 << 20}, {veryDeep, 32 << 20}} {
		grown := make(chan uint64)
		go func() {
			m := newMeter(math.MaxInt, 0, 0)
			before := m.bytes(stackSample)
			reserveStack(tt.depth)
			metrics.Read(m.samples[:])
			grown <- m.bytes(stackSample) - before
		}()
		if got := <-grown; got < tt.least || got > 8*tt.least {
			t.Errorf("depth %d: %d bytes of stack, want %d or a few times as much", tt.depth, got, tt.least)
		}
	}
}

// TestMeterOfStacks: an evaluation whose stack fills the process fails, at every check without another
// collection of garbage. Those beside it go on.
func TestMeterOfStacks(t *testing.T) {
	const memory = math.MaxInt
	deep, beside := newMeter(memory, 0, 0), newMeter(memory, 0, 0)
	filled, done := make(chan error), make(chan bool)
	go func() {
		onDeepStack(deepFrames, func() {
			filled <- deep.check(memory)
			<-done
		})
	}()
	if err := <-filled; !errors.Is(err, source.ErrLimit) {
		t.Errorf("deep: %v, want an error of code limit", err)
	}
	if err := beside.check(memory); err != nil || beside.bytes(stackSample) <= maxStack {
		t.Errorf("beside: %v with stacks of %d MB, want no error with more than %d", err, beside.bytes(stackSample)>>20, maxStack>>20)
	}
	close(done)
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	before := collections()
	if err := deep.check(memory); !errors.Is(err, source.ErrLimit) || collections() != before {
		t.Errorf("deep again: %v after %d collections, want an error of code limit at once", err, collections()-before)
	}
}

// onDeepStack calls f below n frames that fill maxStack.
func onDeepStack(n int, f func()) byte {
	var frame [maxStack / deepFrames]byte
	frame[n%len(frame)] = 1
	if n == 0 {
		f()
	} else {
		frame[0] = onDeepStack(n-1, f)
	}
	return frame[n%len(frame)]
}
