package crypto

import (
	"bytes"
	"context"
	"io"
	"math"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/ProtonMail/go-crypto/openpgp/s2k"
)

// maxText is more than any text has that was decrypted.
const maxText = math.MaxInt32

func (d *Decrypter) encryptNative(ctx context.Context, to Recipients, text []byte) ([]byte, error) {
	if to.Passphrase && len(to.Keys)+len(to.IDs) > 0 {
		return nil, failed("cannot encrypt for keys and a passphrase at once without gpg").WithHint("--gpg command leaves it to gpg")
	}
	passphrase := ""
	entities, err := d.publicKeys(to)
	if err == nil && to.Passphrase {
		passphrase, err = d.passphraseFor(ctx, to)
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = guarded(func() error { return seal(&out, entities, passphrase, text, to.Armored) })
	if err != nil {
		return nil, failed("cannot encrypt: %s", strings.TrimPrefix(err.Error(), "openpgp: "))
	}
	return out.Bytes(), nil
}

// passphraseFor returns the passphrase of a message to make: of what replaces another
// one, the one that opened that.
func (d *Decrypter) passphraseFor(ctx context.Context, to Recipients) (right string, err error) {
	m := to.like
	if m == nil || m.passphrases == 0 {
		return d.pass.forNew(ctx)
	}
	err = d.pass.try(ctx, m.name, m.name, func(passphrase string) error {
		right = passphrase
		_, err := m.open(nil, passphrase, maxText)
		return err
	})
	return right, err
}

// publicKeys returns the keys of the recipients.
func (d *Decrypter) publicKeys(to Recipients) (openpgp.EntityList, error) {
	var list openpgp.EntityList
	for _, name := range to.Keys {
		if !d.config.isFile(name) {
			return nil, failed("cannot encrypt for %q without gpg: it is no key file", name).
				WithHint("gpg --armor --export %s writes one", name)
		}
		ring, err := readKeyring(d.config, name)
		if err != nil {
			return nil, err
		}
		list = append(list, ring.list...)
	}
	if len(to.IDs) == 0 {
		return list, nil
	}
	if d.config.KeyFile == "" {
		return nil, failed("cannot encrypt for the same recipients: there is no key file").WithHint("--key FILE names one")
	}
	ring, err := d.ring()
	if err != nil {
		return nil, err
	}
	if missing := ring.missing(to.IDs); len(missing) > 0 {
		return nil, failed("cannot encrypt for the same recipients: %s has no key %s", ring.file, keyName(missing[0])).
			WithHint("yaytpl encrypt -r KEY names all of them anew")
	}
	return append(list, ring.owners(to.IDs)...), nil
}

// seal writes a message. It has the form that every OpenPGP program reads: a modern
// cipher, an MDC, no authenticated encryption. Nothing is packed: how well a secret
// packs tells something about it.
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
