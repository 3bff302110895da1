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

// A fold is one document on its way back.
type fold struct {
	*restoration
	doc      *engine.Document
	tree     *yaml.Document // as it is written, nil in Yay and if the file is empty
	expanded value.Value    // the document as the files so far have it, with its comments
	before   value.Value    // the same without
	first    value.Value    // before, when nothing was edited yet
	written  value.Value    // what was edited, with its comments
	edited   value.Value    // what the document is to come to
	folded   *foldResult    // what the last edits came to, nil for none
}

// reopen goes on with what the files came to.
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

// catchUp goes on with what the document was folded into, if it was.
func (f *fold) catchUp() error {
	if f.folded == nil {
		return nil
	}
	d := f.folded.doc
	f.folded = nil
	return f.reopen(d)
}

// run folds the document back, if there are no conflicts so far.
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

// understood returns an edited document in terms of the expanded one.
func (f *fold) understood(edited value.Value) (value.Value, error) {
	if !f.options.Evaluated {
		v, err := unrender.Unmasked(f.before, edited)
		if err == nil && !f.options.Literal {
			err = f.keepExpressions(v)
		}
		return v, err
	}
	f.doc.Begin()
	v, err := f.doc.Value()
	if err != nil {
		return edited, err
	}
	rendered, err := value.Plain(v)
	if err != nil {
		return edited, err
	}
	if edited, err = unrender.Unmasked(rendered, edited); err != nil {
		return edited, err
	}
	back, conflicts, err := unrender.Unrendered(f.before, rendered, edited, f.options.Literal)
	for _, c := range conflicts {
		rc, err := f.change(c.Path, f.before)
		if err != nil {
			return edited, err
		}
		rc.Change, rc.Reason, rc.Ways = c.Change, source.ResultOfExpr, c.Ways
		f.addConflict(rc)
	}
	return back, err
}

// maxTries bounds how often the text is made anew because it did not come to what was
// wanted: each time a map more is written without its directives.
const maxTries = 8

// maxRounds bounds how often what was folded back is folded back once more.
const maxRounds = 4

// fold makes the edits that let the file come to the edited document, until doing so once
// more would change nothing: the order of keys may take another round, since what a map
// says itself stands behind what it is built on.
func (f *fold) fold() error {
	if err := f.foldOnce(); err != nil || f.reporting {
		return err
	}
	for range maxRounds {
		if f.folded == nil || f.isSettled() {
			return nil
		}
		if err := f.foldAgain(); err != nil {
			return err
		}
	}
	return nil
}

// A foldResult is what a document came to.
type foldResult struct {
	doc      *engine.Document
	expanded value.Value
	want     value.Value
}

// isSettled reports whether a document is as it is wanted, the order of keys included.
func (f *fold) isSettled() bool {
	same, err := restore.Same(f.folded.want, f.folded.expanded)
	return same || err != nil
}

// foldAgain goes on from what was written. If that cannot be made better, it stays.
func (f *fold) foldAgain() error {
	if err := f.catchUp(); err != nil {
		return err
	}
	warnings, report := slices.Clip(f.warnings), slices.Clip(f.report.Changes)
	err := f.foldOnce()
	f.warnings = withoutRepeats(f.warnings, warnings)
	f.report.Changes = report
	return err
}

// withoutRepeats returns findings without those that were told before.
func withoutRepeats(all, known []*source.Diagnostic) []*source.Diagnostic {
	return append(known, slices.DeleteFunc(slices.Clone(all[len(known):]), func(d *source.Diagnostic) bool {
		return slices.ContainsFunc(known, func(k *source.Diagnostic) bool { return k.Message == d.Message })
	})...)
}

// foldOnce makes the edits that let the file come to the edited document.
func (f *fold) foldOnce() error {
	orig := f.original()
	opts := restore.Options{Edited: f.worldOf, Written: f.written, NoInline: f.options.NoInline, Inline: map[string]bool{}}
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
		if try == maxTries || !askMore(&opts, plan, wrong, err) {
			return f.addFailure(plan, wrong, err)
		}
	}
}

// askMore lets the next plan be one that is surer to come to what is wanted, and less
// pleasant. It returns false if there is none.
func askMore(opts *restore.Options, plan *restore.Plan, wrong []value.Path, err error) bool {
	switch {
	case len(wrong) > 0 && len(opts.Doubt) == 0:
		opts.Doubt = wrong
	case !opts.KeepOrder && err != nil:
		opts.KeepOrder = true
	case !opts.Plain:
		opts.Plain = true
	default:
		return !opts.NoInline && plan.Inline(wrong, opts.Inline)
	}
	return true
}

