package edit

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
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

// A plan is one change of an expanded document, with the ways to write it.
type plan struct {
	place place
	edit  roundtrip.Edit  // its path is that of the place
	ways  []overlay.Edits // that are left, the best first

	natural naturalPlaces // what may change with it
	refined bool          // a way was added that takes account of what came out
	wrong   bool          // it did not come to what was asked for
}

// plan adds an edit, and makes it in the draft.
func (b *batch) plan(e Edit, alone bool) error {
	switch e.Op {
	case Test:
		return b.test(e)
	case Copy, Move:
		return b.transfer(e, alone)
	}
	p, err := b.planOf(e)
	if err != nil {
		return err
	}
	d := b.drafts[p.place.index]
	if same, err := p.isDone(d.Root); same || err != nil {
		return err
	}
	if !alone && (bringsDirectives(p.edit.Value) || b.goesOn(p)) {
		return errApart
	}
	old, err := valueAt(d.Root, p.place.path)
	if err != nil {
		return err
	}
	if err := d.Apply(p.edit); err != nil {
		return err
	}
	b.plans = append(b.plans, p)
	b.remember(p)
	return b.findWays(p, old)
}

// goesOn reports whether a plan is about what an earlier one changes, so that what it takes
// can only be told when that is made.
func (b *batch) goesOn(p *plan) bool {
	if b.isAlone(p.place.doc) {
		return false
	}
	at := b.planned[p.place.index]
	for _, k := range p.place.path {
		switch {
		case at == nil:
			return false
		case at.last != nil:
			return true
		}
		at = at.below[k.Text]
	}
	return at != nil && (len(at.below) > 0 || at.last != nil && !p.follows(at.last))
}

// A planTree is a place that plans are about, or that such places lie in.
type planTree struct {
	last  *plan // about this very place, nil if there is none
	below map[string]*planTree
}

