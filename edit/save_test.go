package edit

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A safe is a directory of files to edit, and the keys of a run.
type safe struct {
	testing.TB
	dir string
	o   yaytpl.Options
}

// newSafe returns a safe with the private keys of these test users, without gpg.
func newSafe(t testing.TB, owners ...string) *safe {
	t.Helper()
	s := &safe{TB: t, dir: t.TempDir()}
	keys := crypto.Config{Getenv: func(string) (string, bool) { return "", false }}
	if len(owners) > 0 {
		keys.KeyFile = filepath.Join(t.TempDir(), "keys.asc")
		var all []byte
		for _, name := range owners {
			all = append(all, s.fixture(name)...)
		}
		s.must(os.WriteFile(keys.KeyFile, all, 0o600))
	}
	s.o = yaytpl.Options{Dir: s.dir, Decrypter: crypto.New(keys)}
	return s
}

func (s *safe) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *safe) fixture(name string) []byte {
	s.Helper()
	data, err := os.ReadFile(filepath.Join("../fixtures/secrets", name))
	s.must(err)
	return data
}

func (s *safe) path(name string) string { return filepath.Join(s.dir, name) }

func (s *safe) write(name, text string) {
	s.Helper()
	s.must(os.WriteFile(s.path(name), []byte(text), 0o640))
}

func (s *safe) read(name string) string {
	s.Helper()
	data, err := os.ReadFile(s.path(name))
	s.must(err)
	return string(data)
}

// lock writes an encrypted file.
func (s *safe) lock(name, text string, armored bool, to ...string) {
	s.Helper()
	r := crypto.Recipients{Armored: armored}
	for _, user := range to {
		key, err := filepath.Abs("../fixtures/secrets/" + user + ".pub.asc")
		s.must(err)
		r.Keys = append(r.Keys, key)
	}
	message, err := s.o.Decrypter.Encrypt(s.Context(), r, []byte(text))
	s.must(err)
	s.write(name, string(message))
}

// unlock returns the text of an encrypted file as another user reads it.
func (s *safe) unlock(name string, keys crypto.Config) string {
	s.Helper()
	keys.Getenv = func(string) (string, bool) { return "", false }
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	s.must(err)
	text, err := crypto.New(keys).Decrypt(s.Context(), name, data, 1<<20)
	s.must(err)
	return string(text)
}

// open reads a file for editing.
func (s *safe) open(ctx context.Context, name string) (*File, error) {
	o := s.o.Engine(ctx, name)
	f, err := overlay.Open(ctx, o.Files(), name, o)
	if err != nil {
		return nil, err
	}
	return &File{Name: f.Name, Old: f.Old, Text: f.Text, file: f}, nil
}

// edit returns a result with new texts of files: name and text in turn.
func (s *safe) edit(texts ...string) *Result {
	s.Helper()
	e := &Result{}
	for i := 0; i < len(texts); i += 2 {
		f, err := s.open(s.Context(), texts[i])
		s.must(err)
		f.Text = texts[i+1]
		e.Files = append(e.Files, f)
	}
	return e
}

func (s *safe) wants(err error, words ...string) {
	s.Helper()
	said := ""
	if err != nil {
		all, marshal := json.Marshal(source.Findings(err))
		s.must(marshal)
		said = string(all)
	}
	for _, word := range words {
		if !strings.Contains(said, word) {
			s.Errorf("error %q, want it to contain %q", said, word)
		}
	}
	if strings.Contains(said, "hunter") {
		s.Errorf("%q tells the password", said)
	}
}

const (
	oldSecret = "password: hunter1\n"
	newSecret = "password: hunter2\n"
)

