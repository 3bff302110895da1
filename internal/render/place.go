package render

import (
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// LocatedBelow adds to the error of a value that cannot be encoded the place of the layer that sets
// it. The value is below path in the document.
func LocatedBelow(d *engine.Document, path value.Path, err error) error {
	var at *yaml.PathError
	if !errors.As(err, &at) {
		return err
	}
	full := slices.Concat(path, at.Path)
	placed := LocatedAt(d, full, err)
	if diag := (*source.Diagnostic)(nil); placed != err && len(path) > 0 && errors.As(placed, &diag) && diag.Code == source.Redacted {
		diag.Message = mistaken(full)
	}
	return placed
}

// LocatedAt adds to the error of a value that cannot be encoded, at a path of the document, the place of the
// layer that sets it.
func LocatedAt(d *engine.Document, path value.Path, err error) error {
	diag := source.AsDiagnostic(err, source.Span{}, source.Output)
	if !diag.At.IsZero() {
		return err
	}
	e, everr := d.Eval()
	if everr != nil {
		return err
	}
	facts, everr := e.Root().Shown(path).Explain()
	if everr != nil || len(facts) == 0 {
		return err
	}
	placed := *diag
	placed.At, placed.Includes = facts[0].At, facts[0].Includes
	if diag.Code == source.BadTag {
		i := slices.IndexFunc(facts, func(f graph.Fact) bool { return !tagPlace(f.At).IsZero() })
		switch {
		case i >= 0:
			placed.At, placed.Includes = tagPlace(facts[i].At), facts[i].Includes
		case len(path) == 0:
			return err // the newest layer of the document says nothing about its tag
		}
	}
	return &placed
}

// tagPlace returns the place of the tag of the value at a place of a YAML text, and zero if it has none.
func tagPlace(at source.Span) source.Span {
	if at.File == nil {
		return source.Span{}
	}
	docs, _ := yaml.Parse(at.File, yaml.ParseOptions{})
	for _, doc := range docs {
		if tag := tagBelow(doc.Root, at); !tag.IsZero() {
			return tag
		}
	}
	return source.Span{}
}

// tagBelow is tagPlace for the values in n.
func tagBelow(n *yaml.Node, at source.Span) source.Span {
	switch {
	case n == nil || n.Kind == yaml.AliasNode || n.At.Start > at.Start || n.At.End < at.End:
		return source.Span{}
	case n.At == at && n.Tag != "":
		return n.TagAt
	}
	for _, item := range n.Items {
		if tag := tagBelow(item, at); !tag.IsZero() {
			return tag
		}
	}
	for i := range n.Entries {
		if tag := tagBelow(n.Entries[i].Value, at); !tag.IsZero() {
			return tag
		}
	}
	return source.Span{}
}
