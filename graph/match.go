package graph

import (
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Choosing documents by what they contain
//
// A [Match] is a map that a document must contain: the value of +match, which says over which documents of a stream
// a document is a layer, or of the key document of an include. It is compared with documents
// whose directives are carried out and whose templates are text, so the choice depends on no value that
// a layer computes. An example:
//
//	+match: {kind: Deployment, metadata: {name: web}}
//
// has the parts kind = Deployment and metadata.name = web. A document with other keys beside these
// contains the map; one without metadata, or in which metadata is a list, does not.

// A Match is a map that documents contain or not.
type Match struct {
	At       source.Span // of the directive
	Optional bool        // no document needs to contain it
	Parts    []MatchPart
}

// A MatchPart is a scalar or a list of the map, or an empty map. A document has the part if the value at
// the path is equal to it, or is any map in place of the empty one.
type MatchPart struct {
	Path value.Path
	Want value.Value
	At   source.Span
}

// Missing returns the first part that a document does not have, nil if it has all. Each part that is
// compared is charged.
func (m *Match) Missing(doc value.Value, charge func(steps int) error) (*MatchPart, error) {
	if !doc.Is(value.MapKind) {
		return &MatchPart{At: m.At}, nil
	}
	for i := range m.Parts {
		part := &m.Parts[i]
		if err := charge(1 + len(part.Path)); err != nil {
			return nil, err
		}
		has, err := part.in(doc, charge)
		if err != nil || !has {
			return part, err
		}
	}
	return nil, nil
}

// in reports whether a document has the part.
func (p *MatchPart) in(doc value.Value, charge func(steps int) error) (bool, error) {
	v, ok, err := ValueIn(doc, p.Path)
	if !ok || err != nil {
		return false, err
	}
	if p.Want.Is(value.MapKind) || v.Is(value.MapKind) {
		return p.Want.Is(value.MapKind) && v.Is(value.MapKind), nil
	}
	return value.EqualCharged(v, p.Want, charge)
}

// ValueIn returns the value at a path of maps, and whether there is one.
func ValueIn(doc value.Value, path value.Path) (v value.Value, ok bool, err error) {
	for _, k := range path {
		if !doc.Is(value.MapKind) {
			return v, false, nil
		}
		if doc, ok, err = doc.Map().Get(k); !ok || err != nil {
			return v, false, err
		}
	}
	return doc, true, nil
}

// A Choice is one document of a file that has several: that with a number, or the only one that contains
// a map.
type Choice struct {
	At     source.Span // of the map or number
	Match  *Match      // nil for a number
	Number int         // from 0
}
