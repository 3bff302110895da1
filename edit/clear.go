package edit

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

// This is the check that no edit writes a secret into a file that is not encrypted (spec:
// everyday, A2). All texts pass through it before they are accepted, whichever way made them. It
// compares the documents before and after:
//
//	before           after                  the edit writes
//	pw: hunter2 !    pw: hunter3            a value in the place of a secret: refused
//	pw: hunter2 !    pw: hunter3 !          into the encrypted file: allowed
//	url: {{ pw }} !  url: {{ pw }}/x !      a template, which still reads the secret: allowed
//	url: {{ pw }} !  url: hunter2/x         what the template rendered: refused
//	pw: hunter2 !    (gone)                 a whiteout: allowed
//	pw: hunter2 !    password: hunter2      the text of a secret in another place: refused
//	all: [a !, b !]  all: [a !, b !, c]     an item of a list of secrets: refused
//
// Here "!" is a value with a mark. A value that loses its mark is only reported if its text is in
// the part of a plain file that the edit changed: a template may lose it because another value
// changed.

// A clearCheck is the check of one change of texts.
type clearCheck struct {
	*session
	patches       []overlay.Patch // of the files that are not encrypted
	before, after *engine.Project
	old, new      *engine.Document // the documents that are compared
	known         *knownSecrets    // read on demand
	found         []exposure
}

// An exposure is a secret that an edit would write in clear.
type exposure struct {
	path  value.Path  // where it would be
	of    value.Path  // the secret whose text it is; nil if it takes the place of one
	marks value.Marks // of the place, or of the text
	from  source.Span // the definition of the secret; may be zero
	at    source.Span // in the new text of a plain file; may be zero
	into  string      // the name of that file
	text  string      // what is written, "" for an expression

	item  bool // it is a new item of a list of secrets
	vault bool // it takes the place of an encrypted text, which has the tag !vault
	given bool // the edit was read from an encrypted file
}

// checkClear returns an error if t has a secret in clear that the current texts do not have, and
// none if that is allowed: then it only records the places, which diffs mask.
//
// Code: secret-in-clear.
func (x *session) checkClear(t overlay.Texts, after *engine.Project) error {
	c, err := x.exposures(t, after)
	if err != nil || len(c.found) == 0 {
		return err
	}
	if !x.eo.AllowClear {
		return c.error()
	}
	if x.clear == nil {
		x.clear = map[string]bool{}
	}
	for _, e := range c.found {
		x.clear[e.text] = true
	}
	return nil
}

// exposures returns the check of t, with the secrets in clear that the current texts do not have.
func (x *session) exposures(t overlay.Texts, after *engine.Project) (*clearCheck, error) {
	c := &clearCheck{session: x, after: after}
	for _, p := range x.Patches(t) {
		if !p.Encrypted {
			c.patches = append(c.patches, p)
		}
	}
	if len(c.patches) == 0 {
		return c, nil
	}
	var err error
	if c.before, err = x.Project(); err != nil {
		return c, nil // the edit mends the texts: nothing was readable before
	}
	if len(c.given) == 0 && !slices.ContainsFunc(c.files(), mayHide) {
		return c, nil
	}
	docs := c.after.Documents()
	for i, d := range c.before.Documents() {
		if i >= len(docs) {
			break
		}
		if err := c.compareDocuments(d, docs[i]); err != nil {
			return c, err
		}
	}
	if len(c.found) == 0 {
		c.compareTexts()
	}
	c.compareComments()
	return c, nil
}

// compareDocuments compares a document before and after the edit, with directives applied and nothing evaluated. A
// document that could not be expanded before shows nothing to compare with.
func (c *clearCheck) compareDocuments(old, new *engine.Document) error {
	b, err := overlay.Expanded(old)
	if err != nil {
		return nil // as in exposures
	}
	a, err := overlay.Expanded(new)
	if err != nil {
		return err
	}
	c.old, c.new = old, new
	c.compare(pathPair{}, b, a)
	return nil
}

// A pathPair is the path of a value before and after the edit: items of lists move.
type pathPair struct{ old, new value.Path }

// with returns the pair of paths of an entry or item.
func (p pathPair) with(old, new value.Key) pathPair {
	return pathPair{p.old.With(old), p.new.With(new)}
}

