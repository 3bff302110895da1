package edit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
)

// exampleSession returns a session of the files in the comment at the top of batch.go, with
// its edits.
func exampleSession(t *testing.T) (*session, []Edit) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.yaml": "web:\n  +include: base.yaml\n  port: 81\nhosts: [a]\n",
		"base.yaml": "port: 80\ntls: {version: 3, check: true}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edits, err := ParseList(source.NewFile("edits.yaml", `
- {op: set, path: web.tls, value: {version: 2}}
- {op: delete, path: web.port}
- {op: append, path: hosts, value: b}
- {op: set, path: web.tls.version, value: 1}
- {op: delete, path: web.name}
`))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	o := yaytpl.Options{Dir: dir, NoEnv: true}
	x, err := newSession(ctx, "main.yaml", o.Engine(ctx, "main.yaml"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return x, edits
}

// The comment at the top of batch.go carries an example through a batch. This test runs the
// example and looks for each line of its output in the comment.
func TestBatchExample(t *testing.T) {
	x, edits := exampleSession(t)
	var got strings.Builder
	b, err := x.batch()
	for i := 0; err == nil && i < len(edits); i++ {
		if err = b.plan(edits[i], false); err != nil {
			fmt.Fprintf(&got, "edit %d  %v\n", i+1, err)
		}
	}
	fmt.Fprintf(&got, "draft   %s\n", compact(b.drafts[0].Root, true))
	for i, p := range b.plans {
		name := fmt.Sprintf("plan %d ", i+1)
		for _, way := range p.ways {
			fmt.Fprintf(&got, "%-7s %s\n", name, describeWay(way))
			name = ""
		}
	}
	for try := 1; ; try++ {
		err := b.writeFirstWays()
		if err == nil {
			fmt.Fprintf(&got, "try %d   equals the draft\n", try)
			break
		}
		_, paths, ok := strings.Cut(err.Error(), " at ")
		if !ok || try > 2 {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "try %d   differs from the draft at %s\n", try, strings.TrimSuffix(paths, " [output]"))
		for i, p := range b.plans {
			if p.wrong {
				p.ways = p.ways[1:]
				fmt.Fprintf(&got, "plan %d  %s\n", i+1, describeWay(p.ways[0]))
			}
		}
	}

	// The other batches: 4 and 5 together, 4 alone, 5 alone.
	if b, err = x.batch(); err == nil {
		if err = b.plan(edits[3], false); err == nil {
			err = b.plan(edits[4], false)
		}
	}
	const missing = `no "name" in web`
	if err == nil || err == errApart || !strings.Contains(err.Error(), missing) {
		t.Errorf("edits 4 and 5: %v", err)
	}
	if err := x.make(edits[3:4]); err != nil || x.Err() != nil {
		t.Error(err)
	}
	got.WriteString(x.result().Files[0].Text)
	if err := x.make(edits[4:]); err == nil || !strings.Contains(err.Error(), "edits.yaml:6:3: "+missing) {
		t.Errorf("edit 5: %v", err)
	}

	text, err := os.ReadFile("batch.go")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, _ := strings.Cut(string(text), "type batch struct")
	for line := range strings.Lines(got.String()) {
		if !strings.Contains(comment, "//\t"+line) {
			t.Errorf("the example in batch.go has no line %q", line)
		}
	}
}

// describeWay returns a way of one edit, in the form of the example.
func describeWay(way overlay.Edits) string {
	e := way[0].Edit
	switch e.Op {
	case roundtrip.Delete:
		return fmt.Sprintf("delete %s", e.Path)
	case roundtrip.Append:
		return fmt.Sprintf("append %s %s", e.Path, compact(e.Value, true))
	}
	return fmt.Sprintf("set %s %s", e.Path, compact(e.Value, true))
}
