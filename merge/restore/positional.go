package restore

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/value"
)

// isPositional reports whether a list has items that join those of an older one by their
// index (spec: merge, section 6).
func (x *listEdit) isPositional() bool {
	return slices.ContainsFunc(x.tokens, func(t token) bool { return isPositional(t.node) })
}

func isPositional(n graph.Node) bool {
	p, ok := n.(*graph.Positional)
	return ok && p.Where == nil
}

// joinTo lets items that join those of an older list come to what is wanted of those. What
// follows the older list can get more items at its end.
func (x *listEdit) joinTo(older, want []value.Value) error {
	tail, err := x.joined(older, want)
	if err != nil {
		return err
	}
	if len(tail) > len(want)-len(older) || !startsWithAll(want[len(older):], tail) {
		return &inexpressible{x.is}
	}
	for j := len(older) + len(tail); j < len(want); j++ {
		v, note := x.asWritten(longer(x.is, value.Index(j)), want[j])
		at := len(x.tokens) + j - len(older) - len(tail)
		x.edit(roundtrip.Edit{Op: roundtrip.Insert, Path: x.itemPath(at), Value: v, Note: note})
	}
	return nil
}

// joined edits the items that join older ones, and returns those that do not.
func (x *listEdit) joined(older, want []value.Value) ([]value.Value, error) {
	var tail []value.Value
	reached := make([]bool, len(older))
	for i, t := range x.tokens {
		if !isPositional(t.node) || i >= len(older) {
			tail = append(tail, t.values...)
			continue
		}
		reached[i] = true
		if i >= len(want) || !want[i].Is(value.MapKind) || x.syntax.Items[i+x.skip].Kind != yaml.MapNode {
			return nil, &inexpressible{x.is}
		}
		kid := x.kid(i, i)
		kid.restless = true
		if err := x.place(kid, some(older[i]), want[i]); err != nil {
			return nil, err
		}
	}
	for i, v := range older {
		if reached[i] {
			continue
		}
		if i >= len(want) {
			return nil, &inexpressible{x.is}
		}
		if eq, err := value.Same(v, want[i]); err != nil || !eq {
			return nil, errors.Join(err, &inexpressible{x.is})
		}
	}
	return tail, nil
}

func startsWithAll(list, items []value.Value) bool {
	for i, item := range items {
		if eq, err := value.Same(list[i], item); !eq || err != nil {
			return false
		}
	}
	return true
}
