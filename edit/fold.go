package edit

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A fold folds one edited document back into its file.
type fold struct {
	*restoration
	opened   *engine.Document // as it was at the start of the call
	doc      *engine.Document
	tree     *yaml.Document // the syntax tree, nil in Yay and for an empty file
	expanded value.Value    // the document that the current texts expand to, with its comments
	before   value.Value    // expanded without comments
	first    value.Value    // before, at the start of the call
	written  value.Value    // the edited document, with its comments
	edited   value.Value    // the document that the texts should expand to
	folded   *foldResult    // the accepted result of the last try, until catchUp; may be nil
	settled  bool           // only the order of keys may still differ: no directive is expanded for it
}

// A foldResult is a document after edits.
type foldResult struct {
	doc      *engine.Document
	expanded value.Value
	want     value.Value // the document as planned
}

// reopen makes d the document that is edited.
func (f *fold) reopen(d *engine.Document) error {
	expanded, err := overlay.Expanded(d)
	if err != nil {
		return err
	}
	f.doc, f.expanded, f.tree = d, expanded, nil
	if f.before, err = value.Plain(expanded); err != nil || f.isYay() {
		return err
	}
	docs, err := f.Parse(f.Path, f.Lang)
	if err == nil && d.Index() < len(docs) {
		f.tree = docs[d.Index()]
	}
	return err
}

// catchUp reopens the document if edits of it were accepted.
func (f *fold) catchUp() error {
	if f.folded == nil {
		return nil
	}
	d := f.folded.doc
	f.folded = nil
	return f.reopen(d)
}

// run folds the document back, unless there are conflicts already.
func (f *fold) run() error {
	conflicts := len(f.report.Conflicts()) > 0
	switch {
	case conflicts && !f.reporting:
		return nil
	case f.isYay():
		return f.foldYay()
	}
	if f.options.To == Source && !f.reporting {
		if err := f.toSource(); err != nil || len(f.report.Conflicts()) > 0 {
			return err
		}
	}
	return f.fold()
}

// unrendered translates an edited document, which may be masked and evaluated, to an edited
// expanded document. Changed results of expressions become conflicts.
func (f *fold) unrendered(edited value.Value) (value.Value, error) {
	if !f.options.Evaluated {
		v, err := unrender.Unmasked(f.before, edited)
		if err == nil && !f.options.Literal {
			err = f.refuseResults(v)
		}
		return v, err
	}
	f.doc.Begin()
	v, err := f.doc.Value()
	if err != nil {
		return edited, err
	}
	rendered, err := value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		return value.Public(v), err
	})
	if err != nil {
		return edited, err
	}
	f.showed(rendered)
	if edited, err = unrender.Unmasked(rendered, edited); err != nil {
		return edited, err
	}
	back, conflicts, err := unrender.Unrendered(f.before, rendered, edited, f.options.Literal)
	for _, c := range conflicts {
		rc, err := f.change(c.Path, f.before)
		if err != nil {
			return edited, err
		}
		rc.Change, rc.Reason, rc.Ways = c.Change, source.ResultOfExpr, c.Ways // with the marks of the result
		f.addToReport(rc)
	}
	return back, err
}

// maxRounds bounds the rounds of fold.
const maxRounds = 4

