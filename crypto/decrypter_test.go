package crypto_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/source"
)

func TestDecryptNative(t *testing.T) {
	ann, bob, locked := newKey(t, "ann", ""), newKey(t, "bob", ""), newKey(t, "locked", passphrase)
	both := append(armored(t, openpgp.PrivateKeyType, private(t, ann)), armored(t, openpgp.PrivateKeyType, private(t, bob))...)
	inOneBlock := armored(t, openpgp.PrivateKeyType, append(private(t, ann), private(t, bob)...))
	withPublic := append(armored(t, openpgp.PublicKeyType, public(t, ann)), armored(t, openpgp.PrivateKeyType, private(t, bob))...)
	packed := cheap()
	packed.DefaultCompressionAlgo = packet.CompressionZLIB
	forBob := sealed(t, plain, nil, bob)
	tests := []struct {
		what    string
		key     []byte
		config  crypto.Config
		message []byte
	}{
		{"binary key", private(t, bob), crypto.Config{}, forBob},
		{"armoured key", armored(t, openpgp.PrivateKeyType, private(t, bob)), crypto.Config{}, forBob},
		{"keys in blocks", both, crypto.Config{}, forBob},
		{"keys in a block", inOneBlock, crypto.Config{}, forBob},
		{"a public key as well", withPublic, crypto.Config{}, forBob},
		{"binary keys", slices.Concat(private(t, ann), private(t, bob)), crypto.Config{}, forBob},
		{"armoured message", both, crypto.Config{}, armored(t, openpgp.MessageType, forBob)},
		{"armour with text before it", both, crypto.Config{}, append([]byte("Hello,\r\n\r\n"), bytes.ReplaceAll(armored(t, openpgp.MessageType, forBob), []byte("\n"), []byte("\r\n"))...)},
		{"several recipients", private(t, bob), crypto.Config{}, sealed(t, plain, nil, ann, locked, bob)},
		{"packed", both, crypto.Config{}, sealed(t, plain, packed, bob)},
		{"empty", both, crypto.Config{}, sealed(t, "", nil, bob)},
		{"protected key", private(t, locked), crypto.Config{Passphrase: passphrase}, sealed(t, plain, nil, locked)},
		{"passphrase in a file", private(t, locked), crypto.Config{PassphraseFile: file(t, "p", []byte(passphrase+"\r\nmore\n"))}, sealed(t, plain, nil, locked)},
		{"the file wins", private(t, locked), crypto.Config{PassphraseFile: file(t, "p", []byte(passphrase)), Passphrase: "x"}, sealed(t, plain, nil, locked)},
		{"one of the keys is open", append(private(t, locked), private(t, bob)...), crypto.Config{}, sealed(t, plain, nil, locked, bob)},
		{"a passphrase", nil, crypto.Config{Passphrase: passphrase}, sealedWith(t, plain, passphrase)},
		{"a passphrase, with a key file", both, crypto.Config{Passphrase: passphrase}, sealedWith(t, plain, passphrase)},
	}
	for _, tt := range tests {
		for _, mode := range []string{crypto.Auto, crypto.Native} {
			tt.config.Mode, tt.config.Getenv = mode, noPrograms
			if tt.key != nil {
				tt.config.KeyFile = file(t, "key", tt.key)
			}
			want := plain
			if tt.what == "empty" {
				want = ""
			}
			text, err := crypto.New(tt.config).Decrypt(t.Context(), "s.gpg", tt.message, limit)
			if err != nil || string(text) != want {
				t.Errorf("%s, %s: %q, %v", tt.what, mode, text, err)
			}
		}
	}
}

// unnamed returns a message with hidden recipients (gpg --throw-keyids).
func unnamed(t *testing.T, message []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	packets := packet.NewOpaqueReader(bytes.NewReader(message))
	for {
		p, err := packets.Next()
		if err != nil {
			return out.Bytes()
		}
		if p.Tag == 1 {
			clear(p.Contents[1:9])
		}
		must(t, p.Serialize(&out))
	}
}

