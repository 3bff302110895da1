package yaytpl

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A batch is edits that are made together, so that the files are read and compared once
// for all of them.
type batch struct {
	*editing
	project *Project     // nil if the documents are plain
	drafts  []*editDraft // what each document is to come to
	plans   []*plan
	facts   map[string][]graph.Fact // by place: who has a say in it
	alone   map[*Document]bool      // whether a document has no directives
	read    bool                    // all files that the documents are made of were
	first   error                   // why the first way did not do
}

// A plan is one change of an expanded document, with the ways to write it.
type plan struct {
	place editPlace
	edit  roundtrip.Edit // its path is that of the place
	ways  []way          // that are left, the best first

	natural []naturalPlace // what may change with it: see there
	refined bool           // a way was added that takes account of what came out
	wrong   bool           // it did not come to what was asked for
}

// errApart is why an edit cannot be made together with those before it, or, the first,
// with those behind it.
var errApart = errors.New("these edits cannot be made together")

// make makes edits: all at once if that comes to what each asks for, else in halves,
// down to those that cannot be made.
func (x *editing) make(edits []Edit) error {
	if len(edits) == 0 {
		return nil
	}
	n, err := x.together(edits)
	switch {
	case err == nil || x.ctx.Err() != nil:
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
func (x *editing) together(edits []Edit) (int, error) {
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
	b.opened = nil
	*b = batch{editing: b.editing}
	w, err := b.write(all)
	if err == nil {
		b.accept(w, nil)
	}
	return err
}

// batch begins a batch with the texts so far.
func (x *editing) batch() (*batch, error) {
	b := &batch{editing: x, alone: map[*Document]bool{}, facts: map[string][]graph.Fact{}}
	if docs, ok := x.plainDocuments(); ok {
		for _, d := range docs {
			b.drafts = append(b.drafts, &editDraft{plainValue(d.Root())})
		}
		return b, nil
	}
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	b.project = p
	for _, d := range p.Documents() {
		v, err := d.Expanded()
		if err != nil {
			return nil, err
		}
		b.drafts = append(b.drafts, &editDraft{v})
	}
	return b, nil
}

// plan adds an edit, and makes it in the draft.
func (b *batch) plan(e Edit, alone bool) error {
	switch e.Op {
	case TestValue:
		return b.test(e)
	case CopyValue, MoveValue:
		return b.transfer(e, alone)
	}
	p, err := b.planned(e)
	if err != nil {
		return err
	}
	draft := b.drafts[p.place.index]
	if same, err := draft.has(p); same || err != nil {
		return err
	}
	if !alone && (bringsDirectives(p.edit.Value) || b.goesOn(p)) {
		return errApart
	}
	old, err := valueAt(draft.root, p.place.path)
	if err != nil {
		return err
	}
	if err := draft.apply(p.edit); err != nil {
		return err
	}
	b.plans = append(b.plans, p)
	return b.findWays(p, old)
}

// goesOn reports whether a plan is about what an earlier one changes, so that what it takes
// can only be told when that is made.
func (b *batch) goesOn(p *plan) bool {
	if b.isAlone(p.place.doc) {
		return false
	}
	return slices.ContainsFunc(b.plans, func(q *plan) bool {
		related := startsWith(p.place.path, q.place.path) || startsWith(q.place.path, p.place.path)
		return related && q.place.index == p.place.index && !p.follows(q)
	})
}

// follows reports whether a plan takes the same whether or not q was made before: one more
// item of a list, or another scalar in the place of one.
func (p *plan) follows(q *plan) bool {
	if p.edit.Op != q.edit.Op || !slices.Equal(p.place.path, q.place.path) {
		return false
	}
	setsScalar := func(e roundtrip.Edit) bool {
		return e.Op == roundtrip.Set && e.Value.IsScalar() && !e.Value.IsNull()
	}
	return p.edit.Op == roundtrip.Append || setsScalar(p.edit) && setsScalar(q.edit)
}

// planned returns what an edit comes to in the expanded document.
func (b *batch) planned(e Edit) (*plan, error) {
	mayBeNew := e.Op == SetValue || e.Op == AppendValue || e.Op == AddValue
	place, err := b.locate(e.Path, mayBeNew)
	if err != nil {
		return nil, err
	}
	p := &plan{place: place, edit: roundtrip.Edit{Op: roundtrip.Set, Path: place.path, Value: e.Value, Create: true}}
	if len(place.path) == 0 && (e.Op == DeletePath || e.Op == RenameKey) {
		return nil, source.Errorf(source.Span{}, source.Usage, "the document as a whole has no key")
	}
	switch e.Op {
	case DeletePath:
		p.edit = roundtrip.Edit{Op: roundtrip.Delete, Path: place.path}
	case RenameKey:
		p.edit = roundtrip.Edit{Op: roundtrip.Rename, Path: place.path, Key: value.K(e.Key)}
	case AppendValue:
		p.edit.Op = roundtrip.Append
	case AddValue:
		p.edit.Create = false
		return p, b.addTo(p)
	}
	return p, nil
}

// addTo makes an addition to a list one of an item. What it is added to has to be there.
func (b *batch) addTo(p *plan) error {
	n := len(p.place.path) - 1
	if n < 0 {
		return nil
	}
	up, err := valueAt(b.drafts[p.place.index].root, p.place.path[:n])
	switch {
	case err != nil:
		return err
	case up.Is(value.ListKind):
		p.edit.Op = roundtrip.Insert
	case !up.Is(value.MapKind):
		return p.place.gone
	}
	return nil
}

// isItem reports whether a place is one in a list.
func (b *batch) isItem(at editPlace) bool {
	if len(at.path) == 0 {
		return false
	}
	up, err := valueAt(b.drafts[at.index].root, at.path[:len(at.path)-1])
	return err == nil && up.Is(value.ListKind)
}

// test makes no change: what stands at a path has to have the value.
func (b *batch) test(e Edit) error {
	at, err := b.locate(e.Path, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[at.index].root, at.path)
	if err != nil {
		return err
	}
	if !sameData(v, e.Value) {
		return source.Errorf(source.Span{}, source.BadValue, "%s has another value than the one that the edits test for", at.path)
	}
	return nil
}

// transfer copies or moves what stands at From. A key that only gets another name stays
// where it is.
func (b *batch) transfer(e Edit, alone bool) error {
	from, err := b.locate(e.From, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[from.index].root, from.path)
	if err == nil {
		v, err = value.Plain(v) // the draft goes on
	}
	if err != nil {
		return err
	}
	add := Edit{Op: AddValue, Path: e.Path, Value: v}
	if e.Op == CopyValue {
		return b.plan(add, alone)
	}
	to, err := b.locate(e.Path, true)
	if err == nil && to.gone != nil && !b.isItem(to) && samePlace(from, to) {
		return b.plan(Edit{Op: RenameKey, Path: e.From, Key: to.path[len(to.path)-1].Text}, alone)
	}
	if err == nil && startsWith(to.path, from.path) {
		return source.Errorf(source.Span{}, source.BadValue, "%s cannot be moved into itself", from.path)
	}
	if err := b.plan(Edit{Op: DeletePath, Path: e.From}, alone); err != nil {
		return err
	}
	return b.plan(add, alone)
}

// samePlace reports whether two places are in one map.
func samePlace(a, b editPlace) bool {
	n := len(a.path)
	return n > 0 && n == len(b.path) && a.index == b.index && startsWith(b.path, a.path[:n-1])
}

// has reports whether a plan asks for what is there already.
func (d *editDraft) has(p *plan) (bool, error) {
	if p.edit.Op != roundtrip.Set || p.place.gone != nil {
		return false, nil
	}
	old, err := valueAt(d.root, p.edit.Path)
	if err != nil {
		return false, err
	}
	return sameData(old, p.edit.Value), nil
}

// bringsDirectives reports whether a map in v has a key that may be a directive.
func bringsDirectives(v value.Value) bool {
	if v.Is(value.ListKind) {
		for item, err := range value.Items(v.List()) {
			if err != nil || bringsDirectives(item) {
				return true
			}
		}
	}
	if v.Is(value.MapKind) {
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err != nil || k.Text == "<<" || len(k.Text) > 1 && k.Text[0] == '+' || bringsDirectives(item) {
				return true
			}
		}
	}
	return false
}

// firstWays returns the best way of each plan that has one left.
func (b *batch) firstWays() way {
	var all way
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
	w, err := b.write(b.firstWays())
	if err != nil {
		return b.notWritten(err)
	}
	b.readAll()
	p, err := b.open(w.texts, nil)
	if err != nil {
		return afterEdit(err)
	}
	if len(p.Documents()) != len(b.drafts) {
		return source.Errorf(source.Span{}, source.Output, "the edit would change the number of documents in %s", b.name)
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
	return source.Errorf(source.Span{}, source.Output, "%s is not written in %s: something brings it there", b.plans[0].place.path, b.name).
		WithHint("--to=source edits it there; explain tells where that is")
}