// fold edits the named file so that it expands to the edited document. It goes on in rounds
// until another one would change nothing: the order of keys may need more than one, since
// the keys of a map come after those of its directives.
func (f *fold) fold() error {
	if err := f.foldOnce(); err != nil || f.reporting {
		return err
	}
	for range maxRounds {
		if f.folded == nil {
			return nil
		}
		if same, err := restore.Same(f.folded.want, f.folded.expanded); same || err != nil {
			return nil
		}
		if err := f.catchUp(); err != nil {
			return err
		}
		f.settled = true
		warnings, report := slices.Clip(f.warnings), slices.Clip(f.report.Changes)
		err := f.foldOnce()
		f.warnings = withoutRepeats(f.warnings, warnings)
		f.report.Changes = report // conflicts of a further round do not count: the last result stays
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutRepeats returns all without the findings after known that have the message of one
// in known. all begins with known.
func withoutRepeats(all, known []*source.Diagnostic) []*source.Diagnostic {
	return append(known, slices.DeleteFunc(slices.Clone(all[len(known):]), func(d *source.Diagnostic) bool {
		return slices.ContainsFunc(known, func(k *source.Diagnostic) bool { return k.Message == d.Message })
	})...)
}

// maxTries bounds the tries of foldOnce. Each of them may expand the directives of more maps.
const maxTries = 8

// foldOnce plans edits, writes them and compares the result, with a more careful plan as
// long as the result differs.
func (f *fold) foldOnce() error {
	orig := f.original()
	opts, err := f.planOptions()
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		plan, err := restore.Make(orig, f.edited, opts)
		if err != nil {
			return err
		}
		if len(plan.Conflicts) > 0 {
			return f.addConflicts(plan)
		}
		if f.reporting {
			return f.describe(plan)
		}
		if len(plan.Edits) == 0 {
			f.warnings = append(f.warnings, plan.Warnings...)
			return nil
		}
		wrong, err := f.try(plan)
		if err == nil && len(wrong) == 0 {
			return nil
		}
		if f.Err() != nil {
			return f.Err()
		}
		if isInClear(err) {
			return err
		}
		if try == maxTries || !tightened(&opts, plan, wrong, err) {
			return f.addFailure(plan, wrong, err)
		}
	}
}

// original returns the document before the edit.
func (f *fold) original() restore.Original {
	orig := restore.Original{
		Root: f.doc.Main().Root, Anchors: f.doc.Main().Anchors,
		Value: f.before, Written: f.expanded, World: world{f.doc},
	}
	if f.tree != nil {
		orig.Tree = f.tree.Root
	}
	return orig
}

// planOptions returns the options of the first plan.
func (f *fold) planOptions() (restore.Options, error) {
	lists, err := f.Options().ListRules()
	return restore.Options{
		Edited: f.worldOf, Written: f.written, Lists: lists,
		WriteOut: f.options.Inline, NoInline: f.options.NoInline || f.settled, Inline: map[string]bool{},
	}, err
}

// tightened changes the options so that the next plan is more likely to have the right
// result, at the price of more or less readable edits: first the wrong places are checked,
// then the order is kept, then values are written plainly, then lists as a whole, then directives
// are expanded. It returns false if there is nothing left to change.
func tightened(opts *restore.Options, plan *restore.Plan, wrong []value.Path, err error) bool {
	switch {
	case len(wrong) > 0 && len(opts.Doubt) == 0:
		opts.Doubt = wrong
	case !opts.KeepOrder && err != nil:
		opts.KeepOrder = true
	case !opts.Plain:
		opts.Plain = true
	case len(wrong) > 0 && len(opts.Careful) == 0:
		opts.Careful = wrong
	default:
		return opts.WriteOut && !opts.NoInline && plan.Inline(wrong, opts.Inline)
	}
	return true
}

// try writes a plan and accepts the texts if they expand to the planned document. Otherwise
// it returns the places that differ. If the texts cannot be written or expanded, these are
// all changed places, with the error; a refused edit is an error alone.
func (f *fold) try(plan *restore.Plan) ([]value.Path, error) {
	t, err := f.write(plan)
	var refusal *source.Refusal
	if errors.As(err, &refusal) {
		return nil, err
	}
	if err != nil {
		return f.allWrong(plan, err)
	}
	p, err := f.Open(t)
	if err != nil {
		return f.allWrong(plan, err)
	}
	d, err := p.Only(f.doc.Index())
	if err != nil {
		return f.allWrong(plan, err)
	}
	expanded, err := overlay.Expanded(d)
	if err != nil {
		return f.allWrong(plan, err)
	}
	wrong, err := restore.Differences(plan.Want, expanded)
	if err != nil {
		return f.allWrong(plan, err)
	}
	if len(wrong) == 0 {
		t.Warnings = append(t.Warnings, plan.Warnings...)
		if err := f.accept(t, p); err != nil {
			return nil, err
		}
		f.folded = &foldResult{doc: d, expanded: expanded, want: plan.Want}
	}
	return wrong, nil
}

// write writes the edits of a plan.
func (f *fold) write(plan *restore.Plan) (overlay.Texts, error) {
	edits := make(overlay.Edits, len(plan.Edits))
	for i, e := range plan.Edits {
		edits[i] = overlay.Edit{Path: f.Path, Lang: f.Lang, Doc: f.doc.Index(), Edit: e}
	}
	return f.Write(edits)
}

// allWrong returns every changed place of a plan, and the error, if that is a finding.
func (f *fold) allWrong(plan *restore.Plan, err error) ([]value.Path, error) {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return nil, err
	}
	wrong, failed := restore.Differences(f.before, plan.Want)
	return wrong, errors.Join(err, failed)
}

