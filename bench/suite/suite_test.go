package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// TestSuite reads all texts of the suite with the command. It fails for a text with a wrong outcome
// that known.go does not list, and for one that known.go lists and that is right.
func TestSuite(t *testing.T) {
	t.Chdir("..") // the root of the bench module
	command, err := programs.OfCheckout("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	texts, err := suiteTexts()
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 402 {
		t.Errorf("the suite has %d texts", len(texts))
	}
	ours := []reader{commandReader(command, filepath.Join(t.TempDir(), "in.yaml"))}
	results := readAll(texts, ours)
	if _, err := report(texts, ours, results); err != nil {
		t.Errorf("%v\n%s", err, wrongOutcomes(texts, ours, results))
	}
	for i, text := range texts {
		if r := results[i][0].outcome; knownDeviation(text.name) != nil && (r == right || r == read) {
			t.Errorf("known.go lists %s, which is %s", text.name, r)
		}
	}
}

// TestKnown requires that each name of known.go is a text, and is listed once.
func TestKnown(t *testing.T) {
	t.Chdir("..")
	texts, err := suiteTexts()
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, d := range deviations {
		for name := range strings.FieldsSeq(d.texts) {
			listed[name]++
		}
	}
	for _, text := range texts {
		if n := listed[text.name]; n > 1 {
			t.Errorf("%s is listed %d times", text.name, n)
		}
		delete(listed, text.name)
	}
	for name := range listed {
		t.Errorf("the suite has no text %s", name)
	}
}

func TestJudge(t *testing.T) {
	documents := func(docs ...any) func(string) ([]any, error) {
		return func(string) ([]any, error) { return docs, nil }
	}
	fails := func(string) ([]any, error) { return nil, errors.New("no") }
	data, err := jsonDocuments(`{"a": [1, 2.50, null], "": "x"} "2001-12-14"`)
	if err != nil {
		t.Fatal(err)
	}
	first := map[any]any{"a": []int{1}, nil: "x"}
	date := time.Date(2001, 12, 14, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name string
		text text
		read func(string) ([]any, error)
		want outcome
	}{
		{"same data", text{hasData: true, data: data}, documents(map[string]any{"a": []any{uint64(1), 2.5, nil}, "": "x"}, date), right},
		{"other value", text{hasData: true, data: data}, documents(first, date), otherData},
		{"fewer documents", text{hasData: true, data: data}, documents(data[0]), otherData},
		{"no documents", text{hasData: true}, documents(), right},
		{"a number is no text", text{hasData: true, data: []any{"1"}}, documents(1), otherData},
		{"valid, refused", text{hasData: true}, fails, refused},
		{"without data", text{}, documents(1), read},
		{"invalid", text{invalid: true}, fails, right},
		{"invalid, accepted", text{invalid: true}, documents(1), accepted},
		{"panic", text{}, func(string) ([]any, error) { return nil, errors.New(panicPrefix + "x") }, panicked},
	}
	for _, tt := range tests {
		if got := tt.text.judge(tt.read); got.outcome != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got.outcome, tt.want)
		}
	}
}

// TestPanic requires that a library that panics is an outcome, not the end of the program.
func TestPanic(t *testing.T) {
	r := library("x", nil)
	if _, err := r.read("a"); err == nil || !strings.HasPrefix(err.Error(), panicPrefix) {
		t.Errorf("err = %v", err)
	}
}

func TestWriteBetween(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("a\n<!-- x -->\nold\n<!-- end -->\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeBetween(page, "<!-- x -->\n", "new\n", "<!-- end -->"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(page); string(got) != "a\n<!-- x -->\n\nnew\n\n<!-- end -->\nb\n" {
		t.Errorf("page = %q", got)
	}
	if writeBetween(page, "<!-- y -->\n", "", "<!-- end -->") == nil {
		t.Error("a page without the line is accepted")
	}
}
