package graph

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// What errors say about names that are missing (spec: everyday, A7). Nothing here evaluates a
// template or an expression. A search may follow references, whose errors start no other search.

// The findings of an evaluation do not stop it. Each position is warned of once. While searching is true, an error is
// being explained, and errors that this meets are not explained.
type findings struct {
	warn      func(*source.Diagnostic)
	warned    map[source.Span]bool
	searching bool
	looked    int // the number of names that explanations have looked at
}

// Warn reports a finding that does not stop the evaluation, once for each position.
func (f *findings) Warn(d *source.Diagnostic) {
	if !d.At.IsZero() {
		if f.warned[d.At] {
			return
		}
		f.warned[d.At] = true
	}
	f.warn(d)
}

// lookAround calls f unless a search is running already, or the search could change how the evaluation
// decides conditions.
func (e *Eval) lookAround(f func()) {
	if e.searching || len(e.hidden) > 0 || len(e.tentative) > 0 || e.settling {
		return
	}
	e.searching = true
	defer func() { e.searching = false }()
	f()
}

// maxLooked is the number of names that the searches of one evaluation look at. Then errors have no more hints: a
// document with n errors and n keys would take n² names, and few readers of 1,000 errors want a hint for each.
const maxLooked = 5_000_000

// Looks counts n names that an error looks at, and reports whether errors may look at more.
func (f *findings) Looks(n int) bool {
	f.looked += n
	return f.looked <= maxLooked
}

// Looks is [Eval.Looks].
func (m *lazyMap) Looks(n int) bool { return m.cell().eval.Looks(n) }

// Removed returns the place of the whiteout that removed a key of the map, and false if none
// did.
func (m *lazyMap) Removed(k value.Key) (at source.Span, ok bool) {
	c := m.cell()
	c.eval.lookAround(func() { at, ok = c.removed(k) })
	return at, ok
}

// removed is Removed inside of a search.
func (c *Cell) removed(k value.Key) (source.Span, bool) {
	kid := c.kid(k)
	f, err := kid.fold()
	if err != nil || f.kind != absentShape && f.kind != deletedShape {
		return source.Span{}, false
	}
	all, err := kid.everything(&explanation{cell: kid, folded: f})
	if err != nil {
		return source.Span{}, false
	}
	for _, l := range all {
		if d, ok := l.node.(*Delete); ok {
			return d.Span(), true
		}
	}
	return source.Span{}, false
}

// Path returns the keys that lead to the map from the root of its document.
func (m *lazyMap) Path() value.Path { return m.cell().Path() }

const (
	maxVisited       = 2000 // places that one search visits
	maxSearchedDepth = 4
	maxSearchedItems = 20 // of one list
)

// Places returns the paths of the places below the map, nearest first, that have a key as text,
// at most a number of them, without places that are being computed and those in a map of an encrypted
// file.
//
//	{web: {port: 80}, jobs: [{port: 1}]}   port: web.port, jobs[0].port
func (m *lazyMap) Places(key string, most int) (found []value.Path) {
	c := m.cell()
	c.eval.lookAround(func() { found = c.places(key, most) })
	return found
}

// places is Places inside of a search.
func (c *Cell) places(key string, most int) []value.Path {
	var found []value.Path
	level, visited := []*Cell{c}, 0
	for depth := 0; depth < maxSearchedDepth && len(level) > 0; depth++ {
		var next []*Cell
		for _, c := range level {
			f, err := c.fold()
			if err != nil {
				continue
			}
			switch f.kind {
			case listShape:
				for i := range min(len(f.items), maxSearchedItems) {
					next = append(next, c.itemKid(i))
				}
			case mapShape:
				if fromSecret(f) {
					continue
				}
				if !c.eval.Looks(0) {
					return nil
				}
				keys, err := c.AllKeys()
				if err != nil {
					continue
				}
				c.eval.Looks(len(keys))
				for _, k := range keys {
					kid := c.kid(k)
					if visited++; visited > maxVisited {
						return found
					}
					if k.Kind == value.StringKind && k.Text == key && c.eval.runOf(kid) < 0 {
						if found = append(found, kid.Path()); len(found) == most {
							return found
						}
					}
					next = append(next, kid)
				}
			}
		}
		level = next
	}
	return found
}

// fromSecret reports whether a layer of a map is written in an encrypted file.
func fromSecret(f *foldResult) bool {
	for _, l := range f.maps {
		if at := l.node.Span(); at.File != nil && at.File.Secret {
			return true
		}
	}
	return false
}

// place returns " in" and the path of c for messages, "" for the document.
func (c *Cell) place() string {
	if c.up == nil {
		return ""
	}
	return " in " + c.Path().String()
}

// absent reports, as information, that an optional reference has no target.
func (f *findings) absent(err error, ref *Ref) {
	var d *source.Diagnostic
	if !errors.As(err, &d) || f.warned[d.At] {
		return
	}
	told := *d
	told.Severity, told.Hint = source.Info, ""
	f.Warn(&told)
}

