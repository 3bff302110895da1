package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/value"
)

// A yayClass is a native class as Yay sees it.
type yayClass struct {
	actors *actors
	name   string
}

// Instance implements [yay.Class].
func (c yayClass) Instance(p *graph.Place, params value.Value) value.Map {
	return c.actors.instance(p, c.name, params)
}

// yayClasses returns the native classes for Yay; a is nil outside of a [Config].
func (a *actors) yayClasses() map[string]yay.Class {
	if a == nil {
		return nil
	}
	classes := make(map[string]yay.Class, len(a.classes))
	for name := range a.classes {
		classes[name] = yayClass{a, name}
	}
	return classes
}
