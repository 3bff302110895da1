package load

import "time"

// RewriteSteps is [Files.RewriteAll] with step called before each step of it. An error of
// step takes the place of the step.
func RewriteSteps(f *Files, list []Rewrite, step func(step string) error) error {
	return RewriteUntil(f, list, time.Now().Add(lockWait), step)
}

// RewriteUntil is RewriteSteps that waits for locks until the deadline.
func RewriteUntil(f *Files, list []Rewrite, deadline time.Time, step func(step string) error) error {
	return f.rewriteAll(list, deadline, step)
}

// Lock waits for the lock of a file.
var Lock = lock

// Variable returns the one name of an environment variable on a system.
var Variable = variable

// DefaultRoots returns the directories that files may be read below by default.
func DefaultRoots(f *Files, files []string) []string { return f.defaultRoots(files) }
