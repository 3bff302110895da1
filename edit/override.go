package edit

import (
	"errors"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/merge/restore"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// overrideWays returns the ways to write a plan into the named file, the simplest first. If several
// documents of the file are layers of the document, the newest comes first.
func (b *batch) overrideWays(p *plan) []overlay.Edits {
	if p.place.doc == nil {
		return b.waysInto(p)
	}
	var ways []overlay.Edits
	for _, d := range candidates(p.place.doc) {
		other := *p
		other.place.doc = d
		ways = append(ways, b.waysInto(&other)...)
	}
	return ways
}

// waysInto returns the ways to write a plan into the document of the named file that its place names.
func (b *batch) waysInto(p *plan) []overlay.Edits {
	set := func(v value.Value) roundtrip.Edit {
		return roundtrip.Edit{Op: roundtrip.Set, Path: p.place.path, Value: v, Create: true}
	}
	edits := []roundtrip.Edit{p.edit}
	built := p.place.isBuilt()
	switch {
	case p.edit.Op == roundtrip.Delete && built && !p.place.walk(func(graph.Node) {}): // not in the text: a layer below has it
		edits = []roundtrip.Edit{set(restore.Marker("whiteout"))}
	case p.edit.Op == roundtrip.Delete && built:
		edits = append(edits, set(restore.Marker("whiteout")))
	case p.edit.Op == roundtrip.Append:
		edits = append(edits, set(value.ListOf(p.edit.Value)))
	case p.edit.Op == roundtrip.Set && p.edit.Value.IsNull() && built:
		edits = append(edits, set(restore.Marker("nullout")))
	}
	direct := b.isSelfContained(p.place.doc)
	if !direct {
		edits = append(edits, b.besideMerge(p)...)
		edits = append(edits, b.insteadOfAlias(p)...)
	}
	var ways []overlay.Edits
	for _, e := range edits {
		if !built && !direct {
			e.Path = b.textPath(p, e.Path)
		}
		ways = append(ways, overlay.Edits{b.inMain(p, e)})
	}
	return ways
}

// textPath returns the path of a place in the text of the named file. The markers of lists that no older
// list is below, a first {+%: replace} and items with whiteout, are no items of the document: [1] of the
// document is [2] in the text of
//
//	[{+%: replace}, a, b]
func (b *batch) textPath(p *plan, path value.Path) value.Path {
	n, out := b.mainNode(p), path
	for i, k := range path {
		if n == nil {
			break
		}
		if at, ok := k.Value().Int(); ok && n.Kind == yaml.SeqNode {
			if k = value.Index(itemInText(n, int(at))); k != path[i] {
				out = slices.Clone(out)
				out[i] = k
			}
		}
		n = childOf(n, k)
	}
	return out
}

// itemInText returns the index in the text of an item of a list: that after the last one if there is none.
func itemInText(n *yaml.Node, item int) int {
	for i, m := range n.Items {
		switch strategy := strategyOf(m); {
		case strategy == "whiteout" || i == 0 && (strategy == "replace" || strategy == "replaced") && len(m.Entries) == 1:
			continue
		case item == 0:
			return i
		}
		item--
	}
	return len(n.Items) + item
}

// strategyOf returns the strategy that a map is written with.
func strategyOf(n *yaml.Node) string {
	if v := childOf(n, value.K("+%")); v != nil && v.Value.Is(value.StringKind) {
		return v.Value.Str()
	}
	return ""
}

// mainNode returns the root of the text of the document that a plan edits, nil if there is none.
func (b *batch) mainNode(p *plan) *yaml.Node {
	docs, err := b.Parse(b.Path, b.Lang)
	i := p.place.index
	if p.place.doc != nil {
		i = p.place.doc.InFile()
	}
	if err != nil || i >= len(docs) {
		return nil
	}
	return docs[i].Root
}

// besideMerge returns the edit that writes the value of a key from "<<" next to it, with the plan in
// it: an own key hides the key of "<<" with all that is below. In
//
//	b: &b {sub: {k: 1, j: 2}}
//	m: {<<: *b}
//
// setting m.sub.k to 5 adds sub: {k: 5, j: 2} to m.
func (b *batch) besideMerge(p *plan) []roundtrip.Edit {
	at := b.mergedKeyOf(p)
	if at == nil || len(at) == len(p.place.path) && p.edit.Op != roundtrip.Append {
		return nil
	}
	return b.written(p, at)
}

// insteadOfAlias returns the edit that writes the value of an alias out, with the plan below it in it: the
// other places of the anchor stay (spec: roundtrip, 4). In
//
//	b: &b {k: 1, j: 2}
//	al: *b
//
// setting al.k to 5 makes al {k: 5, j: 2}.
func (b *batch) insteadOfAlias(p *plan) []roundtrip.Edit {
	n := b.mainNode(p)
	for i, k := range p.place.path {
		if n = childOf(n, k); n == nil {
			return nil
		}
		if at := p.place.path[:i+1]; n.Kind == yaml.AliasNode && (len(at) < len(p.place.path) || p.edit.Op == roundtrip.Append) {
			return b.written(p, at)
		}
	}
	return nil
}

// written returns the edit that sets the value of the draft at a path, nil if there is none.
func (b *batch) written(p *plan, at value.Path) []roundtrip.Edit {
	v, ok, err := value.Find(b.drafts[p.place.index].Root, at)
	if err != nil || !ok {
		return nil
	}
	if v, err = value.Plain(v); err != nil {
		return nil
	}
	return []roundtrip.Edit{{Op: roundtrip.Set, Path: at, Value: v, Create: true}}
}

// mergedKeyOf returns the path of the key from "<<" that a plan changes, or below which it changes
// something; nil if the document has no such key on the way to its place.
func (b *batch) mergedKeyOf(p *plan) value.Path {
	n := b.mainNode(p)
	for j, k := range p.place.path {
		next := childOf(n, k)
		last := j == len(p.place.path)-1
		switch {
		case n == nil || n.Kind == yaml.AliasNode:
			return nil
		case (next == nil || last && p.edit.Op != roundtrip.Append) && mergesKey(n, k, map[*yaml.Node]bool{}):
			return p.place.path[:j+1]
		case next == nil:
			return nil
		}
		n = next
	}
	return nil
}

// mergesKey reports whether a map gets a key by "<<". seen are the maps that were looked through.
func mergesKey(n *yaml.Node, k value.Key, seen map[*yaml.Node]bool) bool {
	for i := range n.Entries {
		if e := &n.Entries[i]; e.IsMerge() && merges(e.Value, k, seen) {
			return true
		}
	}
	return false
}

// merges reports whether the value of "<<", a map or a list of maps, has a key.
func merges(n *yaml.Node, k value.Key, seen map[*yaml.Node]bool) bool {
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Target
	}
	if n == nil || seen[n] {
		return false
	}
	seen[n] = true
	if n.Kind == yaml.SeqNode {
		return slices.ContainsFunc(n.Items, func(n *yaml.Node) bool { return merges(n, k, seen) })
	}
	return childOf(n, k) != nil || mergesKey(n, k, seen)
}

