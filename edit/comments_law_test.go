package edit_test

import (
	"bytes"
	"context"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
)

// keyLine matches a line with a key in block style.
var keyLine = regexp.MustCompile(`^ *[a-z][A-Za-z_-]*:( [a-z0-9]+)?$`)

// withoutComments returns the data of a text as YAML, with expressions as they are written.
func withoutComments(t *testing.T, w workshop, text string) string {
	t.Helper()
	p, err := yaytpl.Open(context.Background(), []string{w.write("edited.yaml", text)}, yaytpl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var data strings.Builder
	if err := p.Render(&data, yaytpl.RenderOptions{NoComments: true, ExpandOnly: true, Reveal: true}); err != nil {
		t.Fatal(err)
	}
	return data.String()
}

// TestCommentsOfFiles edits comments in YAML files of other projects: without a change the text
// stays, and a comment line above a key is written above that key, and nowhere else.
func TestCommentsOfFiles(t *testing.T) {
	w := newWorkshop(t)
	kept, lost := 0, 0
	for i, f := range corpus(seeds()) {
		if f.JSON {
			continue
		}
		p, err := yaytpl.Open(context.Background(), []string{w.write("main.yaml", f.Text)}, yaytpl.Options{})
		if err != nil {
			continue
		}
		var shown bytes.Buffer
		if p.Render(&shown, yaytpl.RenderOptions{ExpandOnly: true, Reveal: true}) != nil {
			continue
		}
		restored := func(text string) string {
			t.Helper()
			e, err := edit.Restore(context.Background(), w.write("main.yaml", f.Text), source.NewFile("edited.yaml", text), yaytpl.Options{},
				edit.RestoreOptions{Options: edit.Options{Literal: true}, Comments: true})
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			for _, d := range e.Warnings {
				if strings.Contains(d.Message, "was not kept") {
					lost++
					t.Logf("%s: %s", f.Name, d.Message)
				}
			}
			return e.Files[0].Text
		}
		if got := restored(shown.String()); got != f.Text {
			t.Fatalf("%s: the text changed without an edit\n%s", f.Name, got)
		}
		lines := strings.Split(shown.String(), "\n")
		var keys []int
		for n, line := range lines {
			if keyLine.MatchString(line) {
				keys = append(keys, n)
			}
		}
		if len(keys) == 0 {
			continue
		}
		at := keys[rand.New(rand.NewSource(int64(i))).Intn(len(keys))]
		key := strings.TrimSpace(lines[at])
		before := lost
		edited := strings.Join(slices.Insert(lines, at, strings.Repeat(" ", len(lines[at])-len(key))+"# a new comment"), "\n")
		if withoutComments(t, w, edited) != withoutComments(t, w, shown.String()) {
			continue // the line is one of a block text
		}
		got := restored(edited)
		if lost > before {
			continue
		}
		kept++
		name, _, _ := strings.Cut(key, ":")
		found := regexp.MustCompile(`(?m)^ *# a new comment\r?\n[ -]*["']?` + name + `["']?:`).FindStringIndex(got)
		if found == nil {
			t.Fatalf("%s: no comment above %s\n%s", f.Name, name, got)
		}
		without := regexp.MustCompile(`(?m)^ *# a new comment\r?\n`).ReplaceAllString(got, "")
		onLine := regexp.MustCompile(`(?m)^[ -]*["']?` + name + `["']?:`).MatchString(f.Text)
		if without != f.Text && (onLine || !slices.Equal(strings.Fields(without), strings.Fields(f.Text))) { // in brackets it needs a line of its own
			t.Fatalf("%s: more than the comment above %s changed\n%s", f.Name, name, got)
		}
	}
	// A few files have a comment above "---" or inside of an item.
	if t.Logf("%d comments kept, %d not", kept, lost); lost > 3+kept/5 {
		t.Errorf("%d comments kept, %d not", kept, lost)
	}
}
