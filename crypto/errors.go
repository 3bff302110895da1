package crypto

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// failed makes an error. Errors of this package have no place: whoever opened the
// file knows it. None wraps fs.ErrNotExist, which would make a file with a missing
// key look like a missing file.
func failed(format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Decryption, format, args...)
}

func cannotDecrypt(name string) string { return name + " cannot be decrypted" }

func notMessage(name, why string) error {
	return failed("%s is not an encrypted OpenPGP message: %s", name, why).
		WithHint("only encrypted files have names that end in .gpg or .asc")
}

func damaged(name, why string) error {
	return failed("%s is damaged: %s", name, why).WithHint("restore it from where it came from, or encrypt it again")
}

func unprotected(name string) error {
	return failed("%s is encrypted without integrity protection (MDC), so anybody could have changed it", name).
		WithHint("encrypt it again: gpg since 2.1 and yaytpl encrypt protect files")
}

func tooLarge(name string, limit int) error {
	return source.Errorf(source.Span{}, source.Limit, "%s: more than %d bytes of input when it is decrypted (--max-bytes)", name, limit)
}

func noProgram(what string) error {
	return failed("%s: there is no gpg in PATH", what).
		WithHint("install GnuPG, or give a key with --key FILE")
}

func unsupported(name string, err error) error {
	why := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "openpgp: "), "unsupported feature: ")
	return failed("%s: not supported: %s", cannotDecrypt(name), why).
		WithHint("--gpg command leaves it to gpg")
}

// noKey says that none of the keys at hand belongs to a message.
func noKey(m *message, where string) error {
	return failed("%s: no key for it in %s; it is encrypted for %s", cannotDecrypt(m.name), where, m.recipients()).
		WithHint("--key FILE gives the private key; without it, gpg must have it")
}

func badSignature(name string) error {
	return failed("%s is signed, and its text is not what was signed", name).
		WithHint("get it again from who made it")
}

// guarded runs f, which hands bytes of others to the OpenPGP library. A panic there
// is an error in these bytes.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("it is malformed")
		}
	}()
	return f()
}