// inMain returns an edit of the named file.
func (b *batch) inMain(p *plan, e roundtrip.Edit) overlay.Edit {
	doc := p.place.index
	if p.place.doc != nil {
		doc = p.place.doc.InFile()
	}
	return overlay.Edit{Path: b.Path, Lang: b.Lang, Doc: doc, Edit: e}
}

// hideWay returns the way to write a map whose value, written as it is, shows keys of older
// layers: with a whiteout for each of these. after is the document with the first way. If
// {p: 1} is set and {p: 1, q: 2} is the result, the way writes {p: 1, q: {+%: whiteout}}.
func (b *batch) hideWay(p *plan, after value.Value) []overlay.Edits {
	if p.edit.Op != roundtrip.Set || !p.edit.Value.Is(value.MapKind) || !p.place.isBuilt() {
		return nil
	}
	got, err := valueAt(after, p.place.path)
	if err != nil {
		return nil
	}
	e := p.edit
	e.Value = hideOthers(e.Value, got)
	return []overlay.Edits{{b.inMain(p, e)}}
}

// hideOthers returns want with a whiteout for each key that only got has, at every depth.
func hideOthers(want, got value.Value) value.Value {
	if !want.Is(value.MapKind) || !got.Is(value.MapKind) {
		return want
	}
	out := value.NewMap(want.Map().Len())
	for k := range want.Map().Keys() {
		item, _, _ := want.Map().Get(k)
		other, _, _ := got.Map().Get(k)
		out.Set(k, hideOthers(item, other))
	}
	for k := range got.Map().Keys() {
		if _, ok, _ := want.Map().Get(k); !ok {
			out.Set(k, restore.Marker("whiteout"))
		}
	}
	return value.FromMap(out)
}

