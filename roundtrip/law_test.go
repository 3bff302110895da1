package roundtrip_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/yamlnode"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// A tree is the data of a document with its anchors, tags and aliases.
type tree struct {
	Kind   yaml.Kind
	Scalar string
	Name   string // of the anchor or alias
	Tag    string
	Keys   []value.Key
	Kids   []*tree
}

func treeOf(n *yaml.Node) *tree {
	if n == nil {
		return &tree{Scalar: "null null"}
	}
	t := &tree{Kind: n.Kind}
	t.Name, t.Tag = n.Anchor, n.Tag
	if n.Kind == yaml.ScalarNode {
		t.Scalar = scalarText(n.Value)
	}
	for i := range n.Len() {
		if n.Kind == yaml.MapNode {
			e := n.Entries[i]
			t.Keys = append(t.Keys, e.Key)
			t.Kids = append(t.Kids, treeOf(e.Value))
		} else {
			t.Kids = append(t.Kids, treeOf(n.Items[i]))
		}
	}
	return t
}

func scalarText(v value.Value) string {
	if v.Is(value.StringKind) {
		return "string " + v.Str()
	}
	s, _ := value.Repr(v.WithoutSource())
	return v.Kind().String() + " " + s
}

// treeOfValue returns the tree of new data.
func treeOfValue(v value.Value) *tree {
	switch v.Kind() {
	case value.ListKind:
		t := &tree{Kind: yaml.SeqNode}
		for item := range value.Items(v.List()) {
			t.Kids = append(t.Kids, treeOfValue(item))
		}
		return t
	case value.MapKind:
		t := &tree{Kind: yaml.MapNode}
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k)
			t.Keys = append(t.Keys, k)
			t.Kids = append(t.Kids, treeOfValue(item))
		}
		return t
	}
	t := &tree{Scalar: scalarText(v)}
	if s := v.Source(); s != nil {
		t.Tag = s.Tag
	}
	return t
}

func (t *tree) equal(o *tree) bool {
	if t.Kind != o.Kind || t.Scalar != o.Scalar || t.Name != o.Name || t.Tag != o.Tag || len(t.Kids) != len(o.Kids) {
		return false
	}
	for i := range t.Kids {
		if len(t.Keys) > 0 && t.Keys[i] != o.Keys[i] || !t.Kids[i].equal(o.Kids[i]) {
			return false
		}
	}
	return true
}

// at returns the parent of the last key of a path and the position there, or -1.
func (t *tree) at(p value.Path) (*tree, int) {
	for depth, key := range p {
		i := t.index(key)
		if depth == len(p)-1 {
			return t, i
		}
		t = t.Kids[i]
	}
	return t, -1
}

func (t *tree) index(key value.Key) int {
	for i := range t.Kids {
		if t.Kind == yaml.MapNode && t.Keys[i] == key || t.Kind == yaml.SeqNode && value.Index(i) == key {
			return i
		}
	}
	return -1
}

// has reports whether a path exists.
func (t *tree) has(p value.Path) bool {
	for _, key := range p {
		i := t.index(key)
		if i < 0 {
			return false
		}
		t = t.Kids[i]
	}
	return true
}

// edited makes an edit in a tree, which the new text must be equal to.
func (t *tree) edited(e roundtrip.Edit) {
	parent, i := t.at(e.Path)
	key := e.Path[len(e.Path)-1]
	switch e.Op {
	case roundtrip.Delete:
		parent.take(i)
	case roundtrip.Set:
		was := parent.Kids[i]
		is := treeOfValue(e.Value)
		if was.Kind != yaml.AliasNode {
			is.Name = was.Name
		}
		if is.Tag == "" && was.Kind == yaml.ScalarNode && keepsTag(was.Tag, e.Value) {
			is.Tag = was.Tag
		}
		parent.Kids[i] = is
	case roundtrip.Insert:
		parent.put(place(parent, e, key), key, treeOfValue(e.Value))
	case roundtrip.Rename:
		parent.Keys[i] = e.Key
	case roundtrip.Move:
		kid := parent.take(i)
		if len(e.To) > 0 {
			t.receive(e, kid)
			return
		}
		to := len(parent.Kids)
		if e.Place.Where == roundtrip.First {
			to = 0
		}
		parent.put(to, key, kid)
	}
}

// receive adds a moved value at its target.
func (t *tree) receive(e roundtrip.Edit, kid *tree) {
	parent, _ := t.at(e.To)
	key := e.To[len(e.To)-1]
	parent.put(place(parent, e, key), key, kid)
}

