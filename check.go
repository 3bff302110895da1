package yaytpl

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/source"
)

// Check evaluates every document completely and returns all findings: the errors,
// the warnings that came up on the way, and what the linters say. Findings of
// severity error mean that rendering would fail.
func (p *Project) Check() []*source.Diagnostic {
	defer p.turn()()
	var found []*source.Diagnostic
	add := source.EachOnce(func(d *source.Diagnostic) { found = append(found, d) })
	outer := p.opts.Warn
	p.opts.Warn = func(d *source.Diagnostic) { add(remark(d)) }
	defer func() { p.opts.Warn = outer }()
	for _, d := range p.docs {
		d = d.afresh() // so that warnings of an earlier evaluation come again
		d.linting = true
		v, err := d.finished()
		if err == nil {
			err = d.force(v)
		}
		for _, e := range source.Findings(err) {
			add(e)
		}
		for _, l := range d.lint() {
			add(l)
		}
	}
	return found
}

// lint looks for what is allowed and probably not meant, in the layers and in all
// files that they included while they were evaluated.
func (d *Document) lint() []*source.Diagnostic {
	e, err := d.eval()
	if err != nil {
		return nil // of a text that does not parse there are no nodes
	}
	var layers, included []*graph.Doc
	for _, layer := range d.layers {
		layers = append(layers, layer.Doc)
	}
	seen := map[*graph.Doc]bool{}
	for _, in := range d.project.loads {
		if in.doc != nil && !seen[in.doc] {
			seen[in.doc] = true
			included = append(included, in.doc)
		}
	}
	return lint.Nodes(layers, included, e, library{})
}

// remark makes less of a warning that only tells what the file itself allows: that an
// optional include is missing.
func remark(d *source.Diagnostic) *source.Diagnostic {
	if d.Code != source.MissingInclude || d.Severity != source.Warning {
		return d
	}
	mild := *d
	mild.Severity = source.Info
	return &mild
}
