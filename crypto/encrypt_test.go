package crypto_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

func TestEncryptNative(t *testing.T) {
	ann, bob := newKey(t, "ann", ""), newKey(t, "bob", passphrase)
	anns, bobs := file(t, "ann.pub", armored(t, openpgp.PublicKeyType, public(t, ann))), file(t, "bob.gpg", public(t, bob))
	c := crypto.Config{Getenv: noPrograms, Passphrase: passphrase}
	for what, to := range map[string]crypto.Recipients{
		"one": {Keys: []string{bobs}}, "two": {Keys: []string{anns, bobs}, Armored: true}, "passphrase": {Passphrase: true},
	} {
		message, err := crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
		must(t, err)
		if bytes.Contains(message, []byte("hunter2")) {
			t.Errorf("%s: not encrypted", what)
		}
		c.KeyFile = file(t, "key", private(t, bob))
		text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", message, limit)
		if err != nil || string(text) != plain {
			t.Errorf("%s: %q, %v", what, text, err)
		}
		got, err := crypto.RecipientsOf("s.gpg", message)
		if err != nil || len(got.IDs) != len(to.Keys) || got.Passphrase != to.Passphrase || got.Armored != to.Armored {
			t.Errorf("%s: recipients are %+v, %v", what, got, err)
		}
	}
}

func TestEncryptForTheSame(t *testing.T) {
	ann, bob := newKey(t, "ann", ""), newKey(t, "bob", "")
	message := sealed(t, plain, nil, ann, bob)
	to, err := crypto.RecipientsOf("s.gpg", message)
	must(t, err)
	keys := append(private(t, ann), public(t, bob)...)
	c := crypto.Config{Getenv: noPrograms, KeyFile: file(t, "key", keys)}
	again, err := crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
	must(t, err)
	c.KeyFile = file(t, "key", private(t, bob))
	if text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", again, limit); err != nil || string(text) != plain {
		t.Errorf("%q, %v", text, err)
	}
	c.Mode = crypto.Native
	_, err = crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
	wants(t, "a key is missing", err, source.Decryption, fmt.Sprintf("the public key %016X is missing (1 of 2)", ann.Subkeys[0].PublicKey.KeyId), "--public-key FILE", "-r KEY")
}

// TestEncryptFile: a file that is encrypted already gets other recipients, and keeps its armour.
func TestEncryptFile(t *testing.T) {
	ann, bob := newKey(t, "ann", ""), newKey(t, "bob", "")
	anns, bobs := file(t, "ann.pub", public(t, ann)), file(t, "bob.pub", public(t, bob))
	c := crypto.Config{Mode: crypto.Native, KeyFile: file(t, "ann.key", private(t, ann))}
	first, err := crypto.New(c).EncryptFile(t.Context(), "a.bin", []byte("\x00\xff binary\r\n"), crypto.Recipients{Keys: []string{anns}, Armored: true}, limit)
	must(t, err)
	again, err := crypto.New(c).EncryptFile(t.Context(), "a.bin.gpg", first, crypto.Recipients{Keys: []string{anns, bobs}}, limit)
	must(t, err)
	if !bytes.HasPrefix(again, []byte("-----BEGIN")) {
		t.Errorf("the armour is lost: %q", again)
	}
	c.KeyFile = file(t, "bob.key", private(t, bob))
	if text, err := crypto.New(c).Decrypt(t.Context(), "a.bin.gpg", again, limit); err != nil || string(text) != "\x00\xff binary\r\n" {
		t.Errorf("%q, %v", text, err)
	}
	_, err = crypto.New(c).EncryptFile(t.Context(), "a.bin.gpg", again, crypto.Recipients{Keys: []string{anns}}, 4)
	wants(t, "above the limit", err, source.Limit)
	_, err = crypto.New(c).EncryptFile(t.Context(), "a.bin.gpg", first, crypto.Recipients{Keys: []string{bobs}}, limit)
	wants(t, "not for bob", err, source.Decryption)
}

// TestPublicKeys: to encrypt a file again needs the public keys of its recipients, from any files.
func TestPublicKeys(t *testing.T) {
	ann, bob, carl := newKey(t, "ann", ""), newKey(t, "bob", ""), newKey(t, "carl", "")
	message := sealed(t, plain, nil, ann, bob, carl)
	to, err := crypto.RecipientsOf("s.gpg", message)
	must(t, err)
	bobs, carls := file(t, "bob.pub", armored(t, openpgp.PublicKeyType, public(t, bob))), file(t, "carl.pub", public(t, carl))
	for _, mode := range []string{crypto.Auto, crypto.Native} {
		c := crypto.Config{Mode: mode, Getenv: noPrograms, KeyFile: file(t, "key", private(t, ann)), PublicKeys: []string{bobs, carls}}
		again, err := crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
		must(t, err)
		if got, err := crypto.RecipientsOf("s.gpg", again); err != nil || len(got.IDs) != 3 {
			t.Errorf("%s: recipients are %+v, %v", mode, got, err)
		}
		c.PublicKeys = nil
		_, err = crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
		wants(t, "keys are missing", err, source.Decryption, "are missing (2 of 3)", "--public-key FILE")
		c.PublicKeys = []string{bobs, "none.pub"}
		_, err = crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
		wants(t, "no such file", err, source.Decryption, "none.pub")
	}
	// Nobody's private key is needed.
	c := crypto.Config{Getenv: noPrograms, PublicKeys: []string{bobs, carls, file(t, "ann.pub", public(t, ann))}}
	_, err = crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
	must(t, err)
}

