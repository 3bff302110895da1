package yaml

// Len returns the number of entries of a map or of items of a list, 0 for other nodes.
func (n *Node) Len() int { return len(n.Entries) + len(n.Items) }

// Child returns the value of entry i of a map, or item i of a list.
func (n *Node) Child(i int) *Node {
	if n.Kind == MapNode {
		return n.Entries[i].Value
	}
	return n.Items[i]
}
