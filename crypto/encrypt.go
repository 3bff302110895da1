package crypto

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/ProtonMail/go-crypto/openpgp/s2k"
)

// Recipients say who can open a message, and how it is written.
type Recipients struct {
	// Keys are names of files with public keys, or else what gpg knows keys by:
	// numbers, fingerprints, addresses. What is a file is taken for one.
	Keys []string

	// IDs are the numbers of keys that a message was encrypted for. The key file of
	// the run or gpg must have their public keys.
	IDs []uint64

	// Passphrase says that a passphrase opens it: that of the run.
	Passphrase bool

	Armored bool // text rather than bytes
}

// RecipientsOf returns for whom a message is encrypted, so that what replaces it can
// be opened by the same. Codes: decryption.
func RecipientsOf(name string, data []byte) (Recipients, error) {
	m, err := readMessage(name, data)
	if err != nil {
		return Recipients{}, err
	}
	return Recipients{IDs: m.ids, Passphrase: m.passphrases+m.gpgOnly > 0, Armored: m.armored}, nil
}

// Encrypt returns an encrypted message with that text. It is encrypted in this process
// if all keys are at hand there, else by gpg, as Config.Mode says.
//
// Codes: decryption; errors of ctx stay what they are.
func (d *Decrypter) Encrypt(ctx context.Context, to Recipients, text []byte) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(to.Keys)+len(to.IDs) == 0 && !to.Passphrase {
		return nil, failed("there is nobody to encrypt for").WithHint("-r KEY names a recipient")
	}
	for _, id := range to.IDs {
		if id == 0 {
			return nil, failed("one of the recipients is not named, so it cannot be encrypted for the same again").
				WithHint("yaytpl encrypt -r KEY names all of them anew")
		}
	}
	native, err := d.encryptsNative(to)
	if err != nil {
		return nil, err
	}
	if native {
		return d.encryptNative(ctx, to, text)
	}
	return d.encryptByCommand(ctx, to, text)
}

// encryptsNative reports whether the keys are at hand in this process.
func (d *Decrypter) encryptsNative(to Recipients) (bool, error) {
	if d.config.Mode != Auto {
		return d.config.Mode == Native, nil
	}
	for _, key := range to.Keys {
		if !d.config.isFile(key) {
			return false, nil
		}
	}
	if to.Passphrase && len(to.Keys)+len(to.IDs) > 0 {
		return false, nil // the library does not encrypt for both
	}
	if len(to.IDs) == 0 {
		return true, nil
	}
	if d.config.KeyFile == "" {
		return false, nil
	}
	ring, err := d.ring()
	return err == nil && len(ring.missing(to.IDs)) == 0, err
}

// missing returns those of the numbers that no key has.
func (k *keyring) missing(ids []uint64) []uint64 {
	var missing []uint64
	for _, id := range ids {
		if len(k.list.KeysById(id)) == 0 {
			missing = append(missing, id)
		}
	}
	return missing
}

func (d *Decrypter) encryptNative(ctx context.Context, to Recipients, text []byte) ([]byte, error) {
	if to.Passphrase && len(to.Keys)+len(to.IDs) > 0 {
		return nil, failed("cannot encrypt for keys and a passphrase at once without gpg").WithHint("--gpg command leaves it to gpg")
	}
	passphrase := ""
	entities, err := d.publicKeys(to)
	if err == nil && to.Passphrase {
		passphrase, err = d.pass.forNew(ctx)
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

// owners returns whom the keys with these numbers belong to, each once.
func (k *keyring) owners(ids []uint64) openpgp.EntityList {
	var list openpgp.EntityList
	for _, e := range k.list {
		for _, id := range ids {
			if len(openpgp.EntityList{e}.KeysById(id)) > 0 {
				list = append(list, e)
				break
			}
		}
	}
	return list
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

// encryptByCommand has the gpg of the user encrypt.
func (d *Decrypter) encryptByCommand(ctx context.Context, to Recipients, text []byte) ([]byte, error) {
	if d.program() == "" {
		return nil, noProgram("cannot encrypt")
	}
	r := &gpgRun{args: d.gpgRecipients(to), in: text, limit: 2*len(text) + 1<<20}
	if to.Passphrase {
		if err := d.giveTo(r); err != nil {
			return nil, err
		}
	}
	d.run(ctx, r)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.err == nil && r.said.has(statusEncrypted):
		return r.out.text.Bytes(), nil
	}
	for _, words := range r.said[statusBadRecipient] {
		if len(words) > 1 {
			return nil, badRecipient(words[0], strings.Join(words[1:], " "))
		}
	}
	return nil, r.failure("cannot encrypt")
}

// gpgRecipients says the same in the words of gpg.
func (d *Decrypter) gpgRecipients(to Recipients) []string {
	var args []string
	if to.Armored {
		args = append(args, "--armor")
	}
	if to.Passphrase {
		args = append(args, "--symmetric")
	}
	if len(to.Keys)+len(to.IDs) > 0 {
		args = append(args, "--encrypt")
	}
	for _, key := range to.Keys {
		if d.config.isFile(key) {
			args = append(args, "--recipient-file", d.config.path(key))
		} else {
			args = append(args, "--recipient", key)
		}
	}
	if len(to.IDs) > 0 {
		// They were trusted when the message was encrypted for them.
		args = append(args, "--trust-model", "always")
	}
	for _, id := range to.IDs {
		args = append(args, "--recipient", "0x"+keyName(id))
	}
	return args
}

// badRecipient says why gpg does not encrypt for someone (GnuPG, doc/DETAILS,
// INV_RECP).
func badRecipient(reason, who string) error {
	why, hint := "gpg does not accept it", "gpg --list-keys shows what there is"
	switch reason {
	case "1":
		why = "gpg does not have it"
	case "2":
		why = "gpg has several"
	case "4":
		why = "it was revoked"
	case "5":
		why = "it has expired"
	case "10":
		why, hint = "gpg does not trust it", "check it and gpg --lsign-key it, or give it as a file: -r FILE"
	}
	return failed("cannot encrypt for the key %s: %s", who, why).WithHint("%s", hint)
}
