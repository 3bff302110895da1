package yaml

import "github.com/yaytpl/yaytpl/value"

// FromValue returns the tree of a value that was not read from a text: without spans,
// comments and anchors.
func FromValue(v value.Value) (*Node, error) {
	n := &Node{Details: noDetails}
	switch {
	case v.Is(value.ListKind):
		n.Kind, n.Style = SeqNode, Block
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return nil, err
			}
			kid, err := FromValue(item)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, kid)
		}
	case v.Is(value.MapKind):
		n.Kind, n.Style = MapNode, Block
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err != nil {
				return nil, err
			}
			kid, err := FromValue(item)
			if err != nil {
				return nil, err
			}
			key := &Node{Details: noDetails, Value: k.Value()}
			n.Entries = append(n.Entries, Entry{Key: k, KeyNode: key, Value: kid, Comments: noComments})
		}
	default:
		n.Value = v
		if s := v.Source(); s != nil && s.Tag != "" {
			n.details().Tag = s.Tag
		}
	}
	return n, nil
}
