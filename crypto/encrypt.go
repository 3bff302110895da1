package crypto

import "context"

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

	like *message // whose passphrase it is; nil is any
}

// RecipientsOf returns for whom a message is encrypted, so that what replaces it can
// be opened by the same. Codes: decryption.
func RecipientsOf(name string, data []byte) (Recipients, error) {
	m, err := readMessage(name, data)
	if err != nil {
		return Recipients{}, err
	}
	return Recipients{IDs: m.ids, Passphrase: m.passphrases+m.gpgOnly > 0, Armored: m.armored, like: m}, nil
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
