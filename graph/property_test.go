package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/yaytpl/yaytpl/value"
)

// A plain is data with markers, as text in the notation and as a tree.
type plain struct {
	kind  string // "map", "list", "scalar", "null", "delete", "null!"
	mark  string // of a map: "", "merge", "replace", "error"
	text  string // of a scalar
	keys  []string
	vals  map[string]*plain
	items []*plain
}

func (p *plain) String() string {
	var b strings.Builder
	switch p.kind {
	case "map":
		b.WriteString(strings.TrimLeft(p.mark+" {", " "))
		for _, k := range p.keys {
			fmt.Fprintf(&b, "%s: %s ", k, p.vals[k])
		}
		b.WriteString("}")
	case "list":
		b.WriteString("[")
		for _, it := range p.items {
			b.WriteString(it.String() + " ")
		}
		b.WriteString("]")
	case "scalar":
		return p.text
	default:
		return p.kind
	}
	return b.String()
}

var kinds = []string{"map", "map", "map", "list", "scalar", "scalar", "null", "delete", "null!"}

func drawPlain(t *rapid.T, depth int, kinds []string) *plain {
	p := &plain{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	if depth == 0 && (p.kind == "map" || p.kind == "list") {
		p.kind = "scalar"
	}
	switch p.kind {
	case "map":
		p.mark = rapid.SampledFrom([]string{"", "", "", "", "merge", "replace", "error"}).Draw(t, "mark")
		p.entries(t, depth, kinds)
	case "list":
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			item := drawPlain(t, depth-1, []string{"map", "list", "scalar", "scalar", "null"})
			item.mark = ""
			p.items = append(p.items, item)
		}
	case "scalar":
		p.text = rapid.SampledFrom([]string{"1", "2", "x", "true"}).Draw(t, "scalar")
	}
	return p
}

func (p *plain) entries(t *rapid.T, depth int, kinds []string) {
	p.vals = map[string]*plain{}
	for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3, rapid.ID[string]).Draw(t, "keys") {
		p.keys = append(p.keys, k)
		p.vals[k] = drawPlain(t, depth-1, kinds)
	}
}

func drawLayers(t *rapid.T, kinds []string) []*plain {
	return drawStack(t, rapid.IntRange(1, 4).Draw(t, "layers"), 3, kinds)
}

// drawStack draws n layers.
func drawStack(t *rapid.T, n, depth int, kinds []string) []*plain {
	layers := make([]*plain, n)
	for i := range layers {
		layers[i] = &plain{kind: "map"}
		layers[i].entries(t, depth, kinds)
	}
	return layers
}

func text(layers []*plain) string {
	var parts []string
	for _, l := range layers {
		parts = append(parts, l.String()+"\n")
	}
	return "\n---\n" + strings.Join(parts, "---\n")
}

// errForbidden is the error of the strategy "error".
type errForbidden struct{}

// join is the merge of the specification, word for word (merge, section 6).
func (b *plain) join(a *plain) *plain {
	r := &plain{kind: "map", vals: map[string]*plain{}}
	suppressed := map[string]bool{}
	for _, k := range a.keys {
		v, base := a.vals[k], b.vals[k]
		switch {
		case v.isMap() || v.kind == "null":
			strategy := v.strategy()
			if base != nil && base.isMap() {
				if strategy == "" {
					strategy = base.strategy()
				}
				switch strategy {
				case "", "merge":
					r.vals[k] = base
					if v.kind == "map" && (len(v.keys) > 0 || v.mark != "") {
						r.vals[k] = base.join(v)
					}
					continue
				case "error":
					panic(errForbidden{})
				}
			}
			switch strategy {
			case "whiteout":
				suppressed[k] = true
			case "nullout":
				r.vals[k] = &plain{kind: "null"}
			default:
				r.vals[k] = v
			}
		case v.kind == "list" && base != nil && base.kind == "list":
			r.vals[k] = base.joinList(v)
		default:
			r.vals[k] = v
		}
	}
	for _, k := range b.keys {
		if r.vals[k] == nil && !suppressed[k] {
			r.vals[k] = b.vals[k]
		}
		if r.vals[k] != nil {
			r.keys = append(r.keys, k)
		}
	}
	for _, k := range a.keys {
		if r.vals[k] != nil && b.vals[k] == nil {
			r.keys = append(r.keys, k)
		}
	}
	return r
}

