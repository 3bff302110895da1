package graph

// A resolved says what a node that stands for others came to on a cell.
type resolved struct {
	foundKey
	layer *layer // nil for nothing
	err   error
}

// A foundKey tells apart the layers of one cell that stand for others.
type foundKey struct {
	node  Node
	frame *Frame
}

// expand returns what a node that stands for others stands for on c: the bases of
// an overlay, the target of a reference, the choice of a guard. Nil is nothing.
func (c *Cell) expand(l *layer) (*layer, error) {
	if l.group != nil {
		return l, nil
	}
	switch n := l.node.(type) {
	case *Let:
		return c.let(l, n), nil
	case *Stack:
		return c.stack(l, n), nil
	case *Instance:
		return c.instance(l, n)
	case *Overlay, *Ref, *Guard:
		return c.remembered(l)
	case *Splice:
		return c.expand(l.under(n.Node))
	case *Positional:
		return c.expand(l.under(n.Node))
	}
	return l, nil
}

// remembered is expand with a memory: what a node came to on a cell stays, unless
// something was hidden while it was worked out.
func (c *Cell) remembered(l *layer) (*layer, error) {
	if r := c.recall(l); r != nil {
		return r.layer, r.err
	}
	if err := c.eval.Enter(); err != nil {
		return nil, err
	}
	defer c.eval.Leave()
	var x *layer
	provisional, err := c.eval.provisionally(func() (err error) {
		x, err = c.resolve(l)
		return err
	})
	if !provisional {
		c.learn(l, x, err)
	}
	return x, err
}

// recall returns what l came to on c, nil if that is not known.
func (c *Cell) recall(l *layer) *resolved {
	if c.more == nil {
		return nil
	}
	key := foundKey{l.node, l.frame}
	if c.more.foundIndex != nil {
		if i, ok := c.more.foundIndex[key]; ok {
			return &c.more.found[i]
		}
		return nil
	}
	for i := range c.more.found {
		if r := &c.more.found[i]; r.foundKey == key {
			return r
		}
	}
	return nil
}

func (c *Cell) learn(l, x *layer, err error) {
	m := c.memo()
	key := foundKey{l.node, l.frame}
	m.found = append(m.found, resolved{key, x, err})
	if m.foundIndex != nil {
		m.foundIndex[key] = len(m.found) - 1
	} else if len(m.found) > smallMap {
		m.foundIndex = make(map[foundKey]int, 2*len(m.found))
		for i, r := range m.found {
			m.foundIndex[r.foundKey] = i
		}
	}
}

func (c *Cell) resolve(l *layer) (*layer, error) {
	switch n := l.node.(type) {
	case *Overlay:
		return c.overlay(l, n)
	case *Ref:
		return c.follow(l, n)
	case *Guard:
		picked, err := c.decide(l, n)
		if picked == nil || err != nil {
			return nil, err
		}
		return c.expand(l.under(picked))
	}
	return l, nil
}

// stack returns the layers of a Stack as a group.
func (c *Cell) stack(l *layer, n *Stack) *layer {
	if r := c.recall(l); r != nil {
		return r.layer
	}
	g := &group{members: make([]*layer, len(n.Layers)), rule: n.Rule, sealed: true}
	x := &layer{group: g, origin: l.origin, frame: l.frame, up: l}
	for i, n := range n.Layers {
		x.members[len(x.members)-1-i] = l.under(n)
	}
	c.learn(l, x, nil)
	return x
}

// overlay returns the group of a map and its bases. Bases that came to nothing do
// not count: without any, the map is just itself.
func (c *Cell) overlay(l *layer, n *Overlay) (*layer, error) {
	own := l.under(n.Own)
	members := []*layer{own}
	for i := len(n.Bases) - 1; i >= 0; i-- {
		if g, ok := n.Bases[i].(*Guard); ok && g.May != nil && !n.Lone {
			members = append(members, l.under(g)) // to be decided for keys that it may define
			continue
		}
		base, err := c.expand(l.under(n.Bases[i]))
		if err != nil {
			return nil, err
		}
		if base != nil {
			members = append(members, base)
		}
	}
	switch {
	case n.Lone && len(members) == 2:
		return members[1].elsewhere(n.Rule), nil
	case n.Lone && !isInclude(n.Bases[0]):
		return nil, nil
	case len(members) == 1:
		return own, nil
	}
	g := &group{members: members, rule: n.Rule, overlay: n, sealed: true}
	return &layer{group: g, origin: l.origin, frame: l.frame, up: l}, nil
}

// isInclude reports whether a base is a file: one that is missing leaves an empty
// map behind, a missing pointer nothing (merge, sections 5 and 7).
func isInclude(n Node) bool {
	switch n := n.(type) {
	case *Ref:
		return n.From == FromFile
	case *Guard:
		return n.Label == IncludeLabel
	}
	return false
}

// IncludeLabel is the label of guards that decide which file is included.
const IncludeLabel = "include"