func (t *tree) take(i int) *tree {
	kid := t.Kids[i]
	t.Kids = slices.Delete(t.Kids, i, i+1)
	if t.Kind == yaml.MapNode {
		t.Keys = slices.Delete(t.Keys, i, i+1)
	}
	return kid
}

func (t *tree) put(i int, key value.Key, kid *tree) {
	t.Kids = slices.Insert(t.Kids, i, kid)
	if t.Kind == yaml.MapNode {
		t.Keys = slices.Insert(t.Keys, i, key)
	}
}

func place(parent *tree, e roundtrip.Edit, key value.Key) int {
	if parent.Kind == yaml.SeqNode {
		for i := 0; ; i++ {
			if value.Index(i) == key {
				return i
			}
		}
	}
	switch e.Place.Where {
	case roundtrip.First:
		return 0
	case roundtrip.Before:
		return parent.index(e.Place.Key)
	case roundtrip.After:
		return parent.index(e.Place.Key) + 1
	}
	return len(parent.Kids)
}

// keepsTag reports whether the tag of a scalar stays for a new value.
func keepsTag(tag string, v value.Value) bool {
	switch tag {
	case "", "!!binary":
		return false
	case "!!int":
		return v.Is(value.IntKind)
	case "!!float":
		return v.Is(value.FloatKind)
	case "!!bool":
		return v.Is(value.BoolKind)
	case "!!null":
		return v.IsNull()
	}
	return v.Is(value.StringKind)
}

// without returns a path in a document from which an item or entry was removed, and false
// if the path leads to that.
func without(p value.Path, g target) (value.Path, bool) {
	taken, n := g.path, len(g.path)-1
	if len(p) <= n || !slices.Equal(p[:n], taken[:n]) {
		return p, true
	}
	if p[n] == taken[n] {
		return nil, false
	}
	if g.parent.Kind != yaml.SeqNode {
		return p, true
	}
	p = slices.Clone(p)
	for i := 0; ; i++ {
		switch value.Index(i) {
		case p[n]:
			return p, true
		case taken[n]:
			p[n] = before(p[n])
			return p, true
		}
	}
}

func before(index value.Key) value.Key {
	for i := 1; ; i++ {
		if value.Index(i) == index {
			return value.Index(i - 1)
		}
	}
}

// whole checks that a text has the data of the old one with one edit, and that another reader of YAML
// reads it alike.
func whole(t failer, name, before, after string, syntax roundtrip.Syntax, doc int, e roundtrip.Edit) {
	t.Helper()
	old, err := documents(name, before, syntax)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	docs, err := documents(name, after, syntax)
	if err != nil || len(docs) != len(old) {
		t.Errorf("%s: op %d at %s is not read: %v", name, e.Op, e.Path, err)
		return
	}
	for i := range docs {
		want := treeOf(old[i].Root)
		if i == doc {
			want.edited(e)
		}
		if !treeOf(docs[i].Root).equal(want) {
			t.Errorf("%s: op %d at %s gives other data:\n%s", name, e.Op, e.Path, after)
		}
	}
	if syntax.JSON {
		return
	}
	if at, differ := yamlnode.Differ(before, after, syntax.Options); differ {
		t.Errorf("%s: op %d at %s is read differently by yaml.v3 at %v:\n%s", name, e.Op, e.Path, at, after)
	}
}

// places returns the paths of all entries and items of a document, and their nodes.
func places(n *yaml.Node, p value.Path) []target {
	if n == nil {
		return nil
	}
	var out []target
	for i := range n.Len() {
		key, child := value.Index(i), (*yaml.Node)(nil)
		if n.Kind == yaml.MapNode {
			key, child = n.Entries[i].Key, n.Entries[i].Value
			if n.Entries[i].IsMerge() {
				continue
			}
		} else {
			child = n.Items[i]
		}
		at := append(p[:len(p):len(p)], key)
		out = append(out, target{path: at, node: child, parent: n})
		out = append(out, places(child, at)...)
	}
	return out
}

var newValues = []string{
	"5", "text", "two words", "'5'", "'- x'", `"a\nb\n"`, `"a\nb"`, "''", "true", "null", "1.5", "'it''s'", `"\x01"`, "'a, b'", `'x: "y"'`,
	"[]", "{}", "[1, two]", "{a: 1, b: [2, {c: 3}]}", "[[1], {x: 2, z: 3}]", `{k: "a\nb\n"}`, `"\n"`, `" x\ny"`, `"a\n\n\n"`,
	"# above\n- 1 # beside\n- a: {b: 1} # c\n  # d\n  y: [2] # e\n",
}

