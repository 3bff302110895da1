package run

import (
	"errors"

	"github.com/yaytpl/yaytpl/source"
)

// Failed returns an error with code decryption. The errors of decrypting have no place: the
// caller that opened the file adds it. None wraps fs.ErrNotExist, since a caller would take a
// missing key file for a missing file.
func Failed(format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Decryption, format, args...)
}

// CannotDecrypt returns the beginning of most messages.
func CannotDecrypt(name string) string { return name + " cannot be decrypted" }

// TooLarge reports a file whose text has more than limit bytes.
func TooLarge(name string, limit int) error {
	return source.Errorf(source.Span{}, source.Limit, "%s: more than %d bytes of input when it is decrypted (--max-bytes)", name, limit)
}

// Guarded calls f, which passes untrusted data to a library. It returns a panic of
// the library as an error in the data.
func Guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("it is malformed")
		}
	}()
	return f()
}

// Printable replaces a character that is not printable ASCII.
func Printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}
