package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A comparison compares the documents after edits with the drafts.
type comparison struct {
	*batch
	after  *engine.Project
	inside []value.Change // differences at places of plans: these failed
	others []otherChange
}

// An otherChange is a change of a value that no edit is about.
type otherChange struct {
	value.Change
	doc int
}

// compare collects the differences and marks the plans that failed. Edits of the named file
// change no document without plans.
func (c *comparison) compare() error {
	for _, p := range c.plans {
		p.wrong = false
	}
	for i, d := range c.after.Documents() {
		edited := slices.ContainsFunc(c.plans, func(p *plan) bool { return p.place.index == i })
		if !edited && c.eo.To == Override && d.IsLone() {
			continue
		}
		v, err := overlay.Expanded(d)
		if err != nil {
			return err
		}
		if value.IsSame(c.drafts[i].Root, v) {
			continue
		}
		changes, err := value.Diff(c.drafts[i].Root, v)
		if err != nil {
			return err
		}
		for _, change := range changes {
			if change.HasOld != change.HasNew || !value.IsSame(change.Old, change.New) {
				c.add(change, i)
			}
		}
	}
	if c.eo.To == Source {
		return nil
	}
	for _, p := range c.plans {
		if !p.wrong || p.hidden {
			continue
		}
		d, err := c.after.Only(p.place.index)
		if err != nil {
			return err
		}
		v, err := overlay.Expanded(d)
		if err != nil {
			return err
		}
		p.hidden = true
		p.ways = append(p.ways, c.hideWay(p, v)...)
	}
	return nil
}

// add adds a difference: to inside and to the plans at, above or below its path, or to
// others unless a plan expects it.
func (c *comparison) add(change value.Change, doc int) {
	inside, expected := false, false
	for _, p := range c.plans {
		if p.place.index == doc && (change.Path.HasPrefix(p.place.path) || p.place.path.HasPrefix(change.Path)) {
			p.wrong = true
			inside = true
		}
		expected = expected || p.natural.has(doc, change.Path)
	}
	switch {
	case inside:
		c.inside = append(c.inside, change)
	case !expected:
		c.others = append(c.others, otherChange{change, doc})
	}
}

// err returns the error of plans that failed, or of other changes that are not allowed.
func (c *comparison) err() error {
	switch {
	case len(c.inside) > 0:
		return c.insideError()
	case len(c.others) > 0 && !c.eo.AllowChanges:
		return c.othersError()
	}
	return nil
}

