package yaytpl

import (
	"errors"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/source"
)

// Check evaluates every document completely and returns all findings: errors, warnings, violations
// of schemas, and findings of the linters. A finding of severity error means that rendering would fail, or that
// Options.Checks makes it an error.
func (p *Project) Check() []*source.Diagnostic {
	defer p.lock()()
	var found []*source.Diagnostic
	once := source.EachOnce(func(d *source.Diagnostic) { found = append(found, d) })
	add := func(d *source.Diagnostic) {
		if d = p.opts.Checks.Apply(d); d != nil {
			once(d)
		}
	}
	warn := p.engine.SetWarn(add)
	defer func() { p.engine.SetWarn(warn) }()
	for _, t := range p.tables {
		for _, d := range t.Check(p.opts.Checks) {
			once(d)
		}
	}
	for _, doc := range p.docs {
		d := doc.engine.ForLint() // an evaluation of its own, so that all warnings are reported again
		v, err := d.Value()
		if err == nil {
			err = d.Force(v)
		}
		if err == nil {
			d.Begin()
			var violations []*source.Diagnostic
			violations, err = d.Validate(v)
			for _, d := range violations {
				add(d)
			}
		}
		for _, e := range source.Findings(err) {
			add(e)
		}
		for _, l := range p.lintDocument(d, !errors.Is(err, source.ErrLimit)) {
			add(l)
		}
	}
	return found
}

// warn passes a warning to Options.Warn as its level says. One that is an error is gathered.
func (p *Project) warn(d *source.Diagnostic) {
	if d == nil {
		return
	}
	d = p.opts.Checks.Apply(d)
	switch {
	case d == nil:
	case d.Severity == source.Error && p.gathering:
		p.raised = append(p.raised, d)
	case p.opts.Warn != nil:
		p.opts.Warn(d)
	}
}

// gather adds warnings that Options.Checks makes errors to *err, from now on until the function
// that it returns is called.
func (p *Project) gather(err *error) (end func()) {
	p.raised, p.gathering = nil, true
	return func() {
		p.gathering = false
		if len(p.raised) > 0 {
			*err = source.OneOrMany(append(source.Findings(*err), p.raised...))
			p.raised = nil
		}
	}
}

// warnOfJoins warns of layers that join in a way that was probably not meant: of all kinds if all
// is set, otherwise of those that Options.Checks names. An exceeded limit is an error only for
// the latter.
func (p *Project) warnOfJoins(d *engine.Document, all bool) error {
	named := false
	for _, c := range source.JoinKinds() {
		_, set := p.opts.Checks[c]
		named = named || set && p.opts.Checks.Level(c) != source.LevelOff
	}
	if !all && !named {
		return nil
	}
	e, err := d.Eval()
	if err != nil {
		return nil // the caller returns this error
	}
	layers, included := written(d)
	found, err := lint.Joins(e, layers, included, p.allNewKeys())
	for _, j := range found {
		if _, set := p.opts.Checks[j.Code]; set || all {
			p.warn(j)
		}
	}
	if !named {
		return nil
	}
	return err
}

// lintDocument returns the findings of the linters about the texts of the layers and of all files
// that were included while these were evaluated, and, with joins, those about the layers as such.
func (p *Project) lintDocument(d *engine.Document, joins bool) []*source.Diagnostic {
	e, err := d.Eval()
	if err != nil {
		return nil // the layers cannot be parsed, which Value has reported
	}
	layers, included := written(d)
	found := lint.Nodes(layers, included, e, engine.Library{})
	if !joins {
		return found
	}
	d.Begin() // the steps of the evaluation do not count here
	about, err := lint.Joins(e, layers, included, p.allNewKeys())
	return append(append(found, about...), source.Findings(err)...)
}

// allNewKeys reports whether findings about keys that only a newer layer has are asked for. Those
// without a near older key are mostly wrong (docs: checks, unknown-key).
func (p *Project) allNewKeys() bool {
	_, set := p.opts.Checks[source.UnknownKey]
	return set
}

// written returns the documents of the layers, and of the files that were included so far.
func written(d *engine.Document) (layers, included []*graph.Doc) {
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
	return layers, included
}
