package graph

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// A part is a part of a cell with its kind as far as it is known without evaluation.
type part struct {
	*layer
	shape     shape
	class     string // of values with a known kind: see Side.Shape
	replaces  bool   // it hides older parts on purpose
	directive bool   // a directive brought it to the cell
	empty     bool   // {} or []
}

// compare looks for a null that adds nothing, and for a value over one of another kind. It
// reports the newest of each.
func (w *joinWalk) compare(c *Cell, f *foldResult, parts []*layer) error {
	if len(parts) < 2 {
		return nil
	}
	var null *part // between newer and the next older part
	told := false
	newer, err := c.part(parts[0], false)
	for _, l := range parts[1:] {
		hidden := newer.replaces || newer.shape == scalarShape
		var older part
		if err == nil {
			older, err = c.part(l, hidden)
		}
		if err != nil {
			return err
		}
		if newer.shape == nullShape && !newer.replaces && null == nil {
			here := newer
			null = &here
		}
		switch {
		case older.shape == absentShape:
			continue
		case older.shape == nullShape && !older.replaces && (newer.class != "" || null != nil) && !newer.replaces:
			if null == nil {
				null = &older
			}
			continue
		case null != nil && (older.shape != mapShape || newer.shape == nullShape && !f.shows(l)):
			return nil
		case null != nil && !told && f.shows(l):
			told = true
			w.found(Join{Kind: NullIgnored, Path: c.Path(), Newer: null.side(), Older: older.side()})
		}
		switch {
		case newer.shape == nullShape || newer.shape == absentShape:
		case newer.class == "" || newer.replaces || older.class == "":
			return nil
		case newer.class != older.class:
			if !newer.directive && apart(newer.layer, older.layer) && !newer.typedAs(older.class) && !standsFor(newer, older, c) {
				w.found(Join{Kind: KindChange, Path: c.Path(), Newer: newer.side(), Older: older.side()})
			}
			return nil
		case hidden:
			return nil
		}
		newer, null = older, nil
	}
	return err
}

// shows reports whether a part is visible in the fold of its cell.
func (f *foldResult) shows(l *layer) bool {
	for _, m := range f.maps {
		if m.within(l.node) {
			return true
		}
	}
	return false
}

// part describes a layer of c. Directives below a hidden key are not followed.
func (c *Cell) part(l *layer, hidden bool) (part, error) {
	p := part{layer: l}
	if l.of == nil {
		switch n := l.node.(type) {
		case *Scalar:
			p.shape, p.class = scalarShape, classOf(n.Val)
			if n.Val.IsNull() {
				p.shape, p.replaces = nullShape, n.Final
			}
			return p, nil
		case *Computed, *Define:
			p.shape = computedShape
			return p, nil
		case *Delete:
			p.shape = deletedShape
			return p, nil
		case *Map:
			return c.mapPart(p, n)
		case *Overlay:
			if !n.Lone {
				p.directive = true
				return c.mapPart(p, n.Own)
			}
		case *Seq:
			p.shape, p.class, p.replaces = listShape, listShape.article(), n.Replace
			p.empty = len(n.Items) == 0
			if n.Weak {
				p.shape = absentShape
			}
			return p, nil
		case *Extend:
			p.shape, p.class = listShape, listShape.article()
			return p, nil
		}
		if hidden {
			p.shape = computedShape
			return p, nil
		}
	}
	f, err := c.foldLayer(l)
	p.shape, p.directive = f.kind, true
	switch f.kind {
	case scalarShape:
		p.class = classOf(f.top.node.(*Scalar).Val)
	case mapShape, listShape:
		p.class = f.kind.article()
		p.empty = len(f.items) == 0 && !slices.ContainsFunc(f.maps, func(m *layer) bool { n, ok := m.node.(*Map); return !ok || len(n.Entries) > 0 })
	case nulledShape:
		p.shape, p.replaces = nullShape, true
	}
	return p, err
}