// foldLists writes the plans of a batch as [Restore] would write its drafts, if those that failed
// change lists below directives: into lists that merge with the older ones (spec: everyday, A5). If
// base.yaml has steps: [{name: a, image: x}], setting steps[0].image gives
//
//	+include: base.yaml
//	+lists: {steps: by name}
//	steps: [{name: a, image: z}]
//
// Otherwise, and if that fails as well, it returns why, the error of the first try.
func (b *batch) foldLists(why error) error {
	switch {
	case b.eo.To == Source || b.Lang == yay.Language || b.project == nil:
		return why
	case b.hasListsToFold(why):
		return b.foldDraft(why, nil)
	}
	// Without a key of "<<" its other keys have to be written out (spec: roundtrip, 4).
	if p := b.plans[0]; len(b.plans) == 1 && (p.edit.Op == roundtrip.Delete || p.edit.Op == roundtrip.Rename) {
		if at := b.mergedKeyOf(p); len(at) == len(p.place.path) {
			return b.foldDraft(why, at[:len(at)-1])
		}
	}
	return why
}

// replacesLayer returns the error of a plan that sets the whole of a document that has +match, which stays,
// or layers below it, whose values it has to hide; nil for other plans.
func (b *batch) replacesLayer() error {
	p := b.plans[0]
	if len(b.plans) != 1 || b.eo.To == Source || b.Lang == yay.Language || p.edit.Op != roundtrip.Set || len(p.place.path) > 0 || p.place.doc == nil {
		return nil
	}
	match := p.place.doc.Main().Match
	if match == nil && p.place.doc.IsLone() {
		return nil
	}
	d := source.Refuse(source.Span{}, source.NotVerified, "the document cannot be replaced in %s: another layer decides parts of it", b.Name)
	if match != nil && !p.edit.Value.Is(value.MapKind) {
		d = source.Refuse(match.At, source.NotVerified, "a document with +match is a map: it cannot become %s", value.Article(p.edit.Value.Kind()))
	}
	return d.WithHint("edit %s by hand", b.Name)
}

// replacesDirectives reports whether a plan sets a map that is written with directives to a map without:
// they stay if the other entries can be written so that the result is right. If base.yaml has port: 80,
// setting the document {+include: base.yaml, host: a} to {port: 80, host: b} gives
//
//	+include: base.yaml
//	host: b
//
// So do the markers of a list, which the file has for older layers: setting [{+%: replace}, a] to [b]
// gives [{+%: replace}, b].
func (b *batch) replacesDirectives(p *plan) bool {
	v := p.edit.Value
	if b.eo.To == Source || b.Lang == yay.Language || p.edit.Op != roundtrip.Set || p.edit.Note != nil || hasDirectives(p.given) {
		return false
	}
	var last graph.Node
	if !p.place.walk(func(n graph.Node) { last = n }) {
		return false
	}
	if seq, ok := last.(*graph.Seq); ok && v.Is(value.ListKind) {
		return hasMarkers(seq) && !p.place.isBuilt()
	}
	return v.Is(value.MapKind) && !isLiteral(last)
}

