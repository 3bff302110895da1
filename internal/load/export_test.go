package load

import "time"

// RewriteSteps is [Files.RewriteAll] that calls step before each step. If that returns an
// error, the step fails with it.
func RewriteSteps(f *Files, list []Rewrite, step func(step string) error) error {
	return RewriteUntil(f, list, time.Now().Add(lockWait), step)
}

// RewriteUntil is RewriteSteps with a deadline for waiting for locks.
func RewriteUntil(f *Files, list []Rewrite, deadline time.Time, step func(step string) error) error {
	return f.rewriteAll(list, deadline, step)
}

// Lock locks a file.
var Lock = lock

// Variable returns the name of an environment variable in the form in which a system compares
// it.
var Variable = variable

// DefaultRoots returns the default roots for files.
func DefaultRoots(f *Files, files []string) []string { return f.defaultRoots(files) }

// TreeSteps returns a directory to write to that calls step before each step, as RewriteSteps does.
func TreeSteps(f *Files, dir string, step func(step string) error) *Tree {
	t := f.Tree(dir)
	t.step = step
	return t
}
