package pgp

import (
	"context"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/crypto/internal/run"
	"github.com/yaytpl/yaytpl/source"
)

// publicKeys returns the public keys of the recipients.
func (d *messages) publicKeys(ctx context.Context, to crypto.Recipients) (openpgp.EntityList, error) {
	var list openpgp.EntityList
	for _, name := range to.Keys {
		if !d.isFile(name) {
			return nil, run.Failed("cannot encrypt for %q without gpg: it is not a key file", name).
				WithHint("gpg --armor --export %s prints a key for one", name)
		}
		ring, err := readKeyring(ctx, d.files, name)
		if err != nil {
			return nil, err
		}
		list = append(list, ring.list...)
	}
	again, err := d.sameKeys(ctx, to.IDs)
	return append(list, again...), err
}

// sameKeys returns the public keys with these IDs, which an earlier message was encrypted for. It looks in
// the key file of the run, then in its files with public keys, then in the keyring of gpg.
func (d *messages) sameKeys(ctx context.Context, ids []uint64) (openpgp.EntityList, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rings, err := d.rings(ctx)
	if err != nil {
		return nil, err
	}
	var list openpgp.EntityList
	missing := ids
	take := func(ring *keyring) {
		list = append(list, ring.owners(missing)...)
		missing = ring.missing(missing)
	}
	for _, ring := range rings {
		take(ring)
	}
	if len(missing) > 0 && d.config.Mode != crypto.Native && d.program() != "" {
		take(d.exported(ctx, missing))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(missing) > 0 {
		return nil, d.noPublicKeys(missing, len(ids))
	}
	return list, nil
}

// rings returns the keys of the key file and of the files with public keys, which it reads once.
func (d *messages) rings(ctx context.Context) ([]*keyring, error) {
	var all []*keyring
	if d.config.KeyFile != "" {
		ring, err := d.ring(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, ring)
	}
	for i, name := range d.config.PublicKeys {
		if i == len(d.public) {
			ring, err := readKeyring(ctx, d.files, name)
			if err != nil {
				return nil, err
			}
			d.public = append(d.public, ring)
		}
		all = append(all, d.public[i])
	}
	return all, nil
}

// exported returns the keys with these IDs that the keyring of gpg has.
func (d *messages) exported(ctx context.Context, ids []uint64) *keyring {
	r := &gpgRun{args: []string{"--export"}, limit: maxKeyFile}
	for _, id := range ids {
		r.args = append(r.args, "0x"+keyName(id))
	}
	d.run(ctx, r)
	k := &keyring{file: "the keyring of gpg"}
	if r.err == nil && !r.out.Over() && len(r.out.Bytes()) > 0 {
		if run.Guarded(func() error { return k.parse(r.out.Bytes()) }) != nil {
			k.list = nil
		}
	}
	return k
}

// maxListed bounds how many keys a message lists.
const maxListed = 10

// noPublicKeys reports recipients without a public key, and where to put it.
func (d *messages) noPublicKeys(missing []uint64, of int) *source.Diagnostic {
	var names []string
	for _, id := range missing[:min(len(missing), maxListed)] {
		names = append(names, keyName(id))
	}
	keys := "the public key " + names[0] + " is missing"
	if len(missing) > 1 {
		keys = "the public keys " + strings.Join(names, ", ") + " are missing"
	}
	at := "--public-key FILE gives it"
	if d.config.Mode != crypto.Native && d.program() != "" {
		at += ", and so does gpg --import FILE"
	}
	return run.Failed("cannot encrypt for the same recipients: %s (%d of %d)", keys, len(missing), of).
		WithHint("%s; yaytpl encrypt -i -r KEY names all recipients again", at)
}