// notes are the notes of new entries. There is none with a foot comment: once written it
// looks like any other comment.
var notes = []*value.Annotation{nil, {}, {Flow: true}, {Head: "# new", Line: "# new"}, {Head: "# new\n# and more", Flow: true}, {KeySpelling: "a new key"}}

func TestLawsYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { laws(t, genYAML(t), yamlSyntax) })
}

func TestLawsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { laws(t, genJSON(t), jsonSyntax) })
}

// TestLawsLarge does the same with texts that are verified in parts.
func TestLawsLarge(t *testing.T) {
	padding := "padding:\n" + strings.Repeat("  # nothing\n", 6000) + "  k: v\n"
	rapid.Check(t, func(t *rapid.T) {
		g := &generator{t: t, tricks: rapid.Bool().Draw(t, "tricks"), step: 2, dash: rapid.SampledFrom([]int{0, 2}).Draw(t, "dash")}
		laws(t, g.block(true, 0, 3)+padding, yamlSyntax)
	})
}

// laws checks the laws that hold for every text and every edit.
func laws(t *rapid.T, text string, syntax roundtrip.Syntax) {
	root := rootOf(t, text, syntax)
	all := places(root, nil)
	if len(all) == 0 {
		return
	}
	l := law{T: t, text: text, syntax: syntax}
	g := rapid.SampledFrom(all).Draw(t, "target")
	v := mustValue(t, rapid.SampledFrom(newValues).Draw(t, "value"))
	l.self(g)
	l.set(g, v)
	l.insert(g, v)
	l.edit(roundtrip.Edit{Op: roundtrip.Delete, Path: g.path})
	l.rename(g)
	l.move(g)
	l.moveTo(g, rapid.SampledFrom(all).Draw(t, "beside"))
}

func rootOf(t failer, text string, syntax roundtrip.Syntax) *yaml.Node {
	t.Helper()
	docs, err := documents("t", text, syntax)
	if err != nil {
		t.Fatalf("the text is not read: %v\n%q", err, text)
	}
	return docs[0].Root
}

// A law is about one text.
type law struct {
	*rapid.T
	text   string
	syntax roundtrip.Syntax
}

// edit makes an edit and checks the data of the new text. It returns false if the edit is
// refused because of an anchor.
func (l *law) edit(e roundtrip.Edit) (string, bool) {
	r, err := apply(l.text, l.syntax, 0, []roundtrip.Edit{e})
	var refusal *source.Refusal
	if errors.As(err, &refusal) && (refusal.Reason == source.AnchorInUse || l.keepsBreaks() || l.cannotMove(e, refusal)) {
		return "", false
	}
	if err != nil {
		l.Fatalf("op %d at %s %s: %v\n%q", e.Op, e.Path, scalarText(e.Value), err, l.text)
	}
	for _, w := range r.Warnings {
		if strings.Contains(w.Message, "written anew") && !l.keepsBreaks() {
			l.Fatalf("op %d at %s: %v\n%q", e.Op, e.Path, w, l.text)
		}
	}
	if e.Op == roundtrip.Move && strings.Count(r.Text, "#") != strings.Count(l.text, "#") {
		l.Fatalf("move %s to %s loses comments:\n%q\nbecomes\n%q", e.Path, e.To, l.text, r.Text)
	}
	whole(l, "text", l.text, r.Text, l.syntax, 0, e)
	if l.Failed() {
		l.Fatalf("op %d at %s\n%q\nbecomes\n%q", e.Op, e.Path, l.text, r.Text)
	}
	return r.Text, true
}

// cannotMove reports whether a move may be refused: flow style has no place for
// comments, and an anchor must precede its aliases.
func (l *law) cannotMove(e roundtrip.Edit, r *source.Refusal) bool {
	switch r.Reason {
	case source.LosesComments:
		return len(e.To) > 0 && strings.Contains(l.text, "#")
	case source.NotVerified:
		return len(e.To) > 0 && strings.Contains(l.text, "&")
	}
	return false
}

// keepsBreaks reports whether a block scalar of the text would include blank lines after
// it: then the collection is written anew, or the edit is refused.
func (l *law) keepsBreaks() bool { return strings.Contains(l.text, "|+") }

