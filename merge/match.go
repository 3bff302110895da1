package merge

import (
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// match reads "+match" at the top of a document, the map that older documents must contain for this one to
// lie over them:
//
//	+match: {kind: Deployment, metadata: {name: web}}
func (m *mapping) match(e *yaml.Entry, optional bool) {
	switch {
	case m.opts.Included:
		m.errorf(e.KeyNode.At, source.BadDirective, "an included file has no %s: it lies below the map that includes it", e.Key.Text).
			WithHint("name the file as a layer after the others")
		return
	case m.node != m.top:
		m.errorf(e.KeyNode.At, source.BadDirective, "%s is for the top of a document", e.Key.Text)
		return
	case m.doc.Match != nil:
		m.errorf(e.KeyNode.At, source.BadDirective, "a document has one +match").Note(m.doc.Match.At, "the other")
		return
	}
	parts, bad := matchParts(e.Value)
	if bad != nil {
		m.findings = append(m.findings, bad)
		return
	}
	m.doc.Match = &graph.Match{At: e.KeyNode.At, Optional: optional, Parts: parts}
}

// maxMatchParts is the most scalars and lists of a map that documents are compared with. Aliases can make
// a short text have many.
const maxMatchParts = 1000

const matchHint = "such as {kind: Deployment, metadata: {name: web}}"

// matchParts returns the parts of a map that documents are to contain.
//
// Codes: bad-directive, limit.
func matchParts(n *yaml.Node) ([]graph.MatchPart, *source.Diagnostic) {
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	if n.Kind != yaml.MapNode {
		return nil, source.Errorf(n.At, source.BadDirective, "documents are chosen by a map that they contain").WithHint(matchHint)
	}
	parts := []graph.MatchPart{}
	var collect func(n *yaml.Node, path value.Path) *source.Diagnostic
	collect = func(n *yaml.Node, path value.Path) *source.Diagnostic {
		at := n.At
		if n.Kind == yaml.AliasNode {
			n = n.Target
		}
		if len(parts) >= maxMatchParts || len(path) > maxMatchParts {
			return source.Errorf(at, source.Limit, "a map that documents contain has more than %d parts", maxMatchParts)
		}
		if n.Kind != yaml.MapNode || len(n.Entries) == 0 {
			v, err := n.ToValue()
			if err != nil {
				return source.AsDiagnostic(err, at, source.BadDirective)
			}
			if len(path) > 0 {
				parts = append(parts, graph.MatchPart{Path: slices.Clone(path), Want: v, At: at})
			}
			return nil
		}
		for i := range n.Entries {
			e := &n.Entries[i]
			if e.Merge || IsDirective(e.Key.Text) {
				return source.Errorf(e.KeyNode.At, source.BadDirective, "the map that documents contain has no directives").WithHint(matchHint)
			}
			if d := collect(e.Value, append(path, e.Key)); d != nil {
				return d
			}
		}
		return nil
	}
	if d := collect(n, nil); d != nil {
		return nil, d
	}
	return parts, nil
}
