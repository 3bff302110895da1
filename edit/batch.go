package edit

import (
	"errors"
	"iter"
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

// This is how edits become new texts of files. The files are
//
//	main.yaml                   base.yaml
//	  web:                        port: 80
//	    +include: base.yaml       tls: {version: 3, check: true}
//	    port: 81
//	  hosts: [a]
//
// and main.yaml gets four edits:
//
//	1  set web.tls {"version":2}
//	2  delete web.port
//	3  append hosts "b"
//	4  set web.tls.version 1
//
// make tries to make all of them in one batch. A batch has a draft of each document: its
// expanded value, with the edits applied. plan applies them in order. It also finds the ways
// to write each edit, the best first, since the text may need more than the edit says:
//
//	draft   {"web":{"tls":{"version":2}},"hosts":["a","b"]}
//	plan 1  set web.tls {"version":2}
//	plan 2  delete web.port
//	        set web.port {"+%":"whiteout"}
//	plan 3  append hosts "b"
//	        set hosts ["b"]
//	edit 4  these edits cannot be made together
//
// The ways of edit 4 depend on how edit 1 is written, so it cannot be in the same batch
// (errApart): make splits the edits before it, and starts again with a batch of edits 1 to 3.
//
// write writes the first way of each plan, opens the new texts and compares the expanded
// documents with the drafts. base.yaml has keys that the new text does not hide:
//
//	try 1   differs from the draft at web.tls.check, web.port
//	plan 1  set web.tls {"version":2,"check":{"+%":"whiteout"}}
//	plan 2  set web.port {"+%":"whiteout"}
//	try 2   equals the draft
//
// The comparison marks plans 1 and 2 as wrong and adds a way to plan 1, with a whiteout for
// each key that shows. Wrong plans go on with their next way; plan 3 keeps its first. When a
// wrong plan has no way left, the batch fails with the error of try 1. A difference at a place
// without a plan is an error too, unless Options.AllowChanges is set. If all plans that failed are
// in lists, merge/restore derives the edits from the drafts: see foldLists.
//
// The texts are accepted: the next batch starts from them. It has only edit 4, whose
// only way has the right result:
//
//	web:
//	  +include: base.yaml
//	  port:
//	    +%: whiteout
//	  tls:
//	    version: 1
//	    check:
//	      +%: whiteout
//	hosts: [a, b]
//
// A batch that fails for another reason is halved. If edit 5 were to delete web.name, which
// does not exist, make would try 1 to 5, then 1 to 3, then 4 and 5, then 4, then 5. A batch
// of one edit that fails ends everything, and its error names the edit. Of n edits with one
// bad one, about 2 log n batches are tried; a list without errors needs one batch.
//
// There is a shortcut: in documents without directives and anchors an edit changes nothing
// but its own place. write writes the first ways there and compares nothing.

// A batch is a list of edits that are made together, so that the files are parsed, opened and
// compared once for all of them.
type batch struct {
	*session
	project       *engine.Project   // nil if the documents are plain
	drafts        []*draft.Document // the documents as they should be
	plans         []*plan
	planned       map[int]*planTree         // the plans by path, for each document
	facts         map[string][]graph.Fact   // results of explain
	selfContained map[*engine.Document]bool // results of isSelfContained
	allRead       bool                      // the drafts were read as a whole
}

// newBatch returns a batch without drafts. p is nil if the documents are plain.
func newBatch(x *session, p *engine.Project) *batch {
	return &batch{session: x, project: p, selfContained: map[*engine.Document]bool{}, facts: map[string][]graph.Fact{}}
}

// batch returns a batch without plans: its drafts are the documents of the current texts.
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

// errApart is the error of plan for an edit that cannot be in one batch with the edits
// before it, or, as the first of several, with the edits after it.
var errApart = errors.New("these edits cannot be made together")

// make makes edits in one batch or, if that fails, in two halves, each in the same way. The
// error of a batch of one edit ends it. So does a secret in clear: the halves only find the edit that
// writes it, since the second half by itself may not show where its text comes from.
func (x *session) make(edits []Edit) error {
	if len(edits) == 0 {
		return nil
	}
	b, err := x.batch()
	half := 0
	for i := 0; err == nil && i < len(edits); i++ {
		var exact []Edit
		if exact, err = b.exactly(edits[i]); err != nil {
			break
		}
		if len(exact) > 1 {
			edits = slices.Concat(edits[:i], exact, edits[i+1:])
		}
		if err = b.plan(edits[i], len(edits) == 1); err == errApart {
			half = max(i, 1)
		}
	}
	if half == 0 {
		half = len(edits) / 2
	}
	if err == nil {
		err = b.write()
	}
	switch {
	case err == nil || x.Err() != nil:
		return err
	case len(edits) == 1:
		return edits[0].located(err)
	}
	x.rememberSecrets()
	if err := x.make(edits[:half]); err != nil {
		return err
	}
	if second := x.make(edits[half:]); second != nil || !isInClear(err) {
		return second
	}
	return err
}

// write writes the plans. As long as the texts do not evaluate to the drafts, it takes the
// next way of each plan that failed; the error is the first one.
func (b *batch) write() error {
	if len(b.plans) == 0 {
		return nil
	}
	why := b.replacesLayer()
	switch {
	case why != nil:
		return b.foldDraft(why, nil)
	case !slices.ContainsFunc(b.plans, func(p *plan) bool { return !b.isSelfContained(p.place.doc) }) && !b.mayExpose():
		// Nothing else can change, so the result needs no comparison. Writing parses the
		// text once more: what was read for planning is freed first.
		edits := b.firstWays()
		b.Close()
		*b = batch{session: b.session}
		t, err := b.Write(edits)
		if err == nil {
			err = b.accept(t, nil)
		}
		return err
	}
	if first := b.replacesSplice(); first != nil {
		return b.foldLists(first)
	}
	if p := b.plans[0]; len(b.plans) == 1 && b.replacesDirectives(p) {
		before := *p
		err := b.foldDraft(errNoFold, nil)
		if err == nil || b.Err() != nil {
			return err
		}
		*p = before // they cannot stay
	}
	var first error
	for {
		err := b.writeFirstWays()
		if err == nil || isInClear(err) {
			return err
		}
		if first == nil {
			first = err
		}
		next := false
		for _, p := range b.plans {
			if !p.wrong && len(b.plans) > 1 {
				continue
			}
			if len(p.ways) == 1 {
				return b.foldLists(first)
			}
			p.ways = p.ways[1:]
			next = true
		}
		if !next {
			return b.foldLists(first)
		}
	}
}

// writeFirstWays writes each plan in its first way and accepts the texts if the documents
// then equal the drafts. The comparison marks the plans that failed.
func (b *batch) writeFirstWays() error {
	_, err := b.try(b.firstWays(), nil)
	return err
}

// try writes edits and accepts the texts, with warnings, if the documents then equal the drafts.
// Otherwise the comparison, if there is one, has marked the plans that failed.
func (b *batch) try(edits overlay.Edits, warnings []*source.Diagnostic) (*comparison, error) {
	t, err := b.Write(edits)
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.NotFound && len(b.plans) == 1 && b.eo.To != Source {
		// The draft has it, so it comes from elsewhere.
		return nil, source.Refuse(source.Span{}, source.NotVerified, "%s is not written in %s: it comes from an include or a reference", b.plans[0].place.path, b.Name).
			WithHint("--to=source edits the definition; explain shows where it is")
	}
	if err != nil {
		return nil, err
	}
	if b.eo.To == Source && !b.allRead {
		// A file may be included under several names, by links. All of them are known when
		// all lazy values have been read.
		b.allRead = true
		for _, d := range b.drafts {
			value.IsSame(d.Root, d.Root)
		}
	}
	p, err := b.Open(t)
	if err != nil {
		err = afterEdit(err)
		if errors.As(err, &d) && d.Hint == "" && b.eo.To == Source && b.Lang != yay.Language && b.isElsewhere() {
			d.WithHint("--to=override edits %s alone", b.plans[0].place.path)
		}
		return nil, err
	}
	if len(p.Documents()) != len(b.drafts) {
		return nil, source.Refuse(source.Span{}, source.NotVerified, "the edit would change the number of documents in %s", b.Name)
	}
	c := &comparison{batch: b, after: p}
	if err := c.compare(); err != nil {
		return nil, afterEdit(err)
	}
	if err := c.err(); err != nil {
		return c, err
	}
	t.Warnings = append(t.Warnings, warnings...)
	if err := b.accept(t, p); err != nil {
		return nil, err
	}
	for _, o := range c.others {
		b.others = append(b.others, o.Change)
	}
	return c, nil
}

// firstWays returns the edits of the best way of each plan.
func (b *batch) firstWays() overlay.Edits {
	var all overlay.Edits
	made := sharedEdits{}
	for _, p := range b.plans {
		for _, e := range p.ways[0] {
			if b.eo.To != Source || made.isNew(p, e) {
				all = append(all, e)
			}
		}
	}
	return all
}

// afterEdit marks an error as one of the text after the edit.
func afterEdit(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return err
	}
	marked := *d
	marked.Message = "with the edit: " + d.Message
	return &marked
}

