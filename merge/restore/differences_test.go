package restore

import (
	"slices"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestDifferencesAreInOrder(t *testing.T) {
	k := value.K
	one, two := value.Int(1), value.Int(2)
	a := mapOf(k("z"), one, k("y"), mapOf(k("b"), one, k("a"), one), k("x"), value.ListOf(one, one), k("w"), one)
	b := mapOf(k("z"), two, k("y"), mapOf(k("b"), two, k("a"), two), k("x"), value.ListOf(one, two), k("new"), one)
	got, err := Differences(a, b)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range got {
		texts = append(texts, p.String())
	}
	if want := []string{"z", "y.b", "y.a", "x[1]", "w", "new"}; !slices.Equal(texts, want) {
		t.Errorf("the differences are %v, want %v", texts, want)
	}
	if got, err = Differences(mapOf(k("a"), one, k("b"), one), mapOf(k("b"), one, k("a"), one)); len(got) > 0 || err != nil {
		t.Errorf("another order of keys differs: %v, %v", got, err)
	}
}