// Everyone who could open the file before can open it afterwards, and its format stays.
func TestSaveEncrypted(t *testing.T) {
	for _, armored := range []bool{false, true} {
		s := newSafe(t, "ann.key.asc", "bob.pub.asc")
		s.lock("s.yaml.gpg", oldSecret, armored, "ann", "bob")
		before := s.read("s.yaml.gpg")
		e := s.edit("s.yaml.gpg", newSecret)
		if e.Files[0].Old != oldSecret || !e.Files[0].Encrypted() || !e.Changed() {
			t.Errorf("opened %+v", e.Files[0])
		}
		s.must(e.Backup())
		s.must(e.Save())
		for _, user := range []string{"ann", "bob"} {
			key, err := filepath.Abs("../fixtures/secrets/" + user + ".key.asc")
			s.must(err)
			if got := s.unlock("s.yaml.gpg", crypto.Config{KeyFile: key}); got != newSecret {
				t.Errorf("armoured %v: %s reads %q", armored, user, got)
			}
		}
		was, err := crypto.RecipientsOf("was", []byte(before))
		s.must(err)
		is, err := crypto.RecipientsOf("is", []byte(s.read("s.yaml.gpg")))
		s.must(err)
		if is.Armored != armored || !slices.Equal(is.IDs, was.IDs) || is.Passphrase {
			t.Errorf("armoured %v: recipients %+v, want %+v", armored, is, was)
		}
		if s.read("s.yaml.gpg.bak") != before {
			t.Error("the backup is not what the file was")
		}
		for _, name := range []string{"s.yaml.gpg", "s.yaml.gpg.bak"} {
			if info, err := os.Stat(s.path(name)); err != nil || info.Mode().Perm() != 0o640 && runtime.GOOS != "windows" {
				t.Errorf("mode of %s: %v, %v", name, info.Mode(), err)
			}
		}
	}
}

func TestSaveEncryptedWithPassphrase(t *testing.T) {
	s := newSafe(t)
	keys := crypto.Config{Mode: crypto.Native, Passphrase: "correct horse", Getenv: func(string) (string, bool) { return "", false }}
	s.o.Decrypter = crypto.New(keys)
	message, err := s.o.Decrypter.Encrypt(t.Context(), crypto.Recipients{Passphrase: true}, []byte(oldSecret))
	s.must(err)
	s.write("s.yaml.gpg", string(message))
	s.must(s.edit("s.yaml.gpg", newSecret).Save())
	if got := s.unlock("s.yaml.gpg", keys); got != newSecret {
		t.Errorf("read %q", got)
	}
}

// If the file cannot be encrypted for one of those who could open it, no file is written.
func TestSaveEncryptedWithoutKey(t *testing.T) {
	s := newSafe(t, "ann.key.asc")
	s.lock("s.yaml.gpg", oldSecret, false, "ann", "bob")
	s.write("a.yaml", "a: 1\n")
	before := s.read("s.yaml.gpg")
	to, err := crypto.RecipientsOf("s", []byte(before))
	s.must(err)
	bob := fmt.Sprintf("%016X", to.IDs[1])
	e := s.edit("a.yaml", "a: 2\n", "s.yaml.gpg", newSecret)
	s.wants(e.Save(), "s.yaml.gpg was not written: cannot encrypt", bob, "the public keys of all of them", "is missing (1 of 2)", `"decryption"`)
	if s.read("s.yaml.gpg") != before || s.read("a.yaml") != "a: 1\n" {
		t.Error("something was written")
	}
}

