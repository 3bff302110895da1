package crypto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
)

// TestFromGnuPG: native decryption and gpg read the messages of gpg.
func TestFromGnuPG(t *testing.T) {
	t.Parallel()
	g := newGnupg(t)
	for _, kind := range []string{"rsa", "25519", "nist"} {
		g.makeKey(kind, kind, false)
	}
	g.makeKey("locked", "25519", true)
	keys := file(t, "keys", g.run(nil, "--armor", "--export-secret-keys"))
	native := crypto.Config{Mode: crypto.Native, KeyFile: keys, Passphrase: passphrase}
	command := g.config(crypto.Command)
	command.Passphrase = passphrase
	tests := []struct {
		what string
		args []string
	}{
		{"RSA", []string{"-e", "-r", "rsa@example.org"}},
		{"Curve25519", []string{"-e", "-r", "25519@example.org"}},
		{"NIST P-256", []string{"-e", "-r", "nist@example.org"}},
		{"protected key", []string{"-e", "-r", "locked@example.org"}},
		{"several recipients", []string{"-e", "-r", "rsa@example.org", "-r", "locked@example.org"}},
		{"unnamed recipients", []string{"-e", "--throw-keyids", "-r", "rsa@example.org", "-r", "locked@example.org"}},
		{"armoured", []string{"-e", "-a", "-r", "rsa@example.org"}},
		{"signed", []string{"-e", "-s", "-u", "rsa@example.org", "-r", "25519@example.org"}},
		{"passphrase", []string{"-c"}},
		{"passphrase, armoured", []string{"-c", "-a"}},
		{"passphrase and key", []string{"-c", "-e", "-r", "rsa@example.org"}},
		{"not packed", []string{"-c", "-z", "0"}},
		{"packed with ZIP", []string{"-e", "--compress-algo", "zip", "-r", "rsa@example.org"}},
		{"packed with BZIP2", []string{"-e", "--compress-algo", "bzip2", "-r", "rsa@example.org"}},
		{"AES-128", []string{"-c", "--cipher-algo", "AES128"}},
		{"Camellia", []string{"-c", "--cipher-algo", "CAMELLIA256"}},
	}
	for _, tt := range long.Sample(tests) {
		message := g.run([]byte(plain), tt.args...)
		for _, c := range []crypto.Config{native, command} {
			text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", message, limit)
			if c.Mode == crypto.Native && tt.what == "Camellia" {
				wants(t, tt.what, err, source.Decryption, "s.gpg")
				continue
			}
			if err != nil || string(text) != plain {
				t.Errorf("%s, %s: %q, %v", tt.what, c.Mode, text, err)
			}
		}
	}
}

// TestToGnuPG: gpg reads the messages of native encryption.
func TestToGnuPG(t *testing.T) {
	t.Parallel()
	g := newGnupg(t)
	g.makeKey("rsa", "rsa", false)
	g.makeKey("25519", "25519", true)
	rsa := file(t, "rsa.asc", g.run(nil, "--armor", "--export", "rsa@example.org"))
	ec := file(t, "25519.gpg", g.run(nil, "--export", "25519@example.org"))
	tests := []struct {
		what string
		to   crypto.Recipients
	}{
		{"RSA", crypto.Recipients{Keys: []string{rsa}}},
		{"Curve25519", crypto.Recipients{Keys: []string{ec}, Armored: true}},
		{"both", crypto.Recipients{Keys: []string{rsa, ec}}},
		{"passphrase", crypto.Recipients{Passphrase: true, Armored: true}},
	}
	for _, tt := range long.Sample(tests) {
		for _, mode := range []string{crypto.Native, crypto.Command} {
			c := g.config(mode)
			c.Passphrase = passphrase
			message, err := crypto.New(c).Encrypt(t.Context(), tt.to, []byte(plain))
			if err != nil {
				t.Errorf("%s, %s: %v", tt.what, mode, err)
				continue
			}
			if isText := bytes.HasPrefix(message, []byte("-----BEGIN PGP MESSAGE-----")); isText != tt.to.Armored {
				t.Errorf("%s, %s: armour is %v", tt.what, mode, isText)
			}
			if text := g.run(message, "-d"); string(text) != plain {
				t.Errorf("%s, %s: gpg reads %q", tt.what, mode, text)
			}
		}
	}
}

