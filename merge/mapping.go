package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A mapping is a map on its way to a node.
type mapping struct {
	*lowering
	node  *yaml.Node
	total int // keys of all sorts: a directive is alone if it is the only one
	own   graph.Map
	bases []graph.Node
	mark  graph.Node // what stands for the whole map: a whiteout or nullout
	name  string     // given by "+&"
}

// mapping lowers a map: its directives become bases below what it says itself.
func (l *lowering) mapping(n *yaml.Node) graph.Node {
	if q := l.verbatim(n); q != nil {
		return q
	}
	if l.merging[n] {
		l.errorf(n.At, source.Cycle, `a map merges itself with "<<"`)
		return &graph.Scalar{At: n.At}
	}
	m := &mapping{lowering: l, node: n}
	m.own.At = n.At
	m.own.Entries = make([]graph.Entry, 0, len(n.Entries))
	for i := range n.Entries {
		m.entry(&n.Entries[i])
	}
	m.mergeKeys()
	g := m.mark
	if g == nil {
		own := graph.NewMap(m.own)
		g = own
		if len(m.bases) > 0 {
			g = &graph.Overlay{
				At: n.At, Bases: m.bases, Own: own, Rule: graph.MergeRule,
				Lone:    len(m.bases) == 1 && m.total == 1,
				Written: func() graph.Node { return m.written(n) },
			}
		}
	}
	if m.name != "" {
		l.anchors[m.name] = g
	}
	return g
}

// written lowers a map with its directives as plain keys: what "raw" refers to.
func (l *lowering) written(n *yaml.Node) graph.Node {
	plain := *l
	plain.opts.NoDirectives = true
	plain.done, plain.open = map[*yaml.Node]graph.Node{}, map[*yaml.Node]bool{}
	plain.anchors, plain.findings = map[string]graph.Node{}, nil
	plain.merged, plain.merging = &mergeCount{}, map[*yaml.Node]bool{}
	return plain.mapping(n)
}

// verbatim lowers {q: ...}: what stands below it is data as written, directives
// included (spec: expressions, section 4). It returns nil for any other map.
func (l *lowering) verbatim(n *yaml.Node) graph.Node {
	if l.opts.NoExpressions || len(n.Entries) != 1 || n.Entries[0].Key != value.K("q") {
		return nil
	}
	raw, err := n.ToValue()
	if err != nil || !expr.IsExpression(raw.Map()) {
		return nil
	}
	arg, _, err := raw.Map().Get(value.K("q"))
	if err != nil {
		return nil
	}
	return &graph.Computed{At: n.At, Thunk: quotedThunk{raw: raw.Mark(l.marks), arg: arg.Mark(l.marks)}}
}

// entry sorts one key into directives, markers and what the map says itself. What
// "<<" brings comes last: see mergeKeys.
func (m *mapping) entry(e *yaml.Entry) {
	if e.Merge {
		return
	}
	m.total++
	if m.opts.NoDirectives || e.Key.Kind != value.StringKind || len(e.Key.Text) < 2 || e.Key.Text[0] != '+' {
		m.plain(e)
		return
	}
	switch e.Key.Text {
	case strategyKey:
		m.strategy(e)
		return
	case anchorKey: // spec: merge, section 4
		word, ok := wordOf(e.Value)
		if !ok || word == "" {
			m.errorf(e.Value.At, source.BadInclude, `"+&" needs a name as its value`)
			return
		}
		m.name = word
		return
	}
	d, ok, err := parseKey(e.Key.Text)
	switch {
	case err != nil:
		m.errorf(e.KeyNode.At, source.BadPointer, "%s", err).
			WithHint(escapeHint)
	case !ok:
		m.plain(e)
	default:
		if base := m.directive(d, e); base != nil {
			m.bases = append(m.bases, base)
		}
	}
}

func (m *mapping) plain(e *yaml.Entry) {
	m.own.Form = m.own.Form || !m.opts.NoExpressions && e.Key.Kind == value.StringKind && expr.MayBeExpression(e.Key.Text)
	note := e.Annotation()
	if m.first == m.node && note != nil && e == &m.node.Entries[0] {
		note.Head = withoutSwitches(note.Head)
	}
	m.own.Entries = append(m.own.Entries, graph.Entry{
		Key: e.Key, KeyAt: e.KeyNode.At, Node: m.lowering.node(e.Value), Note: note,
	})
}

// withoutSwitches returns a comment without its "# yaytpl:" lines.
func withoutSwitches(comment string) string {
	lines := slices.DeleteFunc(strings.Split(comment, "\n"), func(line string) bool {
		return strings.HasPrefix(strings.TrimLeft(line, "# "), "yaytpl:")
	})
	return strings.Join(lines, "\n")
}

