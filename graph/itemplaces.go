package graph

import "strconv"

// An ItemPlace is a list that has an item, as it is written there. The list
//
//	l: [a, {+/tmpl: }]      with  tmpl: {x: 1}
//
// has the place 1 of l for l[1], whose value is defined in tmpl. The items of a list that a directive
// splices into another one have their places in the spliced list.
type ItemPlace struct {
	List  Fact // its place, with the references and includes that lead to it
	Index int  // of the item, with the markers of the list
	Len   int  // the number of items with the markers
}

// ItemPlaces returns the lists that have the item c, the newest first: several if the rule of a join merges
// their items. It returns none if c is no item, or comes from a list that is computed.
func (c *Cell) ItemPlaces() ([]ItemPlace, error) {
	if c.up == nil {
		return nil, nil
	}
	f, err := c.up.fold()
	if err != nil {
		return nil, err
	}
	i, err := strconv.Atoi(c.key.Text)
	if f.kind != listShape || err != nil || i < 0 || i >= len(f.items) {
		return nil, nil
	}
	var places []ItemPlace
	known := f.items[i].layer.leaves(func(l *layer) bool {
		at, ok := itemPlace(l, f.items[:i])
		places = append(places, at)
		return ok
	})
	if !known {
		return nil, nil
	}
	return places, nil
}

// itemPlace returns the place of the item l of a list. An alias is the node of its anchor: the items before it
// tell which of these it is.
func itemPlace(l *layer, before []item) (ItemPlace, bool) {
	if l.up == nil {
		return ItemPlace{}, false
	}
	list, ok := l.up.node.(*Seq)
	if !ok {
		return ItemPlace{}, false
	}
	skip := 0
	for _, it := range before {
		it.layer.leaves(func(other *layer) bool {
			if other.up == l.up && other.node == l.node {
				skip++
			}
			return true
		})
	}
	place := ItemPlace{List: originOf(l.up), Len: len(list.Items)}
	place.List.Role, place.List.At = Sets, list.At
	if list.Replace {
		place.Index, place.Len = 1, place.Len+1
	}
	for i, n := range list.Items {
		switch item := n.(type) {
		case *Positional:
			n = item.Node
		case *Splice:
			n = item.Node
		}
		if n != l.node {
			continue
		}
		if skip == 0 {
			place.Index += i
			return place, true
		}
		skip--
	}
	return ItemPlace{}, false
}
