package lint

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Scope says which places the keys of a reference in a directive name.
//
//	+private: [versions]           InPlace     the key of the map
//	+private: ["x-*"]              Pattern     keys of the map
//	+lists: {hosts: append}        AnyDepth    lists at or below the map
//	+lists: {spec.hosts: append}   FromMap     a path from the map, on which items do not count
//	+lists: {hosts: by name}       ItemField   "name": a key of the items of such a list
type Scope uint8

// The scopes.
const (
	InPlace Scope = iota
	Pattern
	AnyDepth
	FromMap
	ItemField
)

// directives adds the keys that +private and +lists of a map name.
func (r *references) directives(n *graph.Map, s surroundings) {
	if n.Private != nil {
		for _, name := range n.Private.Names {
			scope := InPlace
			if strings.ContainsAny(name.Text, `*?[\`) {
				scope = Pattern
			}
			r.directive(name.At, s, scope, name.Text)
		}
	}
	if n.Lists == nil {
		return
	}
	for _, rule := range n.Lists.Rules {
		if rule.Key == "*" {
			continue
		}
		keys := strings.Split(rule.Key, ".")
		r.directive(rule.At, s, AnyDepth, rule.Key)
		if at, ok := within(rule.At, rule.Key); ok && len(keys) > 1 {
			from := 0
			for i, key := range keys {
				r.directive(at.Sub(from, from+len(key)), s, FromMap, keys[:i+1]...)
				from += len(key) + len(".")
			}
		}
		if rule.Policy.Kind == graph.ByField {
			if at, ok := policyField(n.Lists, rule); ok {
				r.directive(at, s, ItemField, append(keys, rule.Policy.Field)...)
			}
		}
	}
}

// directive adds a reference of a directive.
func (r *references) directive(at source.Span, s surroundings, scope Scope, keys ...string) {
	m := expr.Mention{At: at, Form: expr.FormDirective, From: expr.RootSelf, Keys: slices.Clone(keys)}
	r.found = append(r.found, Reference{Mention: m, Doc: r.doc, Included: r.included, Self: s.self, Scope: scope})
}

// within returns the place of a text in a scalar, if it is written without escapes.
func within(at source.Span, text string) (source.Span, bool) {
	i := strings.LastIndex(at.Text(), text)
	if i < 0 || text == "" {
		return source.Span{}, false
	}
	return at.Sub(i, i+len(text)), true
}

// policyField returns the place of the field of a rule "by FIELD".
func policyField(l *graph.Lists, rule graph.ListRule) (source.Span, bool) {
	if l.Written == nil {
		return source.Span{}, false
	}
	m, ok := l.Written.Node.(*graph.Map)
	if !ok {
		return source.Span{}, false
	}
	i, ok := m.Find(value.K(rule.Key))
	if !ok {
		return source.Span{}, false
	}
	return within(m.Entries[i].Node.Span(), rule.Policy.Field)
}