// remember makes a plan one that later ones may go on.
func (b *batch) remember(p *plan) {
	if b.planned == nil {
		b.planned = map[int]*planTree{}
	}
	at := b.planned[p.place.index]
	if at == nil {
		at = &planTree{}
		b.planned[p.place.index] = at
	}
	for _, k := range p.place.path {
		next := at.below[k.Text]
		if next == nil {
			next = &planTree{}
			if at.below == nil {
				at.below = map[string]*planTree{}
			}
			at.below[k.Text] = next
		}
		at = next
	}
	at.last = p
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

// planOf returns what an edit comes to in the expanded document.
func (b *batch) planOf(e Edit) (*plan, error) {
	mayBeNew := e.Op == Set || e.Op == Append || e.Op == Add
	place, err := b.locate(e.Path, mayBeNew)
	if err != nil {
		return nil, err
	}
	p := &plan{place: place, edit: roundtrip.Edit{Op: roundtrip.Set, Path: place.path, Value: e.Value, Create: true}}
	if len(place.path) == 0 && (e.Op == Delete || e.Op == Rename) {
		return nil, source.Errorf(source.Span{}, source.Usage, "the document as a whole has no key")
	}
	switch e.Op {
	case Delete:
		p.edit = roundtrip.Edit{Op: roundtrip.Delete, Path: place.path}
	case Rename:
		p.edit = roundtrip.Edit{Op: roundtrip.Rename, Path: place.path, Key: value.K(e.Key)}
	case Append:
		p.edit.Op = roundtrip.Append
	case Add:
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
	up, err := valueAt(b.drafts[p.place.index].Root, p.place.path[:n])
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
func (b *batch) isItem(at place) bool {
	if len(at.path) == 0 {
		return false
	}
	up, err := valueAt(b.drafts[at.index].Root, at.path[:len(at.path)-1])
	return err == nil && up.Is(value.ListKind)
}

// test makes no change: what stands at a path has to have the value.
func (b *batch) test(e Edit) error {
	at, err := b.locate(e.Path, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[at.index].Root, at.path)
	if err != nil {
		return err
	}
	if !value.IsSame(v, e.Value) {
		return source.Errorf(source.Span{}, source.BadValue, "%s has another value than the one that the edits test for", at.path)
	}
	return nil
}

// isDone reports whether a plan asks for what a document has already.
func (p *plan) isDone(doc value.Value) (bool, error) {
	if p.edit.Op != roundtrip.Set || p.place.gone != nil {
		return false, nil
	}
	old, err := valueAt(doc, p.edit.Path)
	if err != nil {
		return false, err
	}
	return value.IsSame(old, p.edit.Value), nil
}

// valueAt returns what stands at a path below v; null for nothing.
func valueAt(v value.Value, path value.Path) (value.Value, error) {
	v, _, err := draft.Find(v, path)
	return v, err
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

// transfer copies or moves what stands at From. A key that only gets another name stays
// where it is.
func (b *batch) transfer(e Edit, alone bool) error {
	from, err := b.locate(e.From, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[from.index].Root, from.path)
	if err == nil {
		v, err = value.Plain(v) // the draft goes on
	}
	if err != nil {
		return err
	}
	add := Edit{Op: Add, Path: e.Path, Value: v}
	if e.Op == Copy {
		return b.plan(add, alone)
	}
	to, err := b.locate(e.Path, true)
	missing := err != nil || to.gone != nil
	switch {
	case err == nil && to.index == from.index && slices.Equal(to.path, from.path):
		return nil
	case err == nil && to.index == from.index && to.path.HasPrefix(from.path):
		return source.Errorf(source.Span{}, source.BadValue, "%s cannot be moved into itself", from.path)
	case err == nil && missing && !b.isItem(to) && samePlace(from, to):
		return b.plan(Edit{Op: Rename, Path: e.From, Key: to.path[len(to.path)-1].Text}, alone)
	case b.isAlone(from.doc) && b.Lang != yay.Language && (missing || b.isItem(to)):
		return b.move(from, e.Path)
	}
	if err := b.plan(Edit{Op: Delete, Path: e.From}, alone); err != nil {
		return err
	}
	return b.plan(add, alone)
}

// move plans a move in a document without directives: what moves keeps its comments.
func (b *batch) move(from place, path string) error {
	d := b.drafts[from.index]
	v, err := valueAt(d.Root, from.path)
	if err == nil {
		err = d.Apply(roundtrip.Edit{Op: roundtrip.Delete, Path: from.path})
	}
	if err != nil {
		return err
	}
	to, err := b.locate(path, true) // with what moves taken out
	if err != nil {
		return err
	}
	p := &plan{place: to, edit: roundtrip.Edit{Op: roundtrip.Insert, Path: to.path, Value: v}}
	if to.index != from.index || len(to.path) == 0 {
		return source.Errorf(source.Span{}, source.BadValue, "%s can only be moved inside its document", from.path)
	}
	if err := b.addTo(p); err != nil {
		return err
	}
	if err := d.Apply(p.edit); err != nil {
		return err
	}
	p.ways = []overlay.Edits{{b.inMain(p, roundtrip.Edit{Op: roundtrip.Move, Path: from.path, To: to.path})}}
	b.plans = append(b.plans, p)
	return nil
}

// samePlace reports whether two places are in one map.
func samePlace(a, b place) bool {
	n := len(a.path)
	return n > 0 && n == len(b.path) && a.index == b.index && b.path.HasPrefix(a.path[:n-1])
}

// refuseResults returns an error if an edit would put the result of an expression or
// template in its place, as far as the documents as they are can tell.
func (x *session) refuseResults(edits []Edit) error {
	b, err := x.batch()
	if err != nil || x.eo.Literal || b.project == nil {
		return err
	}
	for _, e := range edits {
		if e.Op != Set && e.Op != Replace {
			continue
		}
		at, err := b.locate(e.Path, false)
		if err != nil {
			continue // whoever makes the edit will say why
		}
		if err := at.overwritesResult(e.Value); err != nil {
			return e.located(err)
		}
	}
	return nil
}

// overwritesResult returns an error if v is what an expression or template at the place
// comes to.
func (at place) overwritesResult(v value.Value) error {
	eval, err := at.doc.Eval()
	if err != nil {
		return err
	}
	cell := eval.Root().At(at.path)
	raw, _, err := cell.Raw()
	if err != nil {
		return nil // the edit may be what mends it
	}
	result, ok, err := cell.Value()
	if !ok || err != nil {
		return nil
	}
	same, err := value.Equal(result, v)
	written, rawErr := value.Equal(raw, v)
	if err != nil || rawErr != nil || !same || written {
		return nil
	}
	return givenByExpression(source.Errorf(source.Span{}, source.Output, "%s is the result of an expression already", at.path)).
		WithHint("--literal writes the value in the place of the expression")
}

// givenByExpression gives an error the reason that an expression gives the value.
func givenByExpression(d *source.Diagnostic) *source.Diagnostic {
	d.Cause = &source.Refusal{Reason: source.ResultOfExpr}
	return d
}
