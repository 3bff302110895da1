package crypto

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"github.com/yaytpl/yaytpl/crypto/internal/run"
	"strings"
	"unicode/utf8"
)

// # Values of hiera-eyaml
//
// hiera-eyaml encrypts single values of data files. ENC[PKCS7,...] holds in base64 the DER of PKCS#7
// enveloped data (RFC 2315, section 10; RFC 5652, section 6):
//
//	ContentInfo
//	  EnvelopedData
//	    RecipientInfo: the key of the content, encrypted by RSA for a certificate  (one or more)
//	    EncryptedContentInfo: AES-256-CBC, the IV, the encrypted content
//
// The certificate has no other use than its public key, so a private key is tried on each recipient.
// The content has no integrity check. That a value cannot be decrypted is therefore one error,
// whatever the reason: reasons would tell apart changed messages.

const (
	maxEyamlRecipients = 100
	maxEyamlKeyFile    = 1 << 20
	minRSABits         = 1024 // of crypto/rsa
)

// An EyamlKey is a private key that a hiera.yaml names, in addition to the files of Config.EyamlKeys.
type EyamlKey struct {
	Name string // for messages
	PEM  string
}

// HasEyamlKeys reports whether the run has private keys for values of hiera-eyaml.
func (d *Decrypter) HasEyamlKeys() bool { return len(d.config.EyamlKeys) > 0 }

// DecryptEyaml returns the text of a value that hiera-eyaml encrypted with the method PKCS7. text
// is the base64 of it, in which blanks do not count. The keys of the run are tried first, then the
// others.
//
// Code: decryption; if ctx is done, its error.
func (d *Decrypter) DecryptEyaml(ctx context.Context, text string, others ...EyamlKey) ([]byte, error) {
	data, err := decodeEyaml(text)
	if err != nil {
		return nil, err
	}
	e, err := readEnvelope(data)
	if err != nil {
		return nil, err
	}
	keys, err := d.eyamlKeys(ctx, others)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, k := range keys {
		for _, key := range k.list {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if plain, ok := e.open(key); ok && utf8.Valid(plain) {
				return plain, nil
			}
		}
		names = append(names, k.name)
	}
	if len(names) == 0 {
		return nil, run.Failed("the value is encrypted by hiera-eyaml, and no private key is given").WithHint(eyamlKeyHint)
	}
	return nil, run.Failed("the value cannot be decrypted: no private key in %s fits, or the value is damaged", strings.Join(names, ", ")).
		WithHint("--eyaml-key FILE gives another private key; it may be given several times")
}

// eyamlKeyHint says how to give a key.
const eyamlKeyHint = "--eyaml-key FILE gives the private key, such as private_key.pkcs7.pem"

// DecryptEyamlGPG is DecryptEyaml for values with the method GPG, which are OpenPGP messages.
//
// Codes: the codes of Decrypt.
func (d *Decrypter) DecryptEyamlGPG(ctx context.Context, text string, limit int) ([]byte, error) {
	data, err := decodeEyaml(text)
	if err != nil {
		return nil, err
	}
	plain, err := d.Decrypt(ctx, "the value", data, limit)
	if err == nil && !utf8.Valid(plain) {
		return nil, run.Failed("the value is not UTF-8 when it is decrypted")
	}
	return plain, err
}

// decodeEyaml decodes base64.
func decodeEyaml(text string) ([]byte, error) {
	text = strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 {
		return nil, damagedEyaml("it is not base64")
	}
	return data, nil
}

func damagedEyaml(why string) error {
	return run.Failed("the encrypted value is damaged: %s", why).WithHint("restore it from a copy, or encrypt it again with eyaml encrypt")
}

func unsupportedEyaml(why string) error {
	return run.Failed("the value cannot be decrypted: not supported: %s", why).WithHint("eyaml recrypt writes what is supported: RSA and AES-256-CBC")
}

// The object identifiers of the parts.
var (
	oidEnvelopedData = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 3}
	oidRSA           = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
)

// aesKeySize returns the length of the keys of an object identifier of AES in CBC mode, 0 for others.
func aesKeySize(oid asn1.ObjectIdentifier) int {
	switch oid.String() {
	case "2.16.840.1.101.3.4.1.2":
		return 16
	case "2.16.840.1.101.3.4.1.22":
		return 24
	case "2.16.840.1.101.3.4.1.42":
		return 32
	}
	return 0
}

