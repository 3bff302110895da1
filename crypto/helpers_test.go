package crypto_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/ProtonMail/go-crypto/openpgp/s2k"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

const (
	plain      = "password: hunter2\n"
	passphrase = "correct horse"
	limit      = 1 << 20
)

// cheap makes keys and messages that are fast to decrypt.
func cheap() *packet.Config {
	return &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA, S2KConfig: &s2k.Config{S2KMode: s2k.IteratedSaltedS2K, S2KCount: 65536}}
}

// newKey makes a key, protected if there is a passphrase.
func newKey(t testing.TB, name, passphrase string) *openpgp.Entity {
	t.Helper()
	e, err := openpgp.NewEntity(name, "", name+"@example.org", cheap())
	must(t, err)
	if passphrase != "" {
		must(t, e.EncryptPrivateKeys([]byte(passphrase), cheap()))
	}
	return e
}

// private returns a key as gpg --export-secret-keys does.
func private(t testing.TB, e *openpgp.Entity) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, e.SerializePrivateWithoutSigning(&b, nil))
	return b.Bytes()
}

func public(t testing.TB, e *openpgp.Entity) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, e.Serialize(&b))
	return b.Bytes()
}

func armored(t testing.TB, kind string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := armor.Encode(&b, kind, nil)
	must(t, err)
	_, err = w.Write(data)
	must(t, err)
	must(t, w.Close())
	return append(b.Bytes(), '\n')
}

// sealed encrypts with the library only.
func sealed(t testing.TB, text string, config *packet.Config, to ...*openpgp.Entity) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := openpgp.Encrypt(&b, to, nil, nil, config)
	must(t, err)
	_, err = w.Write([]byte(text))
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

func sealedWith(t testing.TB, text, passphrase string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := openpgp.SymmetricallyEncrypt(&b, []byte(passphrase), nil, cheap())
	must(t, err)
	_, err = w.Write([]byte(text))
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

// file writes a file of the test.
func file(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, data, 0o600))
	return path
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wants checks that err is a Diagnostic with that code and these words.
func wants(t *testing.T, what string, err error, code source.Code, words ...string) {
	t.Helper()
	var d *source.Diagnostic
	if !errors.As(err, &d) || d.Code != code {
		t.Errorf("%s: error is %v, want code %s", what, err, code)
		return
	}
	for _, word := range words {
		if !strings.Contains(d.Message+"\n"+d.Hint, word) {
			t.Errorf("%s: %q, hint %q: want %q in it", what, d.Message, d.Hint, word)
		}
	}
	if strings.Contains(d.Message+d.Hint, passphrase) || strings.Contains(d.Message+d.Hint, "hunter2") {
		t.Errorf("%s: %q, hint %q tells a secret", what, d.Message, d.Hint)
	}
	if errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v looks like a file that is not there", what, err)
	}
}

// noPrograms is an environment without gpg.
func noPrograms(name string) (string, bool) { return "", false }

// answers returns an Ask that returns these answers in turn, and fails the test after that.
func answers(t testing.TB, asked *[]string, texts ...string) func(context.Context, string) (string, error) {
	return func(_ context.Context, what string) (string, error) {
		*asked = append(*asked, what)
		if len(*asked) > len(texts) {
			t.Errorf("asked once more: %q", *asked)
			return "", errors.New("no more")
		}
		return texts[len(*asked)-1], nil
	}
}

// A gnupg is a GnuPG home of a test.
type gnupg struct {
	t    testing.TB
	home string
}

// newGnupg creates an empty home, or skips the test if GnuPG is not installed. The path is
// short, since gpg creates sockets in it.
func newGnupg(t testing.TB) *gnupg {
	t.Helper()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("GnuPG is not installed")
	}
	home, err := os.MkdirTemp("", "gpg")
	must(t, err)
	g := &gnupg{t, home}
	t.Cleanup(func() {
		g.killAgent()
		_ = os.RemoveAll(home)
	})
	return g
}

// killAgent ends the agent, so that it forgets all passphrases.
func (g *gnupg) killAgent() {
	kill := exec.Command("gpgconf", "--kill", "gpg-agent")
	kill.Env = g.environ()
	_ = kill.Run()
}

// freshAgent starts an agent without passphrases. On a busy machine an agent may take longer
// to start than gpg waits for it.
func (g *gnupg) freshAgent() {
	g.killAgent()
	var err error
	for range 10 {
		launch := exec.Command("gpgconf", "--launch", "gpg-agent")
		launch.Env = g.environ()
		if err = launch.Run(); err == nil {
			return
		}
	}
	g.t.Fatal(err)
}

func (g *gnupg) environ() []string {
	return []string{"GNUPGHOME=" + g.home, "PATH=" + os.Getenv("PATH"), "GPG_TTY=none", "LC_ALL=C"}
}

func (g *gnupg) getenv(name string) (string, bool) {
	if name == "PATH" {
		return os.Getenv("PATH"), true
	}
	return "", false
}

// config returns the Config of a run with this home.
func (g *gnupg) config(mode string) crypto.Config {
	return crypto.Config{Mode: mode, Getenv: g.getenv, Environ: g.environ}
}

// run runs gpg, with passphrase as the answer to all questions for one.
func (g *gnupg) run(in []byte, args ...string) []byte {
	g.t.Helper()
	args = append([]string{"--batch", "--quiet", "--yes", "--pinentry-mode", "loopback", "--passphrase", passphrase, "--trust-model", "always", "--s2k-count", "65536"}, args...)
	c := exec.Command("gpg", args...)
	var out, noise bytes.Buffer
	c.Env, c.Stdin, c.Stdout, c.Stderr = g.environ(), bytes.NewReader(in), &out, &noise
	if err := c.Run(); err != nil {
		g.t.Fatalf("gpg %q: %v\n%s", args, err, noise.Bytes())
	}
	return out.Bytes()
}

// makeKey makes a key for signing and encryption with an unprotected or a protected
// private part.
func (g *gnupg) makeKey(name, kind string, protected bool) {
	g.t.Helper()
	protection := "%no-protection\n"
	if protected {
		protection = ""
	}
	parameters := map[string]string{
		"rsa":   "Key-Type: RSA\nKey-Length: 2048\nSubkey-Type: RSA\nSubkey-Length: 2048\n",
		"25519": "Key-Type: EDDSA\nKey-Curve: ed25519\nSubkey-Type: ECDH\nSubkey-Curve: cv25519\n",
		"nist":  "Key-Type: ECDSA\nKey-Curve: nistp256\nSubkey-Type: ECDH\nSubkey-Curve: nistp256\n",
	}[kind]
	g.run([]byte(protection+parameters+"Name-Real: "+name+"\nName-Email: "+name+"@example.org\nExpire-Date: 0\n%commit\n"), "--generate-key")
}