func TestRecipientsWithoutNames(t *testing.T) {
	ann, bob, locked := newKey(t, "ann", ""), newKey(t, "bob", ""), newKey(t, "locked", passphrase)
	message := unnamed(t, sealed(t, plain, nil, bob))
	c := crypto.Config{KeyFile: file(t, "key", append(private(t, ann), private(t, bob)...))}
	if text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", message, limit); err != nil || string(text) != plain {
		t.Errorf("%q, %v", text, err)
	}
	message = unnamed(t, sealed(t, plain, nil, locked))
	c = crypto.Config{KeyFile: file(t, "key", append(private(t, ann), private(t, locked)...)), Passphrase: passphrase}
	if text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", message, limit); err != nil || string(text) != plain {
		t.Errorf("with a protected key: %q, %v", text, err)
	}
	to, err := crypto.RecipientsOf("s.gpg", message)
	must(t, err)
	_, err = crypto.New(c).Encrypt(t.Context(), to, []byte(plain))
	wants(t, "encrypting for the same", err, source.Decryption, "hidden", "-r KEY")
}

// replaced returns a message whose encrypted data is in a packet of another type.
func replaced(t *testing.T, message []byte, tag uint8) []byte {
	t.Helper()
	var out bytes.Buffer
	packets := packet.NewOpaqueReader(bytes.NewReader(message))
	for {
		p, err := packets.Next()
		if err != nil {
			return out.Bytes()
		}
		if p.Tag == 18 {
			p.Tag = tag
		}
		must(t, p.Serialize(&out))
	}
}

func changed(data []byte, at int) []byte {
	data = slices.Clone(data)
	if at < 0 {
		at += len(data)
	}
	data[at] ^= 1
	return data
}

func TestDecryptFailures(t *testing.T) {
	ann, bob, locked := newKey(t, "ann", ""), newKey(t, "bob", ""), newKey(t, "locked", passphrase)
	forBob, forLocked := sealed(t, plain, nil, bob), sealed(t, plain, nil, locked)
	key := func(e *openpgp.Entity) string { return file(t, "key", private(t, e)) }
	bobs := crypto.Config{KeyFile: key(bob)}
	var signed bytes.Buffer
	w, err := openpgp.Sign(&signed, bob, nil, nil)
	must(t, err)
	must(t, w.Close())
	wrong := file(t, "wrong", []byte("x\n"))
	tests := []struct {
		what    string
		config  crypto.Config
		message []byte
		words   []string
	}{
		{"text", bobs, []byte(plain), []string{"s.gpg", "not an encrypted OpenPGP message", ".asc"}},
		{"nothing", bobs, nil, []string{"is empty"}},
		{"a key", bobs, armored(t, openpgp.PublicKeyType, public(t, bob)), []string{"public key block"}},
		{"a binary key", bobs, public(t, bob), []string{"type 6"}},
		{"signed text", bobs, []byte("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nx\n"), []string{"only signed"}},
		{"signed", bobs, signed.Bytes(), []string{"not encrypted"}},
		{"cut off", bobs, forBob[:len(forBob)-5], []string{"cut off"}},
		{"cut off before the data", bobs, forBob[:100], []string{"cut off"}},
		{"armour cut off", bobs, armored(t, openpgp.MessageType, forBob)[:150], []string{"cut off"}},
		{"changed", bobs, changed(forBob, -30), []string{"damaged", "changed after"}},
		{"changed seal", bobs, changed(forBob, -1), []string{"damaged"}},
		{"changed session key", bobs, changed(forBob, 60), []string{"damaged"}},
		{"two messages", bobs, slices.Concat(forBob, forBob), []string{"data after the encrypted"}},
		{"no integrity", bobs, replaced(t, forBob, 9), []string{"without integrity protection", "gpg since 2.1"}},
		{"data alone", bobs, replaced(t, forBob, 18)[len(forBob)-30:], []string{"s.gpg"}},
		{"another key", crypto.Config{KeyFile: key(ann)}, forBob, []string{fmt.Sprintf("%016X", bob.Subkeys[0].PublicKey.KeyId), "no key", "--key FILE"}},
		{"a public key", crypto.Config{KeyFile: file(t, "key", public(t, bob))}, forBob, []string{"no private key", "export-secret-keys"}},
		{"no such key file", crypto.Config{KeyFile: "missing.key"}, forBob, []string{"missing.key", "no such file"}},
		{"no key file", crypto.Config{KeyFile: file(t, "key", []byte(plain))}, forBob, []string{"not an OpenPGP key file"}},
		{"a message as key file", crypto.Config{KeyFile: file(t, "key", armored(t, openpgp.MessageType, forBob))}, forBob, []string{"not an OpenPGP key file", "pgp message"}},
		{"a bad key file", crypto.Config{KeyFile: file(t, "key", []byte("\xff\xff\xff\xff"))}, forBob, []string{"not an OpenPGP key file"}},
		{"a key file with bad armour", crypto.Config{KeyFile: file(t, "key", []byte("-----BEGIN PGP PRIVATE KEY BLOCK-----\n????\n"))}, forBob, []string{"not an OpenPGP key file", "armour"}},
		{"bad armour", bobs, []byte("-----BEGIN PGP MESSAGE-----\n\n????\n-----END PGP MESSAGE-----\n"), []string{"damaged", "armour"}},
		{"a large passphrase file", crypto.Config{KeyFile: key(locked), PassphraseFile: file(t, "p", make([]byte, 1<<20))}, forLocked, []string{"passphrase file", "more than 65536 bytes"}},
		{"no passphrase", crypto.Config{KeyFile: key(locked)}, forLocked, []string{"needs a passphrase", "--passphrase-file", "YAYTPL_PASSPHRASE"}},
		{"wrong passphrase", crypto.Config{KeyFile: key(locked), Passphrase: "x"}, forLocked, []string{"YAYTPL_PASSPHRASE does not unlock key"}},
		{"wrong passphrase in a file", crypto.Config{KeyFile: key(locked), PassphraseFile: wrong}, forLocked, []string{wrong}},
		{"no passphrase file", crypto.Config{KeyFile: key(locked), PassphraseFile: "missing.pass"}, forLocked, []string{"passphrase file missing.pass", "no such file"}},
		{"wrong passphrase of the file", crypto.Config{Passphrase: "x"}, sealedWith(t, plain, passphrase), []string{"does not unlock s.gpg", "damaged"}},
		{"no passphrase of the file", crypto.Config{}, sealedWith(t, plain, passphrase), []string{"s.gpg needs a passphrase"}},
		{"no gpg", crypto.Config{}, forBob, []string{"gpg not found in PATH", "--key FILE"}},
		{"no gpg, by name", crypto.Config{Mode: crypto.Command}, forBob, []string{"gpg not found in PATH"}},
		{"no key, native", crypto.Config{Mode: crypto.Native}, forBob, []string{"no key for it", "--key FILE"}},
	}
	for _, tt := range tests {
		tt.config.Getenv = noPrograms
		text, err := crypto.New(tt.config).Decrypt(t.Context(), "s.gpg", tt.message, limit)
		if text != nil {
			t.Errorf("%s: %q", tt.what, text)
		}
		wants(t, tt.what, err, source.Decryption, tt.words...)
	}
}

