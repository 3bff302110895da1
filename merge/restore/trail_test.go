package restore

import (
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func path(keys ...string) value.Path {
	p := value.Path{}
	for _, k := range keys {
		p = append(p, value.K(k))
	}
	return p
}

func TestTrail(t *testing.T) {
	set := trailOf([]value.Path{path("a", "b"), path("c")})
	tests := []struct {
		p             value.Path
		meets, covers bool
	}{
		{path(), true, false},
		{path("a"), true, false},
		{path("a", "b"), true, true},
		{path("a", "b", "x"), true, true},
		{path("a", "x"), false, false},
		{path("c", "x", "y"), true, true},
		{path("d"), false, false},
	}
	for _, tt := range tests {
		if got := set.meets(tt.p); got != tt.meets {
			t.Errorf("meets %s: %v", tt.p, got)
		}
		if got := set.covers(tt.p); got != tt.covers {
			t.Errorf("covers %s: %v", tt.p, got)
		}
	}
	var none *trail
	if !none.isEmpty() || none.meets(path("a")) || none.covers(path("a")) || trailOf(nil).meets(path()) {
		t.Errorf("what is empty has something")
	}
	if !trailOf([]value.Path{{}}).covers(path("a")) {
		t.Errorf("the root does not cover all")
	}
}