// back makes an edit that undoes another one.
func (l *law) back(changed string, e roundtrip.Edit) {
	r, err := apply(changed, l.syntax, 0, []roundtrip.Edit{e})
	if err != nil || r.Text != l.text {
		l.Fatalf("op %d at %s: %v\n%q\nbecame\n%q\nand then\n%q", e.Op, e.Path, err, l.text, changed, r.Text)
	}
}

// self: setting a value to itself changes nothing.
func (l *law) self(g target) {
	r, err := apply(l.text, l.syntax, 0, []roundtrip.Edit{{Op: roundtrip.Set, Path: g.path, Value: dataOf(g.node)}})
	if err != nil || len(r.Patches) > 0 {
		l.Fatalf("set %s to itself: %v\n%q\nbecomes\n%q", g.path, err, l.text, r.Text)
	}
}

// dataOf returns the data of a node.
func dataOf(n *yaml.Node) value.Value {
	switch n.Kind {
	case yaml.AliasNode:
		return dataOf(n.Target)
	case yaml.SeqNode:
		var items value.Slice
		for i := range n.Len() {
			items = append(items, dataOf(n.Items[i]))
		}
		return value.FromList(items)
	case yaml.MapNode:
		m := value.NewMap(n.Len())
		for i := range n.Len() {
			m.Set(n.Entries[i].Key, dataOf(n.Entries[i].Value))
		}
		return value.FromMap(m)
	}
	return n.Value
}

// set: the tree is the old one with the value, only the lines of the value change, and
// setting the old value restores the old bytes if both values have one form.
func (l *law) set(g target, v value.Value) {
	e := roundtrip.Edit{Op: roundtrip.Set, Path: g.path, Value: v}
	if !v.IsScalar() && g.node.Kind != yaml.ScalarNode {
		return // only differences are written, in the old order: see TestReconcile
	}
	if data := dataOf(g.node); v.IsScalar() && data.IsScalar() && scalarText(v) == scalarText(data) {
		return // an equal value changes nothing: see self
	}
	if g.node.Kind == yaml.AliasNode && !v.IsScalar() {
		return
	}
	changed, ok := l.edit(e)
	if !ok {
		return
	}
	l.sameLines(g, changed)
	now := nodeAt(rootOf(l, changed, l.syntax), g.path)
	if g.node.Kind == yaml.ScalarNode && hasOneForm(g.node) && now.Style == g.node.Style {
		l.back(changed, roundtrip.Edit{Op: roundtrip.Set, Path: g.path, Value: g.node.Value})
	}
}

// hasOneForm reports whether the form of a scalar follows from its data and style.
func hasOneForm(n *yaml.Node) bool {
	text := n.At.Text()
	switch n.Style {
	case yaml.Folded:
		return false
	case yaml.Plain:
		return text != "" && text != "~" && n.Tag == "" && !strings.ContainsAny(text, "\n\r{")
	case yaml.Literal:
		return n.Tag == "" && strings.TrimLeft(text, "|-")[0] != '+'
	}
	return n.Tag == "" && !strings.ContainsAny(text, "\n\r\\")
}

func nodeAt(n *yaml.Node, p value.Path) *yaml.Node {
	for _, key := range p {
		for _, g := range places(n, nil) {
			if len(g.path) == 1 && g.path[0] == key {
				n = g.node
				break
			}
		}
	}
	return n
}

// sameLines checks that all lines stay that are not lines of the value.
func (l *law) sameLines(g target, changed string) {
	at := g.node.At
	start := strings.LastIndexAny(l.text[:at.Start], ":-[{,\ufeff") // after the mark, which may be on an earlier line
	before := l.text[:strings.LastIndexByte(l.text[:max(start, 0)], '\n')+1]
	after := l.text[at.End:]
	after = after[strings.IndexByte(after+"\n", '\n'):]
	for strings.HasPrefix(strings.TrimLeft(after, " \r\n"), "#") {
		_, after, _ = strings.Cut(strings.TrimLeft(after, " \r\n"), "\n")
	}
	if !strings.HasPrefix(changed, before) || !strings.HasSuffix(changed, strings.TrimLeft(after, "\r\n")) {
		l.Fatalf("set %s changes other lines:\n%q\nbecomes\n%q", g.path, l.text, changed)
	}
}

