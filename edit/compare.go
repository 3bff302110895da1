package edit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A comparison is of what the documents came to with what was asked for.
type comparison struct {
	*batch
	after  *engine.Project
	inside []value.Change // at places of the plans, which so failed
	others []otherChange
}

// An otherChange is a change that nobody asked for.
type otherChange struct {
	value.Change
	doc int
}

// compare finds what is not as it was to be. Override edits change nothing but their
// own documents.
func (c *comparison) compare() error {
	for _, p := range c.plans {
		p.wrong = false
	}
	for i, d := range c.after.Documents() {
		plans := c.of(i)
		if len(plans) == 0 && c.eo.To == Override {
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
				c.add(change, i, plans)
			}
		}
	}
	return c.refine()
}

// of returns the plans of a document.
func (c *comparison) of(doc int) []*plan {
	var of []*plan
	for _, p := range c.plans {
		if p.place.index == doc {
			of = append(of, p)
		}
	}
	return of
}

func (c *comparison) add(change value.Change, doc int, plans []*plan) {
	inside := false
	for _, p := range plans {
		if change.Path.HasPrefix(p.place.path) || p.place.path.HasPrefix(change.Path) {
			p.wrong = true
			inside = true
		}
	}
	natural := slices.ContainsFunc(c.plans, func(p *plan) bool { return p.natural.has(doc, change.Path) })
	switch {
	case inside:
		c.inside = append(c.inside, change)
	case !natural:
		c.others = append(c.others, otherChange{change, doc})
	}
}

// refine adds a way to plans in which keys of older layers show through.
func (c *comparison) refine() error {
	for _, p := range c.plans {
		if !p.wrong || p.refined || c.eo.To == Source {
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
		p.refined = true
		p.ways = append(p.ways, c.refined(p, v)...)
	}
	return nil
}

func (c *comparison) changes() []value.Change {
	all := make([]value.Change, len(c.others))
	for i, o := range c.others {
		all[i] = o.Change
	}
	return all
}

// complaint is the error of edits that did not come to what was asked for, or would
// change something else where that is not allowed.
func (c *comparison) complaint() error {
	switch {
	case len(c.inside) > 0:
		return c.showsThrough()
	case len(c.others) > 0 && !c.eo.AllowChanges:
		return c.notAlone()
	}
	return nil
}

// showsThrough is the error of an edit that does not come to what was asked for.
func (c *comparison) showsThrough() error {
	var paths []string
	reason := source.NotVerified
	for _, change := range c.inside {
		paths = append(paths, change.Path.String())
		if n := len(change.Path); n > 0 && change.Path[n-1].Kind == value.IntKind {
			reason = source.ListNotAppendable
		}
	}
	d := source.Errorf(source.Span{}, source.Output, "%s cannot be edited in %s: what it is built on shows through at %s", c.plans[0].place.path, c.target(), listed(paths))
	d.Cause = &source.Refusal{Reason: reason}
	if c.eo.To == Source {
		return d.WithHint("edit the parts that it is built on one by one")
	}
	return d.WithHint("--to=source edits what it is built on")
}

// target names the files that the plans edit.
func (c *comparison) target() string {
	var names []string
	for _, p := range c.plans {
		for _, e := range p.ways[0] {
			if name := c.Source(e.Path).Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, " and ")
}

// maxOthers is how many places a message names.
const maxOthers = 10

// listed joins names, the first of many.
func listed(names []string) string {
	if n := len(names) - maxOthers; n > 0 {
		names = append(slices.Clone(names[:maxOthers]), fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}

// notAlone is the error of an edit that would change something else: it names that, and
// says where each gets its value.
func (c *comparison) notAlone() error {
	var paths []string
	for _, o := range c.others {
		paths = append(paths, o.name(len(c.drafts)))
	}
	d := source.Errorf(source.Span{}, source.Output, "editing %s would change other values as well: %s", c.plans[0].place.path, listed(paths))
	d.Cause = &source.Refusal{Reason: source.SharedSource}
	for i, o := range c.others[:min(len(c.others), maxOthers)] {
		if at := c.gets(o); !at.IsZero() {
			d.Note(at, "%s gets its value here", paths[i])
		}
	}
	if c.eo.To == Source {
		return d.WithHint("--allow-changes lets them change; --to=override edits %s alone", c.plans[0].place.path)
	}
	return d.WithHint("--allow-changes lets them change")
}

func (o otherChange) name(documents int) string {
	if documents == 1 {
		return o.Path.String()
	}
	return fmt.Sprintf("%s in document %d", o.Path, o.doc)
}

// gets returns the reference, alias or include that brings a value to its place. What is
// new is looked for where it came to be.
func (c *comparison) gets(o otherChange) source.Span {
	p := c.project
	if !o.HasOld {
		p = c.after
	}
	d, err := p.Only(o.doc)
	if err != nil {
		return source.Span{}
	}
	facts, err := explained(d, o.Path)
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
	return c.alias(o)
}

// alias returns the alias or "<<" of the named file that a path leads through.
func (c *comparison) alias(o otherChange) source.Span {
	docs, err := c.Parse(c.Path, c.Lang)
	if err != nil || o.doc >= len(docs) {
		return source.Span{}
	}
	n := docs[o.doc].Root
	for _, k := range o.Path {
		next := childOf(n, k)
		if next == nil {
			return mergeOf(n)
		}
		if n = next; n.Kind == yaml.AliasNode {
			return n.At
		}
	}
	return source.Span{}
}

// mergeOf returns where the "<<" of a map stands.
func mergeOf(n *yaml.Node) source.Span {
	if n == nil {
		return source.Span{}
	}
	for i := range n.Entries {
		if e := &n.Entries[i]; e.Merge {
			return e.Value.At
		}
	}
	return source.Span{}
}

// childOf returns what a map or list has under a key, nil for nothing.
func childOf(n *yaml.Node, k value.Key) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := range n.Entries {
		if e := &n.Entries[i]; e.Key == k && !e.Merge {
			return e.Value
		}
	}
	if i, ok := k.Value().Int(); ok && i >= 0 && int(i) < len(n.Items) {
		return n.Items[i]
	}
	return nil
}