// addFailure reports the places of a plan that failed as conflicts.
func (f *fold) addFailure(plan *restore.Plan, wrong []value.Path, err error) error {
	var refusal *source.Refusal
	if errors.As(err, &refusal) {
		return f.addRefused(plan, refusal)
	}
	if err != nil && len(wrong) == 0 {
		return err
	}
	inline := len(f.report.Changes)
	defer func() {
		if f.options.Inline || !plan.Inline(wrong, map[string]bool{}) {
			return
		}
		for i := range f.report.Changes[inline:] {
			c := &f.report.Changes[inline+i]
			c.Inline = true
			c.Ways = f.inlineWays(*c)
		}
	}()
	for _, p := range wrong {
		reason := source.NotVerified
		// A key that would be a directive comes from a raw include.
		if slices.ContainsFunc(p, func(k value.Key) bool { return k.Kind == value.StringKind && merge.IsDirective(k.Text) }) {
			reason = source.RawIncluded
		}
		if err := f.addChange(p, plan.Want, reason); err != nil {
			return err
		}
	}
	return nil
}

// worldOf returns the world of an edited document. Its nodes are made from its value, apart
// from the intact ones, which are those of the text. Its anchors are the nodes at the places
// of its names.
func (f *fold) worldOf(edited restore.Edited) (restore.World, error) {
	was := f.doc.Main()
	doc := *was
	var err error
	if doc.Root, err = merge.Lower(edited.Value, doc.File, f.parseOptions()); err != nil {
		return nil, err
	}
	for _, in := range edited.Intact {
		replaceNode(doc.Root, in.At, in.Node)
	}
	doc.Anchors = map[string]graph.Node{}
	for name, p := range edited.Names {
		if n := nodeAt(doc.Root, p); n != nil {
			doc.Anchors[name] = n
		} else if slices.ContainsFunc(edited.Intact, func(in restore.Intact) bool { return p.HasPrefix(in.At) }) {
			doc.Anchors[name] = was.Anchors[name]
		}
	}
	p := f.doc.Project()
	d := f.doc.WithMain(&doc)
	warn := p.SetWarn(func(*source.Diagnostic) {}) // the original document has had its warnings
	defer func() { p.SetWarn(warn) }()
	_, err = d.Eval()
	return world{d}, err
}

// replaceNode replaces the node at a path of nodes without directives, if there is one.
func replaceNode(root graph.Node, p value.Path, n graph.Node) {
	last := len(p) - 1
	if last < 0 {
		return
	}
	switch in := nodeAt(root, p[:last]).(type) {
	case *graph.Map:
		if i, ok := in.Find(p[last]); ok {
			in.Entries[i].Node = n
		}
	case *graph.Seq:
		if i, ok := p[last].Value().Int(); ok && i >= 0 && int(i) < len(in.Items) {
			in.Items[i] = n
		}
	}
}

// nodeAt returns the node at a path of nodes without directives, nil if there is none.
func nodeAt(n graph.Node, p value.Path) graph.Node {
	for _, k := range p {
		switch in := n.(type) {
		case *graph.Map:
			i, ok := in.Find(k)
			if !ok {
				return nil
			}
			n = in.Entries[i].Node
		case *graph.Seq:
			i, ok := k.Value().Int()
			if !ok || i < 0 || int(i) >= len(in.Items) {
				return nil
			}
			n = in.Items[i]
		default:
			return nil
		}
	}
	return n
}

// A world evaluates nodes in a document. It implements [restore.World].
type world struct{ doc *engine.Document }

// Alone implements [restore.World].
func (w world) Alone(p value.Path, n graph.Node, lists *graph.Lists) (value.Value, bool, error) {
	e, err := w.doc.Eval()
	if err != nil {
		return value.Null, false, err
	}
	return e.Root().At(p).Alone(n, lists).Raw()
}

// Join implements [restore.World]. It merges two maps that have the values under one key.
func (w world) Join(older, newer value.Value, lists *graph.Lists) (value.Value, error) {
	key := value.K("v")
	below, err := w.keyed(key, older, nil)
	if err != nil {
		return value.Null, err
	}
	above, err := w.keyed(key, newer, lists.Joining())
	if err != nil {
		return value.Null, err
	}
	n := &graph.Overlay{Bases: []graph.Node{below}, Own: above, Rule: graph.MergeRule}
	v, _, err := w.Alone(nil, n, nil)
	if err != nil {
		return value.Null, err
	}
	got, _, err := v.Map().Get(key)
	return got, err
}

// keyed returns a map node of one key.
func (w world) keyed(k value.Key, v value.Value, lists *graph.Lists) (*graph.Map, error) {
	n, err := merge.Lower(v, w.doc.Main().File, merge.Options{NoTemplates: true, NoExpressions: true})
	if err != nil {
		return nil, err
	}
	return graph.NewMap(graph.Map{Entries: []graph.Entry{{Key: k, Node: n}}, Lists: lists}), nil
}