// insert: deleting the inserted entry restores the old bytes.
func (l *law) insert(g target, v value.Value) {
	parent := g.path[:len(g.path)-1]
	e := roundtrip.Edit{Op: roundtrip.Insert, Value: v, Note: rapid.SampledFrom(notes).Draw(l.T, "note")}
	if g.parent.Kind == yaml.SeqNode {
		e.Path = append(parent[:len(parent):len(parent)], value.Index(rapid.IntRange(0, g.parent.Len()).Draw(l.T, "index")))
	} else {
		e.Path = append(parent[:len(parent):len(parent)], value.K("a new key"))
		e.Place = roundtrip.Position{Where: roundtrip.Where(rapid.IntRange(0, 3).Draw(l.T, "where")), Key: g.path[len(g.path)-1]}
	}
	if start := int(g.parent.At.Start); len(parent) == 0 || !l.beginsLine(start) {
		e.Note = nil // a comment at the start of the document or after a dash would stay
	}
	if changed, ok := l.edit(e); ok {
		l.back(changed, roundtrip.Edit{Op: roundtrip.Delete, Path: e.Path})
	}
}

// beginsLine reports whether only blanks precede an offset on its line.
func (l *law) beginsLine(at int) bool {
	return strings.TrimLeft(l.text[strings.LastIndexByte(l.text[:at], '\n')+1:at], " ") == ""
}

// rename: renaming back gives the old bytes, if the key has one form.
func (l *law) rename(g target) {
	if g.parent.Kind != yaml.MapNode {
		return
	}
	key := g.path[len(g.path)-1]
	to := value.K(rapid.SampledFrom([]string{"renamed", "5", "a b", "- x", "x: y", "it's", `"`, "<<"}).Draw(l.T, "key"))
	parent := g.path[:len(g.path)-1]
	changed, ok := l.edit(roundtrip.Edit{Op: roundtrip.Rename, Path: g.path, Key: to})
	if ok && (to.Text == "renamed" || to.Text == "a b") {
		l.back(changed, roundtrip.Edit{Op: roundtrip.Rename, Path: append(parent[:len(parent):len(parent)], to), Key: key})
	}
}

func (l *law) move(g target) {
	where := rapid.SampledFrom([]roundtrip.Where{roundtrip.First, roundtrip.Last}).Draw(l.T, "to")
	e := roundtrip.Edit{Op: roundtrip.Move, Path: g.path, Place: roundtrip.Position{Where: where}}
	if strings.ContainsAny(l.text, "&") {
		return // an anchor must precede its aliases
	}
	l.edit(e)
}

// moveTo: moving an entry next to another entry or item and back restores the old bytes,
// if its style can stay.
func (l *law) moveTo(g, beside target) {
	to, ok := without(beside.path, g)
	if !ok || isInside(to, g.path) {
		return
	}
	n := len(to) - 1
	e := roundtrip.Edit{Op: roundtrip.Move, Path: g.path, To: slices.Clone(to)}
	if beside.parent.Kind == yaml.MapNode {
		e.To[n] = value.K("a new key")
		e.Place = roundtrip.Position{Where: roundtrip.Where(rapid.IntRange(0, 3).Draw(l.T, "where to")), Key: to[n]}
	}
	changed, ok := l.edit(e)
	if !ok || !l.goesBack(g, beside) || isInside(g.path, e.To) {
		return
	}
	back := roundtrip.Edit{Op: roundtrip.Move, Path: e.To, To: g.path, Place: l.placeIn(g)}
	l.back(changed, back)
}

// isInside reports whether a path leads into the value at another one.
func isInside(p, outer value.Path) bool {
	return len(p) > len(outer) && slices.Equal(p[:len(outer)], outer)
}

// goesBack reports whether an entry can be written next to another one in its present
// form.
func (l *law) goesBack(g, beside target) bool {
	plain := !strings.ContainsAny(l.text, "#&") && !strings.Contains(l.text, "\n\n") && !strings.Contains(l.text, "\n\r\n")
	return plain && g.parent != beside.parent && g.parent.Len() > 1 && g.parent.Kind == beside.parent.Kind &&
		g.parent.Style == yaml.Block && beside.parent.Style == yaml.Block
}

// placeIn returns the place of an entry in its map.
func (l *law) placeIn(g target) roundtrip.Position {
	if g.parent.Kind != yaml.MapNode {
		return roundtrip.Position{}
	}
	last := g.parent.Len() - 1
	for i := range last {
		if g.parent.Entries[i].Key == g.path[len(g.path)-1] {
			return roundtrip.Position{Where: roundtrip.Before, Key: g.parent.Entries[i+1].Key}
		}
	}
	return roundtrip.Position{}
}
