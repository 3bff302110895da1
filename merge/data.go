package merge

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Lower returns the nodes of a document with its directives carried out: those that
// [Parse] makes of its text, except that what looks like a directive is data. The file is
// that whose names and switches count; it is not read.
func Lower(v value.Value, f *source.File, o Options) (graph.Node, error) {
	tree, err := yaml.FromValue(v)
	if err != nil {
		return nil, err
	}
	o.NoDirectives = true
	l := newLowering(f, o)
	n := l.node(tree)
	return n, firstError(l.findings)
}

func firstError(findings []*source.Diagnostic) error {
	for _, d := range findings {
		if d.Severity == source.Error {
			return d
		}
	}
	return nil
}