// TestKeysOfBoth: some public keys are in a file, and the others in the keyring of gpg.
func TestKeysOfBoth(t *testing.T) {
	t.Parallel()
	g := newGnupg(t)
	g.makeKey("ann", "25519", false)
	ann := newKey(t, "bob", "")
	g.run(public(t, ann), "--import")
	message := g.run([]byte(plain), "-e", "--trust-model", "always", "-r", "ann@example.org", "-r", fmt.Sprintf("0x%016X", ann.PrimaryKey.KeyId))
	to, err := crypto.RecipientsOf("s.gpg", message)
	must(t, err)
	g.run(nil, "--batch", "--yes", "--delete-keys", fmt.Sprintf("0x%016X", ann.PrimaryKey.KeyId))
	c := g.config(crypto.Auto)
	_, err = crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
	wants(t, "gpg alone", err, source.Decryption, "gpg does not have it", "gpg --import FILE")
	c.PublicKeys = []string{file(t, "other.pub", public(t, newKey(t, "carl", "")))}
	_, err = crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
	wants(t, "another file", err, source.Decryption, fmt.Sprintf("the public key %016X is missing (1 of 2)", ann.Subkeys[0].PublicKey.KeyId), "--public-key FILE", "gpg --import FILE")
	c.PublicKeys = []string{file(t, "bob.pub", public(t, ann))}
	again, err := crypto.New(c).Encrypt(t.Context(), to, []byte("changed: true\n"))
	must(t, err)
	if text := g.run(again, "-d"); string(text) != "changed: true\n" {
		t.Errorf("gpg reads %q", text)
	}
}

// TestEncryptAgain: a new version of a message has the same recipients.
func TestEncryptAgain(t *testing.T) {
	t.Parallel()
	g := newGnupg(t)
	g.makeKey("ann", "25519", false)
	g.makeKey("bob", "rsa", false)
	keys := file(t, "keys", g.run(nil, "--armor", "--export-secret-keys"))
	tests := []struct {
		what string
		args []string
	}{
		{"keys", []string{"-e", "-a", "-r", "ann@example.org", "-r", "bob@example.org"}},
		{"passphrase", []string{"-c"}},
		{"both", []string{"-c", "-e", "-r", "bob@example.org"}},
	}
	for _, tt := range long.Sample(tests) {
		what := tt.what
		before := g.run([]byte(plain), tt.args...)
		for _, mode := range []string{crypto.Auto, crypto.Native, crypto.Command} {
			c := g.config(mode)
			c.Passphrase, c.KeyFile = passphrase, keys
			to, err := crypto.RecipientsOf("s.gpg", before)
			must(t, err)
			after, err := crypto.New(c).Encrypt(t.Context(), to, []byte("changed: true\n"))
			if what == "both" && mode == crypto.Native {
				wants(t, what, err, source.Decryption, "--gpg command")
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", what, mode, err)
				continue
			}
			got, err := crypto.RecipientsOf("s.gpg", after)
			if err != nil || len(got.IDs) != len(to.IDs) || got.Passphrase != to.Passphrase || got.Armored != to.Armored {
				t.Errorf("%s, %s: %+v, %v, want %+v", what, mode, got, err, to)
			}
			if text := g.run(after, "-d"); string(text) != "changed: true\n" {
				t.Errorf("%s, %s: gpg reads %q", what, mode, text)
			}
		}
	}
}

