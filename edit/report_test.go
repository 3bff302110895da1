package edit

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// sampleReport has a change that can be written, one that cannot, and secrets.
func sampleReport() *Report {
	base := source.NewFile("base.yaml", "port: 80\nhosts: [a, b]\n")
	main := source.NewFile("main.yaml", "web:\n  +include: base.yaml\n")
	keys := source.NewFile("keys.yaml.gpg", "password: hunter2\n")
	keys.Secret = true
	web := value.Path{value.K("web")}
	at := func(key string) value.Path { return append(web[:1:1], value.K(key)) }
	return &Report{Changes: []ReportChange{
		{
			Change:  value.Change{Path: at("port"), Old: value.Int(80), New: value.Int(8080), HasOld: true, HasNew: true},
			Defined: []source.Span{base.Span(6, 8)}, Through: []source.Span{main.Span(7, 27)},
			Override: "sets web.port in main.yaml", Source: "sets port in base.yaml",
		},
		{
			Change:  value.Change{Path: at("hosts"), Old: value.ListOf(value.String("a")), New: value.ListOf(), HasOld: true, HasNew: true},
			Defined: []source.Span{base.Span(16, 22), base.Span(0, 4)}, Through: []source.Span{main.Span(7, 27)},
			Reason: source.ListNotAppendable, Ways: []string{"leave --no-inline out", "--to=source changes base.yaml"},
		},
		{Change: value.Change{Path: at("password"), Old: value.String("hunter2").Mark(value.Secret), New: value.String("hunter3"), HasOld: true, HasNew: true}, Reason: source.NotVerified},
		{Change: value.Change{Path: at("token"), New: value.String("hunter4"), HasNew: true}, Defined: []source.Span{keys.Span(10, 17)}, Reason: source.SourceReadonly},
		{Change: value.Change{Path: at("gone"), Old: value.Float(math.Inf(1)), HasOld: true}, Reason: source.SharedSource},
		{Change: value.Change{Path: at("call"), New: value.String("{{ 'hunter5' | sensitive }}"), HasNew: true}},
	}}
}

