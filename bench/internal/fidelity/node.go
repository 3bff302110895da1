package fidelity

// A Kind is one of a node.
type Kind uint8

// The kinds.
const (
	Scalar Kind = iota
	Map
	List
	Alias
)

// A Style is that of a scalar.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Quoted
	Block // literal or folded
)

// A Node is one of a tree as it is written: with anchors and aliases, and with tags as
// they are resolved.
type Node struct {
	Kind   Kind
	Style  Style
	Flow   bool   // a map or list in brackets
	Tag    string // short: "!!str"; of a map or list only one that is written
	Text   string // of a scalar; of an alias its name
	Anchor string
	Keys   []*Node // of a map
	Kids   []*Node // values of a map, items of a list

	line  int // from 0
	col   int // bytes from the beginning of the line
	after int // the line where what follows the node begins
}

// A document is one of a text.
type document struct {
	root *Node
	end  int // the line behind it
}

// setAfter notes in every node where the next one begins.
func (d *document) setAfter() {
	next := d.end
	var visit func(n *Node)
	visit = func(n *Node) {
		n.after = next
		for i := len(n.Kids) - 1; i >= 0; i-- {
			visit(n.Kids[i])
			next = n.Kids[i].line
			if n.Kind == Map {
				visit(n.Keys[i])
				next = n.Keys[i].line
			}
		}
		next = n.line
	}
	visit(d.root)
}

// clone returns a copy of a tree.
func (n *Node) clone() *Node {
	c := *n
	c.Keys, c.Kids = cloneAll(n.Keys), cloneAll(n.Kids)
	return &c
}

func cloneAll(list []*Node) []*Node {
	var out []*Node
	for _, n := range list {
		out = append(out, n.clone())
	}
	return out
}
