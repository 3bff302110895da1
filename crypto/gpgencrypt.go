package crypto

import (
	"context"
	"strings"
)

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
		return r.out.Bytes(), nil
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
