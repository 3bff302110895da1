package programs

import "testing"

func TestVersionIn(t *testing.T) {
	for answer, want := range map[string]string{
		"jq-1.6\n": "1.6",
		"Jsonnet commandline interpreter (Go implementation) v0.22.0\n": "0.22.0",
		"cue version v0.17.1\n\ngo version go1.26.8\n":                  "0.17.1",
		"yq (https://github.com/mikefarah/yq/) version v4.54.1":         "4.54.1",
		"ytt version 0.52.0": "0.52.0",
		"no version":         "of unknown version",
	} {
		if got := versionIn(answer); got != want {
			t.Errorf("versionIn(%q) = %q, want %q", answer, got, want)
		}
	}
}
