package restore

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A reference is what a site takes.
type reference struct {
	to       value.Path // in the document before the edit; for what is not there, where it would be
	start    int        // so many keys of that lead to where the reference begins: the rest is as written
	known    bool       // false for what is not in this document, or not found by looking
	now      value.Path // in the edited document, if found
	found    bool
	needed   bool // without it the document is wrong
	computed bool // it depends on values
	syntax   bool // an alias or "<<", which has to have its anchor in the text
}

// alias adds the reference of an alias to its anchor.
func (x *sites) alias(at *site, target *yaml.Node) {
	to, ok := x.anchors[target]
	at.refs = append(at.refs, reference{to: to, start: len(to), known: ok, needed: true, syntax: true})
}

// references adds what a map with directives or "<<" takes.
func (x *sites) references(at *site, m *mapping) error {
	if m.overlay != nil {
		for _, b := range m.overlay.Bases {
			ref, err := x.reference(at, b)
			if err != nil {
				return err
			}
			at.refs = append(at.refs, ref)
		}
	}
	for _, e := range m.merges {
		for _, from := range mergeSources(e.Value) {
			if from.Kind == yaml.AliasNode {
				x.alias(at, from.Target)
			}
		}
	}
	return nil
}

// reference finds the target of a directive in the document, which is where it was
// before the edit.
func (x *sites) reference(at *site, n graph.Node) (reference, error) {
	ref, ok := n.(*graph.Ref)
	if !ok {
		return reference{computed: true}, nil
	}
	r := reference{needed: !ref.Optional}
	var start value.Path
	switch ref.From {
	case graph.FromFile:
		return r, nil
	case graph.FromHere:
		if !at.placed || ref.Up > len(at.at) {
			return reference{computed: true}, nil
		}
		start = at.at[:len(at.at)-ref.Up]
	case graph.FromAnchor:
		named := x.orig.Anchors[ref.Anchor]
		if named == nil {
			return r, nil
		}
		if start, ok = x.nodes[named]; !ok {
			return reference{computed: true}, nil
		}
	}
	var err error
	r.start = len(start)
	r.to, r.known, err = pointed(some(x.orig.Value), start, ref.Path)
	return r, err
}

// pointed follows the segments of a pointer from a place. Where it leads nowhere it returns
// false, and where it would lead.
func pointed(doc optional, start value.Path, segments []string) (value.Path, bool, error) {
	to := slices.Clone(start)
	v, err := doc.at(start)
	for i, word := range segments {
		var next optional
		var key value.Key
		for _, key = range spellings(v, word) {
			if next, err = v.get(key); next.ok || err != nil {
				break
			}
		}
		if !next.ok || err != nil {
			return append(to, keysOf(segments[i:])...), false, err
		}
		v, to = next, append(to, key)
	}
	return to, v.ok, err
}

func keysOf(words []string) []value.Key {
	keys := make([]value.Key, len(words))
	for i, word := range words {
		keys[i] = value.K(word)
	}
	return keys
}

// spellings returns the keys that a segment of a pointer may mean.
func spellings(v optional, word string) []value.Key {
	if !v.isList() {
		return value.KeysSpelt(word)
	}
	i, ok := indexOf(value.Key{Text: word, Kind: value.IntKind})
	if ok && i < 0 {
		i += v.v.List().Len()
	}
	if !ok || i < 0 {
		return nil
	}
	return []value.Key{value.Index(i)}
}

// relocate finds out where what a site takes is in the edited document.
func (ref *reference) relocate(r *relocation) error {
	if !ref.known {
		return nil
	}
	start, found, err := r.of(ref.to[:ref.start])
	ref.now, ref.found = append(start, ref.to[ref.start:]...), found
	return err
}