func (p *plain) isMap() bool { return p.kind == "map" || p.kind == "delete" || p.kind == "null!" }

func (p *plain) strategy() string {
	switch p.kind {
	case "delete":
		return "whiteout"
	case "null!":
		return "nullout"
	}
	return p.mark
}

func (b *plain) joinList(a *plain) *plain {
	r := &plain{kind: "list", items: append([]*plain(nil), b.items...)}
next:
	for _, it := range a.items {
		if it.kind == "map" && len(it.keys) == 1 {
			for i, old := range r.items {
				if old.kind == "map" && len(old.keys) == 1 && old.keys[0] == it.keys[0] {
					r.items[i] = old.join(it)
					continue next
				}
			}
		}
		for _, old := range r.items {
			if old.equal(it) {
				continue next
			}
		}
		r.items = append(r.items, it)
	}
	return r
}

func (p *plain) equal(q *plain) bool {
	eq, err := value.Equal(p.data(), q.data())
	return err == nil && eq
}

// data returns the value of p alone: stray markers are removed.
func (p *plain) data() value.Value {
	switch p.kind {
	case "map":
		m := value.NewMap(0)
		for _, k := range p.keys {
			if p.vals[k].kind != "delete" {
				m.Set(value.K(k), p.vals[k].data())
			}
		}
		return value.FromMap(m)
	case "list":
		var s value.Slice
		for _, it := range p.items {
			s = append(s, it.data())
		}
		return value.FromList(s)
	case "scalar":
		return scalar(p.text)
	}
	return value.Null
}

// eager folds layers as the specification says; ok is false for an error.
func eager(layers []*plain) (v value.Value, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(errForbidden); !ok {
				panic(r)
			}
		}
	}()
	r := layers[0]
	for _, l := range layers[1:] {
		r = r.join(l)
	}
	return r.data(), true
}

func TestLazyFoldIsEagerMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { isEagerMerge(t, drawLayers(t, kinds)) })
}

// Many layers have an index, and neighbouring maps are folded at once.
func TestLazyFoldOfManyLayers(t *testing.T) {
	maps := slices.Concat(slices.Repeat([]string{"map"}, 12), kinds)
	rapid.Check(t, func(t *rapid.T) {
		isEagerMerge(t, drawStack(t, rapid.IntRange(9, 24).Draw(t, "layers"), 2, maps))
	})
}

func isEagerMerge(t *rapid.T, layers []*plain) {
	want, ok := eager(layers)
	if !ok {
		return // an error in a hidden layer need not be noticed
	}
	got, _, err := load(asT{t}, text(layers), MergeRule, Options{}).Root().Value()
	if err == nil {
		got, err = value.Plain(got)
	}
	if eq, _ := value.Equal(got, want); err != nil || !eq {
		g, _ := value.Repr(got)
		w, _ := value.Repr(want)
		t.Fatalf("%s\ngot  %s (%v)\nwant %s", text(layers), g, err, w)
	}
}

// asT lets a rapid test stand for a test.
type asT struct{ *rapid.T }

func (asT) Helper() {}

// The value of a place does not depend on earlier questions.
func TestOrderOfAsking(t *testing.T) {
	paths := []string{"a", "b", "c", "a.a", "a.b", "b.a", "b.b", "c.c", "a.b.c", ""}
	rapid.Check(t, func(t *rapid.T) {
		config := text(drawLayers(t, kinds))
		shared := load(asT{t}, config, MergeRule, Options{})
		for _, path := range rapid.Permutation(paths).Draw(t, "order") {
			got, err := shared.get(path)
			want, wantErr := load(asT{t}, config, MergeRule, Options{}).get(path)
			if got != want || (err == nil) != (wantErr == nil) {
				t.Fatalf("%s\n%s: got %s (%v), asked first %s (%v)", config, path, got, err, want, wantErr)
			}
		}
	})
}

func TestRawOfPlainDataIsItsValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := load(asT{t}, text(drawLayers(t, kinds)), MergeRule, Options{})
		want, err := f.get("")
		raw, _, rawErr := f.Root().Raw()
		if err != nil || rawErr != nil {
			return
		}
		if got, err := value.Repr(raw); err != nil || got != want {
			t.Fatalf("raw %s (%v), value %s", got, err, want)
		}
	})
}
