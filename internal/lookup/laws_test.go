package lookup

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestOrderOfLookups: what was looked up before changes no answer, and the explanation of a key has
// the answer of its lookup.
func TestOrderOfLookups(t *testing.T) {
	for _, name := range []string{"testdata/puppet.jsonl", "testdata/control.jsonl"} {
		for n, tree := range puppetTrees(t, name) {
			if n%3 > 0 {
				continue // writing the files takes long
			}
			var requests []bind.Request
			for _, q := range tree.Queries {
				r := request(t, q.Key)
				if len(q.Merge) > 0 {
					r.Merge = strategy(t, q.Merge)
				}
				requests = append(requests, r)
			}
			table := tree.open(t)
			names, _ := table.All() // none of a tree with errors
			for _, name := range names {
				requests = append(requests, RequestOf(name))
			}
			first := make([]string, len(requests))
			for i, r := range requests {
				first[i] = answer(table, r)
			}
			again := tree.open(t)
			for _, i := range rand.New(rand.NewSource(int64(n))).Perm(len(requests)) {
				r := requests[i]
				if got := explained(t, again, r); got != first[i] {
					t.Errorf("%s: tree %d, %s: %s, and in another order %s", name, n+1, r.Keys[0].Text, first[i], got)
				}
			}
		}
	}
}

// explained answers a request by its explanation.
func explained(t *testing.T, table *bind.Table, r bind.Request) string {
	t.Helper()
	a, err := table.Lookup(r)
	if err != nil {
		return "fails"
	}
	m := Explain(table, a, true).Value().Map()
	if v, ok, _ := m.Get(value.K("found")); ok && !v.Bool() {
		return "missing"
	}
	v, _, err := m.Get(value.K("value"))
	if err != nil {
		t.Fatal(err)
	}
	steps, _, err := m.Get(value.K("steps"))
	if err != nil {
		t.Fatal(err)
	}
	checkSteps(t, a, steps)
	return written(v)
}

// checkSteps: of a key that was found one source is set, or several are merged.
func checkSteps(t *testing.T, a bind.Answer, steps value.Value) {
	t.Helper()
	count := map[string]int{}
	items, err := value.ItemsOf(steps.List())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range items {
		status, _, _ := step.Map().Get(value.K("status"))
		count[status.Str()]++
	}
	merging := a.Merge != nil && a.Merge.Kind != bind.First
	if !merging && (count["set"] != 1 || count["merged"] > 0) || merging && (count["merged"] == 0 || count["over"] > 0) {
		t.Errorf("%s: the steps are %v", a.Key.Text, count)
	}
}

// TestOrderOfOperations: the order of the operations of a set changes neither values nor errors.
func TestOrderOfOperations(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	pick := func(words ...string) string { return words[r.Intn(len(words))] }
	composed, refused := 0, 0
	for range 120 {
		ops := make([]string, 2+r.Intn(6))
		for i := range ops {
			op := fmt.Sprintf("bind %s %s to %d", pick("", "", "override", "final", "Integer,"), pick("a", "b", "c"), r.Intn(9))
			if r.Intn(8) == 0 {
				op = fmt.Sprintf("bind abstract Integer, %s", pick("a", "b", "c"))
			}
			switch r.Intn(3) {
			case 0:
				op = fmt.Sprintf("when role %s { %s }", pick("web", "db"), op)
			case 1:
				op = fmt.Sprintf("when virtual true and role %s { %s }", pick("web", "db"), op)
			}
			ops[i] = op
		}
		want := outcome(t, ops)
		if strings.HasPrefix(want, "errors") {
			refused++
		} else {
			composed++
		}
		r.Shuffle(len(ops), func(i, j int) { ops[i], ops[j] = ops[j], ops[i] })
		if got := outcome(t, ops); got != want {
			t.Errorf("%s\nin another order\n%s\n%s", want, got, strings.Join(ops, "\n"))
		}
	}
	if composed < 15 || refused < 15 {
		t.Errorf("%d sites are composed, %d refused", composed, refused)
	}
}

// outcome returns the values of a site with operations, or the kinds of its errors.
func outcome(t *testing.T, ops []string) string {
	t.Helper()
	site := "site { categories { role => $role, virtual => $virtual } }\nbindings default {\n" + strings.Join(ops, "\n") + "\n}\n"
	table, err := open(t, write(t, map[string]string{"site.pp": site}), "site.pp").Compose(facts(t, `{"role": "web", "virtual": true}`))
	if err != nil {
		return "errors " + kinds(err)
	}
	var b strings.Builder
	for _, key := range []string{"a", "b", "c"} {
		fmt.Fprintf(&b, "%s: %s\n", key, ask(t, table, key, ""))
	}
	return b.String()
}

// kinds returns the kinds of all findings of an error, sorted.
func kinds(err error) string {
	var out []string
	for _, d := range source.Findings(err) {
		out = append(out, string(d.Code))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