// mapPart describes a map. An expression object is a map whose value has any kind.
func (c *Cell) mapPart(p part, m *Map) (part, error) {
	p.shape, p.replaces, p.empty = mapShape, m.Strategy == ReplaceStrategy, len(m.Entries) == 0
	switch {
	case m.Weak:
		p.shape = absentShape
	case !m.Form:
		p.class = mapShape.article()
	default:
		alone := &Cell{eval: c.eval, up: c.up, key: c.key, item: c.item, layer: p.layer, hasLayer: true}
		f, err := alone.fold()
		if err != nil {
			return p, err
		}
		if t, _, err := alone.form(f); t != nil || err != nil {
			return p, err
		}
		p.class = mapShape.article()
	}
	return p, nil
}

// classOf returns the kind of a scalar for people, "" for null and scalars with a tag, whose kind
// another program decides.
func classOf(v value.Value) string {
	if src := v.Source(); src != nil && src.Tag != "" {
		return ""
	}
	switch v.Kind() {
	case value.BoolKind:
		return "a boolean"
	case value.IntKind, value.FloatKind:
		return "a number"
	case value.StringKind:
		return "a text"
	}
	return ""
}

// side returns the part for a join.
func (p part) side() Side {
	s := Side{At: p.span(), Shape: p.class}
	if n, ok := p.node.(*Scalar); ok {
		s.Val = n.Val
	}
	if p.origin != nil {
		s.Includes = p.origin.Includes()
	}
	return s
}

// typedAs reports whether a text of the command line reads as a number or a boolean: there a
// text may mean one.
func (p part) typedAs(class string) bool {
	n, ok := p.node.(*Scalar)
	if !ok || p.class != "a text" || p.origin == nil || !p.origin.Doc.Typed {
		return false
	}
	switch class {
	case "a number":
		_, err := strconv.ParseFloat(n.Val.Str(), 64)
		return err == nil
	case "a boolean":
		word := strings.ToLower(n.Val.Str())
		return word == "true" || word == "false"
	}
	return false
}

// standsFor reports whether a part of another kind says the same sort of thing as the one that it
// overrides: a map or list in place of an empty one, which often means "nothing yet", or a
// number and a quantity of Kubernetes, either over the other.
//
//	selector: {}  then  selector: [{app: web}]
//	cpu: 100m     then  cpu: 4
func standsFor(newer, older part, c *Cell) bool {
	if older.empty {
		return newer.shape == mapShape || newer.shape == listShape
	}
	text, number := newer, older
	if number.class != "a number" {
		text, number = older, newer
	}
	n, ok := text.node.(*Scalar)
	return ok && text.class == "a text" && number.class == "a number" && isQuantity(n.Val.Str(), c)
}

// The quantities of Kubernetes with a unit. Small units are for processors: elsewhere 5m may
// be a duration.
var (
	quantity      = lazy.Regexp{Text: `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([kMGTPE]|[KMGTPE]i)$`}
	smallQuantity = lazy.Regexp{Text: `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[num]$`}
)

// isQuantity reports whether a text on c is a quantity of Kubernetes.
func isQuantity(text string, c *Cell) bool {
	if len(text) > 40 || !smallQuantity.Get().MatchString(text) {
		return len(text) <= 40 && quantity.Get().MatchString(text)
	}
	for ; c != nil && c.up != nil; c = c.up {
		if word := strings.ToLower(c.key.Text); strings.Contains(word, "cpu") || word == "requests" || word == "limits" {
			return true
		}
	}
	return false
}

// apart reports whether two layers were written as layers: in two documents, or on two sides of a
// directive. Keys that a block of Yay sets again are no layers in this sense.
func apart(a, b *layer) bool {
	if a.origin == nil || b.origin == nil || a.origin.Doc != b.origin.Doc {
		return true
	}
	return a.referred() || b.referred()
}

// referred reports whether a directive brought the layer to its place.
func (l *layer) referred() bool {
	for ; l != nil; l = l.up {
		if l.via != nil {
			return true
		}
	}
	return false
}