func TestGnuPGFailures(t *testing.T) {
	t.Parallel()
	g := newGnupg(t)
	g.makeKey("ann", "25519", false)
	g.makeKey("locked", "25519", true)
	forAnn := g.run([]byte(plain), "-e", "-r", "ann@example.org")
	forLocked := g.run([]byte(plain), "-e", "-r", "locked@example.org")
	withPassphrase := g.run([]byte(plain), "-c")
	noMDC := g.run([]byte(plain), "-e", "--rfc2440", "--cipher-algo", "3DES", "--disable-mdc", "-r", "ann@example.org")
	stranger := newKey(t, "stranger", "")
	tests := []struct {
		what, passphrase string
		message          []byte
		words            []string
	}{
		{"no key", "", sealed(t, plain, nil, stranger), []string{"no key for it in the keyring of gpg", "--key FILE"}},
		{"changed", "", changed(forAnn, -30), []string{"damaged"}},
		{"changed a little before", "", changed(forAnn, -40), []string{"damaged"}},
		{"changed seal", "", changed(forAnn, -1), []string{"damaged"}},
		{"cut off", "", forAnn[:len(forAnn)-3], []string{"cut off"}},
		{"no integrity", "", noMDC, []string{"without integrity protection"}},
		{"wrong passphrase of the key", "x", forLocked, []string{"wrong passphrase in YAYTPL_PASSPHRASE"}},
		{"no passphrase of the key", "", forLocked, []string{"passphrase", "GPG_TTY"}},
		{"wrong passphrase", "x", withPassphrase, []string{"passphrase in YAYTPL_PASSPHRASE is wrong"}},
		{"no passphrase", "", withPassphrase, []string{"passphrase"}},
	}
	for _, tt := range long.Sample(tests) {
		g.freshAgent()
		c := g.config(crypto.Command)
		c.Passphrase = tt.passphrase
		text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", tt.message, limit)
		if text != nil {
			t.Errorf("%s: %q", tt.what, text)
		}
		wants(t, tt.what, err, source.Decryption, tt.words...)
	}
}

func TestGnuPGRecipients(t *testing.T) {
	g := newGnupg(t)
	g.makeKey("ann", "25519", false)
	d := crypto.New(g.config(crypto.Auto))
	message, err := d.Encrypt(t.Context(), crypto.Recipients{Keys: []string{"ann@example.org"}}, []byte(plain))
	must(t, err)
	if text, err := d.Decrypt(t.Context(), "s.gpg", message, limit); err != nil || string(text) != plain {
		t.Errorf("%q, %v", text, err)
	}
	_, err = d.Encrypt(t.Context(), crypto.Recipients{Keys: []string{"nobody@example.org"}}, []byte(plain))
	wants(t, "unknown recipient", err, source.Decryption, "nobody@example.org", "gpg --list-keys")
	stranger := newKey(t, "stranger", "")
	g.run(public(t, stranger), "--import")
	_, err = d.Encrypt(t.Context(), crypto.Recipients{Keys: []string{"stranger@example.org"}}, []byte(plain))
	wants(t, "recipient that is not trusted", err, source.Decryption, "stranger@example.org")
	_, err = d.Encrypt(t.Context(), crypto.Recipients{Keys: []string{file(t, "s.asc", public(t, stranger)), "ann@example.org"}}, []byte(plain))
	must(t, err)
}

// fakeGPG creates a directory with a program gpg that runs a shell script. The script writes
// status lines to descriptor 3.
func fakeGPG(t *testing.T, script string) crypto.Config {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it is a script of the shell")
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "gpg"), []byte("#!/bin/sh\nDIR="+dir+"\n"+script), 0o755))
	path := dir + string(os.PathListSeparator) + os.Getenv("PATH")
	return crypto.Config{
		Getenv:  func(name string) (string, bool) { return path, name == "PATH" },
		Environ: func() []string { return []string{"PATH=" + path} },
	}
}

const (
	saysDecrypted = "echo '[GNUPG:] DECRYPTION_OKAY' >&3\n"
	saysProtected = "echo '[GNUPG:] GOODMDC' >&3\n"
)