// hasMarkers reports whether a list begins with {+%: replace}, or has items with a strategy.
func hasMarkers(list *graph.Seq) bool {
	return list.Replace || slices.ContainsFunc(list.Items, func(n graph.Node) bool {
		switch n := n.(type) {
		case *graph.Delete, *graph.Positional:
			return true
		case *graph.Map:
			return n.Strategy != graph.DefaultStrategy
		}
		return false
	})
}

// errNoFold is the error of a draft that cannot be written as [Restore] would.
var errNoFold = errors.New("the edited document cannot be restored")

// foldDraft writes the draft of the document of the plans as [Restore] would, with edits at or below a
// path only. If that fails, it returns why.
func (b *batch) foldDraft(why error, below value.Path) error {
	f, opts, err := b.draftFold(b.plans[0].place)
	if err != nil {
		return err
	}
	want, hidden, err := f.wanted()
	if err != nil {
		return err
	}
	if len(hidden) > 0 {
		return why
	}
	for {
		plan, err := f.plan(f.original(), want, opts)
		switch {
		case b.Err() != nil:
			return b.Err()
		case err != nil:
			return why
		case len(plan.Conflicts) > 0:
			c := plan.Conflicts[0]
			if len(c.Path) == 0 {
				return why
			}
			return b.refuse(b.plans[0], c.At, c.Reason)
		}
		edits := make(overlay.Edits, len(plan.Edits))
		for i, e := range plan.Edits {
			if !e.Path.HasPrefix(below) {
				return why
			}
			edits[i] = b.inMain(b.plans[0], e)
		}
		c, err := b.try(edits, plan.Warnings)
		if err == nil || isInClear(err) {
			return err
		}
		var wrong []value.Path
		if c != nil {
			for _, change := range c.inside {
				wrong = append(wrong, change.Path)
			}
		} else {
			for _, p := range b.plans {
				wrong = append(wrong, p.place.path)
			}
		}
		var refusal *source.Refusal
		if errors.As(err, &refusal) && refusal.Reason == source.SharedSource {
			why = err
		}
		if !tightened(&opts, plan, wrong, err) {
			return why
		}
	}
}

// replacesSplice returns the error of a plan that would replace a splice by its only item: [1] in
// [a, {+/b: }].
func (b *batch) replacesSplice() error {
	if b.eo.To == Source || b.Lang == yay.Language {
		return nil
	}
	for _, p := range b.plans {
		var last graph.Node
		if p.edit.Op != roundtrip.Set && p.edit.Op != roundtrip.Delete || !p.place.walk(func(n graph.Node) { last = n }) {
			continue
		}
		if _, ok := last.(*graph.Splice); ok {
			return b.refuse(p, last.Span(), source.ListNotAppendable)
		}
	}
	return nil
}

// refuse returns the error of a plan that the named file cannot say with its directives.
func (b *batch) refuse(p *plan, at source.Span, reason source.Reason) error {
	refusal := source.Refuse(at, reason, "%s cannot be edited in %s: %s", p.place.path, b.Name, reason.Meaning())
	if expandable := reason == source.ListNotAppendable || reason == source.NeedsInline; expandable && !b.eo.Inline {
		return refusal.WithHint("--to=source edits the definition, and --inline writes out what the directive gives")
	}
	return refusal.WithHint("--to=source edits the definition")
}

// hasListsToFold reports whether the plans that failed, for this reason, change lists below
// directives, and all plans are in one document.
func (b *batch) hasListsToFold(why error) bool {
	var refusal *source.Refusal
	shared := errors.As(why, &refusal) && refusal.Reason == source.SharedSource
	compared := slices.ContainsFunc(b.plans, func(p *plan) bool { return p.wrong })
	for _, p := range b.plans {
		switch {
		case p.place.index != b.plans[0].place.index:
			return false
		case compared && !p.wrong, p.place.hasSplices():
		case shared || !p.place.isBuilt() || !b.changesList(p):
			return false
		}
	}
	return true
}

