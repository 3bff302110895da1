package load

import (
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/crypto"
)

// visible reports whether an environment variable may be read (design: decisions,
// "Files, environment, programs").
func (f *Files) visible(name string) bool {
	switch {
	case f.config.NoEnv, name == crypto.PassphraseVariable: // that is for nobody but us
		return false
	case len(f.config.AllowEnv) == 0:
		return !f.config.AllowURL
	}
	return slices.ContainsFunc(f.config.AllowEnv, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok || err != nil && pattern == name
	})
}

// Getenv returns an environment variable, and false if it is unset or hidden.
func (f *Files) Getenv(name string) (string, bool) {
	if !f.visible(name) {
		return "", false
	}
	return f.config.Getenv(name)
}

// Environ returns the names of all visible variables, sorted.
func (f *Files) Environ() []string {
	names := []string{}
	for _, line := range f.config.Environ() {
		name, _, _ := strings.Cut(line, "=")
		if name == "" {
			continue
		}
		if _, ok := f.Getenv(name); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
