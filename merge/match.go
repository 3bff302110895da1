package merge

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// match reads "+match" at the top of a document, the map that older documents must contain for this one to
// become a layer over them:
//
//	+match: {kind: Deployment, metadata: {name: web}}
func (m *mapping) match(e *yaml.Entry, optional bool) {
	switch {
	case m.opts.Included:
		m.errorf(e.KeyAt, source.BadDirective, "an included file has no %s: it lies below the map that includes it", e.Key.Text).
			WithHint("name the file as a layer after the others")
		return
	case m.node != m.top:
		m.errorf(e.KeyAt, source.BadDirective, "%s is for the top of a document", e.Key.Text)
		return
	case m.doc.Match != nil:
		m.errorf(e.KeyAt, source.BadDirective, "a document has one +match").Note(m.doc.Match.At, "the other")
		return
	}
	parts, bad := matchParts(e.Value)
	if bad != nil {
		m.findings = append(m.findings, bad)
		return
	}
	m.doc.Match = &graph.Match{At: e.KeyAt, Optional: optional, Parts: parts}
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
			if e.IsMerge() || IsDirective(e.Key.Text) {
				return source.Errorf(e.KeyAt, source.BadDirective, "the map that documents contain has no directives").WithHint(matchHint)
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

// choice reads "document" in the map form of an include: a map that the document contains, or its number.
func (m *mapping) choice(ref *graph.Ref, n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	if number, ok := n.Value.Int(); ok && n.Kind == yaml.ScalarNode && number >= 0 {
		ref.Choice = &graph.Choice{At: n.At, Number: int(min(number, 1<<30))}
		return
	}
	if n.Kind != yaml.MapNode {
		m.errorf(n.At, source.BadInclude, "a document is chosen by a map that it contains, or by its number from 0").WithHint(matchHint)
		return
	}
	parts, bad := matchParts(n)
	if bad != nil {
		m.findings = append(m.findings, bad)
		return
	}
	ref.Choice = &graph.Choice{At: n.At, Match: &graph.Match{At: n.At, Parts: parts}}
}

// isGlob reports whether the name of a file in an include is a pattern of names.
func isGlob(file string) bool {
	return strings.ContainsAny(file, "*?[") && !strings.Contains(file, "://")
}

// globbed returns the files that match the pattern of an include as layers, in order of their names.
// The file of the include is not one of them.
//
// Codes: missing-include, bad-include; the codes of the search.
func globbed(p *graph.Context, ref *graph.Ref) (graph.Node, error) {
	from := p.Origin.Doc
	switch {
	case ref.Named != "":
		return nil, source.Errorf(ref.FileAt, source.BadInclude, "a pattern of file names has no repository")
	case strings.Contains(from.Base, "://"):
		return nil, source.Errorf(ref.FileAt, source.BadInclude, "a file from a server has no directory for a pattern of file names")
	}
	env := runtimeOf(p).env(p.Origin)
	paths, err := env.Host(ref.FileAt, false).Glob(ref.File, from.Base)
	if err != nil {
		return nil, source.AsDiagnostic(err, ref.FileAt, source.BadInclude).Located(ref.FileAt)
	}
	files := &graph.Overlay{At: ref.FileAt, Own: graph.NewMap(graph.Map{At: ref.FileAt, Weak: true}), Rule: graph.MergeRule}
	for _, path := range paths {
		if path == from.File.Path {
			continue
		}
		one := *ref
		if one.File = path; from.Base != "" {
			if rel, err := filepath.Rel(from.Base, path); err == nil {
				one.File = filepath.ToSlash(rel)
			}
		}
		files.Bases = append(files.Bases, &one)
	}
	switch {
	case len(files.Bases) == 1:
		return files.Bases[0], nil
	case len(files.Bases) > 1:
		return files, nil
	case ref.Optional:
		return nil, nil
	case ref.FileAt.File.Secret:
		return nil, source.Errorf(ref.FileAt, source.MissingInclude, "no file matches the pattern of this include")
	}
	return nil, source.Errorf(ref.FileAt, source.MissingInclude, "no file matches %s", ref.File).
		WithHint(`a "?" after the "+" would make it optional`)
}