// TestWhatGPGMustSay: the text is used only if gpg prints all of these status lines (design:
// architecture, section 9).
func TestWhatGPGMustSay(t *testing.T) {
	message := sealed(t, plain, nil, newKey(t, "bob", ""))
	tests := []struct{ what, script, word string }{
		{"all of it", "echo out; " + saysDecrypted + saysProtected, ""},
		{"no protection", "echo out; " + saysDecrypted, "integrity"},
		{"not decrypted", "echo out; " + saysProtected, "gpg failed"},
		{"nothing", "echo out", "gpg failed"},
		{"status in the output", "echo '[GNUPG:] DECRYPTION_OKAY'; echo '[GNUPG:] GOODMDC'; echo '[GNUPG:] GOODMDC' >&2", "gpg failed"},
		{"bad status", "echo out; " + saysDecrypted + saysProtected + "exit 1", "gpg failed: exit status 1"},
		{"bad signature", "echo out; " + saysDecrypted + saysProtected + "echo '[GNUPG:] BADSIG 0 x' >&3; exit 1", "wrong signature"},
		{"what it says last", "echo 'gpg: first' >&2; echo 'gpg: no dice' >&2; exit 2", "gpg failed: no dice"},
		{"damaged", "echo '[GNUPG:] DECRYPTION_INFO 2 9 0' >&3; echo 'gpg: Fatal: zlib' >&2; exit 2", "damaged"},
		{"canceled", "echo '[GNUPG:] ERROR get_passphrase 83886179' >&3; exit 2", "no passphrase was given"},
		{"no pinentry", "echo '[GNUPG:] ERROR get_passphrase 67108949' >&3; exit 2", "cannot ask"},
	}
	for _, tt := range tests {
		text, err := crypto.New(fakeGPG(t, tt.script)).Decrypt(t.Context(), "s.gpg", message, limit)
		switch {
		case tt.word != "":
			wants(t, tt.what, err, source.Decryption, tt.word)
		case err != nil || string(text) != "out\n":
			t.Errorf("%s: %q, %v", tt.what, text, err)
		}
	}
}

func TestGPGIsRunOnce(t *testing.T) {
	message := sealed(t, plain, nil, newKey(t, "bob", ""))
	for what, end := range map[string]string{"decrypted": saysDecrypted + saysProtected, "failed": "exit 2"} {
		c := fakeGPG(t, "echo run >> $DIR/log; env >> $DIR/log; echo args: $* >> $DIR/log; echo out\n"+end)
		d := crypto.New(c)
		for range 3 {
			_, _ = d.Decrypt(t.Context(), "s.gpg", message, limit)
		}
		path, _ := c.Getenv("PATH")
		log, err := os.ReadFile(filepath.Join(strings.SplitN(path, string(os.PathListSeparator), 2)[0], "log"))
		must(t, err)
		if n := strings.Count(string(log), "run\n"); n != 1 {
			t.Errorf("%s: gpg ran %d times", what, n)
		}
		if !strings.Contains(string(log), "args: --batch --quiet --no-tty --status-fd 3 --decrypt\n") {
			t.Errorf("%s: gpg was run so: %s", what, log)
		}
	}
}

func TestGPGIsGivenThePassphrase(t *testing.T) {
	message := sealed(t, plain, nil, newKey(t, "bob", ""))
	c := fakeGPG(t, "read p <&4; echo \"$p\"; echo $*\n"+saysDecrypted+saysProtected)
	c.Passphrase = passphrase
	text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", message, limit)
	want := passphrase + "\n--batch --quiet --no-tty --status-fd 3 --pinentry-mode loopback --passphrase-fd 4 --decrypt\n"
	if err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}