// compare compares a value before the edit with the one after it.
func (c *clearCheck) compare(p pathPair, b, a value.Value) {
	switch {
	case len(p.new) > value.MaxNesting || isEmpty(a):
	case isOpenMap(b) && isOpenMap(a):
		for k := range a.Map().Keys() {
			item, ok, err := a.Map().Get(k)
			if !ok || err != nil {
				continue
			}
			if was, had, err := b.Map().Get(k); had && err == nil {
				c.compare(p.with(k, k), was, item)
			} else {
				c.added(p.new.With(k), item)
			}
		}
	case value.IsSame(a, b) && marksIn(a) == marksIn(b):
	case b.Is(value.ListKind) && a.Is(value.ListKind) && b.Marks() == 0:
		c.compareItems(p, b, a)
	default:
		c.changed(p, b, a)
	}
}

// isEmpty reports whether no text is written for a value: it is null, or an empty list or map.
func isEmpty(v value.Value) bool {
	return v.IsNull() || v.Is(value.MapKind) && v.Map().Len() == 0 || v.Is(value.ListKind) && v.List().Len() == 0
}

// isOpenMap reports whether a value is a map of values: neither an expression nor secret as a
// whole.
func isOpenMap(v value.Value) bool {
	return v.Is(value.MapKind) && v.Marks() == 0 && !expr.IsExpression(v.Map())
}

// compareItems compares the items of two lists in pairs, and as many as there are. An item more in a list of
// secrets is a secret, too.
func (c *clearCheck) compareItems(p pathPair, b, a value.Value) {
	was, err := value.ItemsOf(b.List())
	if err != nil {
		return
	}
	now, err := value.ItemsOf(a.List())
	if err != nil {
		return
	}
	for j, i := range pairItems(was, now) {
		at := p.with(value.Index(max(i, 0)), value.Index(j))
		if i >= 0 {
			c.compare(at, was[i], now[j])
		} else {
			c.addedItem(at.new, placedItems(p.old, was), now[j])
		}
	}
}

// A placedValue is a value of the document before the edit, with its path.
type placedValue struct {
	path  value.Path
	value value.Value
}

// placedItems returns the items of a list with their paths.
func placedItems(p value.Path, items []value.Value) []placedValue {
	all := make([]placedValue, len(items))
	for i, item := range items {
		all[i] = placedValue{p.With(value.Index(i)), item}
	}
	return all
}

// addedItem looks at a value in a new item of a list, beside those at its place in the old items. It
// is a secret if all of them are. In
//
//	users: [{name: ann, password: !vault ...}, {name: bob, password: !vault ...}]
//
// a new item may have a name, but no password in plain text.
func (c *clearCheck) addedItem(at value.Path, olds []placedValue, v value.Value) {
	marks, whole := value.Marks(0), true
	for _, old := range olds {
		some, every := marksAt(c.old, old.path, old.value)
		if some == 0 {
			c.added(at, v)
			return
		}
		marks, whole = marks|some, whole && every != 0 && !isOpenMap(old.value)
	}
	switch {
	case marks != 0 && whole:
		if isEmpty(v) {
			return
		}
		n := len(c.found)
		c.lost(pathPair{olds[0].path, at}, marks, v)
		for i := range c.found[n:] {
			c.found[n+i].item = true
		}
	case marks != 0 && isOpenMap(v):
		for k := range v.Map().Keys() {
			if item, ok, err := v.Map().Get(k); ok && err == nil {
				c.addedItem(at.With(k), entriesAt(olds, k), item)
			}
		}
	default:
		c.added(at, v)
	}
}

// entriesAt returns the entries of maps at a key, none if one of the maps has none.
func entriesAt(maps []placedValue, k value.Key) []placedValue {
	var all []placedValue
	for _, m := range maps {
		if !isOpenMap(m.value) {
			return nil
		}
		item, ok, err := m.value.Map().Get(k)
		if !ok || err != nil {
			return nil
		}
		all = append(all, placedValue{m.path.With(k), item})
	}
	return all
}

