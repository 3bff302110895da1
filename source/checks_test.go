package source

import (
	"slices"
	"testing"
)

func TestParseChecks(t *testing.T) {
	for _, c := range []struct {
		settings []string
		hint     string // "" for no error
	}{
		{nil, ""},
		{[]string{"list-repeat=off", "kind-change = error"}, ""},
		{[]string{"list-repeat"}, levelHint},
		{[]string{"list-repaet=off"}, `did you mean "list-repeat"?`},
		{[]string{"kind-change=eror"}, `did you mean "error"?`},
		{[]string{"kind-change="}, levelHint},
	} {
		_, err := ParseChecks(c.settings)
		d := AsDiagnostic(err, Span{}, Internal)
		if (d == nil) != (c.hint == "") || d != nil && (d.Code != Usage || d.Hint != c.hint) {
			t.Errorf("%q: %v (%v), want the hint %q", c.settings, err, d, c.hint)
		}
	}
}

func TestApply(t *testing.T) {
	checks, err := ParseChecks([]string{"kind-change=error", "list-twin=off", "list-twin=warning", "no-match=off"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	warn := checks.Filter(func(d *Diagnostic) { got = append(got, string(d.Code)+" "+d.Severity.String()) })
	for _, code := range []Code{KindChange, ListTwin, NoMatch, Suspicious} {
		warn(Warnf(Span{}, code, "x"))
	}
	warn(Errorf(Span{}, NoMatch, "x"))
	if want := []string{"kind-change error", "list-twin warning", "suspicious warning", "no-match error"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Every kind with a level is one of the table, and JoinKinds are among them.
func TestWarnings(t *testing.T) {
	for _, code := range append(JoinKinds(), Warnings()...) {
		if !slices.Contains(Warnings(), code) || !slices.ContainsFunc(Codes(), func(i CodeInfo) bool { return i.Code == code }) {
			t.Errorf("%s", code)
		}
	}
}
