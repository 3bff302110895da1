package expr

// Walk calls visit for n and the nodes in it, outermost first and in source order.
// Where visit returns false, the nodes inside are left out.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, child := range children(n) {
		Walk(child, visit)
	}
}

func children(n Node) []Node {
	switch n := n.(type) {
	case *Select:
		return []Node{n.X}
	case *Index:
		return []Node{n.X, n.Key}
	case *Slice:
		return present(n.X, n.From, n.To, n.Step)
	case *CallExpr:
		return append([]Node{n.Fn}, argNodes(n.Args)...)
	case *Unary:
		return []Node{n.X}
	case *Binary:
		return []Node{n.X, n.Y}
	case *Compare:
		return compareNodes(n)
	case *Logic:
		return []Node{n.X, n.Y}
	case *Cond:
		return present(n.Then, n.Test, n.Else)
	case *Else:
		return []Node{n.X, n.Y}
	case *For:
		return forNodes(n)
	case *List:
		return n.Items
	case *Map:
		return entryNodes(n.Entries)
	case *Filter:
		return append([]Node{n.X}, argNodes(n.Args)...)
	case *Test:
		return append([]Node{n.X}, argNodes(n.Args)...)
	case *Concat:
		return n.Parts
	case *Path:
		return pathNodes(n)
	case *Object:
		return n.children()
	case *funcCall:
		return append(n.argument(), argNodes(n.kwargs)...)
	}
	return nil
}

func (c *funcCall) argument() []Node {
	if c.each != nil {
		return present(c.each.key, c.each.value)
	}
	return present(c.arg)
}

func present(nodes ...Node) []Node {
	var out []Node
	for _, n := range nodes {
		if n != nil {
			out = append(out, n)
		}
	}
	return out
}

func argNodes(args []Arg) []Node {
	out := make([]Node, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}

func compareNodes(n *Compare) []Node {
	out := []Node{n.First}
	for _, c := range n.Rest {
		out = append(out, c.Y)
	}
	return out
}

func entryNodes(entries []Entry) []Node {
	var out []Node
	for _, e := range entries {
		out = append(out, e.Key, e.Value)
	}
	return out
}

func forNodes(n *For) []Node {
	out := present(n.Key, n.Item)
	for _, c := range n.Clauses {
		out = append(append(out, c.In), c.Ifs...)
	}
	return out
}

func pathNodes(p *Path) []Node {
	var out []Node
	for _, s := range p.Segments {
		for _, f := range s.Filters {
			out = append(out, f.Path)
		}
	}
	return out
}