// pairItems returns for each item of now the index of the item of was that it was before, -1 if there is
// none left. Items that differ in their marks are not equal.
func pairItems(was, now []value.Value) []int {
	keys := func(items []value.Value) []uint64 {
		all := align.Keys(items, nil)
		for i, v := range items {
			all[i] += uint64(marksIn(v))
		}
		return all
	}
	p := align.EqualKeys(was, now, keys(was), keys(now))
	p.Moved()
	p.Named()
	p.Similar(false)
	p.Rest()
	return p.From
}

// changed looks at a value that the edit changed or brought to another place.
func (c *clearCheck) changed(p pathPair, b, a value.Value) {
	marks, _ := marksAt(c.old, p.old, b)
	if marks == 0 {
		c.added(p.new, a)
		return
	}
	_, every := marksAt(c.new, p.new, a)
	if value.OwnTag(b) == vaultTag && !isVault(a) && every&value.Secret == 0 {
		c.unlocked(p, a)
	} else if !protects(marks, every) {
		c.lost(p, marks, a)
	} else {
		c.pinned(p, b, a)
	}
}

// protects reports whether a value with the marks every in all its parts may take the place of one
// with the marks old in some part. A secret stays in an encrypted file; the text of a sensitive
// value may also go to one.
func protects(old, every value.Marks) bool {
	return every&value.Secret != 0 || old&value.Secret == 0 && every != 0
}

// lost records a value without the marks of the one that was in its place, if the edit wrote it.
func (c *clearCheck) lost(p pathPair, marks value.Marks, a value.Value) {
	c.eachLeaf(p.new, a, func(at value.Path, leaf value.Value) {
		if _, every := marksAt(c.new, at, leaf); protects(marks, every) {
			return
		}
		if span, into, ok := c.written(at); ok {
			c.found = append(c.found, exposure{path: at, marks: marks, from: c.definition(p.old), at: span, into: into, text: plainText(leaf)})
		}
	})
}

// plainText returns the text of a scalar.
func plainText(v value.Value) string {
	text, _ := secretText(v)
	return text
}

// vaultTag is the tag of texts that Ansible encrypts, and vaultHead the beginning of such a text.
const (
	vaultTag  = "!vault"
	vaultHead = "$ANSIBLE_VAULT;"
)

// isVault reports whether a value is a text that Ansible encrypted.
func isVault(v value.Value) bool {
	return value.OwnTag(v) == vaultTag && strings.HasPrefix(strings.TrimSpace(v.Str()), vaultHead)
}

// unlocked records a value in the place of one with the tag !vault: a tag by itself hides nothing in
// the file.
func (c *clearCheck) unlocked(p pathPair, a value.Value) {
	c.eachLeaf(p.new, a, func(at value.Path, leaf value.Value) {
		_, every := marksAt(c.new, at, leaf)
		if every != 0 && unrender.IsEvaluated(leaf) && marksIn(withSensitiveCalls(leaf)) == 0 {
			return // it reads another value with a mark
		}
		if span, into, ok := c.written(at); ok {
			c.found = append(c.found, exposure{path: at, marks: value.Secret, from: c.definition(p.old), at: span, into: into, text: plainText(leaf), vault: true})
		}
	})
}

// eachLeaf visits the scalars, templates and expressions in a value that are not null.
func (c *clearCheck) eachLeaf(p value.Path, v value.Value, visit func(at value.Path, leaf value.Value)) {
	switch {
	case isEmpty(v) || len(p) > value.MaxNesting:
	case v.Is(value.MapKind) && !expr.IsExpression(v.Map()):
		for k := range v.Map().Keys() {
			if item, ok, err := v.Map().Get(k); ok && err == nil {
				c.eachLeaf(p.With(k), item, visit)
			}
		}
	case v.Is(value.ListKind):
		for i := range v.List().Len() {
			if item, err := v.List().At(i); err == nil {
				c.eachLeaf(p.With(value.Index(i)), item, visit)
			}
		}
	default:
		visit(p, v)
	}
}

// marksIn returns the marks of all that can be computed in v.
func marksIn(v value.Value) value.Marks {
	marks, _ := value.DeepMarks(v)
	return marks
}

