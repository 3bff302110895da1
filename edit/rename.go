package edit

import (
	"cmp"
	"errors"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/draft"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A renaming is the new name of a key (spec: everyday, A5): what refers to the old name is
// reported, or with Options.References gets the new name.
//
//	port: 80                              web_port: 80
//	url: "http://a:{{ port }}/"    -->    url: "http://a:{{ web_port }}/"
//	n: {eval: "::port"}                   n: {eval: "::web_port"}
//
// The renderings before and after must then be the same but for the key.
type renaming struct {
	doc  int
	path value.Path
	key  string // the new one
}

// rename makes an edit that renames keys, with what refers to them.
func (x *session) rename(e Edit) error {
	b, err := x.batch()
	if err != nil {
		return e.located(err)
	}
	if b.project == nil { // plain data has no references
		return x.make([]Edit{e})
	}
	exact, err := b.exactly(e)
	if err != nil {
		return e.located(err)
	}
	var all []renaming
	for _, one := range exact {
		at, err := b.locateEdit(one, false)
		if err != nil {
			return e.located(err)
		}
		if len(at.path) == 0 {
			return x.make([]Edit{e}) // its error
		}
		all = append(all, renaming{at.index, at.path, e.Key})
	}
	refs := newReferenceSearch(b.session, b.project, all)
	if !x.eo.References {
		if err := x.make([]Edit{e}); err != nil {
			return refs.suggest(err)
		}
		x.warnings = append(x.warnings, refs.warnings()...)
		return nil
	}
	for _, one := range exact {
		if err := b.plan(one, len(exact) == 1); err != nil {
			if errors.Is(err, errApart) {
				err = source.Refuse(source.Span{}, source.NotVerified, "%s cannot be renamed together: one of the keys is in another", e.Path)
			}
			return e.located(err)
		}
	}
	return e.located(b.writeRenamed(all, refs))
}

// writeRenamed writes the plans, which rename keys, with new names in what refers to them: first
// in the references that are certain, then in those that may be some as well.
func (b *batch) writeRenamed(all []renaming, refs *referenceSearch) error {
	want, err := b.renderings(b.project)
	if err != nil {
		return unverifiable(b.plans[0].place.path, err)
	}
	for _, r := range all {
		d := draft.Document{Root: want[r.doc]}
		if _, there, err := value.Find(d.Root, r.path); err != nil || !there {
			continue // a private value, for example
		}
		if err := d.Apply(roundtrip.Edit{Op: roundtrip.Rename, Path: r.path, Key: value.K(r.key)}); err != nil {
			return err
		}
		want[r.doc] = d.Root
	}
	certain, possible := refs.all()
	isText := func(r reference) bool { return r.Form == expr.FormText }
	keys := slices.DeleteFunc(slices.Clone(possible), isText)
	inDocs := slices.DeleteFunc(slices.Clone(certain), func(r reference) bool { return r.template })
	tries := [][]reference{certain, slices.Concat(certain, keys), slices.Concat(certain, possible), inDocs}
	var best *renamed
	for i, try := range tries {
		if i > 0 && (len(try) == len(certain) || i == 2 && len(try) == len(tries[1])) {
			continue
		}
		r, failed := b.tryRenamed(want, try)
		if failed != nil {
			if err == nil {
				err = failed
			}
			continue
		}
		if best == nil || cmp.Or(r.wrong(all)-best.wrong(all), len(r.others)-len(best.others)) < 0 {
			best = r
			best.refs = try
		}
		if len(best.others) == 0 {
			break
		}
	}
	switch {
	case best == nil:
		return refs.explain(err)
	case len(best.others) > 0 && !b.eo.AllowChanges:
		return refs.explain(best.refusal(b.plans[0].place.path))
	}
	if err := b.accept(best.texts, best.project); err != nil {
		return err
	}
	b.others = append(b.others, best.others...)
	b.warnings = append(b.warnings, refs.left(best.refs)...)
	return nil
}

// A renamed is the result of renamings, which is not accepted yet.
type renamed struct {
	texts   overlay.Texts
	project *engine.Project
	others  []value.Change // differences of the renderings, apart from the keys
	refs    []reference    // that have the new name
}

// wrong returns the number of differences outside of copies of the renamed keys.
func (r *renamed) wrong(all []renaming) int {
	n := 0
	for _, c := range r.others {
		last := ""
		if len(c.Path) > 0 {
			last = c.Path[len(c.Path)-1].Text
		}
		if !slices.ContainsFunc(all, func(a renaming) bool { return last == a.key || last == a.path[len(a.path)-1].Text }) {
			n++
		}
	}
	return n
}

// refusal is the error of a result with other changes.
func (r *renamed) refusal(path value.Path) error {
	var names []string
	for _, c := range r.others {
		names = append(names, c.Path.String())
	}
	return source.Refuse(source.Span{}, source.NotVerified, "renaming %s would change other values: %s", path, listed(names)).
		WithHint("--allow-changes lets them change; without --references only the key is renamed")
}

// unverifiable is the error of a renaming whose result cannot be compared.
func unverifiable(path value.Path, err error) error {
	d := source.Refuse(source.Span{}, source.NotVerified, "%s cannot be renamed with its references: the document has an error, so that the result cannot be compared", path).
		WithHint("without --references only the key is renamed")
	for _, f := range source.Findings(err) {
		d.Note(f.At, "%s", f.Message)
		break
	}
	return d
}

// tryRenamed writes the plans and new names in references, and compares the renderings with
// those that are wanted.
func (b *batch) tryRenamed(want []value.Value, refs []reference) (*renamed, error) {
	patches, err := b.patches(refs)
	if err != nil {
		return nil, err
	}
	var edits overlay.Edits
	for _, e := range b.firstWays() {
		if e.Lang == yay.Language { // its place is the place in the text without patches
			patches[e.Path] = sortedPatches(append(patches[e.Path], source.Edit{At: e.At, NewText: e.Edit.Key.Text}))
			continue
		}
		edits = append(edits, e)
	}
	t, err := b.WriteOn(b.Patched(patches), edits)
	if err != nil {
		return nil, err
	}
	p, err := b.Open(t)
	if err != nil {
		return nil, afterEdit(err)
	}
	if len(p.Documents()) != len(want) {
		return nil, source.Refuse(source.Span{}, source.NotVerified, "the edit would change the number of documents in %s", b.Name)
	}
	got, err := b.renderings(p)
	if err != nil {
		return nil, afterEdit(err)
	}
	r := &renamed{texts: t, project: p}
	for i := range want {
		changes, err := value.Diff(want[i], got[i])
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if c.HasOld != c.HasNew || !value.IsSame(c.Old, c.New) {
				r.others = append(r.others, c)
			}
		}
	}
	return r, nil
}

