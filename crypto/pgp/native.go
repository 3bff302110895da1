package pgp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/ProtonMail/go-crypto/openpgp/s2k"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/crypto/internal/run"
)

// decryptNative decrypts in this process: with the key file, or with a passphrase if no key
// matches.
func (d *messages) decryptNative(ctx context.Context, m *message, limit int) ([]byte, error) {
	keys, err := d.keysFor(ctx, m)
	switch {
	case err != nil:
		return nil, err
	case len(keys) > 0:
		return d.decryptWithKeys(ctx, m, keys, limit)
	case m.passphrases > 0:
		text, _, err := d.openWithPassphrase(ctx, m, limit)
		return text, err
	case m.gpgOnly > 0:
		return nil, unsupported(m.name, errors.New("the passphrase packet of this version of GnuPG"))
	case d.config.KeyFile == "":
		return nil, noKey(m, "this run, which has no key file")
	}
	return nil, noKey(m, d.config.KeyFile)
}

// keysFor returns the private keys of the key file that may decrypt a message.
func (d *messages) keysFor(ctx context.Context, m *message) ([]openpgp.Key, error) {
	if d.config.KeyFile == "" || len(m.ids) == 0 {
		return nil, nil
	}
	ring, err := d.ring(ctx)
	if err != nil {
		return nil, err
	}
	keys := ring.private(m)
	isPrivate := func(e *openpgp.Entity) bool { return e.PrivateKey != nil }
	if len(keys) == 0 && m.passphrases == 0 && !slices.ContainsFunc(ring.list, isPrivate) {
		return nil, run.Failed("%s: no private key in %s", run.CannotDecrypt(m.name), ring.file).
			WithHint("gpg --armor --export-secret-keys ID prints one")
	}
	return keys, nil
}

// decryptWithKeys tries the unprotected keys, and then unlocks the protected ones one after
// another. The first key decrypts the message, unless the message has hidden recipients.
func (d *messages) decryptWithKeys(ctx context.Context, m *message, keys []openpgp.Key, limit int) ([]byte, error) {
	unfit := damaged(m.name, "its session key is invalid, or is encrypted for another key")
	locked := slices.DeleteFunc(slices.Clone(keys), func(key openpgp.Key) bool { return !key.PrivateKey.Encrypted })
	if len(locked) < len(keys) {
		if text, err := m.open(d.keys.list, "", limit); !errors.Is(err, errWrong) {
			return text, err
		}
	}
	last := unfit
	for _, key := range locked {
		if last = d.unlock(ctx, m, key); ctx.Err() != nil {
			return nil, last
		} else if last != nil {
			continue
		}
		if text, err := m.open(d.keys.list, "", limit); !errors.Is(err, errWrong) {
			return text, err
		}
		last = unfit
	}
	return nil, last
}

// unlock decrypts a protected private key with a passphrase.
func (d *messages) unlock(ctx context.Context, m *message, key openpgp.Key) error {
	what := "key " + keyName(key.PublicKey.KeyId)
	return d.pass.try(ctx, m.name, what, func(passphrase string) error {
		if run.Guarded(func() error { return key.PrivateKey.Decrypt([]byte(passphrase)) }) != nil {
			return errWrong
		}
		return nil
	})
}

// openWithPassphrase returns the text of a message and the passphrase that decrypts it.
func (d *messages) openWithPassphrase(ctx context.Context, m *message, limit int) (text []byte, right string, err error) {
	err = d.pass.try(ctx, m.name, m.name, func(passphrase string) (err error) {
		right = passphrase
		text, err = m.open(nil, passphrase, limit)
		return err
	})
	return text, right, err
}

// open returns the text of a message after all of it is read and checked. The error is
// errWrong if neither the keys nor the passphrase decrypt it. A damaged message that is
// encrypted with a passphrase is errWrong, too: a wrong passphrase has the same effects.
func (m *message) open(keys openpgp.EntityList, passphrase string, limit int) (text []byte, err error) {
	err = run.Guarded(func() error {
		text, err = m.read(keys, passphrase, limit)
		return err
	})
	if err == nil || errors.Is(err, errWrong) {
		return text, err
	}
	var notKnown pgperrors.UnsupportedError
	switch {
	case errors.Is(err, pgperrors.ErrMessageTooLarge):
		return nil, run.TooLarge(m.name, limit)
	case errors.Is(err, errBadSignature):
		return nil, badSignature(m.name)
	case errors.As(err, &notKnown):
		return nil, unsupported(m.name, err)
	case keys == nil:
		return nil, errWrong
	}
	return nil, damaged(m.name, "it was changed after it was encrypted")
}

// largeText is the size above which a text is measured before it is stored. A compressed
// message may be far smaller than its text, and a growing buffer takes several times the size
// of the text.
const largeText = 16 << 20

