package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/bench/internal/fidelity"
	"github.com/yaytpl/yaytpl/bench/programs"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/internal/testing/textfiles"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

var (
	fidelityAll  = flag.Bool("fidelity.all", false, "edit all files, also large ones")
	fidelityN    = flag.Int("fidelity.files", 0, "edit at most `N` files, which are spread over all (default: 400, or all with -fidelity.all)")
	fidelityTurn = flag.Int("fidelity.turn", 0, "edit other values than the turns before")
	fidelityDirs dirList
)

func init() {
	flag.Var(&fidelityDirs, "fidelity.dir", "edit the files below `DIR` instead of those of internal/testing/textfiles (repeatable)")
}

// A dirList is the value of a flag that may be repeated.
type dirList []string

func (l *dirList) String() string { return strings.Join(*l, ", ") }

func (l *dirList) Set(dir string) error {
	*l = append(*l, dir)
	return nil
}

// TestFidelity edits YAML and JSON files of other projects: those of internal/testing/textfiles, or of
// the directories of -fidelity.dir. Every edit must change only the expected lines and no other data, or
// be refused with a reason.
func TestFidelity(t *testing.T) {
	files, cases := fidelityFiles()
	if len(files) == 0 {
		t.Fatalf("no YAML or JSON below %s", fidelityDirs.String())
	}
	n := newFidelityCount(t.TempDir(), builtCommand(t))
	for i, f := range files {
		for _, text := range variants(f.Text, i) {
			n.file(t, f, text, cases)
		}
	}
	n.report(t)
}

// builtCommand builds yaytpl from this checkout and returns its path.
func builtCommand(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var ours programs.Program
	t.Run("build", func(t *testing.T) {
		t.Chdir("..") // the root of the bench module, where OfCheckout builds
		var err error
		if ours, err = programs.OfCheckout("", dir); err != nil {
			t.Fatal(err)
		}
	})
	return ours.Path
}

// fidelityFiles returns the files, and the maximum of cases of each operation in a file.
func fidelityFiles() ([]textfiles.File, int) {
	largest, files, cases := int64(50_000), 400, 1
	if *fidelityAll {
		largest, files, cases = 5_000_000, math.MaxInt, 3
	}
	if *fidelityN > 0 {
		files = *fidelityN
	}
	if len(fidelityDirs) == 0 {
		return textfiles.Sample(textfiles.Corpus(), files), cases
	}
	return textfiles.Sample(textfiles.Files(fidelityDirs, largest), files), cases
}

// variants returns a text and, depending on turn, the same text as other systems write it: with
// "\r\n", with a byte order mark, or without a line break at its end.
func variants(text string, turn int) []string {
	var other string
	switch turn % 4 {
	case 0:
		other = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	case 1:
		other = "\ufeff" + strings.TrimPrefix(text, "\ufeff")
	case 2:
		other = strings.TrimRight(text, "\r\n")
	}
	if other == "" || other == text {
		return []string{text}
	}
	return []string{text, other}
}

// A fidelityCount counts edits by their outcome.
type fidelityCount struct {
	dir           string // for the edited copies
	command       string // path of yaytpl
	files, edits  int
	through       int // edits that the command made as well
	back, respelt int // edits after which setting the old value restored the text, or spelled it differently
	anew          int // edits that rewrote a map or list, with a warning
	done          map[fidelity.Op]int
	refused       map[string]int    // by operation and reason
	examples      map[string]string // an edit for each reason, and for "anew"
	unread        map[string]int    // files and cases that were skipped, by reason
}

func newFidelityCount(dir, command string) *fidelityCount {
	return &fidelityCount{
		dir: dir, command: command,
		done: map[fidelity.Op]int{}, refused: map[string]int{}, examples: map[string]string{}, unread: map[string]int{},
	}
}

func (n *fidelityCount) report(t *testing.T) {
	t.Helper()
	t.Logf("%d texts, %d edits, %d of them with the command as well", n.files, n.edits, n.through)
	for _, op := range fidelity.Ops {
		t.Logf("%-7s %d done", op, n.done[op])
	}
	t.Logf("set back: %d to the same bytes, %d to another spelling", n.back, n.respelt)
	t.Logf("rewrote a map or list, with a warning: %d, such as %s", n.anew, n.examples["anew"])
	t.Logf("texts not read: %v", n.unread)
	for _, reason := range slices.Sorted(maps.Keys(n.refused)) {
		t.Logf("refused, %s: %d, such as %s", reason, n.refused[reason], n.examples[reason])
	}
	if n.edits == 0 {
		t.Error("no edit was made")
	}
}

