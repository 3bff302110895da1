package merge

import (
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A mapping is a map that is being lowered.
type mapping struct {
	*lowering
	node  *yaml.Node
	total int // number of keys: an only directive is a lone one
	own   graph.Map
	bases []graph.Node
	mark  graph.Node // a whiteout or nullout, which replaces the whole map
	name  string     // from "+&"
}

// mapping lowers a map: its directives become bases of an overlay, its other keys the
// map on top. {+*base: , port: 80} becomes
//
//	Overlay{Bases: [Ref{Anchor: "base"}], Own: Map{port: 80}}
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
	own := graph.NewMap(m.own)
	g := m.mark
	switch d := g.(type) {
	case *graph.Delete:
		if len(own.Entries) > 0 {
			d.Of = own
		}
	case nil:
		g = own
		if len(m.bases) > 0 {
			g = &graph.Overlay{
				At: n.At, Bases: m.bases, Own: own, Rule: graph.MergeRule,
				Lone:    len(m.bases) == 1 && m.total == 1,
				Written: l.written(n),
			}
		}
	}
	if m.name != "" {
		l.anchors[m.name] = g
	}
	return g
}

// written returns a function that lowers a map with its directives as plain keys, for references
// with "raw". The function keeps neither the lowering nor, if the text can be parsed again, its tree.
func (l *lowering) written(n *yaml.Node) func() graph.Node {
	if l.plain == nil {
		l.plain = &lowering{file: l.file, opts: l.opts, doc: l.doc}
		l.plain.opts.NoDirectives = true
	}
	plain, again, at, first := l.plain, l.again, n.At.Start, l.first == n
	if again == nil {
		return func() graph.Node { return plain.lower(n, first) }
	}
	return func() graph.Node { return plain.lower(again.mapAt(at), first) }
}

// lower lowers a map with a new lowering of the same document. If first is set the first comment of the
// map holds switches.
func (l *lowering) lower(n *yaml.Node, first bool) graph.Node {
	again := newLowering(l.file, l.opts)
	again.doc = l.doc
	if first {
		again.first = n
	}
	return again.mapping(n)
}

// A rereading parses a text again when a map as written is needed. So nodes need not keep the tree of the
// text, which takes more memory than they do.
type rereading struct {
	parse func() []*yaml.Document
	once  sync.Once
	maps  map[uint32]*yaml.Node // by their first characters, which no two maps of YAML or JSON share
}

// mapAt returns the map that begins at an offset.
func (r *rereading) mapAt(at uint32) *yaml.Node {
	r.once.Do(func() {
		r.maps = map[uint32]*yaml.Node{}
		for _, d := range r.parse() {
			if d.Root != nil {
				r.add(d.Root)
			}
		}
	})
	return r.maps[at]
}

// add adds the maps in a value.
func (r *rereading) add(n *yaml.Node) {
	for _, item := range n.Items {
		r.add(item)
	}
	for _, e := range n.Entries {
		r.add(e.Value)
	}
	if n.Kind == yaml.MapNode {
		r.maps[n.At.Start] = n
	}
}

// verbatim lowers {q: ...}, whose value is data as written, including directives (spec:
// expressions, section 4). It returns nil for any other map.
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

// entry lowers one key: a directive, a marker or a plain key. mergeKeys lowers "<<".
func (m *mapping) entry(e *yaml.Entry) {
	if e.IsMerge() {
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
	case privateKey:
		m.private(e)
		return
	case listsKey:
		m.lists(e)
		return
	case matchKey, mayMatchKey:
		m.match(e, e.Key.Text == mayMatchKey)
		return
	case anchorKey: // spec: merge, section 4
		word, ok := wordOf(e.Value)
		if !ok || word == "" {
			m.errorf(e.Value.At, source.BadInclude, `"+&" needs a name as its value`).WithHint("a name is a text: quote a number")
			return
		}
		m.name = word
		return
	}
	d, ok, err := parseKey(e.Key.Text)
	switch {
	case err != nil:
		m.errorf(e.KeyAt, source.BadPointer, "%s", err).
			WithHint(escapeHint)
	case !ok:
		m.unknownDirective(e)
		m.plain(e)
	default:
		m.directive(d, e)
	}
}

