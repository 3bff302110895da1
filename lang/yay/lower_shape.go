package yay

// A shape says what can be told of a block by looking at it.
type shape struct {
	pairs bool // it has keys
	items bool // it has items
	list  bool // it is a list if it is anything
}

func shapeOf(b *Block) shape {
	var s shape
	for _, st := range b.Stanzas {
		switch st := st.(type) {
		case *Pair:
			s.pairs = true
		case *New:
			s.pairs = s.pairs || st.As != ""
		case *Item, *For:
			s.items = true
		}
	}
	s.list = s.items || !s.pairs && directiveList(b)
	return s
}

// directiveList reports whether the first directive of a block that shows what it
// makes makes a list.
func directiveList(b *Block) bool {
	for _, st := range b.Stanzas {
		switch st := st.(type) {
		case *If:
			return shapeOf(st.Branches[0].Body).list
		case *Select:
			if len(st.Cases) > 0 {
				inner, ok := st.Cases[0].Value.(*Block)
				return ok && shapeOf(inner).list
			}
		}
	}
	return false
}
