package docpath

import (
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

// joined returns the keys that the first steps may be together, if they were written
// with plain dots, the longest first, each with the number of steps that it takes.
func joined(steps []Step) (keys []string, taken []int) {
	n := 1
	for n < len(steps) && !steps[0].Exact && !steps[n].Exact && !steps[n].Index && steps[n].Match == "" {
		n++
	}
	for ; n > 0; n-- {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = steps[i].Key
		}
		keys = append(keys, strings.Join(parts, "."))
		taken = append(taken, n)
	}
	return keys, taken
}

// IsSplit reports whether the first steps may be one key that has dots.
func IsSplit(steps []Step) bool {
	keys, _ := joined(steps)
	return len(keys) > 1
}

// JoinKnown joins steps that together are a key of v, or of what is below it.
func JoinKnown(v value.Value, steps []Step) []Step {
	var known []Step
	for len(steps) > 0 {
		keys, taken := joined(steps)
		next, n := steps[0], 1
		var below value.Value
		for i, key := range keys {
			if item, ok, err := v.Map().Get(value.K(key)); ok && err == nil {
				below, n = item, taken[i]
				next.Key, next.Exact = key, next.Exact || n > 1
				break
			}
		}
		known = append(known, next)
		v, steps = below, steps[n:]
	}
	return known
}
