package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/value"
)

// someMap returns a random map of few different keys and values.
func someMap(r *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for range r.IntN(4) {
		values := []any{1.0, "1", true, nil, "", []any{1.0}, []any{1.0, 2.0}, map[string]any{}}
		v := values[r.IntN(len(values))]
		if depth > 0 && r.IntN(3) == 0 {
			v = someMap(r, depth-1)
		}
		m[string(rune('a'+r.IntN(3)))] = v
	}
	return m
}

// contains is the meaning of +match (spec: everyday, B5).
func contains(doc, want any) bool {
	m, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(doc, want)
	}
	of, ok := doc.(map[string]any)
	for k, v := range m {
		there, has := of[k]
		ok = ok && has && contains(there, v)
	}
	return ok
}

// TestMatchLaw compares documents of random streams, over which layers with +match lie, with what +match
// means.
func TestMatchLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		var base, over strings.Builder
		var docs, matches []map[string]any
		for range 1 + r.IntN(12) {
			docs = append(docs, someMap(r, 2))
			text, _ := json.Marshal(docs[len(docs)-1])
			fmt.Fprintf(&base, "---\n%s\n", text)
		}
		for i := range 1 + r.IntN(30) {
			matches = append(matches, someMap(r, 2))
			text, _ := json.Marshal(matches[i])
			fmt.Fprintf(&over, "---\n+?match: %s\nhit-%d: 1\n", text, i)
		}
		p, err := open(t, engine.Options{}, map[string]string{"base.yaml": base.String(), "over.yaml": over.String()}, "base.yaml", "over.yaml")
		if err != nil || len(p.Documents()) != len(docs) {
			t.Fatalf("round %d: %v\n%s\n%s", round, err, base.String(), over.String())
		}
		for i, d := range p.Documents() {
			v, err := d.Value()
			if err != nil {
				t.Fatal(err)
			}
			for k, m := range matches {
				_, hit, err := v.Map().Get(value.K(fmt.Sprintf("hit-%d", k)))
				if err != nil || hit != contains(docs[i], m) {
					t.Errorf("round %d: %v lies over %v: %v, %v", round, m, docs[i], hit, err)
				}
			}
		}
	}
}
