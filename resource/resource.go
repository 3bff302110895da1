// Package resource holds the graph of resources that a program of the mgmt language yields.
//
//	yaytpl.Document --Resources--> Graph --Order--> resources, each after its dependencies
//	value.Value ------Of-------------^
//
// A Graph is data: nothing is applied. Outside of Go it has the form of "yaytpl render -o json" (spec:
// mcl, section 11):
//
//	{"resources": [{"kind": "file", "name": "/etc/motd", "params": {...}, "meta": {...}}],
//	 "edges": [{"from": "Pkg[nginx]", "to": "File[/etc/motd]", "notify": false}]}
package resource

import (
	"iter"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An ID identifies a resource in its graph.
type ID struct{ Kind, Name string }

// String returns the ID as edges write it: a capital for each part of the kind, the name in brackets.
//
//	{http:server, x} is Http:Server[x]
func (i ID) String() string {
	parts := strings.Split(i.Kind, ":")
	for n, p := range parts {
		if p != "" {
			parts[n] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, ":") + "[" + i.Name + "]"
}

// ParseID parses what String returns, and false for another text. The name may contain anything: it
// begins after the first "[" and ends before the last "]".
func ParseID(text string) (ID, bool) {
	kind, rest, ok := strings.Cut(text, "[")
	name, closed := strings.CutSuffix(rest, "]")
	if !ok || !closed || kind == "" || name == "" {
		return ID{}, false
	}
	return ID{strings.ToLower(kind), name}, true
}

// A Resource is a vertex of the graph. Meta is empty if the program sets no meta parameters.
type Resource struct {
	ID
	Params, Meta value.Map
}

// An Edge says that To comes after From. With Notify, To is told when From changes. With Send and Recv
// the value of a field of From goes to a field of To.
type Edge struct {
	From, To   ID
	Notify     bool
	Send, Recv string // "" for an edge that sends nothing
}

// A Graph is the resources and edges that a program yields: acyclic, both ends of each edge exist, and
// no two resources have the same ID. Resources are sorted by kind and name, edges by their ends.
type Graph struct {
	Resources []Resource
	Edges     []Edge
}

// Of returns the graph of a document {resources, edges}. What a program yields is valid; other data is
// checked.
//
// Codes: bad-document, duplicate-resource, unknown-resource, edge-cycle, the codes of evaluation.
func Of(v value.Value) (*Graph, error) {
	g := &Graph{}
	err := each(v, "resources", func(m value.Map) error {
		id, err := idOf(m)
		if err != nil {
			return err
		}
		params, err := mapAt(m, "params")
		if err != nil {
			return err
		}
		meta, err := mapAt(m, "meta")
		g.Resources = append(g.Resources, Resource{id, params, meta})
		return err
	})
	if err != nil {
		return nil, err
	}
	err = each(v, "edges", func(m value.Map) error {
		e, err := edgeOf(m)
		g.Edges = append(g.Edges, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	return g, g.check()
}

// Find returns the resource with an ID, false if there is none.
func (g *Graph) Find(id ID) (Resource, bool) {
	for _, r := range g.Resources {
		if r.ID == id {
			return r, true
		}
	}
	return Resource{}, false
}

// Order yields the resources, each after all those that edges lead to it from. Of several that could
// come next the first one by kind and name does.
func (g *Graph) Order() iter.Seq[Resource] {
	order, _ := g.order()
	return func(yield func(Resource) bool) {
		for _, i := range order {
			if !yield(g.Resources[i]) {
				return
			}
		}
	}
}

// bad is the error of data that is no graph.
func bad(format string, args ...any) error {
	return source.Errorf(source.Span{}, source.BadDocument, format, args...)
}