// plain lowers a key without a special meaning.
func (m *mapping) plain(e *yaml.Entry) {
	m.own.Form = m.own.Form || !m.opts.NoExpressions && e.Key.Kind == value.StringKind && expr.MayBeExpression(e.Key.Text)
	note := e.Annotation()
	if m.first == m.node && note != nil && e == &m.node.Entries[0] {
		note.Head = withoutSwitches(note.Head)
	}
	node := m.lowering.node(e.Value)
	if m.expanded && e.Key == graph.PrivateKey {
		node = joiningAll(node)
	}
	m.own.Entries = append(m.own.Entries, graph.Entry{Key: e.Key, KeyAt: e.KeyAt, Node: node, Note: note})
}

// withoutSwitches returns a comment without its "# yaytpl:" lines.
func withoutSwitches(comment string) string {
	lines := slices.DeleteFunc(strings.Split(comment, "\n"), func(line string) bool {
		return strings.HasPrefix(strings.TrimLeft(line, "# "), "yaytpl:")
	})
	return strings.Join(lines, "\n")
}

// strategy reads "+%", which sets how the map joins its bases (spec: merge, section 6).
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
	case isReplace(word):
		m.own.Strategy = graph.ReplaceStrategy
	case ok:
		m.unknownStrategy(e.Value, word)
	default:
		m.badDirective(e.Value, "the strategy of a map is a text").WithHint(strategyHint)
	}
}

// isReplace reports whether a word is the strategy of a map or list that hides older ones.
func isReplace(word string) bool { return word == "replace" || word == "replaced" }

// mergeKeys carries out YAML's own "<<": it adds the entries of other maps whose keys the
// map does not have, one level deep. Earlier maps override later ones:
//
//	a: 1
//	<<: [{a: 2, b: 2}, {b: 3, c: 3}]     adds b: 2 and c: 3
func (m *mapping) mergeKeys() {
	var seen map[value.Key]bool
	for i := range m.node.Entries {
		e := &m.node.Entries[i]
		if !e.IsMerge() {
			continue
		}
		if seen == nil { // the keys of the map itself
			seen = make(map[value.Key]bool, len(m.node.Entries))
			for i := range m.node.Entries {
				if own := &m.node.Entries[i]; !own.IsMerge() {
					seen[own.Key] = true
				}
			}
			m.merging[m.node] = true
			defer delete(m.merging, m.node)
		}
		m.mergeTargets(e.Value, seen, map[*yaml.Node]bool{m.node: true})
	}
}

// mergeTargets adds the entries of the maps that n, the value of a "<<", refers to.
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

// mergeFrom adds the entries of n and of the maps that n merges itself. It returns false
// if a limit is reached.
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
		if e.IsMerge() || seen[e.Key] {
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
		if n.Entries[i].IsMerge() {
			m.mergeTargets(n.Entries[i].Value, seen, open)
		}
	}
	return !m.merged.over
}

// The limits of "<<" in one document. A short text can take much memory, by merging a
// big map in many places, or time, by maps that merge each other.
const (
	maxMerged  = 1_000_000 // entries copied
	maxVisited = 5_000_000 // maps and entries visited, and nodes below copied entries
)

// A mergeCount counts the work of "<<" in a document.
type mergeCount struct {
	copied, visited int
	nested          int  // depth of copied entries that are being lowered
	over            bool // a limit was reached and reported
}

// copy counts a copied entry of n. It reports whether that is allowed.
func (c *mergeCount) copy(l *lowering, n *yaml.Node) bool {
	c.copied++
	return c.within(l, n, c.copied, maxMerged, "copies")
}

// visit counts visited maps and entries. It reports whether that is allowed.
func (c *mergeCount) visit(l *lowering, n *yaml.Node, count int) bool {
	c.visited += count
	return c.within(l, n, c.visited, maxVisited, "visits")
}

// within reports whether count is within limit. It reports the first excess at n.
func (c *mergeCount) within(l *lowering, n *yaml.Node, count, limit int, does string) bool {
	if count > limit && !c.over {
		c.over = true
		l.errorf(n.At, source.Limit, `"<<" %s more than %d entries`, does, limit)
	}
	return !c.over
}
