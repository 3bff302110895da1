package load

// RewriteSteps is [Files.RewriteAll] with step called before each step of it. An error of
// step takes the place of the step.
func RewriteSteps(f *Files, list []Rewrite, step func(step string) error) error {
	return f.rewriteAll(list, step)
}

// Lock waits for the lock of a file.
var Lock = lock
