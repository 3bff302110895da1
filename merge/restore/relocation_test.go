package restore

import (
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestRelocation(t *testing.T) {
	k := value.K
	one, two := value.Int(1), value.Int(2)
	inner := mapOf(k("x"), one, k("y"), two)
	before := mapOf(k("a"), inner, k("l"), value.ListOf(itemOf("p=1"), itemOf("q=2")), k("same"), one, k("b"), two)
	after := mapOf(k("renamed"), inner, k("l"), value.ListOf(itemOf("new=0"), itemOf("q=2"), itemOf("p=9")), k("same"), one)
	changed, err := differences(before, after)
	if err != nil {
		t.Fatal(err)
	}
	r := newRelocation(before, after, changed, false)
	tests := []struct {
		p     value.Path
		want  string
		found bool
	}{
		{path("a"), "renamed", true},
		{path("a", "x"), "renamed.x", true},
		{path("l"), "l", true},
		{value.Path{k("l"), value.Index(0)}, "l[2]", true},
		{value.Path{k("l"), value.Index(1), k("v")}, "l[1].v", true},
		{value.Path{k("l"), value.Index(7)}, "", false},
		{path("same"), "same", true},
		{path("b"), "b", true}, // its expected path
		{path("nowhere", "x"), "nowhere.x", true},
		{path(), ".", true},
	}
	for _, tt := range tests {
		got, found, err := r.of(tt.p)
		if err != nil || found != tt.found || found && got.String() != tt.want {
			t.Errorf("%s is at %s, %v, %v, want %s", tt.p, got, found, err, tt.want)
		}
	}
}