// renderings returns the finished documents of a project.
func (b *batch) renderings(p *engine.Project) ([]value.Value, error) {
	var all []value.Value
	for _, d := range p.Documents() {
		d.Begin()
		v, err := d.Value()
		if err == nil { // without private values
			v, err = value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
				return value.Public(v), err
			})
		}
		if err == nil {
			v, err = value.Plain(v)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// patches returns the patches that write new names into references, by file.
//
// Code: output for a reference that cannot be written.
func (b *batch) patches(refs []reference) (map[string][]source.Edit, error) {
	patches := map[string][]source.Edit{}
	for _, r := range refs {
		path, err := b.editableFile(r.At, r.path)
		if err != nil {
			return nil, err
		}
		if path != b.Path && b.eo.To != Source {
			return nil, source.Refuse(r.At, source.SourceReadonly, "%s refers to %s, and is not part of %s", r.At.File.Name, r.path, b.Name).
				WithHint("--to=source changes included files as well")
		}
		if r.Scope == lint.Pattern {
			return nil, source.Refuse(r.At, source.NotVerified, "%s is private by this pattern, which does not match %q", r.path, r.key).
				WithHint("add %s to +private as well", r.key)
		}
		text, ok := r.newText()
		if !ok {
			return nil, source.Refuse(r.At, source.NotVerified, "this refers to %s and cannot be renamed: the name %q cannot be written here", r.path, r.key)
		}
		patches[path] = append(patches[path], source.Edit{At: r.At, NewText: text})
	}
	for path, edits := range patches {
		patches[path] = sortedPatches(edits)
	}
	return patches, nil
}

// sortedPatches returns the patches of a file in order, each once.
func sortedPatches(edits []source.Edit) []source.Edit {
	slices.SortFunc(edits, func(a, b source.Edit) int { return int(a.At.Start) - int(b.At.Start) })
	return slices.CompactFunc(edits, func(a, b source.Edit) bool { return a.At.Start == b.At.Start })
}

// yayKeys returns the edits that rename the entries of the named file, which is in Yay, at the
// path of a plan.
func (b *batch) yayKeys(p *plan) (overlay.Edits, error) {
	if err := yayKey(p.edit.Key.Text); err != nil {
		return nil, err
	}
	layers := p.place.doc.Layers()
	_, keys := lint.References([]*graph.Doc{layers[0].Doc}, nil)
	var all overlay.Edits
	for _, k := range keys {
		if slices.Equal(k.Path, p.place.path) && b.isMain(k.At.File) {
			all = append(all, overlay.Edit{Path: b.Path, Lang: yay.Language, Doc: p.place.index, Edit: p.edit, At: k.At})
		}
	}
	facts, err := b.explain(p, p.place.path)
	if err != nil {
		return nil, err
	}
	elsewhere := source.Span{}
	for _, e := range b.statementKeys(p.place.path, facts, p.edit) {
		isKnown := func(have overlay.Edit) bool { return have.IsAt(e) }
		switch {
		case e.Path != b.Path:
			elsewhere = e.At
		case !slices.ContainsFunc(all, isKnown):
			all = append(all, e)
		}
	}
	switch {
	case len(all) > 0:
		return all, nil
	case !elsewhere.IsZero():
		return nil, source.Refuse(elsewhere, source.NotVerified, "%s is not a key of %s: it comes from %s", p.place.path, b.Name, elsewhere.File.Name).
			WithHint("--to=source renames it there")
	}
	return nil, overlay.OnlyLiterals(source.Span{}, b.Name)
}

// yayKey returns an error if a name cannot be written as a key of Yay.
func yayKey(name string) error {
	if yay.IsKey(name) {
		return nil
	}
	return source.Refuse(source.Span{}, source.NoSpelling, "%q cannot be written as a key in Yay", name).
		WithHint("a key is one word that is not reserved")
}

// statementKeys returns the edits of the keys of the Yay statements that define a value, with those
// that another statement overrides and those that a condition does not choose.
func (b *batch) statementKeys(path value.Path, facts []graph.Fact, e roundtrip.Edit) overlay.Edits {
	var all overlay.Edits
	for _, f := range facts {
		if f.Role == graph.Uses || b.languageOf(f.At.File) != yay.Language {
			continue
		}
		d, err := b.definition(f, nil)
		if err != nil {
			continue
		}
		if at, ok := b.KeyInYay(d.path, path[len(path)-1].Text, f.At); ok {
			edit := d.edit(e)
			edit.At = at
			all = append(all, edit)
		}
	}
	return all
}