// marksAt returns the marks of any part of the value at a path of a document, evaluated, and those
// that every part has. raw is the value before it is evaluated.
func marksAt(d *engine.Document, p value.Path, raw value.Value) (some, every value.Marks) {
	some = marksIn(raw)
	v, err := evaluated(d, p)
	if err != nil {
		v = raw // its text counts
	}
	every = value.Sensitive | value.Secret
	_ = value.Walk(v, func(at value.Position, v value.Value, err error) error {
		marks := at.Marks | v.Marks()
		some |= marks
		if err != nil || v.IsScalar() {
			every &= marks
		}
		return nil
	})
	if raw.IsScalar() || raw.Is(value.MapKind) && expr.IsExpression(raw.Map()) {
		every |= marksOf(raw)
	}
	return some, every
}

// marksOf returns the marks of a scalar, or of the encrypted file that an expression is in.
func marksOf(raw value.Value) value.Marks {
	if raw.IsScalar() {
		return raw.Marks()
	}
	all := value.Secret
	_ = value.Walk(raw, func(_ value.Position, v value.Value, err error) error {
		if err != nil || v.IsScalar() {
			all &= v.Marks()
		}
		return nil
	})
	return all
}

// evaluated returns the evaluated value at a path of a document.
func evaluated(d *engine.Document, p value.Path) (value.Value, error) {
	d.Begin()
	e, err := d.Eval()
	if err != nil {
		return value.Null, err
	}
	v, _, err := e.Root().At(p).Value()
	return v, err
}

// definition returns the place that defines a value before the edit, if it is known.
func (c *clearCheck) definition(p value.Path) source.Span {
	facts, err := factsAt(c.old, p)
	if err != nil {
		return source.Span{}
	}
	for _, f := range facts {
		if f.Defines() {
			return f.At
		}
	}
	return source.Span{}
}

// written returns the place in a plain file that defines a value after the edit, and the name of
// the file, if the edit wrote it.
func (c *clearCheck) written(p value.Path) (at source.Span, into string, ok bool) {
	facts, err := factsAt(c.new, p)
	if err != nil {
		facts = nil
	}
	for _, f := range facts {
		if !f.Defines() || f.At.File == nil {
			continue
		}
		for _, patch := range c.patches {
			if c.isFile(f.At.File, patch.Path) {
				return f.At, patch.Name, patch.Touches(int(f.At.Start), int(f.At.End))
			}
		}
		return source.Span{}, "", false // in a file that is encrypted or that the edit does not change
	}
	return source.Span{}, c.patches[0].Name, true // nobody knows: the safe answer
}

// isFile reports whether f is the file at a path of the overlay.
func (x *session) isFile(f *source.File, path string) bool {
	return f.Path == path || f.Path != "" && x.Known(f.Path) == path || path == "-" && f.Name == "-"
}

// mayExpose reports whether the plans of a batch may write a secret, so that their result has to
// be checked. It is a quick answer for documents without directives, which are most.
func (b *batch) mayExpose() bool {
	if x := b.Source(b.Path); x.Secret {
		return false
	} else if len(b.given) > 0 || hasMarkWords(x.Text) {
		return true
	}
	for _, p := range b.plans {
		d := p.place.doc
		if d == nil {
			continue
		}
		raw, ok := b.before(p, p.place.path)
		if !ok || !holdsExpressions(raw) {
			continue
		}
		if some, _ := marksAt(d, p.place.path, raw); some != 0 {
			return true
		}
	}
	return false
}

// mayHide reports whether a file may have a value with a mark: it is encrypted, or it marks a value
// or reads another file. Most files do not, and need no comparison.
func mayHide(f *source.File) bool {
	return f.Secret || hasMarkWords(f.Text) || slices.ContainsFunc([]string{"lookup", "query", "{%", ".gpg", ".asc"}, func(word string) bool {
		return strings.Contains(f.Text, word)
	})
}

// hasMarkWords reports whether a text may mark a value as sensitive.
func hasMarkWords(text string) bool {
	return strings.Contains(text, "sensitive") || strings.Contains(text, "!vault")
}

// holdsExpressions reports whether an unevaluated value has an expression or a template in it.
func holdsExpressions(v value.Value) bool {
	found := false
	_ = value.Walk(v, func(_ value.Position, v value.Value, err error) error {
		if err != nil || unrender.IsEvaluated(v) {
			found = true
			return value.SkipAll
		}
		return nil
	})
	return found
}
