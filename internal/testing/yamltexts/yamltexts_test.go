package yamltexts

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestStream requires that equal seeds give equal texts, and that an independent reader finds the
// data of the texts that it can read.
func TestStream(t *testing.T) {
	read := 0
	for seed := range uint64(800) {
		text, docs := Stream(seed)
		if again, _ := Stream(seed); again != text || len(docs) == 0 {
			t.Fatalf("seed %d: %d documents, %q and %q", seed, len(docs), text, again)
		}
		var node yaml.Node
		if strings.ContainsAny(text, "\t&*%") || yaml.Unmarshal([]byte(text), &node) != nil || node.Kind == 0 {
			continue
		}
		read++
		if root := docs[0].Root; root != nil && !isSame(node.Content[0], root) {
			t.Errorf("seed %d: other data in\n%s", seed, text)
		}
	}
	if read < 50 {
		t.Errorf("%d texts are read", read)
	}
}

func isSame(n *yaml.Node, want *Node) bool {
	switch want.Kind {
	case Scalar:
		return n.Kind == yaml.ScalarNode && n.Value == want.Text
	case List:
		if n.Kind != yaml.SequenceNode || len(n.Content) != len(want.Items) {
			return false
		}
		for i, item := range want.Items {
			if !isSame(n.Content[i], item) {
				return false
			}
		}
	case Map:
		if n.Kind != yaml.MappingNode || len(n.Content) != 2*len(want.Items) {
			return false
		}
		for i, item := range want.Items {
			if !isSame(n.Content[2*i], want.Keys[i]) || !isSame(n.Content[2*i+1], item) {
				return false
			}
		}
	}
	return true
}

// TestSimple requires that simple texts have no odd parts.
func TestSimple(t *testing.T) {
	for seed := range uint64(200) {
		text, doc := Simple(seed)
		if doc.Root.Kind != Map && doc.Root.Kind != List || strings.HasPrefix(text, "%") || strings.Contains(text, "\n? ") {
			t.Errorf("seed %d:\n%s", seed, text)
		}
	}
}
