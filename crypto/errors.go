package crypto

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// failed returns an error with code decryption. The errors of this package have no place: the
// caller that opened the file adds it. None wraps fs.ErrNotExist, since a caller would take a
// missing key file for a missing file.
func failed(format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Decryption, format, args...)
}

func cannotDecrypt(name string) string { return name + " cannot be decrypted" }

// notMessage reports that a file is not an encrypted message.
func notMessage(name, why string) error {
	return failed("%s is not an encrypted OpenPGP message: %s", name, why).
		WithHint("only encrypted files have names that end in .gpg or .asc")
}

// damaged reports that a message is incomplete or was changed.
func damaged(name, why string) error {
	return failed("%s is damaged: %s", name, why).WithHint("restore it from a copy, or encrypt it again")
}

// unprotected reports a message without integrity protection. Its text may have been changed.
func unprotected(name string) error {
	return failed("%s is encrypted without integrity protection (MDC), so it may have been changed", name).
		WithHint("encrypt it again: gpg since 2.1 and yaytpl encrypt protect files")
}

func tooLarge(name string, limit int) error {
	return source.Errorf(source.Span{}, source.Limit, "%s: more than %d bytes of input when it is decrypted (--max-bytes)", name, limit)
}

// noProgram reports that gpg is needed and not installed.
func noProgram(what string) error {
	return failed("%s: gpg not found in PATH", what).
		WithHint("install GnuPG, or give a key with --key FILE")
}

// unsupported reports a feature of OpenPGP that only gpg may support.
func unsupported(name string, err error) error {
	why := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "openpgp: "), "unsupported feature: ")
	return failed("%s: not supported: %s", cannotDecrypt(name), why).
		WithHint("--gpg command decrypts with gpg")
}

// noKey reports that there is no private key for a message in where.
func noKey(m *message, where string) error {
	return failed("%s: no key for it in %s; it is encrypted for %s", cannotDecrypt(m.name), where, m.recipients()).
		WithHint("--key FILE gives the private key; without it, gpg must have it")
}

// badSignature reports that the signature of a message is wrong.
func badSignature(name string) error {
	return failed("%s has a wrong signature: its text is not the text that was signed", name).
		WithHint("get the file again from its author")
}

// guarded calls f, which passes untrusted data to the OpenPGP library. It returns a panic of
// the library as an error in the data.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("it is malformed")
		}
	}()
	return f()
}
