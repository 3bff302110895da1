package expr

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// TestWalkReachesEveryPart of the nodes that only Yay has.
func TestWalkReachesEveryPart(t *testing.T) {
	name := func(s string) Node { return &Name{Name: s} }
	n := &Else{
		X: &For{Key: name("a"), Item: name("b"), Clauses: []ForClause{
			{Names: []string{"i"}, In: name("c"), Ifs: []Node{name("d"), name("e")}},
			{Names: []string{"j"}, In: name("f")},
		}},
		Y: name("g"),
	}
	seen := ""
	Walk(n, func(n Node) bool {
		if n, ok := n.(*Name); ok {
			seen += n.Name
		}
		return true
	})
	if seen != "abcdefg" {
		t.Errorf("visited %q", seen)
	}
}

func TestWalkFindsWhatIsRead(t *testing.T) {
	n, err := Compile(parseJSON(t, `{"eval": {"if": "::a[b=c]", "then": "{{ x }}"}, "vars": {"v": {"eval": "::d"}}, "foreach": {"key": "e", "value": "f"}}`), source.Span{})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	Walk(n, func(n Node) bool {
		if p, ok := n.(*Path); ok {
			paths = append(paths, p.String())
		}
		return true
	})
	if got := strings.Join(paths, " "); got != "::a[b=c] b=c ::d e f" {
		t.Errorf("paths read: %q", got)
	}
}