// insideError is the error of plans that failed.
func (c *comparison) insideError() error {
	var paths []string
	reason := source.NotVerified
	if d := c.hidden(); d != nil {
		return d
	}
	for _, change := range c.inside {
		paths = append(paths, change.Path.String())
		if n := len(change.Path); n > 0 && change.Path[n-1].Kind == value.IntKind {
			reason = source.ListNotAppendable
		}
	}
	var files []string
	for _, e := range c.firstWays() {
		if name := c.Source(e.Path).Name; !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	if p := c.plans[0]; hasDirectives(p.given) {
		return source.Refuse(source.Span{}, source.NotVerified, "%s cannot be set to a value with directives: %s would be carried out, and an edit sets the result of directives", p.place.path, listed(slices.Collect(directives(p.given)))).
			WithHint("write the directive into the file itself")
	}
	d := source.Refuse(source.Span{}, reason, "%s cannot be edited in %s: its included or referenced value shows through at %s", c.plans[0].place.path, strings.Join(files, " and "), listed(paths))
	if c.eo.To == Source {
		return d.WithHint("edit its definitions one by one")
	}
	return d.WithHint("--to=source edits the definition")
}

// hidden returns the error of an edit that a layer over the named file hides, nil for another failure.
func (c *comparison) hidden() *source.Diagnostic {
	for _, p := range c.plans {
		d, err := c.after.Only(p.place.index)
		if err != nil || !p.wrong {
			continue
		}
		facts, err := factsAt(d, p.place.path)
		if err != nil || len(facts) == 0 {
			continue
		}
		if at := facts[0].At; d.IsOver(at.File) {
			return source.Refuse(at, source.NotVerified, "%s cannot be edited in %s: %s lies above it and hides the edit", p.place.path, c.Name, at.File.Name).
				WithHint("edit %s", at.File.Name)
		}
	}
	return nil
}

// othersError is the error of other changes. Its notes say where they get their values.
func (c *comparison) othersError() error {
	var names []string
	for _, o := range c.others {
		name := o.Path.String()
		if len(c.drafts) > 1 {
			name = fmt.Sprintf("%s in document %d", o.Path, o.doc)
		}
		names = append(names, name)
	}
	d := source.Refuse(source.Span{}, source.SharedSource, "editing %s would change other values as well: %s", c.plans[0].place.path, listed(names))
	for i, o := range c.others[:min(len(c.others), maxListed)] {
		if at := c.referenceOf(o); !at.IsZero() {
			d.Note(at, "%s gets its value here", names[i])
		}
	}
	if c.Lang == yay.Language { // there one statement makes them all
		return d.WithHint("--allow-changes lets them change")
	}
	if c.eo.To == Source && c.isElsewhere() {
		way := "--to=override"
		if c.splices() {
			way += " --inline"
		}
		return d.WithHint("--allow-changes lets them change; %s edits %s alone", way, c.plans[0].place.path)
	}
	if c.eo.To == Source {
		return d.WithHint("--allow-changes lets them change")
	}
	if at := c.plans[0].place.doc; at != nil && !at.IsLone() {
		return d.WithHint("--to=source edits the definition; --allow-changes lets them change")
	}
	return d.WithHint("--allow-changes lets them change")
}

// isElsewhere reports whether a plan is written in another place than its own in the named file, so that
// an override would be another edit. Of
//
//	a: &a {k: 1}
//	b: *a
//
// b.k is written elsewhere, and a.k is not. Keys are only renamed where they are.
func (b *batch) isElsewhere() bool {
	return slices.ContainsFunc(b.plans, func(p *plan) bool {
		return p.edit.Op != roundtrip.Rename && slices.ContainsFunc(p.ways[0], func(e overlay.Edit) bool {
			return e.Path != b.Path || !e.Edit.Path.HasPrefix(p.place.path)
		})
	})
}

// splices reports whether a plan is at an item of a list with splices, or below one: an override may have to
// expand them.
func (b *batch) splices() bool {
	return slices.ContainsFunc(b.plans, func(p *plan) bool {
		spliced := false
		p.place.walk(func(n graph.Node) {
			seq, ok := n.(*graph.Seq)
			spliced = spliced || ok && slices.ContainsFunc(seq.Items, func(n graph.Node) bool {
				_, ok := n.(*graph.Splice)
				return ok
			})
		})
		return spliced
	})
}

// maxListed bounds how many names a message lists.
const maxListed = 10

// listed joins names, the first ones of many.
func listed(names []string) string {
	if n := len(names) - maxListed; n > 0 {
		names = append(slices.Clone(names[:maxListed]), fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}

// referenceOf returns the reference, alias or include through which the place of a change
// gets its value: after the edits if the value is new, otherwise before them.
func (c *comparison) referenceOf(o otherChange) source.Span {
	p := c.project
	if !o.HasOld {
		p = c.after
	}
	d, err := p.Only(o.doc)
	if err != nil {
		return source.Span{}
	}
	facts, err := factsAt(d, o.Path)
	if err != nil {
		return source.Span{}
	}
	for _, f := range facts {
		switch {
		case f.Role != graph.Sets:
		case len(f.Through) > 0:
			return f.Through[0]
		case len(f.Includes) > 0:
			return f.Includes[0]
		}
	}
	return c.aliasOf(o)
}

// aliasOf returns the alias or "<<" of the named file that the path of a change leads through.
func (c *comparison) aliasOf(o otherChange) source.Span {
	docs, err := c.Parse(c.Path, c.Lang)
	if err != nil || o.doc >= len(docs) {
		return source.Span{}
	}
	n := docs[o.doc].Root
	for _, k := range o.Path {
		if n == nil {
			break
		}
		next := childOf(n, k)
		if next == nil {
			for i := range n.Entries {
				if e := &n.Entries[i]; e.IsMerge() {
					return e.Value.At
				}
			}
			break
		}
		if n = next; n.Kind == yaml.AliasNode {
			return n.At
		}
	}
	return source.Span{}
}

// childOf returns the entry or item of a node with this key, nil if there is none.
func childOf(n *yaml.Node, k value.Key) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := range n.Entries {
		if e := &n.Entries[i]; e.Key == k && !e.IsMerge() {
			return e.Value
		}
	}
	if i, ok := k.Value().Int(); ok && i >= 0 && int(i) < len(n.Items) {
		return n.Items[i]
	}
	return nil
}
