package graph

import (
	"strconv"
)

// A Part is a node within another one.
type Part struct {
	Label string // the key, the index, what it is for; "" for none
	Node  Node
}

// Parts returns the nodes that a node was written with, in source order. What lies
// on what is not among them: see [Pile].
func Parts(n Node) []Part {
	switch n := n.(type) {
	case *Map:
		return entryParts(n.Entries)
	case *Seq:
		return itemParts(n.Items)
	case *Extend:
		return itemParts(n.Items)
	case *Splice:
		return []Part{{"items", n.Node}}
	case *Positional:
		return []Part{{"item", n.Node}}
	case *Guard:
		return itemParts(append(n.May[:len(n.May):len(n.May)], n.With...))
	case *Each:
		return []Part{{"body", n.Body}}
	case *Let:
		return append(entryParts(n.Names), Part{"body", n.Body})
	case *Define:
		return []Part{{"body", n.Body}}
	}
	return nil
}

func entryParts(entries []Entry) []Part {
	parts := make([]Part, len(entries))
	for i := range entries {
		parts[i] = Part{entries[i].Key.Text, entries[i].Node}
	}
	return parts
}

func itemParts(items []Node) []Part {
	parts := make([]Part, len(items))
	for i, n := range items {
		parts[i] = Part{strconv.Itoa(i), n}
	}
	return parts
}

// Pile returns the nodes that lie on one another where n stands, newest first: n
// alone, if it is no stack.
func Pile(n Node) []Node {
	switch n := n.(type) {
	case *Stack:
		pile := make([]Node, 0, len(n.Layers))
		for i := len(n.Layers) - 1; i >= 0; i-- {
			pile = append(pile, Pile(n.Layers[i])...)
		}
		return pile
	case *Overlay:
		var pile []Node
		if len(n.Own.Entries) > 0 || len(n.Bases) == 0 {
			pile = append(pile, n.Own)
		}
		for i := len(n.Bases) - 1; i >= 0; i-- {
			pile = append(pile, Pile(n.Bases[i])...)
		}
		return pile
	}
	return []Node{n}
}
