package restore

import (
	"github.com/yaytpl/yaytpl/lang/yaml"
)

// mergeSources returns the maps that the value of a "<<" stands for, those that count
// most first.
func mergeSources(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SeqNode {
		return n.Items
	}
	return []*yaml.Node{n}
}

// mergeSource returns what a map that "<<" takes comes to in the edited document. One
// that is not written in the document as a place of its own is data.
func (w *walk) mergeSource(n *yaml.Node) (optional, error) {
	if n.Kind == yaml.AliasNode {
		if w.sites.gone[n.Target] {
			return none, nil
		}
		if to, known := w.sites.anchors[n.Target]; known {
			return some(w.plan.Want).at(to)
		}
		n = n.Target
	}
	v, err := n.ToValue()
	return some(v), err
}
