package edit

import (
	"errors"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A definition is the place in a file that defines a value.
type definition struct {
	fact graph.Fact
	path string // of the file
	lang string
	doc  int
	at   value.Path // in the tree of the file; nil in Yay
	node *yaml.Node // nil in Yay
}

// edit returns an edit of the definition.
func (d definition) edit(e roundtrip.Edit) overlay.Edit {
	e.Path = d.at
	return overlay.Edit{Path: d.path, Lang: d.lang, Doc: d.doc, Edit: e, At: d.fact.At}
}

// factsAt returns the facts that explain a path of a document, which need not exist.
func factsAt(d *engine.Document, path value.Path) ([]graph.Fact, error) {
	e, err := d.Eval()
	if err != nil {
		return nil, err
	}
	return e.Root().At(path).Explain()
}

// explain returns the facts that explain a path before the edits, in the document of a plan.
func (b *batch) explain(p *plan, path value.Path) ([]graph.Fact, error) {
	key := strconv.Itoa(p.place.index) + path.Pointer()
	facts, known := b.facts[key]
	if known {
		return facts, nil
	}
	facts, err := factsAt(p.place.doc, path)
	if err == nil {
		b.facts[key] = facts
	}
	return facts, err
}

// before returns the value at a path before the edits, in the document of a plan. It reports
// false if there is none, or if it cannot be computed.
func (b *batch) before(p *plan, path value.Path) (value.Value, bool) {
	e, err := p.place.doc.Eval()
	if err != nil {
		return value.Null, false
	}
	v, ok, err := e.Root().At(path).Raw()
	return v, ok && err == nil
}

// isList reports whether a path has a list before the edits.
func (b *batch) isList(p *plan, path value.Path) bool {
	v, ok := b.before(p, path)
	return ok && v.Is(value.ListKind)
}

// isMain reports whether a file is the named one.
func (x *session) isMain(f *source.File) bool {
	return f != nil && (f.Path == x.Path || x.Name == "-" && f.Name == "-")
}

// languageOf returns the language that a file was read in, before the edits.
func (b *batch) languageOf(f *source.File) string { return b.session.languageOf(b.project, f) }

// languageOf returns the language that a file of a project was read in.
func (x *session) languageOf(p *engine.Project, f *source.File) string {
	if f == nil {
		return ""
	}
	if x.isMain(f) {
		return x.Lang
	}
	if language := source.LanguageOf(f.Name); language != "" {
		return language
	}
	for _, in := range p.Includes() {
		if in.Doc != nil && in.Doc.File == f {
			return in.Doc.Lang
		}
	}
	return ""
}

// definition returns the definition that a fact about the value at path names.
//
// Code: output if it cannot be edited; access if its file has changed.
func (b *batch) definition(f graph.Fact, path value.Path) (definition, error) {
	d := definition{fact: f, lang: b.languageOf(f.At.File)}
	var err error
	if d.path, err = b.editableFile(f.At, path); err != nil {
		return d, err
	}
	if d.lang == yay.Language {
		return d, nil
	}
	docs, err := b.Parse(d.path, d.lang)
	var only *source.Diagnostic
	if errors.As(err, &only) && only.Code == source.Output { // the file is only read
		here := *only
		here.At = f.At
		if b.Lang == yay.Language {
			return d, here.WithHint("edit %s by hand", f.At.File.Name)
		}
		return d, here.WithHint("edit %s by hand, or use --to=override", f.At.File.Name)
	}
	if err != nil {
		return d, err
	}
	var found []definition
	for i, doc := range docs {
		d.doc = i
		if doc.Root == nil && len(docs) == 1 { // empty
			return d, nil
		}
		nodesAt(doc.Root, f.At, nil, func(at value.Path, n *yaml.Node) {
			d.at, d.node = slices.Clone(at), n
			found = append(found, d)
		})
	}
	if len(found) > 1 && len(path) > 0 { // values without text, such as an omitted null, may share a place
		found = slices.DeleteFunc(found, func(d definition) bool {
			return len(d.at) == 0 || d.at[len(d.at)-1] != path[len(path)-1]
		})
	}
	if len(found) != 1 {
		return d, source.Refuse(f.At, source.NotVerified, "%s is defined here, in a form that cannot be edited", path)
	}
	return found[0], nil
}

// editableFile returns the path of the file of a place, which must be a file that can be
// written and that has not changed.
func (b *batch) editableFile(at source.Span, path value.Path) (string, error) {
	f := at.File
	switch {
	case b.isMain(f):
		return b.Path, nil
	case f == nil || f.Path == "":
		where := "by the program"
		if f != nil {
			where = "in " + f.Name
		}
		return "", source.Refuse(at, source.SourceReadonly, "%s is defined %s, which cannot be written", path, where).
			WithHint("--to=override writes it into %s", b.Name)
	}
	key := b.Known(f.Path)
	e, err := b.File(key, f.Name)
	if err != nil {
		return "", err
	}
	if b.Source(key).Text != f.Text {
		return "", source.Errorf(source.Span{}, source.Access, "%s changed while it was edited", e.Name)
	}
	return key, nil
}

// nodesAt visits the nodes of the tree n whose place is at, with their paths.
func nodesAt(n *yaml.Node, at source.Span, path value.Path, visit func(value.Path, *yaml.Node)) {
	if n == nil || n.At.Start > at.Start || n.At.End < at.End {
		return
	}
	if n.Kind != yaml.AliasNode && n.At.Start == at.Start && n.At.End == at.End {
		visit(path, n)
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		nodesAt(e.Value, at, append(path, e.Key), visit)
	}
	for i, item := range n.Items {
		nodesAt(item, at, append(path, value.Index(i)), visit)
	}
}

// A naturalPlace is the place of an edited definition in the expanded document itself, apart
// from the places that a reference copies it to. It changes with the definition as a matter
// of course. If web is {+/tmpl: } and web.port is edited at its source, tmpl.port is the
// natural place of the definition: its change is no other change.
type naturalPlace struct {
	doc  int
	path value.Path
}

type naturalPlaces []naturalPlace

// allow adds the natural place of a definition to a plan: in the named file its path there,
// in an included file its path below the map that has the include.
func (b *batch) allow(p *plan, path value.Path, d definition, below value.Path) {
	doc := p.place.index
	add := func(at value.Path) {
		p.natural = append(p.natural, naturalPlace{doc, slices.Concat(at, below)})
	}
	if len(d.fact.Includes) == 0 {
		if b.isMain(d.fact.At.File) {
			add(d.at)
		}
		return
	}
	for n := len(path); n >= 0; n-- {
		at := slices.Concat(path[:n], d.at)
		facts, err := b.explain(p, at)
		if err != nil {
			return
		}
		for _, f := range facts {
			if f.At == d.fact.At && len(f.Through) == 0 && slices.Equal(f.Includes, d.fact.Includes) {
				add(at)
				return
			}
		}
	}
}

// has reports whether a path is at or below a natural place.
func (n naturalPlaces) has(doc int, path value.Path) bool {
	return slices.ContainsFunc(n, func(at naturalPlace) bool { return at.doc == doc && path.HasPrefix(at.path) })
}

// warnSegments warns of a path a::b that makes the key b in a map a, new or not, where other keys are
// written "a::b".
func (b *batch) warnSegments(path string, at place) {
	if at.oneKey == "" {
		return
	}
	first := at.fresh[0].Key
	if n := len(at.path) - len(at.fresh); n > 0 && at.fresh[0].Sep == "::" {
		b.warnings = append(b.warnings, source.Warnf(source.Span{}, source.Suspicious, "%s makes the key %q in %s, and other keys beside that have \"::\" in them", path, first, at.path[:n]).
			WithHint("for one key write '%s'; for a key in the map '%s'", at.oneKey, at.path))
		return
	}
	b.warnings = append(b.warnings, source.Warnf(source.Span{}, source.Suspicious, "%s makes a new map %q, and other keys there have \"::\" in them", path, first).
		WithHint("for one key write '%s'; for a map ::%s", at.oneKey, path))
}
