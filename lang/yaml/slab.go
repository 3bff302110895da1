package yaml

// A slab allocates values of one type many at a time.
type slab[T any] struct {
	free []T
	size int // of the last block
}

const (
	fewInSlab  = 8 // for a small text
	manyInSlab = 256
)

// one returns a new zero value.
func (s *slab[T]) one() *T {
	s.reserve(1)
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// copyOf returns a copy of a list that has no room for more.
func (s *slab[T]) copyOf(list []T) []T {
	n := len(list)
	if n > manyInSlab/4 {
		return append(make([]T, 0, n), list...)
	}
	s.reserve(n)
	out := s.free[:n:n]
	s.free = s.free[n:]
	copy(out, list)
	return out
}

func (s *slab[T]) reserve(n int) {
	if len(s.free) < n || s.free == nil {
		s.size = min(max(2*s.size, fewInSlab, n), manyInSlab)
		s.free = make([]T, s.size)
	}
}
