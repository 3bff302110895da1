package render

import (
	"slices"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Unit is one document of a result: a document of the project, or an item of Options.Each.
type Unit struct {
	Doc  *engine.Document
	last bool // it is the last one of Doc

	// For an item: its list or map, and the keys from the root.
	of   value.Value
	Path value.Path

	index int // in its list or map, or of the document in the project
}

// Units returns the documents of a result. Items are not evaluated yet.
//
// Codes: not-found, bad-document.
func (r *Renderer) Units() ([]Unit, error) {
	docs := r.Docs
	if r.Doc > 0 {
		if _, err := r.Project.Only(r.Doc - 1); err != nil {
			return nil, err
		}
		docs = docs[r.Doc-1 : r.Doc]
	}
	var steps []docpath.Step
	if r.Each != "" {
		var err error
		if steps, err = docpath.Parse(r.Each); err != nil {
			return nil, err
		}
	}
	var units []Unit
	found := false
	for _, d := range docs {
		d.Notice()
		if r.Each == "" {
			units = append(units, Unit{Doc: d, last: true, index: d.Index()})
			continue
		}
		items, err := r.items(d, steps)
		switch {
		case err == nil:
			found = true
			units = append(units, items...)
		case !isNotFound(err) || len(docs) == 1:
			return nil, err
		}
	}
	if r.Each != "" && !found {
		_, _, err := r.Project.Find(r.Each)
		return nil, err
	}
	return units, nil
}

func isNotFound(err error) bool {
	d, ok := err.(*source.Diagnostic)
	return ok && d.Code == source.NotFound
}

// items returns the items of the list or map at a path. Private keys are no items.
func (r *Renderer) items(d *engine.Document, steps []docpath.Step) ([]Unit, error) {
	var v value.Value
	var path value.Path
	var err error
	if r.ExpandOnly {
		if v, err = d.Expanded(); err == nil {
			v, path, err = d.WalkFrom(v, steps)
		}
	} else {
		v, path, err = d.Walk(steps)
	}
	if err != nil {
		return nil, err
	}
	if !r.ExpandOnly {
		v = value.Public(v)
	}
	if !v.Is(value.MapKind) && !v.Is(value.ListKind) {
		bad := source.Errorf(source.Span{}, source.BadDocument, "%s is %s: --each needs a list or a map", nameOf(path), value.Article(v.Kind()))
		bad.Cause = &yaml.PathError{}
		return nil, LocatedBelow(d, path, bad)
	}
	var units []Unit
	for i, k := range keysOf(v) {
		units = append(units, Unit{Doc: d, of: v, Path: append(slices.Clip(path), k), index: i})
	}
	if len(units) > 0 {
		units[len(units)-1].last = true
	}
	return units, nil
}

// keysOf returns the keys of a map, or the indexes of a list.
func keysOf(v value.Value) []value.Key {
	if v.Is(value.MapKind) {
		return engine.AllKeys(v)
	}
	keys := make([]value.Key, v.List().Len())
	for i := range keys {
		keys[i] = value.Index(i)
	}
	return keys
}

// whole reports whether the unit is a document of the project.
func (u Unit) whole() bool { return u.Path == nil }

// result evaluates the unit. An item gets the marks of its list or map as well.
func (r *Renderer) result(u Unit) (v value.Value, err error) {
	switch k := u.key(); {
	case u.whole():
		return r.document(u.Doc)
	case u.of.Is(value.ListKind):
		v, err = u.of.List().At(u.index)
	default:
		v, _, err = u.of.Map().Get(k)
	}
	return v.Mark(u.of.Marks()), err
}

// annotation returns the comments and the tag of an item.
func (u Unit) annotation() value.Annotation {
	if note := value.NoteAt(u.of, u.index); note != nil {
		return *note
	}
	return value.Annotation{}
}

// key returns the key of an item, or else the zero key.
func (u Unit) key() value.Key {
	if u.whole() {
		return value.Key{}
	}
	return u.Path[len(u.Path)-1]
}

// document returns the document that the options select: expanded or evaluated.
func (r *Renderer) document(d *engine.Document) (value.Value, error) {
	if r.ExpandOnly {
		return d.Expanded()
	}
	return d.Value()
}
