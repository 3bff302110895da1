package lookup

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
)

// A puppetTree is a made-up tree with the facts of a node, and what Puppet answers for it.
type puppetTree struct {
	Files   map[string]string
	Facts   json.RawMessage
	Queries []struct {
		Key, Type      string
		Merge          json.RawMessage // a name, or a map with options
		Value          any
		Missing, Fails bool
	}
}

// puppetTrees returns the trees of a file of testdata.
func puppetTrees(t *testing.T, name string) (trees []puppetTree) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var tree puppetTree
		if err := json.Unmarshal(lines.Bytes(), &tree); err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees
}

// open writes the files of a tree and composes them.
func (p *puppetTree) open(t *testing.T) *bind.Table {
	t.Helper()
	name := "hiera.yaml"
	if _, ok := p.Files["site.yaml"]; ok {
		name = "site.yaml"
	}
	table, err := open(t, write(t, p.Files), name).Compose(facts(t, string(p.Facts)))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestPuppet: made-up trees give what Puppet gives (testdata/README.md).
func TestPuppet(t *testing.T) {
	for name, least := range map[string]int{"testdata/puppet.jsonl": 1300, "testdata/control.jsonl": 1000} {
		rows := 0
		for n, tree := range puppetTrees(t, name) {
			table := tree.open(t)
			for _, q := range tree.Queries {
				rows++
				r := request(t, q.Key)
				if len(q.Merge) > 0 {
					r.Merge = strategy(t, q.Merge)
				}
				if q.Type != "" {
					var err error
					if r.Type, err = types.Parse(q.Type); err != nil {
						t.Fatal(err)
					}
				}
				got := answer(table, r)
				want := map[bool]string{q.Missing: "missing", q.Fails: "fails"}[true]
				var data any
				if want != "" && got == want || want == "" && json.Unmarshal([]byte(got), &data) == nil && reflect.DeepEqual(data, q.Value) {
					continue
				}
				t.Errorf("%s: tree %d, %s %s: got %s, want %s%v", name, n+1, q.Key, q.Merge, got, want, q.Value)
			}
		}
		if rows < least {
			t.Errorf("%s: only %d rows", name, rows)
		}
	}
}

// strategy reads a strategy in JSON.
func strategy(t *testing.T, text []byte) *bind.Strategy {
	t.Helper()
	docs, findings := yaml.ParseJSON(source.NewFile("merge", string(text)), yaml.ParseOptions{})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	v, err := docs[0].Root.ToValue()
	if err != nil {
		t.Fatal(err)
	}
	s, err := bind.ParseStrategy(v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
