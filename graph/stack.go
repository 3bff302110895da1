package graph

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
