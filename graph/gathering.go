package graph

// A gathering collects what the members of a group have under a key.
type gathering struct {
	walk   *walk
	group  *layer
	next   int // the member to be asked
	got    []*layer
	oldest bool // whether the last one found is from the oldest map
	whole  effect
}

// all asks the members; with an index, not those maps that do not have the key.
func (g *gathering) all(index *keyIndex) error {
	if index != nil {
		for i := range index.mayDefine(g.walk.key) {
			if g.walk.strategies {
				break // from here on it matters which maps there are
			}
			g.skipTo(i)
			if last, err := g.ask(); last || err != nil {
				return err
			}
		}
		if !g.walk.strategies {
			g.skipTo(len(g.group.members))
		}
	}
	for g.next < len(g.group.members) {
		if last, err := g.ask(); last || err != nil {
			return err
		}
	}
	return nil
}

// skipTo passes maps that do not have the key.
func (g *gathering) skipTo(i int) {
	if i == g.next {
		return
	}
	g.next, g.oldest = i, false
	g.join(joins)
}

// ask adds what the next member has. It reports whether that is the last one that
// counts. Where lists follow each other, a list over a map is an error of the whole
// and ends nothing.
func (g *gathering) ask() (last bool, err error) {
	f, eff, err := g.under(g.group.members[g.next])
	if err != nil {
		return true, err
	}
	g.next++
	g.walk.above = g.walk.above || eff == joins
	if f != nil {
		g.got = append(g.got, f)
		g.oldest = true
	} else if eff == joins {
		g.oldest = false
	}
	g.join(eff)
	switch {
	case eff == deletes, eff == nulls, f != nil && f.ends(g.walk.rule.below()):
		return true, nil
	}
	return eff == hides && !g.walk.rule.ConcatLists, nil
}

// under asks a member that counts. Where maps have strategies, only the fold of the group
// can tell.
func (g *gathering) under(member *layer) (*layer, effect, error) {
	known := g.walk.strategies
	if known {
		if counts, err := g.counts(); !counts || err != nil {
			return nil, yields, err
		}
	}
	f, eff, err := g.walk.under(member)
	if err == nil && g.walk.strategies && !known && eff == joins {
		var counts bool
		if counts, err = g.counts(); !counts {
			return nil, yields, err
		}
	}
	return f, eff, err
}

// join adds the effect of a member that is older than those before. What yields to a map
// hides what is none, and is gone over a deletion. To the outside, null only yields.
func (g *gathering) join(eff effect) {
	switch {
	case g.whole != nothing && g.whole != yields:
	case eff == deletes:
		g.whole = nothing
	case eff == nulls:
		g.whole = yields
	case g.whole == nothing, eff == joins:
		g.whole = eff
	}
}

// joined makes a group of what the members of l had under a key. A single layer
// stays in a group of its own if it may be a deletion that had an older member to
// work on.
func joined(got []*layer, l *layer, oldest bool) *layer {
	switch {
	case len(got) == 0:
		return nil
	case len(got) == 1 && (oldest || l.rule.Typed || got[0].group == nil && isSolid(got[0].node)):
		return got[0]
	}
	g := &group{members: got, rule: l.rule.below(), sealed: !oldest}
	return &layer{group: g, origin: l.origin, up: l}
}

// counts reports whether the member to be asked is no map, or one that shows through in
// what the group comes to.
func (g *gathering) counts() (bool, error) {
	c := g.walk.cell
	counting, err := c.counting(g.group)
	if err != nil {
		return false, err
	}
	return g.next < len(counting) && counting[g.next], nil
}

// counting returns which members of a group are no maps, or maps that show through. It
// ends with the member that hides the rest.
func (c *Cell) counting(l *layer) ([]bool, error) {
	if c.more != nil && c.more.counting[l.group] != nil {
		return c.more.counting[l.group], nil
	}
	var counting []bool
	provisional, err := c.eval.provisionally(func() (err error) {
		counting, err = c.foldCounting(l)
		return err
	})
	if err == nil && !provisional {
		m := c.memo()
		if m.counting == nil {
			m.counting = map[*group][]bool{}
		}
		m.counting[l.group] = counting
	}
	return counting, err
}

// foldCounting folds the group with each member for the maps that it brings.
func (c *Cell) foldCounting(l *layer) ([]bool, error) {
	j := join{cell: c, rule: l.rule}
	shapes, err := j.shapes(l)
	if err != nil {
		return nil, err
	}
	at := make(map[*layer]int, len(shapes))
	counting := make([]bool, len(shapes))
	for i := range shapes {
		if shapes[i].kind != mapShape {
			counting[i] = true
			continue
		}
		member := &layer{}
		at[member] = i
		shapes[i].maps = []*layer{member}
	}
	if len(shapes) > smallMap {
		shapes = joinRuns(shapes)
	}
	f, err := j.all(shapes)
	for _, member := range f.maps {
		counting[at[member]] = true
	}
	return counting, err
}
