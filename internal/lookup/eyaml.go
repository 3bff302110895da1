package lookup

import (
	"strings"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/hiera"
	"github.com/yaytpl/yaytpl/source"
)

// An eyamlDecrypter decrypts values of hiera-eyaml with the private keys of the user, then with those
// that hiera.yaml names, if the sandbox allows reading them.
type eyamlDecrypter struct {
	b     *Bindings
	texts memo[string] // of the files with keys, by their names
}

// DecryptEyaml implements [hiera.Decrypter].
func (d *eyamlDecrypter) DecryptEyaml(e hiera.Encrypted) (string, *source.Diagnostic, error) {
	v := load.EyamlValue{Method: e.Method, Text: e.Text}
	problem := ""
	if e.KeyFile != "" {
		var err error
		v.KeyName = e.KeyFile
		if v.Key, err = d.texts.get(e.KeyFile, func() (string, error) { return d.read(e.KeyFile) }); err != nil {
			problem = source.AsDiagnostic(err, source.Span{}, source.Access).Message
		}
	}
	if e.KeyVariable != "" && v.Key == "" {
		var ok bool
		if v.Key, ok = d.b.files.Host("", "").Getenv(e.KeyVariable); !ok {
			problem = "the environment variable " + e.KeyVariable + " is not set, or not allowed by --allow-env"
		}
		v.KeyName = e.KeyVariable
	}
	if e.SecretNames { // of which no message may speak
		v.KeyName = "the key file of hiera.yaml"
		if problem != "" {
			problem = v.KeyName + " cannot be read"
		}
	}
	text, ok, err := d.b.files.DecryptEyaml(v)
	if err != nil || ok {
		return text, nil, err
	}
	if m := strings.ToUpper(e.Method); m != "" && m != "PKCS7" {
		return "", source.Warnf(source.Span{}, source.Encrypted, "the text stays encrypted: hiera-eyaml's method %s is not supported", e.Method).
			WithHint("PKCS7 and GPG are supported: eyaml recrypt encrypts a file by another method"), nil
	}
	if problem != "" {
		problem = " (" + problem + ")"
	}
	return "", source.Warnf(source.Span{}, source.Encrypted, "the text stays encrypted: no private key is given%s", problem).
		WithHint("--eyaml-key FILE gives it, such as private_key.pkcs7.pem"), nil
}

// read returns the text of a file with a private key.
func (d *eyamlDecrypter) read(name string) (string, error) {
	f, err := d.b.read(name)
	if err != nil {
		return "", err
	}
	return f.Text, nil
}
