package load

import (
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// withText returns a file with data as its text. Everything that is opened comes through here,
// so a file is decrypted however it was named, if its path or the path of its URL says
// that it is encrypted.
func (f *Files) withText(file *source.File, path string, data []byte) (*source.File, error) {
	if !crypto.Encrypted(path) {
		return decoded(file, data)
	}
	text, err := f.config.Decrypter.Decrypt(f.config.Context, file.Name, data, min(f.left(), maxText))
	if err != nil {
		return nil, err
	}
	file.Secret = true
	return decoded(file, text)
}
