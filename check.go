package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/source"
)

// Check evaluates every document completely and returns all findings: errors, warnings and
// those of the linters. A finding of severity error means that rendering would fail.
func (p *Project) Check() []*source.Diagnostic {
	defer p.lock()()
	var found []*source.Diagnostic
	add := source.EachOnce(func(d *source.Diagnostic) { found = append(found, d) })
	warn := p.engine.SetWarn(add)
	defer func() { p.engine.SetWarn(warn) }()
	for _, doc := range p.docs {
		d := doc.engine.ForLint() // an evaluation of its own, so that all warnings are reported again
		v, err := d.Value()
		if err == nil {
			err = d.Force(v)
		}
		for _, e := range source.Findings(err) {
			add(e)
		}
		for _, l := range lintDocument(d) {
			add(l)
		}
	}
	return found
}

// lintDocument returns the findings of the linters about the layers and about all files that
// were included while these were evaluated.
func lintDocument(d *engine.Document) []*source.Diagnostic {
	e, err := d.Eval()
	if err != nil {
		return nil // the layers cannot be parsed, which Value has reported
	}
	var layers, included []*graph.Doc
	for _, layer := range d.Layers() {
		layers = append(layers, layer.Doc)
	}
	seen := map[*graph.Doc]bool{}
	for _, in := range d.Project().Includes() {
		if in.Doc != nil && !seen[in.Doc] {
			seen[in.Doc] = true
			included = append(included, in.Doc)
		}
	}
	return lint.Nodes(layers, included, e, engine.Library{})
}
