package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/value"
)

// A yayClass is a native class as Yay sees it.
type yayClass struct {
	instances *instances
	name      string
}

// Instance implements [yay.Class].
func (c yayClass) Instance(p *graph.Place, params value.Value) value.Map {
	return c.instances.instance(p, c.name, params)
}

// yayClasses returns the native classes for Yay; s is nil outside of a [Config].
func (s *instances) yayClasses() map[string]yay.Class {
	if s == nil {
		return nil
	}
	classes := make(map[string]yay.Class, len(s.classes))
	for name := range s.classes {
		classes[name] = yayClass{s, name}
	}
	return classes
}