// strategy reads "+%": how the map joins its base (spec: merge, section 6).
func (m *mapping) strategy(e *yaml.Entry) {
	word, ok := wordOf(e.Value)
	switch {
	case !ok && e.Value.Kind == yaml.ScalarNode && e.Value.Value.IsNull():
		return
	case word == "whiteout":
		m.mark = &graph.Delete{At: m.node.At}
	case word == "nullout":
		m.mark = &graph.Scalar{At: m.node.At, Final: true}
	case word == "merge":
		m.own.Strategy = graph.MergeStrategy
	case word == "error":
		m.own.Strategy = graph.ErrorStrategy
	default:
		m.own.Strategy = graph.ReplaceStrategy
		if word != "replace" && word != "replaced" {
			written := cmp.Or(word, e.Value.At.Text())
			if m.marks&value.Secret != 0 {
				written = value.SecretText
			}
			m.findings = append(m.findings, source.Warnf(e.Value.At, source.Suspicious,
				"unknown merge strategy %q means replace", written).
				WithHint("merge, replace, error, whiteout or nullout"))
		}
	}
}

// mergeKeys adds what YAML's own "<<" brings: the entries of other maps that the
// map does not have itself, one level deep, the map that comes first first.
func (m *mapping) mergeKeys() {
	var seen map[value.Key]bool
	for i := range m.node.Entries {
		e := &m.node.Entries[i]
		if !e.Merge {
			continue
		}
		if seen == nil { // the keys of the map itself
			seen = make(map[value.Key]bool, len(m.node.Entries))
			for i := range m.node.Entries {
				if own := &m.node.Entries[i]; !own.Merge {
					seen[own.Key] = true
				}
			}
			m.merging[m.node] = true
			defer delete(m.merging, m.node)
		}
		m.mergeTargets(e.Value, seen, map[*yaml.Node]bool{m.node: true})
	}
}

// mergeTargets adds the entries of the maps that the value of a "<<" names.
func (m *mapping) mergeTargets(n *yaml.Node, seen map[value.Key]bool, open map[*yaml.Node]bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Target
	}
	switch {
	case n.Kind == yaml.MapNode:
		m.mergeFrom(n, seen, open)
	case n.Kind == yaml.SeqNode:
		for _, item := range n.Items {
			if item.Kind == yaml.AliasNode {
				item = item.Target
			}
			if item.Kind != yaml.MapNode {
				m.errorf(item.At, source.BadType, `"<<" needs a map or a list of maps`)
				return
			}
			if !m.mergeFrom(item, seen, open) {
				return
			}
		}
	case !n.Value.IsNull():
		m.errorf(n.At, source.BadType, `"<<" needs a map or a list of maps`)
	}
}

// mergeFrom adds the entries of a map, and of those that it merges itself. It reports
// whether there may be more.
func (m *mapping) mergeFrom(n *yaml.Node, seen map[value.Key]bool, open map[*yaml.Node]bool) bool {
	if open[n] {
		m.errorf(n.At, source.Cycle, `a map merges itself with "<<"`)
		return true
	}
	if !m.merged.visit(m.lowering, n, 1+len(n.Entries)) {
		return false
	}
	open[n] = true
	defer delete(open, n)
	for i := range n.Entries {
		e := &n.Entries[i]
		if e.Merge || seen[e.Key] {
			continue
		}
		if !m.merged.copy(m.lowering, n) {
			return false
		}
		seen[e.Key] = true
		m.merged.nested++
		m.entry(e)
		m.merged.nested--
	}
	for i := range n.Entries {
		if n.Entries[i].Merge {
			m.mergeTargets(n.Entries[i].Value, seen, open)
		}
	}
	return !m.merged.over
}

// What "<<" may do in one document. A big map that is merged in many places takes
// memory, and maps that merge each other take time, that the text does not show.
const (
	maxMerged  = 1_000_000 // entries that are copied
	maxVisited = 5_000_000 // maps and entries that are looked at, values below copied entries
)

// A mergeCount counts what "<<" does in a document.
type mergeCount struct {
	copied, visited int
	nested          int  // copied entries around the value that is being lowered
	over            bool // a limit was reached, which was told
}

// copy counts an entry of n that is copied. It reports whether that is allowed.
func (c *mergeCount) copy(l *lowering, n *yaml.Node) bool {
	c.copied++
	return c.within(l, n, c.copied, maxMerged, "copies")
}

// visit counts maps and entries that are looked at. It reports whether that is allowed.
func (c *mergeCount) visit(l *lowering, n *yaml.Node, count int) bool {
	c.visited += count
	return c.within(l, n, c.visited, maxVisited, "looks at")
}

func (c *mergeCount) within(l *lowering, n *yaml.Node, count, limit int, does string) bool {
	if count > limit && !c.over {
		c.over = true
		l.errorf(n.At, source.Limit, `"<<" %s more than %d entries`, does, limit)
	}
	return !c.over
}
