//go:build unix

package main

import (
	"fmt"
	"math"
)

// A rowResult is what a row came to.
type rowResult struct {
	row   row
	tools []*toolResult
}

// A toolResult is what one program needed, by size.
type toolResult struct {
	tool    string
	samples map[int]sample
	note    string // why there is nothing for a size
}

// add takes the least of what runs at one size used.
func (t *toolResult) add(size int, s sample) {
	if best, have := t.samples[size]; have {
		s.CPU, s.Wall, s.Memory = min(s.CPU, best.CPU), min(s.Wall, best.Wall), min(s.Memory, best.Memory)
		s.Lines = best.Lines
	}
	t.samples[size] = s
}

// exponent fits CPU time = c * size^e over the sizes at which a program was
// measured, by least squares of the logarithms. It needs three sizes.
func (t *toolResult) exponent() (float64, bool) {
	var n, sx, sy, sxx, sxy float64
	for size, s := range t.samples {
		x, y := math.Log(float64(size)), math.Log(s.CPU.Seconds())
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if n < 3 {
		return 0, false
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx), true
}

func human(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprint(n/1_000_000) + "M"
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprint(n/1000) + "k"
	}
	return fmt.Sprint(n)
}