// TestSignatures: a message needs no signature, but a signature that can be checked must be
// right.
func TestSignatures(t *testing.T) {
	ann, bob := newKey(t, "ann", ""), newKey(t, "bob", "")
	signed := func(by *openpgp.Entity) []byte {
		var b bytes.Buffer
		w, err := openpgp.Encrypt(&b, []*openpgp.Entity{bob}, by, nil, nil)
		must(t, err)
		_, err = w.Write([]byte(plain))
		must(t, err)
		must(t, w.Close())
		return b.Bytes()
	}
	for what, message := range map[string][]byte{"known": signed(bob), "unknown": signed(ann)} {
		text, err := crypto.New(crypto.Config{KeyFile: file(t, "key", private(t, bob))}).Decrypt(t.Context(), "s.gpg", message, limit)
		if err != nil || string(text) != plain {
			t.Errorf("signed with a key that is %s: %q, %v", what, text, err)
		}
	}
	// A key with the ID of another makes a wrong signature.
	for what, fingerprint := range map[string][]byte{"wrong signature": bob.PrimaryKey.Fingerprint, "signature of another": nil} {
		impostor := newKey(t, "impostor", "")
		impostor.PrivateKey.KeyId = bob.PrimaryKey.KeyId
		if fingerprint != nil {
			impostor.PrivateKey.Fingerprint = fingerprint
		}
		_, err := crypto.New(crypto.Config{KeyFile: file(t, "key", private(t, bob))}).Decrypt(t.Context(), "s.gpg", signed(impostor), limit)
		wants(t, what, err, source.Decryption, "wrong signature")
	}
}

