package merge

import (
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

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
