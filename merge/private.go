package merge

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// private reads "+private", the keys of the map that are no part of the output:
//
//	+private: [versions, "x-*"]
//
// It is an entry of the map as well, which the expanded document has.
func (m *mapping) private(e *yaml.Entry) {
	n := e.Value
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	if n.Kind != yaml.SeqNode {
		d := m.badDirective(n, "+private needs a list of keys")
		if word, ok := wordOf(n); ok && word != "" && m.marks&value.Secret == 0 {
			d.WithHint("write [%s]", word)
		} else {
			d.WithHint(privateHint)
		}
		return
	}
	names := make([]graph.PrivateName, 0, len(n.Items))
	for _, item := range n.Items {
		at := item.At
		if item.Kind == yaml.AliasNode {
			item = item.Target
		}
		key, ok := value.KeyOf(item.Value)
		if item.Kind != yaml.ScalarNode || !ok || item.Value.IsNull() {
			m.badDirective(item, "each item of +private is a key or a pattern of keys").WithHint(privateHint)
			return
		}
		if item.Value.Is(value.StringKind) && expr.IsTemplate(key.Text) && !m.opts.NoTemplates {
			m.badDirective(item, "the names in +private are not templates").WithHint(privateHint)
			return
		}
		name := graph.PrivateName{Text: key.Text, At: at}
		if name.Check() != nil {
			m.badDirective(item, "this is no pattern of keys: a bracket is not closed").
				WithHint(`a backslash before [ * ? makes it an ordinary character`)
			return
		}
		names = append(names, name)
	}
	m.own.Private, m.doc.Private = &graph.Private{Names: names}, true
	m.plain(e)
	entry := &m.own.Entries[len(m.own.Entries)-1]
	entry.Node = joiningAll(entry.Node)
}

const privateHint = `such as [versions, "x-*"]`

// joiningAll returns a list that joins older ones as a union, whatever rules there are for lists.
func joiningAll(n graph.Node) graph.Node {
	if list, ok := n.(*graph.Seq); ok {
		union := *list
		union.Union = true
		return graph.NewSeq(union)
	}
	return n
}
