package graph

import "slices"

// rootLayer stacks the layers of documents from one index to another. Each joins all older layers by
// its own rule: with the rules M, M, S, S they become the groups (S 4 3 (M 2 1)).
func (e *Eval) rootLayer(from, to int) *layer {
	var all *layer
	for i := from; i < to; i++ {
		o, rule := e.layers[i], e.rules[i]
		if o.Doc.Root == nil {
			continue
		}
		if rule == nil {
			rule = MergeRule
		}
		l := &layer{node: o.Doc.Root, origin: o}
		if n, ok := l.node.(*Overlay); ok && all != nil && !n.Lone && rule == MergeRule {
			l.node = n.over(all)
			all = l
			continue
		}
		switch {
		case all == nil:
			all = l
		case all.group != nil && all.rule == rule:
			all.members = append(all.members, l)
		default:
			all = &layer{group: &group{members: []*layer{all, l}, rule: rule}}
		}
	}
	reverseGroups(all)
	return all
}

// reverseGroups puts the members of stacked groups, which were appended oldest first, in order. The oldest
// of a group may itself be a group.
func reverseGroups(l *layer) {
	for l != nil && l.group != nil {
		slices.Reverse(l.members)
		l = l.members[len(l.members)-1]
	}
}

// over returns the overlay with older layers below its bases: a document with directives at its root lies
// over older documents as if it had included them before everything else. So the whiteout in the newer of
//
//	a: {x: 1}
//
//	+include: b.yaml
//	a: {+%: whiteout}
//
// deletes the a of both.
func (n *Overlay) over(older *layer) *Overlay {
	reverseGroups(older)
	o := *n
	o.older = older
	return &o
}
