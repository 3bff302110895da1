package yaml_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestCommentPlaces checks the example at the top of comments.go.
func TestCommentPlaces(t *testing.T) {
	const text = `# 1

# 2
a: 1 # 3
# 4

# 5
b:
  # 6
  - c
  # 7
# 8
d: 2

# 9
`
	const want = "document: 1//9 a: 2/3/4 b: 5// c: 6//7 d: 8//"
	d := parse(t, text)[0]
	got := "document:" + places(d.Head, "", d.Foot)
	for _, e := range d.Root.Entries {
		got += " " + e.Key.Text + ":" + places(e.Head, e.Line, e.Foot)
		for _, item := range e.Value.Items {
			got += " " + item.Value.Str() + ":" + places(item.Head, item.Line, item.Foot)
		}
	}
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// places returns a head, line and foot comment without "#".
func places(head, line, foot string) string {
	return strings.ReplaceAll(fmt.Sprintf(" %s/%s/%s", head, line, foot), "# ", "")
}
