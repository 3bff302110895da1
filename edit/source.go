package edit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// findWays finds the ways to write a plan; old is the value in its place. In a YAML document
// without directives both targets are the same.
func (b *batch) findWays(p *plan, old value.Value) error {
	if err := b.inProgram(p); err != nil {
		return err
	}
	var edits overlay.Edits
	var err error
	switch {
	case b.Lang == yay.Language && p.edit.Op == roundtrip.Rename && b.eo.To != Source:
		edits, err = b.yayKeys(p)
	case b.eo.To == Source && (b.Lang == yay.Language || !b.isSelfContained(p.place.doc)):
		edits, err = b.sourceWay(p, old)
	case b.Lang == yay.Language:
		edits, err = b.literalWay(p)
	default:
		p.ways = b.overrideWays(p)
		return nil
	}
	p.ways = []overlay.Edits{edits}
	return err
}

// sharedEdits are the edits of definitions, by their places. A definition that several places use is edited once
// for all of them: deleting a.x and b.x deletes x of base.yaml in
//
//	a: {+include: base.yaml}
//	b: {+include: base.yaml}
type sharedEdits map[string][]*sharedEdit

// A sharedEdit is an edit of a definition.
type sharedEdit struct {
	edit overlay.Edit
	made int            // how often it is made
	by   map[string]int // how often each place needs it: a list may get an item twice
}

// isNew reports whether the plan needs an edit that is not made for other places.
func (s sharedEdits) isNew(p *plan, e overlay.Edit) bool {
	key := e.Path + "\x00" + e.Edit.Path.Pointer()
	i := slices.IndexFunc(s[key], func(have *sharedEdit) bool { return have.edit.IsSame(e) })
	if i < 0 {
		i = len(s[key])
		s[key] = append(s[key], &sharedEdit{edit: e, by: map[string]int{}})
	}
	shared, at := s[key][i], strconv.Itoa(p.place.index)+p.place.path.Pointer()
	shared.by[at]++
	if shared.by[at] <= shared.made {
		return false
	}
	shared.made++
	return true
}

// isBlock reports whether a value of Yay is written with lines of its own: a map or list that is not
// empty.
func isBlock(v value.Value) bool {
	return v.Is(value.MapKind) && v.Map().Len() > 0 || v.Is(value.ListKind) && v.List().Len() > 0
}

// inProgram returns the error of a plan for an item of a list that a program of the mgmt language computes:
// a resource, an edge, or a part of one (spec: mcl, section 11).
func (b *batch) inProgram(p *plan) error {
	i := slices.IndexFunc(p.place.path, func(k value.Key) bool { return k.Kind == value.IntKind })
	if i < 0 || p.place.gone != nil || p.place.doc == nil || b.isSelfContained(p.place.doc) {
		return nil
	}
	facts, err := b.explain(p, p.place.path[:i+1])
	if err != nil {
		return nil // the edit reports it
	}
	for _, f := range facts {
		if f.Defines() && b.languageOf(f.At.File) == frontend.MCL {
			return overlay.NoPrograms(f.At)
		}
	}
	return nil
}

// sourceWay returns the edits that write a plan where the changed values are defined.
func (b *batch) sourceWay(p *plan, old value.Value) (overlay.Edits, error) {
	path := p.place.path
	switch p.edit.Op {
	case roundtrip.Delete, roundtrip.Rename:
		return b.keyAtSource(p, path, p.edit)
	case roundtrip.Append:
		if old.Is(value.ListKind) {
			return b.appendAtSource(p, path, p.edit.Value)
		}
		return b.setAtSource(p, path, old, value.ListOf(p.edit.Value), p.place.gone == nil)
	case roundtrip.Insert:
		if p.place.gone == nil {
			return b.itemAtSource(p, path, p.edit)
		}
	}
	return b.setAtSource(p, path, old, p.edit.Value, p.place.gone == nil)
}

// setAtSource returns the edits that change the value at a path from old to v; exists says
// whether there is an old value. If both are maps, each entry that differs is edited where
// that entry is defined: two entries of one map may come from two files.
func (b *batch) setAtSource(p *plan, path value.Path, old, v value.Value, exists bool) (overlay.Edits, error) {
	switch {
	case !exists:
		return b.addAtSource(p, path, v)
	case old.Is(value.MapKind) && v.Is(value.MapKind):
		return b.entriesAtSource(p, path, old, v)
	}
	facts, err := b.explain(p, path)
	if err == nil {
		err = b.refuseReference(p, path, old, facts)
	}
	if err != nil {
		return nil, err
	}
	if edits, err := b.joinedAtSource(p, path, facts, old, v); len(edits) > 0 || err != nil {
		return edits, err
	}
	for _, f := range facts {
		if f.Role == graph.Sets {
			if isBlock(old) && b.languageOf(f.At.File) == yay.Language {
				return nil, overlay.OnlyLiterals(f.At, f.At.File.Name)
			}
			return b.editDefinition(p, path, f, roundtrip.Edit{Op: roundtrip.Set, Value: v})
		}
	}
	return nil, b.undefinedPlace(path)
}

