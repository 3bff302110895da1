package library

import (
	"github.com/yaytpl/yaytpl/value"
)

// A progression is the list of a range: its items take no memory.
type progression struct {
	start, step int64
	n           int
}

// Len returns the number of integers.
func (p progression) Len() int { return p.n }

// At returns the i-th integer.
func (p progression) At(i int) (value.Value, error) { return value.Int(p.start + int64(i)*p.step), nil }

// rangeOf returns the integers from start up to, not with, stop. step is not 0. Their number is bounded
// by what an int holds.
func rangeOf(start, stop, step int64) progression {
	if step > 0 && start >= stop || step < 0 && start <= stop {
		return progression{}
	}
	// The distance of two integers of 64 bits fits into an unsigned one.
	distance, width := uint64(stop)-uint64(start), uint64(step)
	if step < 0 {
		distance, width = uint64(start)-uint64(stop), -uint64(step)
	}
	return progression{start, step, int(min((distance-1)/width+1, 1<<62))}
}

// An itemList collects items in blocks, so that a long list is not copied while it grows: the limit of
// memory is noticed before there is twice as much.
type itemList struct {
	call   *Call
	blocks [][]value.Value
	n      int
}

// blockSize is the number of items of a block.
const blockSize = 1024

// add appends an item and counts it.
func (l *itemList) add(v value.Value) error {
	if l.n%blockSize == 0 {
		if err := l.call.Step(blockSize); err != nil {
			return err
		}
		l.blocks = append(l.blocks, make([]value.Value, 0, min(blockSize, 4+l.n)))
	}
	last := &l.blocks[len(l.blocks)-1]
	*last = append(*last, v)
	l.n++
	return nil
}

// addAll appends the items of a list.
func (l *itemList) addAll(list value.List) error {
	for item, err := range value.Items(list) {
		if err != nil {
			return err
		}
		if err := l.add(item); err != nil {
			return err
		}
	}
	return nil
}

// value returns the list.
func (l *itemList) value() value.Value {
	if len(l.blocks) == 1 {
		return value.FromList(value.Slice(l.blocks[0]))
	}
	return value.FromList(blocks{l.blocks, l.n})
}

// blocks is a list in blocks of blockSize items.
type blocks struct {
	all [][]value.Value
	n   int
}

// Len returns the number of items.
func (b blocks) Len() int { return b.n }

// At returns an item.
func (b blocks) At(i int) (value.Value, error) { return b.all[i/blockSize][i%blockSize], nil }
