package pgp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/yaytpl/yaytpl/crypto/internal/run"
)

// maxKeyFile is the limit of key files; keys with many signatures have some megabytes.
const maxKeyFile = 64 << 20

// A keyring has the keys of a file.
type keyring struct {
	file string
	list openpgp.EntityList
}

// readKeyring reads a key file: binary, or any number of armoured blocks.
func readKeyring(ctx context.Context, files *run.Files, name string) (*keyring, error) {
	data, err := files.Read(ctx, name, maxKeyFile)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, run.Failed("cannot read the key file %s: %s", name, err)
	}
	k := &keyring{file: name}
	err = run.Guarded(func() error { return k.parse(data) })
	switch {
	case err != nil:
		return nil, run.Failed("%s is not an OpenPGP key file: %s", name, strings.TrimPrefix(err.Error(), "openpgp: "))
	case len(k.list) == 0:
		return nil, run.Failed("%s is not an OpenPGP key file", name).
			WithHint("gpg --armor --export ID prints a public key, --export-secret-keys a private one")
	}
	return k, nil
}

// parse adds the keys in data: binary keys, or the armoured blocks anywhere in a text.
func (k *keyring) parse(data []byte) error {
	if len(data) > 0 && data[0]&0x80 != 0 {
		list, err := openpgp.ReadKeyRing(bytes.NewReader(data))
		k.list = list
		return err
	}
	for {
		start := bytes.Index(data, armorBegin)
		if start < 0 {
			return nil
		}
		data = data[start:]
		block, err := armor.Decode(bytes.NewReader(data))
		if err != nil {
			return errors.New("its armour cannot be read")
		}
		if block.Type != openpgp.PublicKeyType && block.Type != openpgp.PrivateKeyType {
			return fmt.Errorf("it holds a %s", strings.ToLower(strings.Map(run.Printable, block.Type)))
		}
		body, err := io.ReadAll(block.Body)
		if err != nil {
			return errors.New("its armour cannot be read")
		}
		list, err := openpgp.ReadKeyRing(bytes.NewReader(body))
		k.list = append(k.list, list...)
		if err != nil {
			return err
		}
		data = data[len(armorBegin):]
	}
}

// ring returns the keys of the run's key file, which it reads once.
func (d *messages) ring(ctx context.Context) (*keyring, error) {
	if d.keys == nil {
		k, err := readKeyring(ctx, d.files, d.config.KeyFile)
		if err != nil {
			return nil, err
		}
		d.keys = k
	}
	return d.keys, nil
}

// missing returns the IDs without a key in the keyring.
func (k *keyring) missing(ids []uint64) []uint64 {
	var missing []uint64
	for _, id := range ids {
		if len(k.list.KeysById(id)) == 0 {
			missing = append(missing, id)
		}
	}
	return missing
}

// owners returns the entities that have a key with one of the IDs, each once.
func (k *keyring) owners(ids []uint64) openpgp.EntityList {
	var list openpgp.EntityList
	for _, e := range k.list {
		if slices.ContainsFunc(ids, func(id uint64) bool { return len(openpgp.EntityList{e}.KeysById(id)) > 0 }) {
			list = append(list, e)
		}
	}
	return list
}

// private returns the private keys that may decrypt a message, each once: those with an ID of
// its recipients, and all if it has a hidden recipient.
func (k *keyring) private(m *message) []openpgp.Key {
	var keys []openpgp.Key
	seen := map[string]bool{}
	add := func(candidates []openpgp.Key) {
		for _, key := range candidates {
			if key.PrivateKey == nil || key.PrivateKey.Dummy() || seen[string(key.PublicKey.Fingerprint)] {
				continue
			}
			seen[string(key.PublicKey.Fingerprint)] = true
			keys = append(keys, key)
		}
	}
	for _, id := range m.ids {
		if id == 0 {
			add(k.list.DecryptionKeys())
		} else {
			add(k.list.KeysById(id))
		}
	}
	return keys
}

// keyName returns a key ID in the form of gpg: 16 hexadecimal digits.
func keyName(id uint64) string { return fmt.Sprintf("%016X", id) }