// changesList reports whether a plan changes a list, or a place in one.
func (b *batch) changesList(p *plan) bool {
	if slices.ContainsFunc(p.place.path, func(k value.Key) bool { return k.Kind == value.IntKind }) || p.edit.Op == roundtrip.Append {
		return true
	}
	has := func(v value.Value) bool {
		found := false
		_ = value.Walk(v, func(_ value.Position, v value.Value, err error) error {
			if err != nil || v.Is(value.ListKind) {
				found = err == nil
				return value.SkipAll
			}
			return nil
		})
		return found
	}
	old, ok := b.before(p, p.place.path)
	return p.edit.Op == roundtrip.Set && (has(p.edit.Value) || ok && has(old))
}

// draftFold returns a fold whose edited document is the draft of the document of a place, and the
// options to plan its edits.
func (b *batch) draftFold(at place) (*fold, restore.Options, error) {
	f := &fold{restoration: &restoration{session: b.session, options: RestoreOptions{Options: b.eo}, report: &Report{}}}
	if err := at.doc.ParseText(); err != nil {
		return nil, restore.Options{}, err
	}
	if err := f.reopen(at.doc); err != nil {
		return nil, restore.Options{}, err
	}
	var err error
	f.written = f.expanded // new lists have the style of the older ones
	if f.edited, err = value.Plain(b.drafts[at.index].Root); err != nil {
		return nil, restore.Options{}, err
	}
	opts, err := f.planOptions()
	opts.Plain = true
	return f, opts, err
}

// isSelfContained reports whether a document has no directives and no anchors: an edit of
// one value changes no other.
func (b *batch) isSelfContained(d *engine.Document) bool {
	switch {
	case d == nil: // plain
		return true
	case !d.IsLone():
		return false
	}
	known, ok := b.selfContained[d]
	if !ok {
		doc := d.Main()
		known = len(doc.Anchors) == 0 && (doc.Root == nil || isLiteral(doc.Root))
		b.selfContained[d] = known
	}
	return known
}

// isLiteral reports whether a node and all below it are scalars, templates, maps and lists
// without directives.
func isLiteral(n graph.Node) bool {
	switch n := n.(type) {
	case *graph.Scalar:
		return !n.Final
	case *graph.Computed:
		return true
	case *graph.Map:
		for i := range n.Entries {
			if !isLiteral(n.Entries[i].Node) {
				return false
			}
		}
		return n.Strategy == graph.DefaultStrategy && n.Lists == nil && n.Private == nil
	case *graph.Seq:
		return !n.Replace && !slices.ContainsFunc(n.Items, func(n graph.Node) bool { return !isLiteral(n) })
	}
	return false
}

// isBuilt reports whether a map at the place or around it has directives. A file without
// them is plain YAML for other readers as well: no directive is written into it.
func (at place) isBuilt() bool {
	if at.doc != nil && !at.doc.IsLone() {
		return true
	}
	built := false
	at.walk(func(n graph.Node) {
		_, overlay := n.(*graph.Overlay)
		built = built || overlay
	})
	return built
}

// hasSplices reports whether a list of the named file at the place, or around it, has spliced items.
// Then the indexes of the text and of the document differ.
func (at place) hasSplices() bool {
	found := false
	at.walk(func(n graph.Node) {
		if seq, ok := n.(*graph.Seq); ok {
			found = found || slices.ContainsFunc(seq.Items, func(n graph.Node) bool { _, splice := n.(*graph.Splice); return splice })
		}
	})
	return found
}

// walk visits the nodes of the named file from the root to the place. It
// reports whether the file has a node at the place itself.
func (at place) walk(visit func(graph.Node)) bool {
	if at.doc == nil {
		return false
	}
	n := at.doc.Main().Root
	for _, k := range at.path {
		visit(n)
		if o, ok := n.(*graph.Overlay); ok {
			n = o.Own
		}
		switch m := n.(type) {
		case *graph.Map:
			i, ok := m.Find(k)
			if !ok {
				return false
			}
			n = m.Entries[i].Node
		case *graph.Seq:
			i, err := strconv.Atoi(k.Text)
			if err != nil || i >= len(m.Items) {
				return false
			}
			n = m.Items[i]
		default:
			return false
		}
	}
	visit(n)
	return true
}
