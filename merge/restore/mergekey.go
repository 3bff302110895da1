package restore

import (
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// mergeKeys finds what "<<" brings. If something of it is not wanted, what is wanted is
// written out.
func (x *mapEdit) mergeKeys() error {
	if len(x.m.merges) == 0 {
		return nil
	}
	soft := value.NewMap(0)
	inline := x.opts.Inline[x.text.Pointer()]
	for _, e := range x.m.merges {
		for _, from := range mergeSources(e.Value) {
			v, err := x.mergeSource(from)
			if err != nil {
				return err
			}
			if !v.isMap() {
				inline = true
				continue
			}
			for k := range v.v.Map().Keys() {
				if _, ok, _ := soft.Get(k); ok {
					continue
				}
				item, err := v.get(k)
				if err != nil {
					return err
				}
				soft.Set(k, item.v)
			}
		}
	}
	x.soft = some(value.FromMap(soft))
	return x.inlineMerges(inline)
}

// inlineMerges takes out "<<" if it has to, or brings a key that is not wanted.
func (x *mapEdit) inlineMerges(inline bool) error {
	for k := range x.soft.v.Map().Keys() {
		want, err := x.want.get(k)
		if err != nil {
			return err
		}
		inline = inline || !want.ok
	}
	if !inline {
		return nil
	}
	for _, e := range x.m.merges {
		if x.opts.NoInline {
			x.plan.Conflicts = append(x.plan.Conflicts, Conflict{Path: x.is, Reason: source.NeedsInline, At: e.KeyNode.At})
			continue
		}
		x.warnAt(e.KeyNode.At, source.Inlined, `"<<" in %s went: what it brought is written out`, x.is)
		x.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: longer(x.text, e.Key)})
	}
	x.soft = none
	return nil
}

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
