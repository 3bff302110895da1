package lookup

import (
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/lang/hiera"
	"github.com/yaytpl/yaytpl/source"
)

// An eyamlDecrypter decrypts values of hiera-eyaml with the private keys of the user, then with those
// that hiera.yaml names, if the sandbox allows reading them.
type eyamlDecrypter struct {
	b     *Bindings
	mu    sync.Mutex
	files map[string]keyFile
}

// A keyFile is a private key that a hiera.yaml names.
type keyFile struct{ text, problem string }

// DecryptEyaml implements [hiera.Decrypter].
func (d *eyamlDecrypter) DecryptEyaml(e hiera.Encrypted) (string, *source.Diagnostic, error) {
	v := load.EyamlValue{Method: e.Method, Text: e.Text}
	problem := ""
	if e.KeyFile != "" {
		k := d.key(e.KeyFile)
		v.Key, v.KeyName, problem = k.text, e.KeyFile, k.problem
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

// key reads a private key once.
func (d *eyamlDecrypter) key(name string) keyFile {
	d.mu.Lock()
	defer d.mu.Unlock()
	k, ok := d.files[name]
	if ok {
		return k
	}
	f, err := d.b.read(name)
	switch {
	case err != nil:
		k.problem = source.AsDiagnostic(err, source.Span{}, source.Access).Message
	default:
		k.text = f.Text
	}
	if d.files == nil {
		d.files = map[string]keyFile{}
	}
	d.files[name] = k
	return k
}
