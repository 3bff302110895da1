package load_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// lock returns a decrypter that asks for its passphrase, a counter of that, and a
// message with a text.
func lock(t *testing.T, text string) (d *crypto.Decrypter, asked *int, message string) {
	t.Helper()
	asked = new(int)
	none := func(string) (string, bool) { return "", false }
	sealer := crypto.New(crypto.Config{Mode: crypto.Native, Passphrase: "p"})
	data, err := sealer.Encrypt(t.Context(), crypto.Recipients{Passphrase: true}, []byte(text))
	must(t, err)
	ask := func(context.Context, string) (string, error) { *asked++; return "p", nil }
	return crypto.New(crypto.Config{Getenv: none, Ask: ask}), asked, string(data)
}

func TestOpenEncrypted(t *testing.T) {
	d, asked, message := lock(t, "\ufeffa: 1\n")
	dir := tree(t, map[string]string{"s.yaml.gpg": message, "sub/l.GPG -> ../s.yaml.gpg": "", "plain.yaml": message[:1] + "x"})
	f := load.New(load.Config{Dir: dir, Decrypter: d})
	first, err := f.Open("s.yaml.gpg", "")
	if err != nil || first.Text != "\ufeffa: 1\n" || !first.Secret || first.Name != "s.yaml.gpg" {
		t.Fatalf("Open = %+v, %v", first, err)
	}
	if again, err := f.Open("s.yaml.gpg", dir); err != nil || again != first {
		t.Errorf("opened again: %v, %v", again, err)
	}
	if other, err := f.Open("sub/l.GPG", dir); err != nil || other.Text != first.Text || !other.Secret {
		t.Errorf("by a link: %v, %v", other, err)
	}
	if *asked != 1 {
		t.Errorf("asked %d times", *asked)
	}
}

func TestOpenEncryptedFailures(t *testing.T) {
	d, _, message := lock(t, strings.Repeat("long ", 100))
	dir := tree(t, map[string]string{"s.gpg": message, "plain.gpg": "a: 1\n"})
	_, err := load.New(load.Config{Dir: dir, Decrypter: d, MaxBytes: 400}).Open("s.gpg", "")
	wants(t, "too long", err, source.Limit, "s.gpg", "--max-bytes")
	_, err = load.New(load.Config{Dir: dir, Decrypter: d}).Open("plain.gpg", "")
	wants(t, "not encrypted", err, source.Decryption, "plain.gpg")
	none := func(string) (string, bool) { return "", false }
	_, err = load.New(load.Config{Dir: dir, Getenv: none}).Open("s.gpg", "")
	wants(t, "no decrypter and no gpg", err, source.Decryption, "s.gpg", "passphrase")

	d, _, message = lock(t, "a: \xffz")
	dir = tree(t, map[string]string{"s.gpg": message})
	_, err = load.New(load.Config{Dir: dir, Decrypter: d}).Open("s.gpg", "")
	wants(t, "no UTF-8", err, source.Syntax, "not valid UTF-8")
	if strings.Contains(err.Error(), "0xff") {
		t.Errorf("%v tells a byte of the text", err)
	}
}

func TestOpenEncryptedOverlay(t *testing.T) {
	dir := tree(t, map[string]string{"s.yaml.gpg": ""})
	f := load.New(load.Config{Dir: dir, Overlay: map[string]string{filepath.Join(dir, "s.yaml.gpg"): "a: 1\n", filepath.Join(dir, "b.yaml"): "b: 1\n"}})
	for name, secret := range map[string]bool{"s.yaml.gpg": true, "b.yaml": false} {
		if file, err := f.Open(name, ""); err != nil || file.Secret != secret || !strings.HasSuffix(file.Text, ": 1\n") {
			t.Errorf("%s: %+v, %v", name, file, err)
		}
	}
}

func TestBytes(t *testing.T) {
	dir := tree(t, map[string]string{"in/s.gpg": "\xff\x00", "out.bin": "out", "in/link -> ../out.bin": "", "in/.git/config": ""})
	f := load.New(load.Config{Dir: filepath.Join(dir, "in"), Stdin: strings.NewReader("typed"), MaxBytes: 6})
	for name, want := range map[string]string{"s.gpg": "\xff\x00", "../out.bin": "out", "link": "out", "-": "typed"} {
		if data, err := f.Bytes(name); err != nil || string(data) != want {
			t.Errorf("Bytes(%q) = %q, %v", name, data, err)
		}
	}
	for name, word := range map[string]string{"missing": "no such file", "https://me:pw@h/x": "https://h/x: it is a URL", ".": "directory"} {
		_, err := f.Bytes(name)
		wants(t, name, err, source.Access, word)
	}
	must(t, os.WriteFile(filepath.Join(dir, "in", "big"), make([]byte, 7), 0o600))
	_, err := f.Bytes("big")
	wants(t, "too big", err, source.Limit)
}

func TestReplace(t *testing.T) {
	dir := tree(t, map[string]string{"old": "old", "link -> old": ""})
	must(t, os.Chmod(filepath.Join(dir, "old"), 0o640))
	f := load.New(load.Config{Dir: dir})
	for _, name := range []string{"old", "link", "new"} {
		must(t, f.Replace(name, []byte(name+" text")))
	}
	for name, want := range map[string]string{"old": "link text", "new": "new text"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	info, err := os.Lstat(filepath.Join(dir, "link"))
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "old")); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("files: %v, %v", entries, err)
	}
	wants(t, "no such directory", f.Replace("a/b", nil), source.Access, filepath.FromSlash("a/b"))
	wants(t, "a directory", f.Replace(".", nil), source.Access)
}

// TestReplaceProtected: a file without write permission is not replaced, even if its
// directory is writable.
func TestReplaceProtected(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everything")
	}
	dir := tree(t, map[string]string{"old": "old"})
	path := filepath.Join(dir, "old")
	must(t, os.Chmod(path, 0o444))
	wants(t, "a protected file", load.New(load.Config{Dir: dir}).Replace("old", []byte("new")), source.Access, "old")
	if data, err := os.ReadFile(path); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
}
