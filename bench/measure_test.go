//go:build unix

package main

import (
	"math"
	"testing"
	"time"
)

func TestToolResult(t *testing.T) {
	r := toolResult{samples: map[int]sample{}}
	for size := 1; size <= 4; size *= 2 {
		cpu := time.Duration(size*size) * time.Second
		r.add(size, sample{CPU: cpu, Wall: 3 * cpu, Memory: 10, Lines: 7})
		r.add(size, sample{CPU: 2 * cpu, Wall: cpu, Memory: 5})
	}
	if got, want := r.samples[4], (sample{CPU: 16 * time.Second, Wall: 16 * time.Second, Memory: 5, Lines: 7}); got != want {
		t.Errorf("two samples are combined to %+v, want %+v", got, want)
	}
	if e, ok := r.exponent(); !ok || math.Abs(e-2) > 1e-9 {
		t.Errorf("the exponent of squares is %v, %v, want 2", e, ok)
	}
	delete(r.samples, 1)
	if _, ok := r.exponent(); ok {
		t.Error("exponent accepts two sizes")
	}
}
