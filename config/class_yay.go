package config

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/value"
)

// A nativeClass is a class of the program as the languages use it.
type nativeClass struct {
	instances *instances
	name      string
}

// Instance implements [frontend.Class].
func (c nativeClass) Instance(p *graph.Place, params value.Value) value.Map {
	return c.instances.instance(p, c.name, params)
}

// native returns the classes for the evaluations of a revision, by name.
func (s *instances) native() map[string]frontend.Class {
	classes := make(map[string]frontend.Class, len(s.classes))
	for name := range s.classes {
		classes[name] = nativeClass{s, name}
	}
	return classes
}
