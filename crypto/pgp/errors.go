package pgp

import (
	"strings"

	"github.com/yaytpl/yaytpl/crypto/internal/run"
)

// notMessage reports that a file is not an encrypted message.
func notMessage(name, why string) error {
	return run.Failed("%s is not an encrypted OpenPGP message: %s", name, why).
		WithHint("only encrypted files have names that end in .gpg or .asc")
}

// damaged reports that a message is incomplete or was changed.
func damaged(name, why string) error {
	return run.Failed("%s is damaged: %s", name, why).WithHint("restore it from a copy, or encrypt it again")
}

// unprotected reports a message without integrity protection. Its text may have been changed.
func unprotected(name string) error {
	return run.Failed("%s is encrypted without integrity protection (MDC), so it may have been changed", name).
		WithHint("encrypt it again: gpg since 2.1 and yaytpl encrypt protect files")
}

// noProgram reports that gpg is needed and not installed.
func noProgram(what string) error {
	return run.Failed("%s: gpg not found in PATH", what).
		WithHint("install GnuPG, or give a key with --key FILE")
}

// unsupported reports a feature of OpenPGP that only gpg may support.
func unsupported(name string, err error) error {
	why := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "openpgp: "), "unsupported feature: ")
	return run.Failed("%s: not supported: %s", run.CannotDecrypt(name), why).
		WithHint("--gpg command decrypts with gpg")
}

// noKey reports that there is no private key for a message in where.
func noKey(m *message, where string) error {
	return run.Failed("%s: no key for it in %s; it is encrypted for %s", run.CannotDecrypt(m.name), where, m.recipients()).
		WithHint("--key FILE gives the private key; without it, gpg must have it")
}

// badSignature reports that the signature of a message is wrong.
func badSignature(name string) error {
	return run.Failed("%s has a wrong signature: its text is not the text that was signed", name).
		WithHint("get the file again from its author")
}
