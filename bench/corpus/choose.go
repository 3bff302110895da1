package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// An input is a file of the cache with what it reaches and the seeds do not.
type input struct {
	path    string
	reaches statementSet
}

// choose puts the best inputs of the cache among the package's own.
func choose(t target, binary string, keep int, size int64) error {
	if err := os.MkdirAll(t.corpus(), 0o777); err != nil {
		return err
	}
	defer os.Remove(t.corpus()) // which fails unless it is empty
	if err := forget(t); err != nil {
		return err
	}
	known, err := measure(t, binary, "")
	if err != nil {
		return err
	}
	inputs, err := candidates(t, binary, size, known)
	if err != nil {
		return err
	}
	seeds, best := len(known), pick(inputs, known, keep)
	for _, in := range best {
		if err := copyFile(in.path, filepath.Join(t.corpus(), chosen+filepath.Base(in.path))); err != nil {
			return err
		}
	}
	fmt.Printf("%s: the seeds reach %d blocks, %d of %d inputs %d more\n", t, seeds, len(best), len(inputs), len(known)-seeds)
	return nil
}

// chosen begins the names of inputs that this program put there.
const chosen = "reaches-"

// forget removes what an earlier choice left.
func forget(t target) error {
	old, err := filepath.Glob(filepath.Join(t.corpus(), chosen+"*"))
	for _, path := range old {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// candidates measures the inputs of the cache and returns those that reach something new.
func candidates(t target, binary string, size int64, known statementSet) ([]input, error) {
	paths, err := t.cached(size)
	if err != nil {
		return nil, err
	}
	var inputs []input
	for _, path := range paths {
		set, err := measureAlone(t, binary, path)
		if err != nil {
			return nil, err
		}
		set.remove(known)
		if len(set) > 0 {
			inputs = append(inputs, input{path, set})
		}
	}
	return inputs, nil
}

// pick takes the input that adds most to what is known, until none does or enough are
// taken. It adds to known.
func pick(inputs []input, known statementSet, keep int) []input {
	var best []input
	for len(best) < keep {
		most, gain := -1, 0
		for i, in := range inputs {
			if n := in.reaches.added(known); n > gain {
				most, gain = i, n
			}
		}
		if most < 0 {
			break
		}
		for block := range inputs[most].reaches {
			known[block] = true
		}
		best = append(best, inputs[most])
	}
	return best
}
