package docpath

import (
	"iter"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// Literal returns the keys that steps are taken for where nothing is there to tell:
// each step is one key.
func Literal(steps []Step) value.Path {
	var p value.Path
	for _, s := range steps {
		if s.Index {
			p = append(p, value.Index(s.Number))
		} else {
			p = append(p, value.K(s.Key))
		}
	}
	return p
}

// Constant returns the steps as the keys that they are written as. It returns false if
// some only mean a key once it is known what they lead into.
func Constant(steps []Step) (keys []value.Key, ok bool) {
	keys = make([]value.Key, len(steps))
	for i, s := range steps {
		if s.Match != "" || s.Index && s.Number < 0 {
			return nil, false
		}
		keys[i] = value.K(s.Key)
	}
	return keys, true
}

// fewSteps is how many steps are tried as one key without a look at the keys that there are.
const fewSteps = 8

// joined goes through the keys of v that the first steps may be together, if they were
// written with plain dots, the longest first, each with the number of steps that it takes.
// Of many steps only those are joined that are no longer than a key of v.
func joined(v value.Value, steps []Step) iter.Seq2[string, int] {
	return func(yield func(key string, taken int) bool) {
		steps := steps[:joinable(steps)]
		if len(steps) > fewSteps {
			steps = fitting(v, steps)
		}
		text := joinedText(steps)
		for n := len(steps); n > 0; n-- {
			if !yield(text, n) {
				return
			}
			text = text[:max(0, len(text)-len(steps[n-1].Key)-len("."))]
		}
	}
}

// joinable returns how many of the first steps may be one key, at least 1.
func joinable(steps []Step) int {
	n := 1
	for n < len(steps) && !steps[0].Exact && !steps[n].Exact && !steps[n].Index && steps[n].Match == "" {
		n++
	}
	return n
}

// fitting returns the first of steps that together are no longer than the longest key of
// the map v, and one at least.
func fitting(v value.Value, steps []Step) []Step {
	longest := 0
	if v.Is(value.MapKind) {
		for k := range v.Map().Keys() {
			longest = max(longest, len(k.Text))
		}
	}
	n, length := 1, len(steps[0].Key)
	for n < len(steps) && length+len(".")+len(steps[n].Key) <= longest {
		length += len(".") + len(steps[n].Key)
		n++
	}
	return steps[:n]
}

// joinedText returns the keys of steps with dots between them.
func joinedText(steps []Step) string {
	if len(steps) == 1 {
		return steps[0].Key
	}
	keys := make([]string, len(steps))
	for i, s := range steps {
		keys[i] = s.Key
	}
	return strings.Join(keys, ".")
}

// IsSplit reports whether the first steps may be one key that has dots.
func IsSplit(steps []Step) bool { return len(steps) > 0 && joinable(steps) > 1 }

// JoinKnown joins steps that together are a key of v, or of what is below it.
func JoinKnown(v value.Value, steps []Step) []Step {
	var known []Step
	for len(steps) > 0 {
		if !v.Is(value.MapKind) {
			return append(known, steps...)
		}
		next, n := steps[0], 1
		var below value.Value
		for key, taken := range joined(v, steps) {
			if item, ok, err := v.Map().Get(value.K(key)); ok && err == nil {
				below, n = item, taken
				next.Key, next.Exact = key, next.Exact || n > 1
				break
			}
		}
		known = append(known, next)
		v, steps = below, steps[n:]
	}
	return known
}