// The same text would not give the same bytes.
func TestSaveUnchanged(t *testing.T) {
	s := newSafe(t, "ann.key.asc")
	s.lock("s.yaml.gpg", oldSecret, false, "ann")
	s.write("a.yaml", "a: 1\n")
	s.write("b.yaml", "b: 1\n")
	before := s.read("s.yaml.gpg")
	e := s.edit("s.yaml.gpg", oldSecret, "a.yaml", "a: 1\n")
	if e.Changed() {
		t.Error("nothing changed")
	}
	s.must(e.Backup())
	s.must(e.Save())
	e = s.edit("s.yaml.gpg", oldSecret, "b.yaml", "b: 2\n", "a.yaml", "a: 1\n")
	s.write("a.yaml", "a: 7\n") // it is not written, so that does not matter
	s.must(e.Backup())
	s.must(e.Save())
	names, err := fs.Glob(os.DirFS(s.dir), "*")
	s.must(err)
	if want := []string{"a.yaml", "b.yaml", "b.yaml.bak", "s.yaml.gpg"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	if s.read("s.yaml.gpg") != before || s.read("b.yaml") != "b: 2\n" || s.read("b.yaml.bak") != "b: 1\n" {
		t.Error("not what was edited was written")
	}
}

// If one of several files changed since it was read, none is written.
func TestSaveSeveral(t *testing.T) {
	s := newSafe(t, "ann.key.asc")
	s.write("a.yaml", "a: 1\n")
	s.must(os.Mkdir(s.path("sub"), 0o777))
	s.write("sub/b.yaml", "b: 1\n")
	s.lock("s.yaml.gpg", oldSecret, true, "ann")
	locked := s.read("s.yaml.gpg")
	texts := []string{"a.yaml", "a: 2\n", "sub/b.yaml", "b: 2\n", "s.yaml.gpg", newSecret}

	e := s.edit(texts...)
	s.lock("s.yaml.gpg", oldSecret, true, "ann") // the same text in another message
	s.wants(e.Save(), "s.yaml.gpg changed while it was edited; it was not written", "access")
	if s.read("a.yaml") != "a: 1\n" || s.read("sub/b.yaml") != "b: 1\n" {
		t.Error("something was written")
	}
	s.write("s.yaml.gpg", locked)
	s.must(e.Save())
	key, err := filepath.Abs("../fixtures/secrets/ann.key.asc")
	s.must(err)
	if s.read("a.yaml") != "a: 2\n" || s.read("sub/b.yaml") != "b: 2\n" || s.unlock("s.yaml.gpg", crypto.Config{KeyFile: key}) != newSecret {
		t.Error("not everything was written")
	}
}

func TestSaveStandardInput(t *testing.T) {
	s := newSafe(t)
	s.o.Stdin = strings.NewReader("a: 1\n")
	e := s.edit("-", "a: 2\n")
	if e.Files[0].Old != "a: 1\n" {
		t.Errorf("read %q", e.Files[0].Old)
	}
	s.wants(e.Save(), "standard input cannot be written", "usage")
	s.wants(e.Backup(), "standard input cannot be written", "usage")
}

func TestOpenForEditRefuses(t *testing.T) {
	s := newSafe(t, "bob.key.asc")
	s.write("utf16.yaml", "\xff\xfea\x00:\x00 \x001\x00")
	s.write("latin.yaml", "a: \ufffd\nb: caf\xe9\n")
	s.lock("s.yaml.gpg", oldSecret, false, "ann")
	s.lock("latin.yaml.gpg", "password: hunter\xff\n", false, "bob")
	s.write("plain.gpg", "a: 1\n")
	tests := map[string][]string{
		"utf16.yaml":            {`"line":1,"col":1,`, "utf16.yaml is not in UTF-8", "output"},
		"latin.yaml":            {`"line":2,"col":7,`, "latin.yaml is not in UTF-8", "output"},
		"latin.yaml.gpg":        {`"line":1,"col":17,`, "latin.yaml.gpg is not in UTF-8", "output"},
		"s.yaml.gpg":            {"s.yaml.gpg cannot be decrypted: no key", "decryption"},
		"plain.gpg":             {"plain.gpg is not an encrypted", "decryption"},
		"none.yaml":             {"no such file: none.yaml", "access"},
		".":                     {"cannot read .: it is a directory", "access"},
		"http://example.org/a":  {"it is a URL", "access"},
		"http://u:hunter@h.x/a": {"it is a URL", "access"},
	}
	for name, words := range tests {
		f, err := s.open(context.Background(), name)
		if f != nil || err == nil {
			t.Errorf("%s: opened %v", name, f)
			continue
		}
		s.wants(err, words...)
	}
}

// TestEditOverlay edits a text of Options.Overlay, such as an open buffer of an editor: the
// file is neither read nor written.
func TestEditOverlay(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "main.yaml")
	o := yaytpl.Options{Dir: dir, Overlay: map[string]string{name: "a: 1\nb: 2 # two\n"}}
	edits := []Edit{{Op: Set, Path: "b", Value: value.Int(3)}}
	e, err := Apply(t.Context(), name, edits, o, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Files[0].Text; got != "a: 1\nb: 3 # two\n" {
		t.Errorf("%q", got)
	}
	if err := e.Save(); err == nil {
		t.Error("what was never read was written")
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("there is a file")
	}
}
