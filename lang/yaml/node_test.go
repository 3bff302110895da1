package yaml_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// TestSharedListsAreVisitedOnce: walks recognise a list that several aliases share, even
// if it has comments and styles.
func TestSharedListsAreVisitedOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString("l0: &l0 [{a: 1}] # first\n")
	for i := range 60 {
		fmt.Fprintf(&b, "l%d: &l%d [*l%d, *l%d] # both\n", i+1, i+1, i, i)
	}
	docs, diags := yaml.Parse(source.NewFile("t.yaml", b.String()), yaml.ParseOptions{})
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	v, err := docs[0].Root.ToValue()
	if err != nil {
		t.Fatal(err)
	}
	if marks, err := value.DeepMarks(v); marks != 0 || err != nil {
		t.Errorf("DeepMarks = %v, %v", marks, err)
	}
}

// TestMergedListsAreBounded: "<<" with a list of empty maps copies nothing, but takes
// time, so it counts.
func TestMergedListsAreBounded(t *testing.T) {
	text := "l: &l [" + strings.Repeat("{},", 1200) + "]\nx:\n" + strings.Repeat("- {<<: *l}\n", 1200)
	docs, diags := yaml.Parse(source.NewFile("t.yaml", text), yaml.ParseOptions{})
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	if _, err := docs[0].Root.ToValue(); !errors.Is(err, source.ErrLimit) {
		t.Errorf("ToValue gives %v, want a limit", err)
	}
}