// TestEveryByteCounts: if any byte of a message is changed, or its end is missing, the result
// is the original text or an error.
func TestEveryByteCounts(t *testing.T) {
	bob := newKey(t, "bob", "")
	c := crypto.Config{Mode: crypto.Native, KeyFile: file(t, "key", private(t, bob))}
	message := sealed(t, plain, nil, bob)
	for i := range message {
		for what, data := range map[string][]byte{"changed": changed(message, i), "cut off": message[:i]} {
			text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", data, limit)
			if err == nil && string(text) != plain || err != nil && text != nil {
				t.Errorf("%s at %d: %q, %v", what, i, text, err)
			}
			if err == nil && what == "cut off" {
				t.Errorf("cut off at %d: no error", i)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	bob := newKey(t, "bob", "")
	packed := cheap()
	packed.DefaultCompressionAlgo, packed.CompressionConfig = packet.CompressionZLIB, &packet.CompressionConfig{Level: zlib.BestCompression}
	size := long.Scale(64 << 20)
	bomb := sealed(t, strings.Repeat("0", size), packed, bob)
	d := crypto.New(crypto.Config{KeyFile: file(t, "key", private(t, bob))})
	_, err := d.Decrypt(t.Context(), "s.gpg", bomb, limit)
	wants(t, "bomb", err, source.Limit, "s.gpg", "--max-bytes")
	if !errors.Is(err, source.ErrLimit) {
		t.Errorf("%v is no ErrLimit", err)
	}
	if _, err := d.Decrypt(t.Context(), "s.gpg", bomb, size-1); !errors.Is(err, source.ErrLimit) {
		t.Errorf("with a byte too little: %v is no ErrLimit", err)
	}
	text, err := d.Decrypt(t.Context(), "s.gpg", bomb, size)
	if err != nil || len(text) != size {
		t.Errorf("with room for it: %d bytes, %v", len(text), err)
	}
	_, err = d.Decrypt(t.Context(), "s.gpg", bomb, limit)
	wants(t, "bomb that was opened before", err, source.Limit)
}

// TestCostly: messages that would take long to decrypt are refused before that.
func TestCostly(t *testing.T) {
	data := []byte{0xD2, 60}
	data = append(data, make([]byte, 60)...)
	data[2] = 1
	argon2 := []byte{0xC3, 4 + 20, 4, 9, 4}
	argon2 = append(argon2, make([]byte, 16)...)
	argon2 = append(argon2, 255, 4, 31, 0, 0)
	iterated := append([]byte{0xC3, 13, 4, 9, 3, 8}, make([]byte, 9)...)
	key := append([]byte{0xC1, 12, 3}, make([]byte, 11)...)
	tests := []struct {
		what, word string
		head       []byte
		n          int
	}{
		{"memory", "memory or time", argon2, 1},
		{"passphrases", "more than 8 passphrases", iterated, 9},
		{"recipients", "more than 500 recipients", key, 501},
		{"endless recipients", "more than 500 recipients", key, 100_000},
		{"nothing", "no recipients", nil, 0},
	}
	for _, tt := range tests {
		message := append(bytes.Repeat(tt.head, tt.n), data...)
		_, err := crypto.New(crypto.Config{Mode: crypto.Native, Passphrase: passphrase}).Decrypt(t.Context(), "s.gpg", message, limit)
		wants(t, tt.what, err, source.Decryption, tt.word)
	}
}

func TestAsking(t *testing.T) {
	one, two := newKey(t, "one", passphrase), newKey(t, "two", passphrase)
	keys := file(t, "key", append(private(t, one), private(t, two)...))
	var asked []string
	d := crypto.New(crypto.Config{KeyFile: keys, Ask: answers(t, &asked, "x", passphrase)})
	for _, message := range [][]byte{sealed(t, plain, nil, one), sealed(t, plain, nil, one), sealed(t, plain, nil, two), sealedWith(t, plain, passphrase)} {
		if text, err := d.Decrypt(t.Context(), "s.gpg", message, limit); err != nil || string(text) != plain {
			t.Errorf("%q, %v", text, err)
		}
	}
	if len(asked) != 2 || !strings.Contains(asked[0], "key") || !strings.Contains(asked[1], "Wrong") {
		t.Errorf("asked %q, want once, and once more because the answer was wrong", asked)
	}

	asked = nil
	d = crypto.New(crypto.Config{KeyFile: keys, Ask: answers(t, &asked, "x", "y", "z")})
	for range 3 {
		_, err := d.Decrypt(t.Context(), "s.gpg", sealed(t, plain, nil, one), limit)
		wants(t, "wrong answers", err, source.Decryption, "passphrase")
	}
	d = crypto.New(crypto.Config{KeyFile: keys, Ask: func(context.Context, string) (string, error) { return "", nil }})
	_, err := d.Decrypt(t.Context(), "s.gpg", sealed(t, plain, nil, one), limit)
	wants(t, "no answer", err, source.Decryption, "no passphrase of key")

	asked = nil
	d = crypto.New(crypto.Config{Getenv: noPrograms, Ask: answers(t, &asked, passphrase)})
	if text, err := d.Decrypt(t.Context(), "s.gpg", sealedWith(t, plain, passphrase), limit); err != nil || string(text) != plain {
		t.Errorf("asked for the passphrase of a file: %q, %v", text, err)
	}
}

func TestInterruptedQuestion(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ask := func(context.Context, string) (string, error) {
		cancel()
		return "", context.Canceled
	}
	d := crypto.New(crypto.Config{Getenv: noPrograms, Ask: ask})
	if _, err := d.Decrypt(ctx, "s.gpg", sealedWith(t, plain, passphrase), limit); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that it was canceled", err)
	}
}

// TestConcurrent: with many files at a time the user is asked once, and nothing else uses the
// terminal meanwhile.
func TestConcurrent(t *testing.T) {
	locked := newKey(t, "locked", passphrase)
	var asked, alone atomic.Int32
	d := crypto.New(crypto.Config{
		KeyFile: file(t, "key", private(t, locked)),
		Ask: func(context.Context, string) (string, error) {
			if alone.Load() != 1 {
				t.Error("asked while another goroutine may use the terminal")
			}
			asked.Add(1)
			return passphrase, nil
		},
		Alone: func(run func()) { alone.Add(1); run(); alone.Add(-1) },
	})
	messages := [][]byte{sealed(t, plain, nil, locked), sealed(t, plain, nil, locked), sealed(t, plain, nil, locked)}
	var wait sync.WaitGroup
	for i := range 12 {
		wait.Go(func() {
			if text, err := d.Decrypt(t.Context(), "s.gpg", messages[i%len(messages)], limit); err != nil || string(text) != plain {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
	wait.Wait()
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		name, plain string
	}{
		{"a.yaml.gpg", "a.yaml"}, {"s.yay.asc", "s.yay"}, {"A.JSON.GPG", "A.JSON"}, {"dir.gpg/a.yaml", "dir.gpg/a.yaml"},
		{"a.yaml", "a.yaml"}, {"gpg", "gpg"}, {".gpg", ""}, {"a.pgp", "a.pgp"}, {"http://h/a.yaml.gpg", "http://h/a.yaml"},
	}
	for _, tt := range tests {
		if got := crypto.PlainName(tt.name); got != tt.plain || crypto.Encrypted(tt.name) != (got != tt.name) {
			t.Errorf("PlainName(%q) = %q, Encrypted %v", tt.name, got, crypto.Encrypted(tt.name))
		}
	}
}

func FuzzDecrypt(f *testing.F) {
	bob := newKey(f, "bob", "")
	f.Add(sealed(f, plain, nil, bob))
	f.Add(armored(f, openpgp.MessageType, sealed(f, plain, cheap(), bob)))
	f.Add(sealedWith(f, plain, passphrase))
	f.Add(public(f, bob))
	f.Add([]byte(plain))
	c := crypto.Config{Mode: crypto.Native, KeyFile: file(f, "key", private(f, bob)), Passphrase: passphrase}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := crypto.New(c).Decrypt(t.Context(), "s.gpg", data, 1<<16)
		if err != nil && text != nil || len(text) > 1<<16 {
			t.Errorf("%d bytes and %v", len(text), err)
		}
		if to, err := crypto.RecipientsOf("s.gpg", data); err == nil && len(to.IDs) == 0 && !to.Passphrase {
			t.Error("a message without recipients")
		}
	})
}

func FuzzKeyFile(f *testing.F) {
	bob := newKey(f, "bob", "")
	message := sealed(f, plain, nil, bob)
	f.Add(private(f, bob))
	f.Add(armored(f, openpgp.PrivateKeyType, private(f, bob)))
	f.Add(public(f, bob))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := crypto.New(crypto.Config{Mode: crypto.Native, KeyFile: file(t, "key", data), Passphrase: passphrase})
		if text, err := d.Decrypt(t.Context(), "s.gpg", message, limit); err == nil && string(text) != plain {
			t.Errorf("%q", text)
		}
	})
}