// try makes the edits of a plan, and returns the places that do not come to what they
// should, and why if they come to nothing.
func (f *fold) try(plan *restore.Plan) ([]value.Path, error) {
	w, err := f.tryEdits(plan)
	var refusal *source.Refusal
	if errors.As(err, &refusal) {
		return nil, err
	}
	if err != nil {
		return f.broken(plan, err)
	}
	after, err := f.expanding(w)
	if err != nil {
		return f.broken(plan, err)
	}
	after.want = plan.Want
	wrong, err := restore.Differences(plan.Want, after.expanded)
	if err != nil {
		return f.broken(plan, err)
	}
	if len(wrong) == 0 {
		w.Warnings = append(w.Warnings, plan.Warnings...)
		f.accept(w, after.doc.Project())
		f.folded = after
	}
	return wrong, nil
}

// broken returns all that was edited as wrong if it cannot be written, or expanded then.
func (f *fold) broken(plan *restore.Plan, err error) ([]value.Path, error) {
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		return nil, err
	}
	wrong, failed := restore.Differences(f.before, plan.Want)
	return wrong, errors.Join(err, failed)
}

// expanding expands the document of files that were written.
func (f *fold) expanding(w overlay.Texts) (*foldResult, error) {
	p, err := f.Open(w)
	if err != nil {
		return nil, err
	}
	d, err := p.Only(f.doc.Index())
	if err != nil {
		return nil, err
	}
	after, err := overlay.Expanded(d)
	return &foldResult{doc: d, expanded: after}, err
}

// addFailure makes a conflict of what could not be written.
func (f *fold) addFailure(plan *restore.Plan, wrong []value.Path, err error) error {
	var refusal *source.Refusal
	if errors.As(err, &refusal) {
		return f.addRefused(plan, refusal)
	}
	if err != nil && len(wrong) == 0 {
		return err
	}
	for _, p := range wrong {
		reason := source.NotVerified
		if slices.ContainsFunc(p, isDirectiveKey) {
			reason = source.RawIncluded
		}
		if err := f.addChange(p, plan.Want, reason); err != nil {
			return err
		}
	}
	return nil
}

// isDirectiveKey reports whether a key of a document would be a directive if it were
// written: it is there because something is brought raw.
func isDirectiveKey(k value.Key) bool { return k.Kind == value.StringKind && merge.IsDirective(k.Text) }

// original returns the document as it is before it is restored.
func (f *fold) original() restore.Original {
	doc := f.doc.Layers()[0].Doc
	o := restore.Original{Root: doc.Root, Anchors: doc.Anchors, Value: f.before, Written: f.expanded, World: world{f.doc}}
	if f.tree != nil {
		o.Tree = f.tree.Root
	}
	return o
}

// worldOf returns the world of an edited document: its nodes are those of its value, apart
// from those that are as they were, and its names stand for what is in their places.
func (f *fold) worldOf(edited restore.Edited) (restore.World, error) {
	was := f.doc.Layers()[0]
	doc := *was.Doc
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
		} else if isIntact(p, edited.Intact) {
			doc.Anchors[name] = was.Doc.Anchors[name]
		}
	}
	layer := was
	layer.Doc = &doc
	return quietWorld(f.doc.Project().Document(f.doc.Index(), layer))
}

// quietWorld returns the world of a document that warns of nothing: the original did.
func quietWorld(d *engine.Document) (restore.World, error) {
	warn := d.Project().SetWarn(func(*source.Diagnostic) {})
	defer func() { d.Project().SetWarn(warn) }()
	_, err := d.Eval()
	return world{d}, err
}

// isIntact reports whether a place is in one that is as it was.
func isIntact(p value.Path, intact []restore.Intact) bool {
	return slices.ContainsFunc(intact, func(in restore.Intact) bool { return p.HasPrefix(in.At) })
}

// replaceNode puts a node in a place of nodes without directives, if there is one.
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

// nodeAt returns the node at a path of nodes without directives, nil for none.
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

// A world is a document in which nodes are tried. It implements [restore.World].
type world struct{ doc *engine.Document }

// Alone implements [restore.World].
func (w world) Alone(p value.Path, n graph.Node) (value.Value, bool, error) {
	e, err := w.doc.Eval()
	if err != nil {
		return value.Null, false, err
	}
	return e.Root().At(p).Alone(n).Raw()
}

// Join implements [restore.World]: the values are those of one key, in two maps.
func (w world) Join(older, newer value.Value) (value.Value, error) {
	key := value.K("v")
	below, err := w.keyed(key, older)
	if err != nil {
		return value.Null, err
	}
	above, err := w.keyed(key, newer)
	if err != nil {
		return value.Null, err
	}
	n := &graph.Overlay{Bases: []graph.Node{below}, Own: above, Rule: graph.MergeRule}
	v, _, err := w.Alone(nil, n)
	if err != nil {
		return value.Null, err
	}
	got, _, err := v.Map().Get(key)
	return got, err
}

func (w world) keyed(k value.Key, v value.Value) (*graph.Map, error) {
	n, err := merge.Lower(v, w.doc.Layers()[0].Doc.File, merge.Options{NoTemplates: true, NoExpressions: true})
	if err != nil {
		return nil, err
	}
	return graph.NewMap(graph.Map{Entries: []graph.Entry{{Key: k, Node: n}}}), nil
}