// editDefinition returns the edit of the definition that a fact is about.
func (b *batch) editDefinition(p *plan, path value.Path, f graph.Fact, e roundtrip.Edit) (overlay.Edits, error) {
	d, err := b.definition(f, path)
	if err != nil {
		return nil, err
	}
	b.allow(p, path, d, nil)
	return overlay.Edits{d.edit(e)}, nil
}

// entriesAtSource returns the edits of the entries in which two maps differ.
func (b *batch) entriesAtSource(p *plan, path value.Path, old, v value.Value) (overlay.Edits, error) {
	var all overlay.Edits
	add := func(edits overlay.Edits, err error) error {
		all = append(all, edits...)
		return err
	}
	for k := range old.Map().Keys() {
		if _, stays, _ := v.Map().Get(k); !stays {
			if err := add(b.keyAtSource(p, path.With(k), roundtrip.Edit{Op: roundtrip.Delete})); err != nil {
				return nil, err
			}
		}
	}
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return nil, err
		}
		was, there, err := old.Map().Get(k)
		if err != nil {
			return nil, err
		}
		if there && value.IsSame(was, item) {
			continue
		}
		if err := add(b.setAtSource(p, path.With(k), was, item, there)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// addAtSource returns the edit that adds a value at a new path, to the newest layer of the
// innermost map around it that exists. If web is {+/a: , +/b: }, a new web.port is written
// into b.
func (b *batch) addAtSource(p *plan, path value.Path, v value.Value) (overlay.Edits, error) {
	n := len(path) - 1
	for ; n > 0; n-- {
		if _, ok := b.before(p, path[:n]); ok {
			break
		}
	}
	facts, err := b.explain(p, path[:n])
	if err != nil {
		return nil, err
	}
	if b.isList(p, path[:n]) {
		for i := len(path) - 1; i > n; i-- {
			m := value.NewMap(1)
			m.Set(path[i], v)
			v = value.FromMap(m)
		}
		return b.appendAtSource(p, path[:n], v)
	}
	e := roundtrip.Edit{Op: roundtrip.Set, Value: v, Create: true}
	for _, f := range facts {
		if f.Defines() {
			d, err := b.definition(f, path[:n])
			if err != nil {
				return nil, err
			}
			if d.lang == yay.Language {
				return nil, overlay.OnlyLiterals(f.At, f.At.File.Name)
			}
			b.allow(p, path[:n], d, path[n:])
			d.at = append(slices.Clip(d.at), path[n:]...)
			return overlay.Edits{d.edit(e)}, nil
		}
	}
	e.Path = path
	return overlay.Edits{b.inMain(p, e)}, nil
}

// appendAtSource returns the edit that appends an item to the newest layer of a list.
func (b *batch) appendAtSource(p *plan, path value.Path, v value.Value) (overlay.Edits, error) {
	facts, err := b.explain(p, path)
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		if f.Defines() {
			return b.editDefinition(p, path, f, roundtrip.Edit{Op: roundtrip.Append, Value: v})
		}
	}
	return nil, b.undefinedPlace(path)
}

// itemAtSource returns the edits of one item of a list, in the lists that have it: several if their items are
// merged by a field. Later items of these lists may get other indexes, so all of them may change.
func (b *batch) itemAtSource(p *plan, path value.Path, e roundtrip.Edit) (overlay.Edits, error) {
	facts, err := b.explain(p, path)
	if err != nil {
		return nil, err
	}
	up := path[:len(path)-1]
	for _, f := range facts {
		if f.Role != graph.Sets || b.languageOf(f.At.File) != yay.Language {
			continue
		}
		d, err := b.definition(f, path)
		switch {
		case err != nil:
			return nil, err
		case e.Op != roundtrip.Delete:
			return nil, overlay.OnlyLiterals(f.At, f.At.File.Name)
		}
		b.allow(p, up, d, nil)
		return overlay.Edits{d.edit(e)}, nil
	}
	eval, err := p.place.doc.Eval()
	if err != nil {
		return nil, err
	}
	places, err := eval.Root().At(path).ItemPlaces()
	if err != nil {
		return nil, err
	}
	if e.Op == roundtrip.Insert {
		places = places[:min(len(places), 1)]
	}
	var all overlay.Edits
	for _, at := range places {
		d, err := b.definition(at.List, up)
		if err != nil {
			return nil, err
		}
		if d.node == nil || d.node.Kind != yaml.SeqNode || len(d.node.Items) != at.Len {
			return nil, b.undefinedPlace(path)
		}
		b.allow(p, up, d, nil)
		d.at = d.at.With(value.Index(at.Index))
		all = append(all, d.edit(e))
	}
	if len(all) == 0 {
		return nil, b.undefinedPlace(path)
	}
	return all, nil
}

