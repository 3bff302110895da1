package crypto

import (
	"context"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// decryptByCommand has the gpg of the user decrypt a message. Text counts only if gpg
// says that it was decrypted, that it is what was encrypted, and that nothing else was
// wrong.
func (d *Decrypter) decryptByCommand(ctx context.Context, m *message, limit int) ([]byte, error) {
	if d.program() == "" {
		return nil, noProgram(cannotDecrypt(m.name))
	}
	r := &gpgRun{args: []string{"--decrypt"}, in: m.raw, limit: limit}
	if err := d.giveTo(r); err != nil {
		return nil, err
	}
	d.run(ctx, r)
	switch {
	case r.out.Over():
		return nil, tooLarge(m.name, limit)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.err == nil && r.said.has(statusDecrypted) && r.said.has(statusProtected):
		return r.out.Bytes(), nil
	}
	return nil, d.whyNot(m, r)
}

// giveTo hands gpg the passphrase that was given. Its agent asks for what it has not.
func (d *Decrypter) giveTo(r *gpgRun) error {
	if !d.pass.given() {
		return nil
	}
	text, err := d.pass.fixed()
	r.passphrase = &text
	return err
}

// whyNot says why gpg did not decrypt a message.
func (d *Decrypter) whyNot(m *message, r *gpgRun) error {
	why, said := cannotDecrypt(m.name), r.said
	switch {
	case said.has(statusBadSignature):
		return badSignature(m.name)
	case said.has(statusBadProtection):
		return damaged(m.name, "it was changed after it was encrypted")
	case said.has(statusDecrypted) && r.err == nil:
		return unprotected(m.name)
	case said.failedWith(codesCanceled):
		return failed("%s: no passphrase was given", why)
	case said.failedWith(codesNoAsking):
		return failed("%s: the agent of gpg cannot ask for the passphrase", why).WithHint(askHint)
	case said.failedWith(codesWrong), said.has(statusBadPassphrase), said.has(statusNoPassphrase):
		return d.wrongForGPG(m)
	case said.has(statusOpened) && !said.has(statusDecrypted):
		return damaged(m.name, "gpg cannot read what was encrypted")
	case said.has(statusNoKey), said.has(statusFailed) && len(m.ids) > 0 && !said.has(statusKnowsKey):
		return noKey(m, "the keyring of gpg")
	case said.has(statusFailed):
		return d.locked(m)
	}
	return r.failure(why)
}

const askHint = "export GPG_TTY=$(tty), or give it with --passphrase-file FILE"

// locked says that gpg could not use what it has. It does not tell why.
func (d *Decrypter) locked(m *message) error {
	why := cannotDecrypt(m.name)
	if len(m.ids) > 0 {
		why += ": gpg has no private key for it, or"
	} else {
		why += ": gpg"
	}
	if d.pass.given() {
		return failed("%s was given a wrong passphrase in %s", why, d.pass.where())
	}
	return failed("%s did not get the passphrase of %s", why, m.recipients()).WithHint(askHint)
}

func (d *Decrypter) wrongForGPG(m *message) error {
	if d.pass.given() {
		return d.pass.wrong(m.name, m.recipients())
	}
	return failed("%s: wrong passphrase", cannotDecrypt(m.name))
}

// failure is for what nobody foresaw: it quotes the last thing that gpg said.
func (r *gpgRun) failure(what string) *source.Diagnostic {
	last := ""
	for line := range strings.Lines(r.noise.String()) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "[GNUPG:]") {
			last = ": " + strings.ToValidUTF8(strings.TrimPrefix(line, "gpg: "), "\uFFFD")
		}
	}
	if last == "" && r.err != nil {
		last = ": " + r.err.Error()
	}
	return failed("%s: gpg failed%s", what, last)
}
