package edit

import (
	"errors"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A batch is edits that are made together, so that the files are read and compared once
// for all of them.
type batch struct {
	*session
	project *engine.Project   // nil if the documents are plain
	drafts  []*draft.Document // what each document is to come to
	plans   []*plan
	planned map[int]*planTree         // the places of the plans, by document
	facts   map[string][]graph.Fact   // by place: who has a say in it
	alone   map[*engine.Document]bool // whether a document has no directives
	read    bool                      // all files that the documents are made of were
	first   error                     // why the first way did not do
}

// errApart is why an edit cannot be made together with those before it, or, the first,
// with those behind it.
var errApart = errors.New("these edits cannot be made together")

// make makes edits: all at once if that comes to what each asks for, else in halves,
// down to those that cannot be made.
func (x *session) make(edits []Edit) error {
	if len(edits) == 0 {
		return nil
	}
	n, err := x.together(edits)
	switch {
	case err == nil || x.Err() != nil:
		return err
	case len(edits) == 1:
		return edits[0].located(err)
	case err != errApart:
		n = len(edits) / 2
	}
	if err := x.make(edits[:n]); err != nil {
		return err
	}
	return x.make(edits[n:])
}

// together makes edits at once, or none of them. With errApart it returns how many may
// be made together.
func (x *session) together(edits []Edit) (int, error) {
	b, err := x.batch()
	if err != nil {
		return 0, err
	}
	for i, e := range edits {
		if err := b.plan(e, len(edits) == 1); err != nil {
			return max(i, 1), err
		}
	}
	switch {
	case len(b.plans) == 0:
		return 0, nil
	case b.standsAlone():
		return 0, b.direct()
	}
	return 0, b.try()
}

// direct makes edits in documents of which each value stands where it is written: that
// nothing else changes need not be looked for. What was read is let go first, since
// writing reads the text again.
func (b *batch) direct() error {
	all := b.firstWays()
	b.Close()
	*b = batch{session: b.session}
	w, err := b.Write(all)
	if err == nil {
		b.accept(w, nil)
	}
	return err
}

// newBatch returns a batch without drafts; p is nil if the documents are plain.
func newBatch(x *session, p *engine.Project) *batch {
	return &batch{session: x, project: p, alone: map[*engine.Document]bool{}, facts: map[string][]graph.Fact{}}
}

// batch begins a batch with the texts so far.
func (x *session) batch() (*batch, error) {
	if docs, ok := x.PlainValues(); ok {
		b := newBatch(x, nil)
		for _, v := range docs {
			b.drafts = append(b.drafts, &draft.Document{Root: v})
		}
		return b, nil
	}
	p, err := x.Project()
	if err != nil {
		return nil, err
	}
	b := newBatch(x, p)
	for _, d := range p.Documents() {
		v, err := overlay.Expanded(d)
		if err != nil {
			return nil, err
		}
		b.drafts = append(b.drafts, &draft.Document{Root: v})
	}
	return b, nil
}

// firstWays returns the best way of each plan that has one left.
func (b *batch) firstWays() overlay.Edits {
	var all overlay.Edits
	for _, p := range b.plans {
		all = append(all, p.ways[0]...)
	}
	return all
}

// try makes the edits in the best ways that come to what was asked for.
func (b *batch) try() error {
	for {
		err := b.attempt()
		if err == nil {
			return nil
		}
		if b.first == nil {
			b.first = err
		}
		if !b.advance() {
			return b.first
		}
	}
}

// advance goes on to the next way of the plans that were not carried out, and reports
// whether there is one.
func (b *batch) advance() bool {
	advanced := false
	for _, p := range b.plans {
		if !p.wrong && len(b.plans) > 1 {
			continue
		}
		if len(p.ways) == 1 {
			return false
		}
		p.ways = p.ways[1:]
		advanced = true
	}
	return advanced
}

// attempt makes the edits in one way each, and takes the texts if all documents have
// come to what was asked for.
func (b *batch) attempt() error {
	w, err := b.Write(b.firstWays())
	if err != nil {
		return b.notWritten(err)
	}
	b.readAll()
	p, err := b.Open(w)
	if err != nil {
		return afterEdit(err)
	}
	if len(p.Documents()) != len(b.drafts) {
		return source.Errorf(source.Span{}, source.Output, "the edit would change the number of documents in %s", b.Name)
	}
	c := comparison{batch: b, after: p}
	if err := c.compare(); err != nil {
		return afterEdit(err)
	}
	if err := c.complaint(); err != nil {
		return err
	}
	b.others = append(b.others, c.changes()...)
	b.accept(w, p)
	return nil
}

// afterEdit says of an error that it is one of the text with the edit.
func afterEdit(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return err
	}
	said := *d
	said.Message = "with the edit: " + d.Message
	return &said
}

// notWritten says why a way cannot be written. What is not found is there, but not in
// the named file.
func (b *batch) notWritten(err error) error {
	var d *source.Diagnostic
	if len(b.plans) > 1 || b.eo.To == Source || !errors.As(err, &d) || d.Code != source.NotFound {
		return err
	}
	return source.Errorf(source.Span{}, source.Output, "%s is not written in %s: something brings it there", b.plans[0].place.path, b.Name).
		WithHint("--to=source edits it there; explain tells where that is")
}

// readAll reads all files that the documents are made of: until then it is unknown which
// names, through links, a file has in them.
func (b *batch) readAll() {
	if b.eo.To == Override || b.read {
		return
	}
	b.read = true
	for _, d := range b.drafts {
		value.IsSame(d.Root, d.Root)
	}
}
