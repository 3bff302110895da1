package yaml_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/yamltexts"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestProductions requires that random texts, written by the productions of the specification, are
// read as the data that they intend. YAYTPL_TEXTS is the number of texts, by default 4000, and
// YAYTPL_SEED the first seed.
func TestProductions(t *testing.T) {
	first, texts := number(t, "YAYTPL_SEED", 0), number(t, "YAYTPL_TEXTS", 4000)
	wrong := 0
	for seed := first; seed < first+texts; seed++ {
		text, docs := yamltexts.Stream(uint64(seed))
		if problem := readingProblem(text, docs); problem != "" {
			t.Errorf("seed %d: %s:\n%s", seed, problem, text)
			if wrong++; wrong == 5 {
				return
			}
		}
	}
}

// number returns the number in an environment variable.
func number(t *testing.T, name string, otherwise int) int {
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

// readingProblem returns the first difference between the documents of a text and the intended ones,
// or "".
func readingProblem(text string, want []yamltexts.Document) string {
	docs, diags := yaml.Parse(source.NewFile("t.yaml", text), yaml.ParseOptions{NoTemplates: true})
	for _, d := range diags {
		if d.Severity == source.Error {
			return fmt.Sprintf("%s: %s [%s]", d.At, d.Message, d.Code)
		}
	}
	if len(docs) != len(want) {
		return fmt.Sprintf("%d documents, want %d", len(docs), len(want))
	}
	for i := range docs {
		if problem := nodeProblem(fmt.Sprintf("document %d", i), docs[i].Root, want[i].Root); problem != "" {
			return problem
		}
	}
	return ""
}

// nodeProblem returns the first difference between a node and the intended one, or "".
func nodeProblem(at string, got *yaml.Node, want *yamltexts.Node) string {
	switch {
	case got == nil && (want == nil || want.IsEmpty()):
		return ""
	case got == nil || want == nil:
		return fmt.Sprintf("%s: no node: %v, want %v", at, got == nil, want == nil)
	case got.Kind != nodeKinds[want.Kind]:
		return fmt.Sprintf("%s: kind %d, want %d", at, got.Kind, nodeKinds[want.Kind])
	case got.Anchor != want.Anchor:
		return fmt.Sprintf("%s: anchor %q, want %q", at, got.Anchor, want.Anchor)
	case got.Tag != want.Tag && !strings.HasPrefix(want.Tag, "!e!"):
		return fmt.Sprintf("%s: tag %q, want %q", at, got.Tag, want.Tag)
	case want.Kind == yamltexts.Alias && (got.Target == nil || got.Target.Anchor != want.Anchor):
		return fmt.Sprintf("%s: the alias %s refers to another node", at, want.Anchor)
	case want.Kind == yamltexts.Scalar:
		return scalarProblem(at, got.Value, want)
	case want.Kind == yamltexts.List && len(got.Items) != len(want.Items), want.Kind == yamltexts.Map && len(got.Entries) != len(want.Items):
		return fmt.Sprintf("%s: %d items and %d entries, want %d", at, len(got.Items), len(got.Entries), len(want.Items))
	}
	for i, item := range got.Items {
		if problem := nodeProblem(fmt.Sprintf("%s[%d]", at, i), item, want.Items[i]); problem != "" {
			return problem
		}
	}
	for i, e := range got.Entries {
		if problem := nodeProblem(fmt.Sprintf("%s key %d", at, i), e.KeyNode(), want.Keys[i]); problem != "" {
			return problem
		}
		if problem := nodeProblem(fmt.Sprintf("%s.%s", at, e.Key.Text), e.Value, want.Items[i]); problem != "" {
			return problem
		}
	}
	return ""
}

// nodeKinds are the kinds of the nodes that a reader returns.
var nodeKinds = map[yamltexts.Kind]yaml.Kind{
	yamltexts.Scalar: yaml.ScalarNode, yamltexts.List: yaml.SeqNode, yamltexts.Map: yaml.MapNode, yamltexts.Alias: yaml.AliasNode,
}

// plainValues are the plain scalars of generated texts that are not text.
var plainValues = map[string]value.Value{
	"": value.Null, "~": value.Null, "null": value.Null, "true": value.True, "False": value.False,
	"12": value.Int(12), "-7": value.Int(-7), "0x1F": value.Int(31), "0o17": value.Int(15), "0b1": value.Int(1),
	"1e3": value.Float(1000), "-.5": value.Float(-0.5), ".inf": value.Float(math.Inf(1)), "-.INF": value.Float(math.Inf(-1)),
}

func scalarProblem(at string, got value.Value, want *yamltexts.Node) string {
	expected := value.String(want.Text)
	if v, ok := plainValues[want.Text]; ok && want.Plain && want.Tag == "" {
		expected = v
	}
	if same, err := value.Equal(got, expected); err != nil || !same || got.Kind() != expected.Kind() {
		return fmt.Sprintf("%s: %v, want %v", at, shown(got), shown(expected))
	}
	return ""
}

func shown(v value.Value) string {
	s, err := value.Repr(v)
	if err != nil {
		return err.Error()
	}
	return s
}
