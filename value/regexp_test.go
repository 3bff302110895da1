package value_test

import (
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestRegexpSteps(t *testing.T) {
	for _, tt := range []struct {
		text        string
		least, most int // steps for 1,000 bytes
	}{
		{"a", 100, 1000},
		{"^[a-z]+$", 500, 2000},
		{"(?:a?){500}b", 60_000, 130_000},
		{"(?:(?:a{10}){10}){10}", 120_000, 130_000},
	} {
		re, err := value.CompileRegexp(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := re.Steps(1000); got < tt.least || got > tt.most {
			t.Errorf("%s: %d steps, want %d to %d", tt.text, got, tt.least, tt.most)
		}
		if again := re.Steps(2000); again < 2*re.Steps(1000)-2 || again > 2*re.Steps(1000)+2 {
			t.Errorf("%s: %d steps for twice the text", tt.text, again)
		}
	}
	if _, err := value.CompileRegexp("a("); err == nil {
		t.Error("no error for a group that is open")
	}
}
