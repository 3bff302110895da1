package graph

// A gathering collects what the members of a group have under a key.
type gathering struct {
	walk    *walk
	members []*layer
	next    int // the member to be asked
	got     []*layer
	oldest  bool // whether the last one found is from the oldest map
	whole   effect
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
			g.skipTo(len(g.members))
		}
	}
	for g.next < len(g.members) {
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
	if g.whole == nothing {
		g.whole = joins
	}
}

// ask adds what the next member has. It reports whether that is the last one that
// counts. Where lists follow each other, a list over a map is an error of the whole
// and ends nothing.
func (g *gathering) ask() (last bool, err error) {
	f, eff, err := g.walk.under(g.members[g.next])
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
	if g.whole == nothing && eff != deletes {
		g.whole = eff
	}
	switch {
	case eff == deletes, f != nil && f.ends(g.walk.rule.below()):
		return true, nil
	}
	return eff == hides && !g.walk.rule.ConcatLists, nil
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
