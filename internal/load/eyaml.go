package load

import (
	"strings"

	"github.com/yaytpl/yaytpl/crypto"
)

// An EyamlValue is a value that hiera-eyaml encrypted: ENC[METHOD,TEXT].
type EyamlValue struct {
	Method, Text string

	// Key is a private key in addition to the keys of the user, in PEM form, and KeyName its name; both may be empty.
	Key, KeyName string
}

// DecryptEyaml decrypts a value of hiera-eyaml. ok is false if its method is not supported, or no key
// is given.
//
// Codes: the codes of [crypto.Decrypter.DecryptEyaml].
func (f *Files) DecryptEyaml(v EyamlValue) (text string, ok bool, err error) {
	d := f.config.Decrypter
	f.inputs.uses(d)
	var data []byte
	switch strings.ToUpper(v.Method) {
	case "", "PKCS7":
		var others []crypto.EyamlKey
		if v.Key != "" {
			others = []crypto.EyamlKey{{Name: v.KeyName, PEM: v.Key}}
		}
		if len(others) == 0 && !d.HasEyamlKeys() {
			return "", false, nil
		}
		data, err = d.DecryptEyaml(f.config.Context, v.Text, others...)
	case "GPG":
		data, err = d.DecryptEyamlGPG(f.config.Context, v.Text, min(f.left(), maxText))
	default:
		return "", false, nil
	}
	return string(data), true, err
}