// A plan is one change of an expanded document, with the ways to write it.
type plan struct {
	place place
	edit  roundtrip.Edit  // in the expanded document, at the path of the place
	given value.Value     // the value of edit without private keys that are kept
	ways  []overlay.Edits // the current one, then those to try next, the best first

	natural naturalPlaces // the other places that may change with it
	hidden  bool          // the way that hides keys of older layers was added
	wrong   bool          // the last comparison differs at its place
}

// plan plans an edit, applies it to the draft and finds the ways to write it. An edit
// without effect gets no plan. single says that the batch has no other edit; otherwise the
// error may be errApart.
func (b *batch) plan(e Edit, single bool) error {
	switch e.Op {
	case Test:
		return b.test(e)
	case Copy, Move:
		return b.transfer(e, single)
	}
	p, err := b.newPlan(e)
	if err != nil {
		return err
	}
	d := b.drafts[p.place.index]
	old, err := valueAt(d.Root, p.place.path)
	if err != nil {
		return err
	}
	if p.edit.Op == roundtrip.Set && p.edit.Note == nil && p.place.gone == nil && value.IsSame(old, p.edit.Value) {
		return nil
	}
	p.given = p.edit.Value
	if p.edit.Op == roundtrip.Set && !hasDirectives(p.given) {
		p.edit.Value, _ = withPrivate(old, p.given)
	}
	if !single && (hasDirectives(p.edit.Value) || b.replacesDirectives(p) || b.dependsOnEarlier(p)) {
		return errApart
	}
	if err := d.Apply(p.edit); err != nil {
		return err
	}
	b.plans = append(b.plans, p)
	b.index(p)
	return b.findWays(p, old)
}

