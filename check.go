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
	warn := p.engine.SetWarn(func(d *source.Diagnostic) { add(remark(d)) })
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

// lintDocument reports what is allowed and probably not meant in the layers, and in all files
// that were included while they were evaluated.
func lintDocument(d *engine.Document) []*source.Diagnostic {
	e, err := d.Eval()
	if err != nil {
		return nil // a text that does not parse has no nodes
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

// remark turns the warning about a missing optional include, which the file itself allows, into
// a finding of severity info.
func remark(d *source.Diagnostic) *source.Diagnostic {
	if d.Code != source.MissingInclude || d.Severity != source.Warning {
		return d
	}
	mild := *d
	mild.Severity = source.Info
	return &mild
}
