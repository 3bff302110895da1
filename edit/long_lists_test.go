package edit_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// In a list of many items, each with a comment, one item is inserted at the front and one removed at the end. Only
// their lines change, and each comment stays with its item.
func TestLongListsKeepComments(t *testing.T) {
	for _, n := range []int{20, 2010, 20_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			old := []string{"l:\n"}
			items := value.Slice{}
			edited := "l:\n"
			for i := range n {
				old = append(old, fmt.Sprintf("  - v%d # about %d\n", i, i))
				items = append(items, value.String(fmt.Sprint("v", i)))
			}
			items = slices.Insert(slices.Delete(items, n-2, n-1), 1, value.String("new"))
			for _, v := range items {
				edited += "- " + v.Str() + "\n"
			}
			want := slices.Insert(slices.Delete(slices.Clone(old), n-1, n), 2, "  - new\n")

			ctx := context.Background()
			o := yaytpl.Options{Dir: tree(t, map[string]string{"main.yaml": strings.Join(old, "")}), NoEnv: true}
			set, err := edit.Apply(ctx, "main.yaml", []edit.Edit{{Path: "l", Value: value.FromList(items)}}, o, edit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			restored, err := edit.Restore(ctx, "main.yaml", source.NewFile("edited.yaml", edited), o, edit.RestoreOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for way, text := range map[string]string{"set": set.Files[0].Text, "restore": restored.Files[0].Text} {
				if lines := slices.Collect(strings.Lines(text)); !slices.Equal(lines, want) {
					t.Errorf("%s: %d lines of %d are other ones", way, differing(lines, want), len(want))
				}
			}
		})
	}
}

// differing returns the number of lines that are not the same at the same place.
func differing(a, b []string) int {
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