// The structures, in the names of RFC 5652.
type (
	contentInfo struct {
		ContentType asn1.ObjectIdentifier
		Content     asn1.RawValue `asn1:"explicit,tag:0"`
	}
	envelopedData struct {
		Version              int
		OriginatorInfo       asn1.RawValue   `asn1:"optional,tag:0"`
		RecipientInfos       []asn1.RawValue `asn1:"set"`
		EncryptedContentInfo encryptedContentInfo
		UnprotectedAttrs     asn1.RawValue `asn1:"optional,tag:1"`
	}
	encryptedContentInfo struct {
		ContentType                asn1.ObjectIdentifier
		ContentEncryptionAlgorithm algorithmIdentifier
		EncryptedContent           asn1.RawValue `asn1:"optional,tag:0"`
	}
	algorithmIdentifier struct {
		Algorithm  asn1.ObjectIdentifier
		Parameters asn1.RawValue `asn1:"optional"`
	}
	keyTransRecipientInfo struct {
		Version                int
		RID                    asn1.RawValue // issuer and serial number, or the ID of a key
		KeyEncryptionAlgorithm algorithmIdentifier
		EncryptedKey           []byte
	}
)

// An envelope is parsed enveloped data.
type envelope struct {
	keys    [][]byte // the encrypted key, for each recipient
	size    int      // of the key in bytes
	iv      []byte
	content []byte
}

// readEnvelope parses a message. Its errors depend on nothing secret.
func readEnvelope(data []byte) (*envelope, error) {
	var info contentInfo
	if !unmarshal(data, &info) {
		return nil, damagedEyaml("it is no PKCS#7 message, or it is cut off")
	}
	if !info.ContentType.Equal(oidEnvelopedData) {
		return nil, damagedEyaml("it is a PKCS#7 message that is not encrypted")
	}
	var body envelopedData
	if !unmarshal(info.Content.Bytes, &body) {
		return nil, damagedEyaml("it is no PKCS#7 message, or it is cut off")
	}
	if len(body.RecipientInfos) > maxEyamlRecipients {
		return nil, damagedEyaml("it has too many recipients")
	}
	e := &envelope{}
	for _, raw := range body.RecipientInfos {
		var r keyTransRecipientInfo
		switch {
		case raw.Class != asn1.ClassUniversal: // encrypted by something else than RSA
			continue
		case !unmarshal(raw.FullBytes, &r):
			return nil, damagedEyaml("it is no PKCS#7 message, or it is cut off")
		case r.KeyEncryptionAlgorithm.Algorithm.Equal(oidRSA):
			e.keys = append(e.keys, r.EncryptedKey)
		}
	}
	if len(e.keys) == 0 {
		return nil, unsupportedEyaml("its key is not encrypted by RSA (PKCS#1 v1.5)")
	}
	content := body.EncryptedContentInfo
	e.content, e.size = content.EncryptedContent.Bytes, aesKeySize(content.ContentEncryptionAlgorithm.Algorithm)
	switch {
	case e.size == 0:
		return nil, unsupportedEyaml("it is encrypted with another cipher than AES-CBC")
	case !unmarshal(content.ContentEncryptionAlgorithm.Parameters.FullBytes, &e.iv), len(e.iv) != aes.BlockSize:
		return nil, damagedEyaml("it has no initial vector")
	case content.EncryptedContent.IsCompound, len(e.content) == 0, len(e.content)%aes.BlockSize != 0:
		return nil, damagedEyaml("its content is no sequence of blocks")
	}
	return e, nil
}

// unmarshal parses DER. It reports false for anything else, and for data after it.
func unmarshal(data []byte, to any) bool {
	err := run.Guarded(func() error {
		rest, err := asn1.Unmarshal(data, to)
		if err == nil && len(rest) > 0 {
			err = asn1.SyntaxError{Msg: "trailing data"}
		}
		return err
	})
	return err == nil
}

// open decrypts the content with a key. It does the same work whether the key fits or not: where
// no key of the content comes out, a random one takes its place.
func (e *envelope) open(key *rsa.PrivateKey) ([]byte, bool) {
	for _, encrypted := range e.keys {
		if len(encrypted) != key.Size() {
			continue
		}
		random := make([]byte, e.size)
		if _, err := rand.Read(random); err != nil {
			return nil, false
		}
		//lint:ignore SA1019 hiera-eyaml encrypts with it; a wrong key and wrong padding give the same error
		found, err := rsa.DecryptPKCS1v15(nil, key, encrypted)
		fits := 1
		if err != nil || len(found) != e.size {
			found, fits = random, 0
		}
		block, err := aes.NewCipher(found)
		if err != nil {
			return nil, false
		}
		text := make([]byte, len(e.content))
		cipher.NewCBCDecrypter(block, e.iv).CryptBlocks(text, e.content)
		n, padded := padding(text)
		if fits&padded == 1 {
			return text[:len(text)-n], true
		}
	}
	return nil, false
}

