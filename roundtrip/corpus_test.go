package roundtrip_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/internal/testing/textfiles"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// tally counts the results of edits of real files.
type tally struct {
	odd                bool // texts that no program writes: the deletion of an insertion may leave other white space
	files, edits, anew int
	refused            map[source.Reason]int
	some               []string // refusals
}

// TestCorpus edits YAML and JSON files of other projects: it sets a scalar, deletes a key, adds a key. Only
// the lines of these and no other data may change.
func TestCorpus(t *testing.T) {
	n := tally{refused: map[source.Reason]int{}}
	for _, f := range long.Sample(textfiles.Corpus()) {
		n.file(t, f)
	}
	t.Logf("%d files, %d edits, %d with a block that was written anew, refused: %v", n.files, n.edits, n.anew, n.refused)
	for _, line := range n.some {
		t.Log(line)
	}
}

func (n *tally) file(t *testing.T, f textfiles.File) {
	syntax, name, text := yamlSyntax, f.Name, f.Text
	if f.JSON {
		syntax = jsonSyntax
	}
	docs, err := documents(name, text, syntax)
	if err != nil {
		return // not a text that can be edited
	}
	n.files++
	for i, doc := range docs {
		if i > 3 {
			break
		}
		for _, target := range targets(doc.Root) {
			for _, e := range target.edits() {
				n.edits++
				n.edit(t, name, text, syntax, i, target, e)
			}
		}
	}
}

// A target is a place of a document that is edited.
type target struct {
	path   value.Path
	node   *yaml.Node
	parent *yaml.Node
}

// targets picks some places of a document: the first, the last, and some between.
func targets(n *yaml.Node) []target {
	all := places(n, nil)
	const some = 5
	if len(all) > 3*some {
		middle := len(all) / 2
		all = append(append(all[:some:some], all[middle:middle+some]...), all[len(all)-some:]...)
	}
	return all
}

func (g target) edits() []roundtrip.Edit {
	key := g.path[len(g.path)-1]
	parent := g.path[:len(g.path)-1]
	m := value.NewMap(1)
	m.Set(value.K("a new key"), value.ListOf(value.Int(1), value.String("a\nb\n")))
	out := []roundtrip.Edit{
		{Op: roundtrip.Set, Path: g.path, Value: value.String("changed value")},
		{Op: roundtrip.Set, Path: g.path, Value: value.Int(12345)},
		{Op: roundtrip.Delete, Path: g.path},
		{Op: roundtrip.Move, Path: g.path, Place: roundtrip.Position{Where: roundtrip.First}},
	}
	if g.node.Kind == yaml.ScalarNode {
		out = append(out, roundtrip.Edit{Op: roundtrip.Set, Path: g.path, Value: value.FromMap(m)})
	}
	insert := roundtrip.Edit{Op: roundtrip.Insert, Path: g.path, Value: value.String("new")}
	if g.parent.Kind == yaml.MapNode {
		insert.Path = append(parent[:len(parent):len(parent)], value.K("a new key"))
		insert.Place = roundtrip.Position{Where: roundtrip.After, Key: key}
		out = append(out, roundtrip.Edit{Op: roundtrip.Rename, Path: g.path, Key: value.K("a new key")})
	}
	return append(out, insert)
}

func (n *tally) edit(t *testing.T, name, text string, syntax roundtrip.Syntax, doc int, g target, e roundtrip.Edit) {
	r, err := roundtrip.Apply(source.NewFile(name, text), syntax, doc, []roundtrip.Edit{e})
	var refusal *source.Refusal
	switch {
	case errors.As(err, &refusal):
		n.refused[refusal.Reason]++
		if refusal.Reason != source.AnchorInUse && len(n.some) < 40 {
			n.some = append(n.some, fmt.Sprintf("op %d at %s: %v", e.Op, e.Path, err))
		}
		return
	case err != nil:
		t.Errorf("%s: op %d at %s: %v", name, e.Op, e.Path, err)
		return
	}
	whole(t, name, text, r.Text, syntax, doc, e)
	for _, w := range r.Warnings {
		if strings.Contains(w.Message, "written anew") {
			n.anew++
			return
		}
	}
	if e.Op == roundtrip.Insert && !n.odd && !strings.Contains(text, "+\n") && len(r.Patches) == 1 {
		n.insertedAndDeleted(t, name, text, r.Text, syntax, doc, e.Path)
	}
	if e.Op != roundtrip.Move && e.Op != roundtrip.Rename && g.node.Kind == yaml.ScalarNode {
		n.lines(t, name, text, g, e, r)
	}
}

// insertedAndDeleted deletes an inserted entry, which restores the old text. Exceptions are
// block scalars that keep the line breaks after them, and one at the end of a text without
// a last line break, which gets another header.
func (n *tally) insertedAndDeleted(t *testing.T, name, text, changed string, syntax roundtrip.Syntax, doc int, p value.Path) {
	r, err := roundtrip.Apply(source.NewFile(name, changed), syntax, doc, []roundtrip.Edit{{Op: roundtrip.Delete, Path: p}})
	if err != nil || r.Text != text {
		t.Errorf("%s: deleting %s after it was inserted: %v", name, p, err)
	}
}

// lines checks that an edit changes only the lines of a scalar.
func (n *tally) lines(t *testing.T, name, text string, g target, e roundtrip.Edit, r roundtrip.Result) {
	at := g.node.At
	changed := 0
	for _, p := range r.Patches {
		for line := range strings.Lines(p.At.Text()) {
			blank := strings.TrimSpace(line) == "" || strings.TrimSpace(line)[0] == '#'
			if strings.HasSuffix(line, "\n") && !(e.Op == roundtrip.Delete && blank) {
				changed++
			}
		}
	}
	most := strings.Count(text[at.Start:at.End], "\n")
	if e.Op == roundtrip.Delete {
		most = 2 + strings.Count(text[g.begin(text):at.End], "\n") // the last line of the value, and a line of its own for the key
	}
	if changed > most {
		t.Errorf("%s: op %d at %s: %d lines are replaced, not %d:\n%q", name, e.Op, e.Path, changed, most, r.Patches)
	}
}

// begin returns the begin of the key of an entry, or of the dash of an item in block style.
func (g target) begin(text string) int {
	at := int(g.node.At.Start)
	if g.parent.Kind != yaml.MapNode {
		if dash := strings.LastIndexByte(text[:at], '-'); g.parent.Style == yaml.Block && dash >= 0 {
			return dash
		}
		if g.node.Tag != "" {
			at = min(at, int(g.node.TagAt.Start))
		}
		if g.node.Anchor != "" {
			at = min(at, int(g.node.AnchorAt.Start))
		}
		return at
	}
	for _, e := range g.parent.Entries {
		if e.Value == g.node {
			return int(e.KeyAt.Start)
		}
	}
	return at
}