func TestEncryptFailures(t *testing.T) {
	ann, locked := newKey(t, "ann", ""), newKey(t, "locked", passphrase)
	message := sealed(t, plain, nil, ann)
	same, err := crypto.RecipientsOf("s.gpg", message)
	must(t, err)
	signer := newKey(t, "signer", "")
	signer.Subkeys = nil // it can sign, and nothing can be encrypted for it
	tests := []struct {
		what   string
		config crypto.Config
		to     crypto.Recipients
		words  []string
	}{
		{"no recipients", crypto.Config{}, crypto.Recipients{}, []string{"no recipients", "-r KEY"}},
		{"no such file", crypto.Config{}, crypto.Recipients{Keys: []string{"./missing"}}, []string{"./missing"}},
		{"no key in the file", crypto.Config{}, crypto.Recipients{Keys: []string{file(t, "k", []byte(plain))}}, []string{"not an OpenPGP key file"}},
		{"an address without gpg", crypto.Config{}, crypto.Recipients{Keys: []string{"ann@example.org"}}, []string{"gpg not found in PATH"}},
		{"an address, native", crypto.Config{Mode: crypto.Native}, crypto.Recipients{Keys: []string{"ann@example.org"}}, []string{"ann@example.org", "not a key file"}},
		{"a key for signing", crypto.Config{}, crypto.Recipients{Keys: []string{file(t, "k", public(t, signer))}}, []string{"no valid encryption keys"}},
		{"the same without a key file", crypto.Config{Mode: crypto.Native}, same, []string{"is missing (1 of 1)", "--public-key FILE"}},
		{"the same without gpg", crypto.Config{}, same, []string{"gpg not found"}},
		{"no passphrase", crypto.Config{}, crypto.Recipients{Passphrase: true}, []string{"--passphrase-file"}},
		{"an empty passphrase", crypto.Config{PassphraseFile: file(t, "p", []byte("\n"))}, crypto.Recipients{Passphrase: true}, []string{"empty"}},
		{"a key and a passphrase", crypto.Config{Mode: crypto.Native, KeyFile: file(t, "k", private(t, locked))},
			crypto.Recipients{Keys: []string{file(t, "k", public(t, ann))}, Passphrase: true}, []string{"--gpg command"}},
	}
	for _, tt := range tests {
		tt.config.Getenv = noPrograms
		_, err := crypto.New(tt.config).Encrypt(t.Context(), tt.to, []byte(plain))
		wants(t, tt.what, err, source.Decryption, tt.words...)
	}
}

func TestNewPassphrase(t *testing.T) {
	var asked []string
	d := crypto.New(crypto.Config{Getenv: noPrograms, Ask: answers(t, &asked, passphrase, passphrase)})
	message, err := d.Encrypt(context.Background(), crypto.Recipients{Passphrase: true}, []byte(plain))
	must(t, err)
	if text, err := d.Decrypt(t.Context(), "s.gpg", message, limit); err != nil || string(text) != plain || len(asked) != 2 {
		t.Errorf("%q, %v, asked %q", text, err, asked)
	}
	for _, typed := range [][]string{{"a", "b"}, {"", ""}} {
		asked = nil
		d := crypto.New(crypto.Config{Getenv: noPrograms, Ask: answers(t, &asked, typed...)})
		_, err := d.Encrypt(t.Context(), crypto.Recipients{Passphrase: true}, []byte(plain))
		wants(t, "typed differently", err, source.Decryption, "entries differ")
	}
}

// A new version of a message has the passphrase of the old one, also if the run has learned
// other passphrases before.
func TestEncryptAgainWithPassphrase(t *testing.T) {
	seal := func(text string) []byte {
		d := crypto.New(crypto.Config{Mode: crypto.Native, Passphrase: text})
		message, err := d.Encrypt(t.Context(), crypto.Recipients{Passphrase: true}, []byte(plain))
		must(t, err)
		return message
	}
	first, second := seal("one"), seal("two")
	answers := []string{"one", "wrong", "two"}
	d := crypto.New(crypto.Config{Mode: crypto.Native, Ask: func(context.Context, string) (string, error) {
		answer := answers[0]
		answers = answers[1:]
		return answer, nil
	}})
	_, err := d.Decrypt(t.Context(), "first", first, limit)
	must(t, err)
	_, err = d.Decrypt(t.Context(), "second", second, limit)
	must(t, err)
	to, err := crypto.RecipientsOf("second", second)
	must(t, err)
	again, err := d.Encrypt(t.Context(), to, []byte("new"))
	must(t, err)
	text, err := crypto.New(crypto.Config{Mode: crypto.Native, Passphrase: "two"}).Decrypt(t.Context(), "again", again, limit)
	if err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
}
