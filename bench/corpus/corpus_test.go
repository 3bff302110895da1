package main

import (
	"fmt"
	"reflect"
	"testing"
)

func TestReached(t *testing.T) {
	profile := "mode: set\na.go:1.2,3.4 2 1\na.go:5.1,6.2 1 0\nb.go:1.1,2.2 11 1\n"
	want := statementSet{"a.go:1.2,3.4 2": true, "b.go:1.1,2.2 11": true}
	if got := reached([]byte(profile)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPick(t *testing.T) {
	set := func(blocks ...string) statementSet {
		s := statementSet{}
		for _, b := range blocks {
			s[b] = true
		}
		return s
	}
	inputs := []input{
		{"known", set("k")},
		{"two", set("a", "b")},
		{"three", set("a", "b", "c", "k")},
		{"other", set("d")},
		{"twin", set("d")},
	}
	for _, test := range []struct {
		keep int
		want string
	}{
		{0, "[]"},
		{1, "[three]"},
		{9, "[three other]"},
	} {
		names := []string{}
		for _, in := range pick(inputs, set("k"), test.keep) {
			names = append(names, in.path)
		}
		if got := fmt.Sprint(names); got != test.want {
			t.Errorf("keep %d: %s, want %s", test.keep, got, test.want)
		}
	}
}
