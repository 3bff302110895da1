package edit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"pgregory.net/rapid"
)

// A batch of edits has the same result as the edits one after the other. No place is set
// twice, since only its last value counts in a batch.
func TestEditsTogetherAndApart(t *testing.T) {
	texts := []string{
		"web:\n  +include: base.yaml\n  own: 1  # mine\nl: [x, y]\n",
		"tmpl: {port: 80, q: {r: 1}}\nweb: {+/tmpl: , own: 1}\nl: [x, y]\n",
		"web: {port: 80, q: {r: 1}, list: [a]}\n# the list\nl:\n- x\n- y\n",
		"web: &x {port: 80, list: [a]}\nl: [x, y]\nother: *x\n",
	}
	pool := []string{
		"web.port=81", "web.port=82", "-web.port", "web.q.r=2", "web.q={r: 3, s: 1}", "-web.q", "web.list+=b", "web.own=2",
		"web.w=1", "-web.w", "web.host=z", "l+=z", "-l[0]", "l[0]=w", "l[1]=v", "l>k", "new.key=1", "new.other=2", "-new", "web.port=80",
	}
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(r, "text")
		edits := rapid.SliceOfNDistinct(rapid.SampledFrom(pool), 1, 6, func(edit string) string {
			path, _, _ := strings.Cut(edit, "=")
			return path
		}).Draw(r, "edits")
		eo := edit.Options{
			To:           rapid.SampledFrom([]edit.Target{edit.Override, edit.Source}).Draw(r, "to"),
			AllowChanges: rapid.Bool().Draw(r, "allowed"),
		}
		base := "host: a\nport: 80\nlist: [a]\nq: {r: 1}\n"
		together, err := edited(t, text, base, eo, edits...)
		apart := [2]string{text, base}
		var apartErr error
		for _, e := range edits {
			if apart, apartErr = edited(t, apart[0], apart[1], eo, e); apartErr != nil {
				break
			}
		}
		if (err == nil) != (apartErr == nil) || err == nil && together != apart {
			r.Fatalf("%q\nto %d in\n%s\ntogether %q, %v\napart    %q, %v", edits, eo.To, text, together, err, apart, apartErr)
		}
	})
}

// edited makes edits in a main.yaml next to a base.yaml, and returns both texts.
func edited(t testing.TB, text, base string, eo edit.Options, edits ...string) ([2]string, error) {
	t.Helper()
	out := [2]string{text, base}
	changed, err := editTree(t, "main.yaml", map[string]string{"main.yaml": text, "base.yaml": base}, eo, edits...)
	for i, name := range []string{"main.yaml", "base.yaml"} {
		if text, ok := changed[name]; ok {
			out[i] = text
		}
	}
	return out, err
}

// The error of many edits names the one that cannot be made; none is made.
func TestManyEdits(t *testing.T) {
	var text, list strings.Builder
	text.WriteString("web: {+include: base.yaml}\n")
	for i := range 300 {
		fmt.Fprintf(&text, "k%d: {v: %d}\n", i, i)
		fmt.Fprintf(&list, "- {op: set, path: k%d.v, value: %d}\n", i, i+1)
	}
	files := map[string]string{"main.yaml": text.String(), "base.yaml": "port: 80\n", "edits.yaml": list.String()}
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := yaytpl.Options{Dir: dir, NoEnv: true}
	edits, err := edit.ReadList(context.Background(), "edits.yaml", o)
	if err != nil || len(edits) != 300 {
		t.Fatalf("%d edits, %v", len(edits), err)
	}
	e, err := edit.Apply(context.Background(), "main.yaml", edits, o, edit.Options{})
	if err != nil || !strings.Contains(e.Files[0].Text, "k299: {v: 300}\n") || !strings.HasPrefix(e.Files[0].Text, "web: {+include: base.yaml}\nk0: {v: 1}\n") {
		t.Errorf("%v\n%s", err, e.Files[0].Text)
	}
	edits[200].Path = "k200.v.w"
	_, err = edit.Apply(context.Background(), "main.yaml", edits, o, edit.Options{})
	if err == nil || !strings.Contains(err.Error(), "edits.yaml:201:3: no \"w\" in k200.v") {
		t.Errorf("%v, want the edit of line 201", err)
	}
}
