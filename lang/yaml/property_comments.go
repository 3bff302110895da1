package yaml

import "strings"

// propertyComment returns the comment after the anchor or tag of a list or map in block style,
// which it takes from the first entry or item below, where the rules of the parser put it.
//
//	web: &web # the front
//	  port: 80
func (n *Node) propertyComment() string {
	if n.Kind != MapNode && n.Kind != SeqNode || n.Style != Block || n.Anchor == "" && n.Tag == "" {
		return ""
	}
	end := max(n.AnchorAt.End, n.TagAt.End)
	f := n.AnchorAt.File
	if f == nil {
		f = n.TagAt.File
	}
	rest := strings.TrimLeft(f.Text[end:], " \t")
	if !strings.HasPrefix(rest, "#") {
		return ""
	}
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	if below := n.firstComments(); below != nil && rest != "" {
		if others, ok := strings.CutPrefix(below.Line, rest); ok && (others == "" || others[0] == '\n') {
			below.Line = strings.TrimPrefix(others, "\n")
			return rest
		}
	}
	return ""
}

// firstComments returns the comments of the first entry or item, at the depth at which it begins a
// line; nil if it has none.
func (n *Node) firstComments() *Comments {
	for n.Kind == SeqNode && n.Style == Block && len(n.Items) > 0 {
		if n = n.Items[0]; n.Comments.Line != "" {
			return &n.Details.Comments
		}
	}
	if n.Kind == MapNode && n.Style == Block && len(n.Entries) > 0 && n.Entries[0].Comments.Line != "" {
		return n.Entries[0].Comments
	}
	return nil
}
