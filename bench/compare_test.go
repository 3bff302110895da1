//go:build unix

package main

import "testing"

func TestDifference(t *testing.T) {
	tests := []struct {
		name, a, b string
		equal      bool
	}{
		{"order of keys", `{"a": 1, "b": [true, null]}`, "b: [true, null]\na: 1\n", true},
		{"spelling of numbers", `[1.0, 100]`, "[1, 1e2]", true},
		{"string and number", `{"a": "1"}`, "a: 1", false},
		{"an additional key", `{"a": 1}`, "{a: 1, b: 2}", false},
		{"order of items", `[1, 2]`, "[2, 1]", false},
		{"null and a missing key", `{"a": null}`, "{}", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := decode([]byte(tt.a), jsonForm)
			if err != nil {
				t.Fatal(err)
			}
			b, err := decode([]byte(tt.b), yamlForm)
			if err != nil {
				t.Fatal(err)
			}
			if got := difference("", a, b) == nil; got != tt.equal {
				t.Errorf("equal is %v, want %v", got, tt.equal)
			}
		})
	}
}
