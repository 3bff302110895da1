package filters

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// hashFilters follow Ansible. Digests are digests of the text in UTF-8, in hexadecimal; checksum is SHA-1.
func hashFilters() []Func {
	fixed := func(name, kind, doc, result string) Func {
		return row(name, doc, "{{ 'a' | "+name+" }}", result,
			func(c *Ctx, in value.Value, _ Bound) (value.Value, error) { return c.digest(in, kind) })
	}
	return family("hashes",
		row("hash", "Returns the digest of a text in hexadecimal: md5, sha1, sha224, sha256, sha384, sha512, sha512_224, sha512_256, sha3_224, sha3_256, sha3_384, sha3_512, blake2b, blake2s.",
			"{{ 'a' | hash('md5') }}", `"0cc175b9c0f1b6a831c399e269772661"`,
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				return c.digest(in, a.Str("hashtype"))
			}, opt("hashtype", Text, value.String("sha1"))),
		fixed("md5", "md5", "Returns the MD5 digest of a text in hexadecimal.", `"0cc175b9c0f1b6a831c399e269772661"`),
		fixed("sha1", "sha1", "Returns the SHA-1 digest of a text in hexadecimal.", `"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"`),
		fixed("checksum", "sha1", "Returns the SHA-1 digest of a text in hexadecimal.", `"86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"`),
		row("b64encode", "Encodes a text in base 64, the bytes that it has in an encoding. With urlsafe - and _ replace + and /.",
			"{{ 'a?' | b64encode }}", `"YT8="`,
			with((*Ctx).text, base64Encode), opt("encoding", Text, value.String("utf-8")), opt("urlsafe", Bool, value.False)),
		row("b64decode", "Decodes a text from base 64, whose bytes are text in an encoding. With urlsafe - and _ stand for + and /.",
			"{{ 'YT8=' | b64decode }}", `"a?"`,
			with((*Ctx).text, base64Decode), opt("encoding", Text, value.String("utf-8")), opt("urlsafe", Bool, value.False)),
		row("to_uuid", "Returns the UUID (version 5) of a text in a namespace, by default Ansible's.",
			"{{ 'example.org' | to_uuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8') }}", `"aad03681-8b63-5304-89e0-8ca8f49461b5"`,
			toUUID, opt("namespace", Text, value.String(ansibleNamespace))),
	)
}

// ansibleNamespace is the namespace of Ansible's to_uuid, so that results are equal to Ansible's.
const ansibleNamespace = "361E6D51-FAEC-444A-9079-341386DA8E2E"

// digests are the hash functions by name.
var digests = lazy.Value[map[string]func() hash.Hash]{Make: func() map[string]func() hash.Hash {
	return map[string]func() hash.Hash{
		"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
		"sha512_224": sha512.New512_224, "sha512_256": sha512.New512_256,
		"sha3_224": func() hash.Hash { return sha3.New224() },
		"sha3_256": func() hash.Hash { return sha3.New256() },
		"sha3_384": func() hash.Hash { return sha3.New384() },
		"sha3_512": func() hash.Hash { return sha3.New512() },
		"blake2b":  func() hash.Hash { h, _ := blake2b.New512(nil); return h }, // no key: no error
		"blake2s":  func() hash.Hash { h, _ := blake2s.New256(nil); return h },
	}
}}

// digest takes names as Python's hashlib has them, in any letter case, and with hyphens: SHA3-256.
func (c *Ctx) digest(in value.Value, name string) (value.Value, error) {
	newHash, ok := digests.Get()[strings.ReplaceAll(strings.ToLower(name), "-", "_")]
	if !ok {
		return value.Null, fmt.Errorf("unknown hash %q; md5, sha1, sha2 (sha224 ... sha512_256), sha3 (sha3_224 ... sha3_512), blake2b and blake2s are known", name)
	}
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	h := newHash()
	h.Write([]byte(s))
	return value.String(hex.EncodeToString(h.Sum(nil))), nil
}

// base64Encode encodes the bytes that the text has in an encoding, by default UTF-8: 'é' has two bytes there,
// one in latin-1.
func base64Encode(_ *Ctx, s string, a Bound) (value.Value, error) {
	b, err := encoded(s, a.Str("encoding"))
	return value.String(base64Alphabet(a).EncodeToString(b)), err
}

func base64Alphabet(a Bound) *base64.Encoding {
	if a.Bool("urlsafe") {
		return base64.URLEncoding
	}
	return base64.StdEncoding
}

// base64Decode ignores white space, such as the line breaks of base64(1). Bytes that are not text in the
// encoding are an error, since there is no value for bytes.
func base64Decode(_ *Ctx, s string, a Bound) (value.Value, error) {
	s = strings.Join(strings.Fields(s), "")
	b, err := base64Alphabet(a).DecodeString(s)
	if err != nil {
		return value.Null, errors.New("the text is not base 64")
	}
	text, err := decoded(b, a.Str("encoding"))
	return value.String(text), err
}

// toUUID makes a UUID of version 5, which is a SHA-1 of the namespace and the text: the bits of version and variant
// replace six bits of it (RFC 4122, section 4.3).
func toUUID(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	space, err := hex.DecodeString(strings.ReplaceAll(strings.Trim(strings.TrimPrefix(a.Str("namespace"), "urn:uuid:"), "{}"), "-", ""))
	if err != nil || len(space) != 16 {
		return value.Null, fmt.Errorf("the namespace %q is not a UUID", a.Str("namespace"))
	}
	s, err := c.text(in)
	sum := sha1.Sum(append(space, s...))
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	h := hex.EncodeToString(sum[:16])
	return value.String(strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")), err
}