// padding returns the length of the padding of a text of whole blocks, and 1 if it is one: n bytes of
// the value n. Its time does not depend on the text.
func padding(text []byte) (n, ok int) {
	last := text[len(text)-aes.BlockSize:]
	n = int(last[len(last)-1])
	ok = subtle.ConstantTimeLessOrEq(1, n) & subtle.ConstantTimeLessOrEq(n, aes.BlockSize)
	for i := range last {
		inside := subtle.ConstantTimeLessOrEq(aes.BlockSize-i, n)
		same := subtle.ConstantTimeByteEq(last[i], byte(n))
		ok &= subtle.ConstantTimeSelect(inside, same, 1)
	}
	return n, ok
}

// eyamlKeyring has the private keys of one file.
type eyamlKeyring struct {
	name string
	list []*rsa.PrivateKey
}

// eyamlKeys returns the private keys of the run, which are read once, and others.
func (d *Decrypter) eyamlKeys(ctx context.Context, others []EyamlKey) ([]eyamlKeyring, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []eyamlKeyring
	for _, name := range d.config.EyamlKeys {
		k, ok := d.eyaml[fileID{name: name}]
		if !ok {
			data, err := d.files.Read(ctx, name, maxEyamlKeyFile)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil:
				return nil, run.Failed("cannot read the key file %s: %s", name, err).WithHint(eyamlKeyHint)
			}
			if k, err = readEyamlKeys(name, data); err != nil {
				return nil, err
			}
			d.eyaml[fileID{name: name}] = k
		}
		out = append(out, k)
	}
	for _, other := range others {
		id := fileID{other.Name, sha256.Sum256([]byte(other.PEM))}
		k, ok := d.eyaml[id]
		if !ok {
			var err error
			if k, err = readEyamlKeys(other.Name, []byte(other.PEM)); err != nil {
				return nil, err
			}
			d.eyaml[id] = k
		}
		out = append(out, k)
	}
	return out, nil
}

// readEyamlKeys reads the private keys in a file in PEM form: PKCS#1 or PKCS#8.
func readEyamlKeys(name string, data []byte) (eyamlKeyring, error) {
	k := eyamlKeyring{name: name}
	seen := ""
	for {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			break
		}
		seen = strings.Map(run.Printable, block.Type)
		if block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
			return k, run.Failed("the private key in %s has a passphrase: hiera-eyaml uses keys without", name).
				WithHint("openssl rsa -in %s -out KEY writes it without; --key and files that end in .gpg or .asc keep it encrypted", name)
		}
		key, err := parseRSA(block)
		if err != nil {
			return k, err.in(name)
		}
		if key != nil {
			k.list = append(k.list, key)
		}
	}
	switch {
	case len(k.list) > 0:
		return k, nil
	case seen != "":
		return k, run.Failed("%s has no private key: it holds a %s", name, strings.ToLower(seen)).WithHint(eyamlKeyHint)
	}
	return k, run.Failed("%s is no private key in PEM form", name).WithHint(eyamlKeyHint)
}

// A badKey is an error of a private key.
type badKey string

func (b badKey) in(name string) error {
	return run.Failed("the private key in %s cannot be used: %s", name, string(b)).WithHint("eyaml createkeys makes keys: RSA with 2048 bits")
}

// parseRSA returns the RSA key of a block, nil for a block without a private key.
func parseRSA(block *pem.Block) (*rsa.PrivateKey, *badKey) {
	bad := func(why badKey) (*rsa.PrivateKey, *badKey) { return nil, &why }
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "EC PRIVATE KEY", "DSA PRIVATE KEY":
		return bad("hiera-eyaml needs an RSA key")
	default:
		return nil, nil
	}
	private, ok := key.(*rsa.PrivateKey)
	switch {
	case err != nil:
		return bad("it is damaged, or has less than 1024 bits")
	case !ok:
		return bad("hiera-eyaml needs an RSA key")
	case private.N.BitLen() < minRSABits:
		return bad("it has less than 1024 bits")
	}
	return private, nil
}