func TestGPGIsStopped(t *testing.T) {
	message := sealed(t, plain, nil, newKey(t, "bob", ""))
	began := time.Now()
	_, err := crypto.New(fakeGPG(t, "while :; do echo 0123456789; done")).Decrypt(t.Context(), "s.gpg", message, limit)
	wants(t, "too much", err, source.Limit, "s.gpg")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := crypto.New(fakeGPG(t, "sleep 60")).Decrypt(ctx, "s.gpg", message, limit); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v, want that time is up", err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestWhichWay: with a key file, or a passphrase for the file, decryption is native, else it
// uses gpg.
func TestWhichWay(t *testing.T) {
	bob := newKey(t, "bob", "")
	forBob, withPassphrase := sealed(t, plain, nil, bob), sealedWith(t, plain, passphrase)
	fake := fakeGPG(t, "echo gpg\n"+saysDecrypted+saysProtected)
	key := file(t, "key", private(t, bob))
	tests := []struct {
		what, mode, key, passphrase string
		message                     []byte
		gpg                         bool
	}{
		{"nothing given", crypto.Auto, "", "", forBob, true},
		{"nothing given for a passphrase", crypto.Auto, "", "", withPassphrase, true},
		{"key file", crypto.Auto, key, "", forBob, false},
		{"passphrase", crypto.Auto, "", passphrase, withPassphrase, false},
		{"passphrase of a key", crypto.Auto, "", passphrase, forBob, true},
		{"command", crypto.Command, key, passphrase, forBob, true},
		{"the default", "", key, "", forBob, false},
	}
	for _, tt := range tests {
		c := fake
		c.Mode, c.KeyFile, c.Passphrase = tt.mode, tt.key, tt.passphrase
		text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", tt.message, limit)
		if err != nil || (string(text) == "gpg\n") != tt.gpg {
			t.Errorf("%s: %q, %v", tt.what, text, err)
		}
	}
}

// TestPassphraseOfNewGnuPG: gpg 2.3 and later may write a passphrase packet that only gpg
// reads.
func TestPassphraseOfNewGnuPG(t *testing.T) {
	message := append([]byte{0xC3, 4, 5, 9, 2, 3}, 0xD4, 4, 1, 9, 2, 16)
	_, err := crypto.New(crypto.Config{Mode: crypto.Native, Passphrase: passphrase}).Decrypt(t.Context(), "s.gpg", message, limit)
	wants(t, "native", err, source.Decryption, "not supported", "--gpg command")
	c := fakeGPG(t, "echo gpg\n"+saysDecrypted+saysProtected)
	c.Passphrase = passphrase
	if text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", message, limit); err != nil || string(text) != "gpg\n" {
		t.Errorf("auto: %q, %v", text, err)
	}
}

func TestBombForGnuPG(t *testing.T) {
	g := newGnupg(t)
	var bomb bytes.Buffer
	w, err := openpgp.SymmetricallyEncrypt(&bomb, []byte(passphrase), nil, &packet.Config{DefaultCompressionAlgo: packet.CompressionZLIB})
	must(t, err)
	_, err = w.Write(make([]byte, 16<<20))
	must(t, err)
	must(t, w.Close())
	c := g.config(crypto.Command)
	c.Passphrase = passphrase
	_, err = crypto.New(c).Decrypt(t.Context(), "s.gpg", bomb.Bytes(), limit)
	wants(t, "bomb", err, source.Limit, "s.gpg")
}

// TestGpgBomb: a small message that gpg unpacks to far more than the limit takes little memory
// until gpg is killed.
func TestGpgBomb(t *testing.T) {
	g := newGnupg(t)
	const limit = 96 << 20
	bomb := g.run(make([]byte, limit+1<<20), "-c", "--compress-algo", "zlib", "-z", "9")
	c := g.config(crypto.Command)
	c.Passphrase = passphrase
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", bomb, limit)
	runtime.ReadMemStats(&after)
	wants(t, "bomb", err, source.Limit, "s.gpg", "--max-bytes")
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 64 {
		t.Errorf("%d MB of memory for %d kB", took, len(bomb)>>10)
	}
	text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", bomb, limit+1<<20)
	if err != nil || len(text) != limit+1<<20 || len(bytes.Trim(text, "\x00")) > 0 {
		t.Errorf("with room for it: %d bytes, %v", len(text), err)
	}
}