// A fidelityEdit is a case with the texts and the edit for its test.
type fidelityEdit struct {
	fidelity.Case
	t    *testing.T
	name string // of the original file
	path string // of the copy
	text string // before the edit
	edit edit.Edit
}

// file makes the cases of a text.
func (n *fidelityCount) file(t *testing.T, f textfiles.File, text string, cases int) {
	read, err := fidelity.Read(text, f.JSON)
	if err != nil {
		n.unread["not read by the independent reader"]++
		return
	}
	path := filepath.Join(n.dir, "file"+filepath.Ext(f.Name))
	p, err := openText(t, path, text)
	if err != nil {
		n.unread[reasonOf(err)]++
		n.examples["text not read: "+reasonOf(err)] = fmt.Sprintf("%s: %v", f.Name, err)
		return
	}
	n.files++
	for _, c := range read.Cases(cases, *fidelityTurn) {
		if c.Op == fidelity.Set && !isReadAlike(t, p, c) {
			n.unread["read differently by the independent reader"]++
			continue
		}
		n.edits++
		e := fidelityEdit{Case: c, t: t, name: f.Name, path: path, text: text, edit: editOf(t, c)}
		n.one(&e)
	}
}

// isReadAlike reports whether yaytpl and the independent reader agree about the scalar of a case. The
// reader does not support all of YAML 1.2: it reads the key of {?a: 1}, the string "! 12" and empty
// documents differently.
func isReadAlike(t *testing.T, p *yaytpl.Project, c fidelity.Case) bool {
	t.Helper()
	if len(p.Documents()) != c.Documents() {
		return false
	}
	d := p.Documents()[c.Doc]
	v, err := d.Get(c.Pointer())
	if hasTemplate(c.Old.Text) {
		return true // yaytpl evaluates the template
	}
	same, _ := value.Equal(v, valueOf(t, c.Old))
	return err == nil && same
}

func hasTemplate(text string) bool {
	return strings.Contains(text, "{{") || strings.Contains(text, "{%")
}

// openText writes a text to a file and opens the file as a project.
func openText(t *testing.T, path, text string) (*yaytpl.Project, error) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return yaytpl.Open(t.Context(), []string{path}, yaytpl.Options{NoEnv: true})
}

// editOf returns the edit of a case.
func editOf(t *testing.T, c fidelity.Case) edit.Edit {
	t.Helper()
	path := c.Pointer()
	switch c.Op {
	case fidelity.Delete:
		return edit.Edit{Op: edit.Delete, Path: path}
	case fidelity.Rename:
		return edit.Edit{Op: edit.Rename, Path: path, Key: fidelity.NewKey}
	case fidelity.Append:
		return edit.Edit{Op: edit.Append, Path: path, Value: valueOf(t, c.Value)}
	}
	return edit.Edit{Op: edit.Set, Path: path, Value: valueOf(t, c.Value)}
}

func valueOf(t *testing.T, n *fidelity.Node) value.Value {
	t.Helper()
	switch n.Tag {
	case "!!int", "!!float", "!!bool", "!!null":
		v, err := yaytpl.ParseValue(n.Text)
		if err != nil {
			t.Fatalf("%q: %v", n.Text, err)
		}
		return v
	}
	return value.String(n.Text)
}

// reasonOf returns the reason of a refusal, or the code of another error.
func reasonOf(err error) string {
	var refusal *source.Refusal
	var d *source.Diagnostic
	switch {
	case errors.As(err, &refusal):
		return string(refusal.Reason)
	case errors.As(err, &d):
		return string(d.Code)
	}
	return "error without code"
}