// newPlan translates an edit to one of the expanded document.
func (b *batch) newPlan(e Edit) (*plan, error) {
	mayBeNew := e.Op.creates()
	place, err := b.locateEdit(e, mayBeNew)
	if err != nil {
		return nil, err
	}
	if place.doc != nil && place.doc.Main() == nil && b.eo.To != Source {
		return nil, source.Refuse(source.Span{}, source.NotVerified, "%s is in document %d, which %s does not have", place.path, place.index, b.Name).
			WithHint("--to=source edits the definition; or add a document with +match to %s", b.Name)
	}
	b.warnSegments(e.Path, place)
	if e.Op == Append && place.gone != nil && (place.makesList() || b.isItem(place)) {
		e.Op, e.Value, e.tag = Set, listOf(e.Value, e.tag), ""
	}
	if e.Op == Set && place.makesList() {
		place, e.Value = place.withLists(e.Value, e.tag)
		e.tag = ""
	}
	p := &plan{place: place, edit: roundtrip.Edit{Op: roundtrip.Set, Path: place.path, Value: e.Value, Create: true}}
	if e.tag != "" {
		p.edit.Note = &value.Annotation{Tag: e.tag, Flow: true}
	}
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

// addTo turns adding to a list into inserting an item. The parent must exist.
func (b *batch) addTo(p *plan) error {
	n := len(p.place.path) - 1
	if n < 0 {
		return nil
	}
	parent, err := valueAt(b.drafts[p.place.index].Root, p.place.path[:n])
	switch {
	case err != nil:
		return err
	case parent.Is(value.ListKind):
		p.edit.Op = roundtrip.Insert
	case !parent.Is(value.MapKind):
		return p.place.gone
	}
	return nil
}

// valueAt returns the value at a path below v, null if there is none.
func valueAt(v value.Value, path value.Path) (value.Value, error) {
	v, _, err := value.Find(v, path)
	return v, err
}

// hasDirectives reports whether a map in v has a key that may be a directive. Such a value
// may change the document in other places than its own.
func hasDirectives(v value.Value) bool {
	for range directives(v) {
		return true
	}
	return false
}

// directives yields the keys in v that may be directives, and "" for a value that fails.
func directives(v value.Value) iter.Seq[string] {
	return func(yield func(string) bool) {
		_ = value.Walk(v, func(at value.Position, _ value.Value, err error) error {
			k := at.Key.Text
			if err != nil {
				k = ""
			}
			if (err != nil || k == "<<" || len(k) > 1 && k[0] == '+') && !yield(k) {
				return value.SkipAll
			}
			return nil
		})
	}
}

// A planTree indexes plans by path.
type planTree struct {
	last  *plan                // the last plan for this path, nil if there is none
	below map[string]*planTree // by key
}

// index adds a plan to the planTree of its document.
func (b *batch) index(p *plan) {
	if b.planned == nil {
		b.planned = map[int]*planTree{}
	}
	t := b.planned[p.place.index]
	if t == nil {
		t = &planTree{}
		b.planned[p.place.index] = t
	}
	for _, k := range p.place.path {
		next := t.below[k.Text]
		if next == nil {
			next = &planTree{}
			if t.below == nil {
				t.below = map[string]*planTree{}
			}
			t.below[k.Text] = next
		}
		t = next
	}
	t.last = p
}

// dependsOnEarlier reports whether an earlier plan changes the place of p, a part of it or a
// map or list around it, so that the ways to write p are only known afterwards.
func (b *batch) dependsOnEarlier(p *plan) bool {
	if b.isSelfContained(p.place.doc) {
		return false
	}
	t := b.planned[p.place.index]
	for _, k := range p.place.path {
		switch {
		case t == nil:
			return false
		case t.last != nil:
			return true
		}
		t = t.below[k.Text]
	}
	return t != nil && (len(t.below) > 0 || t.last != nil && !p.hasWaysAfter(t.last))
}

// hasWaysAfter reports whether p is written in the same ways before and after q: both append
// to one list, or both set one place to a scalar.
func (p *plan) hasWaysAfter(q *plan) bool {
	if p.edit.Op != q.edit.Op || !slices.Equal(p.place.path, q.place.path) {
		return false
	}
	setsScalar := func(e roundtrip.Edit) bool {
		return e.Op == roundtrip.Set && e.Value.IsScalar() && !e.Value.IsNull()
	}
	return p.edit.Op == roundtrip.Append || setsScalar(p.edit) && setsScalar(q.edit)
}

// test carries out the operation Test.
func (b *batch) test(e Edit) error {
	at, err := b.locate(e.Path, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[at.index].Root, at.path)
	if err != nil {
		return err
	}
	if same, err := value.Alike(v, e.Value); err != nil || !same {
		return source.Errorf(source.Span{}, source.BadValue, "%s does not have the value that the edits test for", at.path)
	}
	return nil
}

// transfer plans the operations Copy and Move. A move between two keys of one map is planned
// as a renaming, so that the entry keeps its position.
func (b *batch) transfer(e Edit, single bool) error {
	from, err := b.locate(e.From, false)
	if err != nil {
		return err
	}
	v, err := valueAt(b.drafts[from.index].Root, from.path)
	if err == nil {
		v, err = value.Plain(v) // later plans change the draft
	}
	if err != nil {
		return err
	}
	add := Edit{Op: Add, Path: e.Path, Value: v}
	if e.Op == Copy {
		return b.plan(add, single)
	}
	to, err := b.locate(e.Path, true)
	missing := err != nil || to.gone != nil
	sameDoc := err == nil && to.index == from.index
	n := len(from.path) - 1
	sameParent := sameDoc && n >= 0 && len(to.path) == n+1 && to.path.HasPrefix(from.path[:n])
	switch {
	case sameDoc && slices.Equal(to.path, from.path):
		return nil
	case sameDoc && to.path.HasPrefix(from.path):
		return source.Errorf(source.Span{}, source.BadValue, "%s cannot be moved into itself", from.path)
	case sameParent && missing && !b.isItem(to):
		return b.plan(Edit{Op: Rename, Path: e.From, Key: to.path[n].Text}, single)
	case b.isSelfContained(from.doc) && b.Lang != yay.Language && (missing || b.isItem(to)):
		return b.move(from, e.Path)
	}
	if err := b.plan(Edit{Op: Delete, Path: e.From}, single); err != nil {
		return err
	}
	return b.plan(add, single)
}

// isItem reports whether a place is in a list.
func (b *batch) isItem(at place) bool {
	if len(at.path) == 0 {
		return false
	}
	parent, err := valueAt(b.drafts[at.index].Root, at.path[:len(at.path)-1])
	return err == nil && parent.Is(value.ListKind)
}

// move plans a move in a document without directives as a move of the text, which keeps the
// comments.
func (b *batch) move(from place, path string) error {
	d := b.drafts[from.index]
	v, err := valueAt(d.Root, from.path)
	if err == nil {
		err = d.Apply(roundtrip.Edit{Op: roundtrip.Delete, Path: from.path})
	}
	if err != nil {
		return err
	}
	to, err := b.locate(path, true) // indexes may differ after the deletion
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