// keyAtSource returns the edits that delete or rename a key in every layer that contributes
// to its map: in the newest one only, the key would get the value of an older layer.
func (b *batch) keyAtSource(p *plan, path value.Path, e roundtrip.Edit) (overlay.Edits, error) {
	up, key := path[:len(path)-1], path[len(path)-1]
	if b.isList(p, up) {
		return b.itemAtSource(p, path, e)
	}
	own, err := b.explain(p, path)
	if err != nil {
		return nil, err
	}
	facts, err := b.explain(p, up)
	if err != nil {
		return nil, err
	}
	all, err := b.statements(p, path, own, e)
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		if !f.Defines() || b.languageOf(f.At.File) == yay.Language {
			continue
		}
		d, err := b.definition(f, up)
		if err != nil {
			if slices.ContainsFunc(own, func(o graph.Fact) bool { return o.At.File == f.At.File }) {
				return nil, err
			}
			continue // a layer that cannot be edited and does not have the key
		}
		if childOf(d.node, key) == nil {
			continue
		}
		b.allow(p, up, d, value.Path{key})
		if e.Op == roundtrip.Rename {
			b.allow(p, up, d, value.Path{e.Key})
		}
		d.at = d.at.With(key)
		all = append(all, d.edit(e))
	}
	if len(all) == 0 {
		return b.mergedKey(p, path, own, e)
	}
	return all, nil
}

// mergedKey returns the edit of a key that comes from "<<": of the entry in the merged map.
func (b *batch) mergedKey(p *plan, path value.Path, own []graph.Fact, e roundtrip.Edit) (overlay.Edits, error) {
	for _, f := range own {
		if f.Role != graph.Sets {
			continue
		}
		d, err := b.definition(f, path)
		if err != nil {
			return nil, err
		}
		if len(d.at) == 0 || d.at[len(d.at)-1] != path[len(path)-1] {
			break
		}
		b.allow(p, path, d, nil)
		if e.Op == roundtrip.Rename {
			renamed := d
			renamed.at = d.at[:len(d.at)-1].With(e.Key)
			b.allow(p, path, renamed, nil)
		}
		return overlay.Edits{d.edit(e)}, nil
	}
	return nil, b.undefinedPlace(path)
}

// statements returns the edits of the Yay statements that define a value, with those that
// a newer layer overrides.
func (b *batch) statements(p *plan, path value.Path, facts []graph.Fact, e roundtrip.Edit) (overlay.Edits, error) {
	if e.Op == roundtrip.Rename {
		all := b.statementKeys(path, facts, e)
		if len(all) == 0 {
			return nil, nil
		}
		return all, yayKey(e.Key.Text)
	}
	var all overlay.Edits
	old, _ := b.before(p, path)
	for _, f := range facts {
		shows := f.Defines() || f.Role == graph.Beaten
		if !shows || b.languageOf(f.At.File) != yay.Language {
			continue
		}
		if isBlock(old) {
			return nil, overlay.OnlyLiterals(f.At, f.At.File.Name)
		}
		if d, err := b.definition(f, nil); err == nil {
			all = append(all, d.edit(e))
		}
	}
	return all, nil
}

