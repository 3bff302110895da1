package roundtrip_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A tree is the data of a document with what plain data leaves out.
type tree struct {
	Kind   roundtrip.Kind
	Scalar string
	Name   string // of the anchor or alias
	Tag    string
	Keys   []value.Key
	Kids   []*tree
}

func treeOf(n roundtrip.Node) *tree {
	if n == nil {
		return &tree{Scalar: "null null"}
	}
	t := &tree{Kind: n.Kind()}
	t.Name, _ = n.Anchor()
	t.Tag, _ = n.Tag()
	if n.Kind() == roundtrip.Scalar {
		t.Scalar = scalarText(n.Scalar())
	}
	for i := range n.Len() {
		if n.Kind() == roundtrip.Map {
			e := n.Entry(i)
			t.Keys = append(t.Keys, e.Key)
			t.Kids = append(t.Kids, treeOf(e.Value))
		} else {
			t.Kids = append(t.Kids, treeOf(n.Item(i)))
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
		t := &tree{Kind: roundtrip.List}
		for item := range value.Items(v.List()) {
			t.Kids = append(t.Kids, treeOfValue(item))
		}
		return t
	case value.MapKind:
		t := &tree{Kind: roundtrip.Map}
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k)
			t.Keys = append(t.Keys, k)
			t.Kids = append(t.Kids, treeOfValue(item))
		}
		return t
	}
	return &tree{Scalar: scalarText(v)}
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
		if t.Kind == roundtrip.Map && t.Keys[i] == key || t.Kind == roundtrip.List && value.Index(i) == key {
			return i
		}
	}
	return -1
}

// edited makes an edit in a tree: what the text must read as.
func (t *tree) edited(e roundtrip.Edit) {
	parent, i := t.at(e.Path)
	key := e.Path[len(e.Path)-1]
	switch e.Op {
	case roundtrip.Delete:
		parent.Kids = append(parent.Kids[:i:i], parent.Kids[i+1:]...)
		if parent.Keys != nil {
			parent.Keys = append(parent.Keys[:i:i], parent.Keys[i+1:]...)
		}
	case roundtrip.Set:
		was := parent.Kids[i]
		is := treeOfValue(e.Value)
		if was.Kind != roundtrip.Alias {
			is.Name = was.Name
		}
		if keepsTag(was.Tag, e.Value) {
			is.Tag = was.Tag
		}
		parent.Kids[i] = is
	case roundtrip.Insert:
		at := place(parent, e, key)
		parent.Kids = append(parent.Kids[:at:at], append([]*tree{treeOfValue(e.Value)}, parent.Kids[at:]...)...)
		if parent.Kind == roundtrip.Map {
			parent.Keys = append(parent.Keys[:at:at], append([]value.Key{key}, parent.Keys[at:]...)...)
		}
	}
}

func place(parent *tree, e roundtrip.Edit, key value.Key) int {
	if parent.Kind == roundtrip.List {
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

// whole reads a text and demands that it is the old one with one edit.
func whole(t testing.TB, name, before, after string, syntax roundtrip.Syntax, doc int, e roundtrip.Edit) {
	t.Helper()
	old, err := syntax.Parse(source.NewFile(name, before))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	docs, err := syntax.Parse(source.NewFile(name, after))
	if err != nil || len(docs) != len(old) {
		t.Errorf("%s: op %d at %s is not read: %v", name, e.Op, e.Path, err)
		return
	}
	for i := range docs {
		want := treeOf(old[i].Root())
		if i == doc {
			want.edited(e)
		}
		if !treeOf(docs[i].Root()).equal(want) {
			t.Errorf("%s: op %d at %s gives other data", name, e.Op, e.Path)
		}
	}
}