// read is open that returns the errors of the library.
func (m *message) read(keys openpgp.EntityList, passphrase string, limit int) ([]byte, error) {
	details, err := m.details(keys, passphrase, limit)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(details.UnverifiedBody, int64(min(limit, largeText))+1))
	if err == nil && len(text) > min(limit, largeText) {
		text, details, err = m.readLarge(details, len(text), keys, passphrase, limit)
	}
	if err != nil {
		return nil, err
	}
	if wrongSignature(details.SignatureError) {
		return nil, errBadSignature
	}
	return text, nil
}

// readLarge reads a text whose first begun bytes were read from d. It counts the rest; if the
// text is within the limit, it decrypts the message once more into a buffer of that size.
func (m *message) readLarge(d *openpgp.MessageDetails, begun int, keys openpgp.EntityList, passphrase string, limit int) ([]byte, *openpgp.MessageDetails, error) {
	rest, err := io.Copy(io.Discard, io.LimitReader(d.UnverifiedBody, int64(max(limit-begun, 0))+1))
	switch size := begun + int(rest); {
	case err != nil:
		return nil, nil, err
	case size > limit:
		return nil, nil, pgperrors.ErrMessageTooLarge
	default:
		if d, err = m.details(keys, passphrase, limit); err != nil {
			return nil, nil, err
		}
		text := make([]byte, size)
		if _, err = io.ReadFull(d.UnverifiedBody, text); err == nil {
			_, err = io.Copy(io.Discard, d.UnverifiedBody) // the integrity is checked at the end
		}
		return text, d, err
	}
}

// details begins to decrypt a message. Its text is read from the UnverifiedBody of the result.
func (m *message) details(keys openpgp.EntityList, passphrase string, limit int) (*openpgp.MessageDetails, error) {
	tried := false
	prompt := func([]openpgp.Key, bool) ([]byte, error) {
		if tried || keys != nil {
			return nil, errWrong
		}
		tried = true
		return []byte(passphrase), nil
	}
	// The decompressed data has more than the text: headers, signatures.
	unpacked := 2*int64(limit) + 64<<10
	config := &packet.Config{MaxDecompressedMessageSize: &unpacked}
	details, err := openpgp.ReadMessage(bytes.NewReader(m.body), keys, prompt, config)
	if errors.Is(err, pgperrors.ErrKeyIncorrect) {
		return nil, errWrong
	}
	return details, err
}

// errBadSignature reports that the signature of a message is wrong.
var errBadSignature = errors.New("bad signature")

// wrongSignature reports whether a signature is wrong or was removed. It is false for one that
// cannot be checked, since the key is missing, and for an expired one.
func wrongSignature(err error) bool {
	var wrong pgperrors.SignatureError
	var missing pgperrors.StructuralError
	return errors.As(err, &wrong) || errors.As(err, &missing)
}

// maxText is the limit for a text that was decrypted before. No text is longer.
const maxText = math.MaxInt32

// encryptNative encrypts in this process.
func (d *messages) encryptNative(ctx context.Context, to crypto.Recipients, text []byte) ([]byte, error) {
	if to.Passphrase && len(to.Keys)+len(to.IDs) > 0 {
		return nil, run.Failed("cannot encrypt for keys and a passphrase at once without gpg").WithHint("--gpg command encrypts with gpg")
	}
	passphrase := ""
	entities, err := d.publicKeys(ctx, to)
	switch m, _ := to.Like.(*message); {
	case err != nil || !to.Passphrase:
	case m == nil || m.passphrases == 0:
		passphrase, err = d.pass.forNew(ctx)
	default: // the message replaces m, so it gets the same passphrase
		_, passphrase, err = d.openWithPassphrase(ctx, m, maxText)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = run.Guarded(func() error { return seal(&out, entities, passphrase, text, to.Armored) })
	if err != nil {
		return nil, run.Failed("cannot encrypt: %s", strings.TrimPrefix(err.Error(), "openpgp: "))
	}
	return out.Bytes(), nil
}

// seal writes a message in the form that every OpenPGP program reads: AES-256 with an MDC, no
// authenticated encryption. The text is not compressed, since the compressed size would reveal
// something about the text.
func seal(w io.Writer, to openpgp.EntityList, passphrase string, text []byte, armored bool) error {
	config := &packet.Config{
		DefaultCipher:          packet.CipherAES256,
		DefaultCompressionAlgo: packet.CompressionNone,
		S2KConfig:              &s2k.Config{S2KCount: 65011712},
	}
	closers := []io.Closer{}
	if armored {
		armor, err := armor.Encode(w, openpgp.MessageType, nil)
		if err != nil {
			return err
		}
		w, closers = armor, append(closers, armor)
	}
	hints := &openpgp.FileHints{IsBinary: true}
	var inner io.WriteCloser
	var err error
	if len(to) > 0 {
		inner, err = openpgp.Encrypt(w, to, nil, hints, config)
	} else {
		inner, err = openpgp.SymmetricallyEncrypt(w, []byte(passphrase), hints, config)
	}
	if err != nil {
		return err
	}
	if _, err := inner.Write(text); err != nil {
		return err
	}
	for _, c := range append([]io.Closer{inner}, closers...) {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return nil
}
