package edit

import (
	"context"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Parse parses an assignment without a file as an edit: PATH=VALUE and PATH:=YAML are a [Set],
// PATH+=VALUE and PATH+:=YAML an [Append] of one item. VALUE is read as [yaml.TypedForm] says.
//
// Codes: usage, the codes of parsing YAML.
func Parse(text string) (Edit, error) {
	a, err := engine.ParseInline(text)
	if err != nil {
		return Edit{}, err
	}
	return Assign(context.Background(), yaytpl.Assignment(a), yaytpl.Options{})
}

// Assign converts an assignment to an edit, a [Set] or an [Append] of one item. It reads the
// file of the assignment, if that has one, with the rights of o.
//
// Codes: access and other codes of reading a file; usage for a text that is not what it begins as;
// the codes of parsing YAML.
func Assign(ctx context.Context, a yaytpl.Assignment, o yaytpl.Options) (Edit, error) {
	e := Edit{Op: Set, Path: a.Path}
	if a.Append {
		e.Op = Append
	}
	if a.Data != nil {
		e.Value = *a.Data
		return e, nil
	}
	f, err := engine.Assignment(a).Source(o.Engine(ctx).Files())
	if err != nil {
		return e, err
	}
	root, err := frontend.Tree(f, a.Form)
	if err == nil {
		root.WithoutNotation()
		e.Value, err = root.ToValue()
	}
	if err != nil {
		return e, show.Finding(source.AsDiagnostic(err, f.Span(0, 0), source.Syntax), f)
	}
	if f.Secret {
		e.Value = e.Value.Mark(value.Secret)
	}
	if root != nil {
		if root.Kind != yaml.ScalarNode {
			e.tag = root.Tag
		}
		e.warnings = lostAnchors(root)
	}
	return e, nil
}

// lostAnchors returns a warning for each anchor in a value to which no alias refers: an edit
// writes values, in which aliases are resolved, and so no anchors.
func lostAnchors(root *yaml.Node) []*source.Diagnostic {
	var anchors []*yaml.Node
	used := map[*yaml.Node]bool{}
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		switch {
		case n.Kind == yaml.AliasNode:
			used[n.Target] = true
			return
		case n.Anchor != "":
			anchors = append(anchors, n)
		}
		for _, item := range n.Items {
			visit(item)
		}
		for i := range n.Entries {
			visit(n.Entries[i].Value)
		}
	}
	visit(root)
	var found []*source.Diagnostic
	for _, n := range anchors {
		if !used[n] {
			found = append(found, source.Warnf(source.Span{}, source.Suspicious, "the anchor &%s is not written: an edit writes values", n.Anchor).
				WithHint("in quotes the value is text"))
		}
	}
	return found
}

// A tagged is the tag of each item of a list, or of each entry of a map, if that is a map or a
// list itself. It may be empty.
type tagged string

// AnnotationAt implements [value.Annotated].
func (t tagged) AnnotationAt(int) *value.Annotation {
	if t == "" {
		return nil
	}
	return &value.Annotation{Tag: string(t), Flow: true}
}

type taggedList struct {
	value.Slice
	tagged
}

type taggedMap struct {
	*value.Dict
	tagged
}

// listOf returns a list of v, which has the tag if it is a map or a list.
func listOf(v value.Value, tag string) value.Value {
	return value.FromList(taggedList{value.Slice{v}, tagged(tag)})
}