// explainMissing adds to the error of a reference without a target where its path ended, and what
// has a similar name: an anchor, or a key at that place.
//
//	+/web/prot   no "prot" in web; did you mean +/web/port?
//
// It returns other errors unchanged.
func (c *Cell) explainMissing(l *layer, ref *Ref, err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.At != ref.At || d.Code != source.MissingInclude || ref.At.File == nil || ref.At.File.Secret {
		return err
	}
	if c.eval.searching {
		return err
	}
	c.eval.searching = true
	defer func() { c.eval.searching = false }()
	m := missingTarget{d: *d, ref: ref}
	m.d.Notes = slices.Clip(m.d.Notes)
	switch ref.From {
	case FromFile:
		m.inFile(c, l)
	case FromAnchor:
		if a, ok := c.eval.anchor(ref.Anchor, l.origin); ok {
			m.path(&Cell{eval: c.eval, layer: &layer{node: a.node, origin: a.origin}, hasLayer: true}, "*"+ref.Anchor)
		} else {
			m.anchor(c.eval.visibleAnchors(l.origin))
		}
	case FromHere:
		start := c.inDocument()
		for range ref.Up {
			if start = start.up; start == nil {
				m.d.Message += `: its "../" lead out of the document`
				return &m.d
			}
			start = start.inDocument()
		}
		m.path(start, "")
	default:
		m.path(c.eval.root, "")
	}
	return &m.d
}

// A missingTarget is the error of a reference without a target.
type missingTarget struct {
	d   source.Diagnostic
	ref *Ref
}

// didYouMean makes a correction of the directive the hint.
func (m *missingTarget) didYouMean(wrong, right string) {
	key := m.ref.Key
	if i := strings.LastIndex(key, wrong); i >= 0 {
		key = key[:i] + right + key[i+len(wrong):]
	} else {
		key = right
	}
	m.d.Hint = "did you mean " + key + "?"
}

// inFile explains a part of a file that is missing.
func (m *missingTarget) inFile(c *Cell, l *layer) {
	doc, err := c.eval.loader.Load(m.ref, l.origin.Doc)
	if err != nil || doc.File.Secret {
		return
	}
	name := doc.File.Name
	if m.ref.Anchor == "" {
		m.path(c.eval.FileRoot(&Origin{Doc: doc, Ref: m.ref, Outer: l.origin, Depth: l.origin.Depth + 1, at: c}), name)
		return
	}
	n := doc.Anchors[m.ref.Anchor]
	if n == nil {
		m.d.Message += ": no &" + m.ref.Anchor + " in " + name
		m.anchor(slices.Collect(maps.Keys(doc.Anchors)))
		return
	}
	o := &Origin{Doc: doc, Ref: m.ref, Outer: l.origin, Depth: l.origin.Depth + 1, at: c}
	m.path(&Cell{eval: c.eval, layer: &layer{node: n, origin: o}, hasLayer: true}, name)
}

// anchor adds the anchor that is nearest to the missing one.
func (m *missingTarget) anchor(names []string) {
	if near := source.Suggest(m.ref.Anchor, slices.Values(names)); near != "" {
		m.didYouMean(m.ref.Anchor, near)
	}
}

// path adds the step at which the path of the reference ended. in names the start of the path in
// messages, "" for a place of the document.
func (m *missingTarget) path(at *Cell, in string) {
	inDocument := in == ""
	for _, seg := range m.ref.Path {
		next, err := at.step(seg)
		if err != nil {
			return
		}
		if next == nil {
			m.end(at, seg, in, inDocument)
			return
		}
		at = next
		if !inDocument {
			in += "/" + seg
		}
	}
}

// end explains that a place has no value under a step of the path.
func (m *missingTarget) end(at *Cell, seg, in string, inDocument bool) {
	f, err := at.fold()
	if err != nil || fromSecret(f) {
		return
	}
	switch {
	case inDocument && at.up == nil:
		in = "at the top"
	case inDocument:
		in = "in " + at.Path().String()
	default:
		in = "in " + in
	}
	switch {
	case seg == "..":
		m.d.Message += `: its "../" lead out of the document`
	case f.kind == mapShape:
		m.d.Message += ": no " + strconv.Quote(seg) + " " + in
		if removed, ok := at.removedNow(seg); ok {
			m.d.Message += ", a whiteout removed it"
			m.d.Note(removed, "the whiteout")
		} else if near := source.Suggest(seg, f.spelt()); near != "" {
			m.didYouMean(seg, near)
		}
	case f.kind == listShape:
		m.d.Message += ": no item " + strconv.Quote(seg) + " " + in + ", a list of " + strconv.Itoa(len(f.items))
	case f.kind == scalarShape, f.kind == computedShape:
		m.d.Message += ": no " + strconv.Quote(seg) + " " + in + ", which is " + f.kind.article()
	}
}

// removedNow is removed for the step of a path, unless layers are hidden meanwhile.
func (c *Cell) removedNow(seg string) (source.Span, bool) {
	if e := c.eval; len(e.hidden) > 0 || len(e.tentative) > 0 || e.settling {
		return source.Span{}, false
	}
	return c.removed(value.K(seg))
}

// spelt yields the keys of a map that are written as text. It decides no condition.
func (f *foldResult) spelt() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, l := range f.maps {
			m, ok := l.node.(*Map)
			if !ok {
				continue
			}
			for _, e := range m.Entries {
				if e.Key.Kind == value.StringKind && !yield(e.Key.Text) {
					return
				}
			}
		}
	}
}

// visibleAnchors returns the names of the anchors that a directive in a document can use, without anchors
// of encrypted files.
func (d *documents) visibleAnchors(from *Origin) []string {
	names := slices.Collect(maps.Keys(from.Doc.Anchors))
	for _, l := range d.layers {
		if !l.Doc.File.Secret {
			names = slices.AppendSeq(names, maps.Keys(l.Doc.Anchors))
		}
	}
	for name, a := range d.anchors {
		if !a.origin.Doc.File.Secret {
			names = append(names, name)
		}
	}
	return names
}