func TestReportText(t *testing.T) {
	var b strings.Builder
	if err := sampleReport().WriteText(&b, false); err != nil {
		t.Fatal(err)
	}
	want := `~ web.port: 80 -> 8080
  defined   base.yaml:1:7
  through   +include: base.yaml in main.yaml:2:3
  override  sets web.port in main.yaml
  source    sets port in base.yaml
~ web.hosts: ["a"] -> []
  defined   base.yaml:2:8
  defined   base.yaml:1:1
  through   +include: base.yaml in main.yaml:2:3
  conflict  list-not-appendable: items that a directive puts into a list can only be changed by expanding it
  way out   leave --no-inline out
  way out   --to=source changes base.yaml
~ web.password: "*****" -> "*****"
  conflict  not-verified: no edit of the file produces this value
+ web.token: "*****"
  defined   keys.yaml.gpg:1:11
  conflict  source-readonly: its definition is read-only
- web.gone: .inf
  conflict  shared-source: other values use the same definition
+ web.call: "<<REDACTED>>"
`
	if b.String() != want {
		t.Errorf("WriteText wrote\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := sampleReport().WriteText(&b, true); err != nil || strings.Count(b.String(), "hunter") != 4 {
		t.Errorf("revealed: %v\n%s", err, b.String())
	}
	b.Reset()
	if err := (&Report{}).WriteText(&b, false); err != nil || b.String() != "nothing changes\n" {
		t.Errorf("empty: %v %q", err, b.String())
	}
}

func TestReportJSON(t *testing.T) {
	got, err := sampleReport().JSON(false)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"changes":[` +
		`{"path":"web.port","old":80,"new":8080,"defined":[{"file":"base.yaml","line":1,"col":7}],"through":[{"file":"main.yaml","line":2,"col":3}],` +
		`"override":"sets web.port in main.yaml","source":"sets port in base.yaml"},` +
		`{"path":"web.hosts","old":["a"],"new":[],"defined":[{"file":"base.yaml","line":2,"col":8},{"file":"base.yaml","line":1,"col":1}],"through":[{"file":"main.yaml","line":2,"col":3}],` +
		`"reason":"list-not-appendable","ways":["leave --no-inline out","--to=source changes base.yaml"]},` +
		`{"path":"web.password","old":"*****","new":"*****","defined":[],"through":[],"reason":"not-verified"},` +
		`{"path":"web.token","new":"*****","defined":[{"file":"keys.yaml.gpg","line":1,"col":11}],"through":[],"reason":"source-readonly"},` +
		`{"path":"web.gone","old":".inf","defined":[],"through":[],"reason":"shared-source"},` +
		`{"path":"web.call","new":"<<REDACTED>>","defined":[],"through":[]}]}`
	if string(got) != want {
		t.Errorf("JSON =\n%s\nwant\n%s", got, want)
	}
	if empty, err := (&Report{}).JSON(false); err != nil || string(empty) != `{"changes":[]}` {
		t.Errorf("empty: %s, %v", empty, err)
	}
}

func TestConflictError(t *testing.T) {
	var err error = &ConflictError{sampleReport()}
	want := `base.yaml:2:8: web.hosts cannot be changed from ["a"] to [] (list-not-appendable): items that a directive puts into a list can only be changed by expanding it [output]
web.password cannot be changed from "*****" to "*****" (not-verified): no edit of the file produces this value [output]
keys.yaml.gpg:1:11: web.token cannot be set to "*****" (source-readonly): its definition is read-only [output]
web.gone cannot be deleted (shared-source): other values use the same definition [output]`
	if err.Error() != want {
		t.Errorf("Error() =\n%s\nwant\n%s", err, want)
	}
	found := source.Findings(err)
	if len(found) != 4 || len(found[0].Notes) != 2 || found[0].Hint != "leave --no-inline out" {
		t.Errorf("Findings = %v", found)
	}
	var first *source.Diagnostic
	if !errors.As(err, &first) || first.Code != source.Output {
		t.Errorf("first finding: %v", first)
	}
}

// A conflict may be about a place that is in neither document.
func TestConflictOfNothing(t *testing.T) {
	c := ReportChange{Change: value.Change{Path: value.Path{value.K("a")}}, Reason: source.NotVerified}
	if got := c.complaint(); got != "a cannot be left out" {
		t.Errorf("%q", got)
	}
}

func TestReasonsHaveMeanings(t *testing.T) {
	for _, r := range []source.Reason{source.SharedSource, source.ListNotAppendable, source.SourceReadonly, source.RawIncluded, source.BaseRemoved, source.ResultOfExpr, source.NotVerified, source.NoSpelling, source.LosesComments} {
		if r.Meaning() == string(r) {
			t.Errorf("%s has no meaning", r)
		}
	}
}

func TestOnlyRefusedChangesAreConflicts(t *testing.T) {
	o := yaytpl.Options{Dir: t.TempDir(), Overlay: map[string]string{}}
	name := filepath.Join(o.Dir, "main.yay")
	o.Overlay[name] = "a: 1\nb: {{ a + 1 }}\nc: 3\n"
	edited := source.NewFile("edited.yaml", "a: 1\nb: 5\nc: 4\n")
	report, err := Preview(t.Context(), name, edited, o, RestoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Changes) != 2 || len(report.Conflicts()) != 1 {
		t.Errorf("ReportRestore: %d changes, %d conflicts, want 2 and 1", len(report.Changes), len(report.Conflicts()))
	}
	_, err = Restore(t.Context(), name, edited, o, RestoreOptions{})
	var conflict *ConflictError
	if !errors.As(err, &conflict) {
		t.Fatalf("RestoreFile: error %v, want a ConflictError", err)
	}
	for _, r := range []*Report{report, conflict.Report} {
		if c := r.Conflicts(); len(c) != 1 || c[0].Path.String() != "b" || c[0].Reason != source.ResultOfExpr {
			t.Errorf("conflicts: %v, want b (expression) alone", c)
		}
	}
}

func TestReadEdited(t *testing.T) {
	keys := crypto.New(crypto.Config{Mode: "native", KeyFile: "../fixtures/secrets/ann.key.asc"})
	dir := t.TempDir()
	plain := filepath.Join(dir, "edited.yaml")
	if err := os.WriteFile(plain, []byte("a: 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text string
		secret     bool
	}{
		{plain, "a: 1\n", false},
		{"-", "b: 2\n", false},
		{"../fixtures/secrets/secrets.yaml.gpg", "db:\n  user: shop\n  password: hunter2\n", true},
	}
	for _, test := range tests {
		o := yaytpl.Options{Stdin: strings.NewReader("b: 2\n"), Decrypter: keys}
		f, err := ReadDocument(context.Background(), test.name, o)
		if err != nil || f.Text != test.text || f.Secret != test.secret {
			t.Errorf("ReadEdited(%s) = %+v, %v", test.name, f, err)
		}
	}
	_, err := ReadDocument(context.Background(), filepath.Join(dir, "missing.yaml"), yaytpl.Options{})
	if !errors.Is(err, source.ErrAccess) {
		t.Errorf("a missing file: %v", err)
	}
}
