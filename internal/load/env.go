package load

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/crypto"
)

// visible reports whether an environment variable may be read (design: decisions,
// "Files, environment, programs").
func (f *Files) visible(name string) bool {
	name = variable(runtime.GOOS, name)
	switch {
	case f.config.NoEnv, name == crypto.PassphraseVariable: // that is for nobody but us
		return false
	case len(f.config.AllowEnv) == 0:
		return !f.config.AllowURL
	}
	return slices.ContainsFunc(f.config.AllowEnv, func(pattern string) bool {
		pattern = variable(runtime.GOOS, pattern)
		ok, err := path.Match(pattern, name)
		return ok || err != nil && pattern == name
	})
}

// variable returns the one name of an environment variable that has several: on Windows
// those that differ in case.
func variable(system, name string) string {
	if system == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// getenv returns an environment variable, and false if it is unset or hidden.
func (f *Files) getenv(name string) (string, bool) {
	if !f.visible(name) {
		return "", false
	}
	return f.config.Getenv(name)
}

// environ returns the names of all visible variables, sorted.
func (f *Files) environ() []string {
	names := []string{}
	for _, line := range f.config.Environ() {
		name, _, _ := strings.Cut(line, "=")
		if name == "" {
			continue
		}
		if _, ok := f.getenv(name); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