// one makes and judges one edit.
func (n *fidelityCount) one(e *fidelityEdit) {
	text, warnings, err := e.apply(e.text, e.edit)
	if err != nil {
		reason := string(e.Op) + ": " + reasonOf(err)
		n.refused[reason]++
		n.examples[reason] = fmt.Sprintf("%s %s: %v", e.name, e.edit.Path, err)
		return
	}
	n.done[e.Op]++
	v := e.Judge(text)
	anew := slices.ContainsFunc(warnings, saysAnew)
	if anew {
		n.anew++
		n.examples["anew"] = fmt.Sprintf("%s %s %s", e.name, e.Op, e.edit.Path)
		v.Lines, v.Rest = "", ""
	}
	if v.Data != "" || v.Lines != "" || v.Rest != "" {
		e.t.Errorf("%s: %s %s:\ndata:  %s\nlines: %s\nrest:  %s\n%s", e.name, e.Op, e.edit.Path, v.Data, v.Lines, v.Rest, e.diff(text))
		return
	}
	if e.Op == fidelity.Set {
		e.checkGet(text)
	}
	if e.Op == fidelity.Set && !anew {
		n.setBack(e, text)
	}
	if n.edits%25 == 0 {
		n.through++
		e.throughCommand(n.command, text)
	}
}

func saysAnew(d *source.Diagnostic) bool { return strings.Contains(d.Message, "written anew") }

// apply writes a text to the copy, makes an edit of it, and returns the new text and the warnings.
func (e *fidelityEdit) apply(text string, one edit.Edit) (string, []*source.Diagnostic, error) {
	if err := os.WriteFile(e.path, []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	eo := edit.Options{}
	if e.Documents() > 1 {
		eo.Doc = &e.Doc
	}
	edited, err := edit.Apply(e.t.Context(), e.path, []edit.Edit{one}, yaytpl.Options{NoEnv: true}, eo)
	if err != nil {
		return "", nil, err
	}
	return edited.Files[0].Text, edited.Warnings, nil
}

func (e *fidelityEdit) diff(text string) string {
	diff := udiff.Unified("before", "after", e.text, text)
	const enough = 2000
	if len(diff) > enough {
		return diff[:enough] + "..."
	}
	return diff
}

// checkGet checks that the path of a set edit has the new value in the edited text.
func (e *fidelityEdit) checkGet(text string) {
	p, err := openText(e.t, e.path, text)
	if err != nil {
		e.t.Errorf("%s: after setting %s: %v", e.name, e.edit.Path, err)
		return
	}
	d, err := p.Only(e.Doc)
	if err != nil {
		e.t.Errorf("%s: %v", e.name, err)
		return
	}
	got, err := d.Get(e.edit.Path)
	if hasTemplate(e.Value.Text) {
		return // yaytpl evaluates the template
	}
	if same, _ := value.Equal(got, e.edit.Value); err != nil || !same {
		e.t.Errorf("%s: %s was set to %q, but get returns %v, %v", e.name, e.edit.Path, e.Value.Text, got, err)
	}
}

// setBack sets the old value again. If the old value was spelled as yaytpl would spell it, the
// original text must result.
func (n *fidelityCount) setBack(e *fidelityEdit, text string) {
	edit := e.edit
	edit.Value = valueOf(e.t, e.Old)
	back, _, err := e.apply(text, edit)
	switch {
	case err == nil && back == e.text:
		n.back++
	case err == nil && !e.isSpeltPlainly():
		n.respelt++
	default:
		e.t.Errorf("%s: setting %s back: %v\n%s", e.name, edit.Path, err, udiff.Unified("before", "after", e.text, back))
	}
}

var plainly = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9/-]*( [A-Za-z0-9/-]+)*|[1-9][0-9]*)$`)

// oldWords are strings that readers of YAML 1.1 take for booleans. yaytpl quotes them.
var oldWords = []string{"yes", "no", "on", "off", "y", "n"}

// isSpeltPlainly reports whether the old value has only one spelling, apart from quotes.
func (e *fidelityEdit) isSpeltPlainly() bool {
	text := e.Old.Text
	return e.Old.Style != fidelity.Block && strings.Contains(e.text, text) &&
		plainly.MatchString(text) && !slices.Contains(oldWords, strings.ToLower(text))
}

// throughCommand makes the edit with the command, which must print the text want.
func (e *fidelityEdit) throughCommand(path, want string) {
	if err := os.WriteFile(e.path, []byte(e.text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	c := yaytplEditor{path}.command(e.t.Context(), e.path, e.Case)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil || string(out) != want {
		e.t.Errorf("%s: %q: %v, %s\n%s", e.name, c.Args, err, stderr.String(), udiff.Unified("edit.Apply", "command", want, string(out)))
	}
}
