package roundtrip_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/yamltexts"
	"github.com/yaytpl/yaytpl/source"
)

// TestProducedTexts edits random texts that the productions of YAML allow, each at some places: the
// intended data, no other changed lines, or a refusal with a reason. YAYTPL_TEXTS is the number of
// texts, by default 150, and YAYTPL_SEED the first seed.
func TestProducedTexts(t *testing.T) {
	first, texts := environmentNumber(t, "YAYTPL_SEED", 0), environmentNumber(t, "YAYTPL_TEXTS", 150)
	n := tally{odd: true, refused: map[source.Reason]int{}}
	wrong := 0
	for seed := first; seed < first+texts; seed++ {
		text, _ := yamltexts.Stream(uint64(seed))
		if seed%2 == 0 {
			text, _ = yamltexts.Simple(uint64(seed))
		}
		ok := t.Run(fmt.Sprint(seed), func(t *testing.T) { n.produced(t, text) })
		if !ok {
			t.Logf("seed %d:\n%s", seed, text)
			if wrong++; wrong == 5 {
				break
			}
		}
	}
	t.Logf("%d texts, %d edits, %d with a block that was written anew, refused: %v", n.files, n.edits, n.anew, n.refused)
}

// produced makes all edits at some places of a text, until one is wrong.
func (n *tally) produced(t *testing.T, text string) {
	docs, err := documents("t", text, yamlSyntax)
	if err != nil {
		return // not a text that can be edited
	}
	n.files++
	for i, doc := range docs {
		for _, target := range targets(doc.Root) {
			for _, e := range target.edits() {
				n.edits++
				if n.edit(t, "t", text, yamlSyntax, i, target, e); t.Failed() {
					return
				}
			}
		}
	}
}

// environmentNumber returns the number in an environment variable.
func environmentNumber(t *testing.T, name string, otherwise int) int {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