// literalWay returns the edits of plain values in the named file, which is in Yay.
func (b *batch) literalWay(p *plan) (overlay.Edits, error) {
	facts, err := b.explain(p, p.place.path)
	if err != nil {
		return nil, err
	}
	var all overlay.Edits
	if old, ok := b.before(p, p.place.path); ok && isBlock(old) {
		return nil, overlay.OnlyLiterals(source.Span{}, b.Name)
	}
	for _, f := range facts {
		own := b.isMain(f.At.File) && len(f.Includes)+len(f.Through) == 0
		switch {
		case own && f.Role == graph.Sets && p.edit.Op == roundtrip.Set:
			return overlay.Edits{b.inYay(f, p.edit)}, nil
		case own && p.edit.Op == roundtrip.Delete && f.Role != graph.Uses && f.Role != graph.Refused:
			all = append(all, b.inYay(f, p.edit))
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if p.place.gone != nil || p.edit.Op != roundtrip.Set && p.edit.Op != roundtrip.Delete {
		return nil, overlay.OnlyLiterals(source.Span{}, b.Name)
	}
	return nil, source.Refuse(source.Span{}, source.NotVerified, "%s is not a plain value in %s", p.place.path, b.Name).
		WithHint("edit %s by hand, or use --to=source to edit the definition", b.Name)
}

// literalItems returns the edits of plain values in the named file, which is in Yay, that change a list from
// old to v: items that are gone are deleted, others set.
func (b *batch) literalItems(p *plan, old, v value.Value) (overlay.Edits, error) {
	way := func(at value.Path, e roundtrip.Edit) (overlay.Edits, error) {
		item := *p
		item.place.path, item.edit = at, e
		item.edit.Path = at
		return b.literalWay(&item)
	}
	edits, err := itemEdits(p.place.path, old, v, itemWays{
		set: func(at value.Path, _, item value.Value) (overlay.Edits, error) {
			return way(at, roundtrip.Edit{Op: roundtrip.Set, Value: item})
		},
		delete: func(at value.Path) (overlay.Edits, error) {
			return way(at, roundtrip.Edit{Op: roundtrip.Delete})
		},
		insert: func(value.Path, value.Value, int) (overlay.Edits, error) {
			return nil, overlay.OnlyLiterals(source.Span{}, b.Name)
		},
	})
	if err == nil && len(edits) == 0 {
		return b.literalWay(p)
	}
	return edits, err
}

// inYay returns an edit of the Yay statement that a fact is about, in the named file.
func (b *batch) inYay(f graph.Fact, e roundtrip.Edit) overlay.Edit {
	return overlay.Edit{Path: b.Path, Lang: yay.Language, Edit: e, At: f.At}
}

// undefinedPlace is the error of a value without a definition, such as one that a directive
// computes.
func (b *batch) undefinedPlace(path value.Path) *source.Diagnostic {
	d := source.Refuse(source.Span{}, source.NotVerified, "%s has no definition of its own", path)
	if b.Lang == yay.Language { // has no overrides
		return d.WithHint("edit %s by hand; explain shows how it is made", b.Name)
	}
	return d.WithHint("--to=override writes it into the named file; explain shows how it is made")
}

// refuseReference returns an error if the value at a path only repeats another value, as
// "{{ web.port }}" does: an edit could be meant for either.
func (b *batch) refuseReference(p *plan, path value.Path, raw value.Value, facts []graph.Fact) error {
	name, ok := referenceIn(raw)
	if !ok || b.eo.Literal || len(facts) == 0 {
		return nil
	}
	e, err := p.place.doc.Eval()
	if err != nil {
		return nil
	}
	if v, _, err := e.Root().At(path).Value(); err == nil && value.IsSame(v, raw) {
		return nil // text that happens to look like a template
	}
	if raw.Marks() != 0 {
		name = "another value"
	}
	for _, use := range facts {
		if use.Role == graph.Uses {
			name = use.Path.String()
		}
	}
	d := source.Refuse(facts[0].At, source.ResultOfExpr, "%s only repeats %s, and the edit may be meant for either", path, name)
	if b.languageOf(facts[0].At.File) == yay.Language {
		return d.WithHint("edit %s, or write a value in the place of the expression by hand", name)
	}
	return d.WithHint("edit %s, or write a value in the place of the expression with --literal", name)
}

// plainReference matches a template that only repeats another value.
var plainReference = lazy.Regexp{Text: `^\s*\{\{-?\s*([\pL_][\pL\pN_]*(?:\.[\pL\pN_]+|\[[^\[\]]*\])*)\s*-?\}\}\s*$`}

// referenceIn returns the path in an unevaluated value that is a template or an expression
// object with nothing but a path, such as "{{ web.port }}" and {ref: web.port}.
func referenceIn(raw value.Value) (string, bool) {
	if raw.Is(value.StringKind) {
		if m := plainReference.Get().FindStringSubmatch(raw.Str()); m != nil {
			return m[1], true
		}
		return "", false
	}
	if !raw.Is(value.MapKind) || raw.Map().Len() != 1 {
		return "", false
	}
	for _, word := range []string{"eval", "ref"} {
		v, ok, err := raw.Map().Get(value.K(word))
		if ok && err == nil && v.Is(value.StringKind) && !strings.Contains(v.Str(), "{") {
			return v.Str(), true
		}
	}
	return "", false
}
