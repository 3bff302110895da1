package graph

import (
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
	"pgregory.net/rapid"
)

// A group of layers has the same result with an index as without.
func TestIndexedGroup(t *testing.T) {
	kinds := []string{"map", "map", "map", "map", "map", "map", "scalar", "null", "delete", "null!"}
	rapid.Check(t, func(t *rapid.T) {
		layers := make([]*plain, rapid.IntRange(2, 2*smallMap).Draw(t, "layers"))
		for i := range layers {
			layers[i] = &plain{kind: "map"}
			layers[i].entries(t, 3, kinds)
		}
		checkIndexed(t, load(asT{t}, text(layers), MergeRule, Options{}).Root(), 3)
	})
}

// checkIndexed compares both ways to look at a cell and at those below it.
func checkIndexed(t *rapid.T, c *Cell, depth int) {
	l, err := c.layers()
	if err != nil || l == nil || l.group == nil {
		return
	}
	checkRuns(t, c, l)
	for _, name := range []string{"a", "b", "c", "d"} {
		k := value.K(name)
		all, errAll := gather(c, k, l, nil)
		some, errSome := gather(c, k, l, indexKeys(l.members))
		if (errAll == nil) != (errSome == nil) {
			t.Fatalf("%s: %v, with an index %v", k.Text, errAll, errSome)
		}
		if !slices.EqualFunc(all.got, some.got, sameNode) || all.oldest != some.oldest || all.whole != some.whole {
			t.Fatalf("%s: %+v, with an index %+v", k.Text, all, some)
		}
		checkDecisive(t, c, k)
		if depth > 0 {
			checkIndexed(t, c.kid(k), depth-1)
		}
	}
}

// checkDecisive compares the entries that decide a key without a walk with what that finds.
func checkDecisive(t *rapid.T, c *Cell, k value.Key) {
	f, err := c.fold()
	if err != nil {
		return
	}
	check := func(in *layer, e *Entry) {
		if e == nil {
			return
		}
		w := walk{cell: c, key: k}
		l, _, err := w.under(c.layer)
		if err != nil || l == nil || l.node != e.Node || l.up != in {
			t.Fatalf("%s: the walk finds %+v, %v, and without it %+v in %+v decides", k.Text, l, err, e, in)
		}
	}
	check(f.decisive(k))
	check(c.layer.only(k))
	if v, ok, err := c.onlyConstant(k); ok {
		kept, there, kerr := c.kid(k).Value()
		if (err == nil) != (kerr == nil) || err == nil && (!there || !value.IsSame(v, kept)) {
			t.Fatalf("%s: the constant is %v, %v, its cell has %v, %v", k.Text, v, err, kept, kerr)
		}
	}
}

func gather(c *Cell, k value.Key, l *layer, index *keyIndex) (gathering, error) {
	g := gathering{walk: &walk{cell: c, key: k, rule: l.rule}, group: l}
	err := g.all(index)
	g.walk, g.next = nil, 0
	return g, err
}

func sameNode(a, b *layer) bool {
	if a.group == nil || b.group == nil {
		return a.node == b.node && a.group == b.group
	}
	return slices.EqualFunc(a.members, b.members, sameNode)
}

// checkRuns compares folding one by one with folding runs of maps at once.
func checkRuns(t *rapid.T, c *Cell, l *layer) {
	var shapes []foldResult
	for _, m := range l.members {
		f, err := c.foldMember(l, m)
		if err != nil {
			return
		}
		shapes = append(shapes, f)
	}
	j := join{cell: c, rule: l.rule}
	want, errWant := j.all(shapes)
	got, errGot := j.all(joinRuns(shapes))
	if (errWant == nil) != (errGot == nil) {
		t.Fatalf("one by one: %v, runs: %v", errWant, errGot)
	}
	if errWant == nil && (want.kind != got.kind || want.strategy != got.strategy || !slices.EqualFunc(want.maps, got.maps, sameNode)) {
		t.Fatalf("one by one: %+v, runs: %+v", want, got)
	}
}

// The second table at the top of layers.go.
func TestEffectsAddUp(t *testing.T) {
	table := [][]effect{
		nothing: {nothing, joins, yields, hides, nothing, yields},
		yields:  {yields, joins, yields, yields, nothing, yields},
		joins:   {joins, joins, joins, joins, joins, joins},
		hides:   {hides, hides, hides, hides, hides, hides},
	}
	for newer, row := range table {
		for older, want := range row {
			g := gathering{whole: effect(newer)}
			if g.join(effect(older)); g.whole != want {
				t.Errorf("%d over %d is %d, want %d", newer, older, g.whole, want)
			}
		}
	}
}

// The example at the top of layers.go.
func TestLookUpKey(t *testing.T) {
	runRows(t, MergeRule, []row{
		{"the first scalar", "server: {port: 1, host: a}\n---\nserver: {port: 80}\n---\nserver: null", "server.port", "80"},
		{"a key of the oldest", "server: {port: 1, host: a}\n---\nserver: {port: 80}\n---\nserver: null", "server.host", "'a'"},
		{"a whiteout", "server: {port: 1, host: a}\n---\nserver: delete\n---\nserver: null", "server.port", "missing"},
	})
	c := notation("server: {port: 1, host: a}\n---\nserver: {port: 80}\n---\nserver: null", MergeRule)
	server := New(t.Context(), c.layers, Options{}).Root().kid(value.K("server"))
	l, err := server.layers()
	if err != nil {
		t.Fatal(err)
	}
	port, _ := gather(server, value.K("port"), l, nil)
	host, _ := gather(server, value.K("host"), l, nil)
	if len(l.members) != 3 || len(port.got) != 1 || !port.got[0].ends(l.rule) || len(host.got) != 1 || host.whole != joins {
		t.Errorf("%d members, port %+v, host %+v", len(l.members), port, host)
	}
}
