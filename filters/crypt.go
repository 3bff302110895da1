package filters

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash"
	"strings"

	//lint:ignore SA1019 bcrypt is made of it
	"golang.org/x/crypto/blowfish"
)

// The functions of crypt(3) that /etc/shadow knows: MD5 ("$1$"), bcrypt ("$2b$"), and the functions based on
// SHA-256 ("$5$") and SHA-512 ("$6$"), as Ulrich Drepper's text "Unix crypt using SHA-256 and
// SHA-512" defines them. Each encodes bytes in base 64 with the alphabet of crypt, in an order
// of its own. A step counter is called for each round.

const cryptAlphabet = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// appendCrypt appends n digits of the number that the bytes are, the least significant first.
func appendCrypt(out []byte, n int, bytes ...byte) []byte {
	word := 0
	for _, b := range bytes {
		word = word<<8 | int(b)
	}
	for range n {
		out = append(out, cryptAlphabet[word&63])
		word >>= 6
	}
	return out
}

// repeated returns the first n bytes of sum, sum, sum...
func repeated(sum []byte, n int) []byte {
	out := make([]byte, 0, n+len(sum))
	for len(out) < n {
		out = append(out, sum...)
	}
	return out[:n]
}

// A shaCrypt is one of the two functions that differ in the hash only.
type shaCrypt struct {
	id     string
	rounds int // of a hash that does not say it
	new    func() hash.Hash
	order  [][3]int // of bytes of the last sum, for four digits each
	rest   func(out, sum []byte) []byte
}

var sha256Crypt = shaCrypt{
	"5", 5000, sha256.New,
	[][3]int{{0, 10, 20}, {21, 1, 11}, {12, 22, 2}, {3, 13, 23}, {24, 4, 14}, {15, 25, 5}, {6, 16, 26}, {27, 7, 17}, {18, 28, 8}, {9, 19, 29}},
	func(out, sum []byte) []byte { return appendCrypt(out, 3, sum[31], sum[30]) },
}

var sha512Crypt = shaCrypt{
	"6", 5000, sha512.New,
	[][3]int{
		{0, 21, 42}, {22, 43, 1}, {44, 2, 23}, {3, 24, 45}, {25, 46, 4}, {47, 5, 26}, {6, 27, 48}, {28, 49, 7}, {50, 8, 29}, {9, 30, 51},
		{31, 52, 10}, {53, 11, 32}, {12, 33, 54}, {34, 55, 13}, {56, 14, 35}, {15, 36, 57}, {37, 58, 16}, {59, 17, 38}, {18, 39, 60}, {40, 61, 19}, {62, 20, 41},
	},
	func(out, sum []byte) []byte { return appendCrypt(out, 2, sum[63]) },
}

// hash returns the hash of a password. step is called for each round.
func (s shaCrypt) hash(password, salt, _ string, rounds int, step func() error) (string, error) {
	key, seed := []byte(password), []byte(salt)
	h := s.new()
	sum := func(parts ...[]byte) []byte {
		h.Reset()
		for _, p := range parts {
			h.Write(p)
		}
		return h.Sum(nil)
	}
	other := sum(key, seed, key)
	parts := [][]byte{key, seed, repeated(other, len(key))}
	for n := len(key); n > 0; n >>= 1 {
		if n&1 == 1 {
			parts = append(parts, other)
		} else {
			parts = append(parts, key)
		}
	}
	a := sum(parts...)
	h.Reset()
	for range len(key) {
		h.Write(key)
	}
	p := repeated(h.Sum(nil), len(key))
	h.Reset()
	for range 16 + int(a[0]) {
		h.Write(seed)
	}
	q := repeated(h.Sum(nil), len(seed))
	for i := range rounds {
		if err := step(); err != nil {
			return "", err
		}
		a = mixRound(h, i, a, p, q)
	}
	prefix := "$" + s.id + "$"
	if rounds != s.rounds {
		prefix += fmt.Sprintf("rounds=%d$", rounds)
	}
	out := []byte(prefix + salt + "$")
	for _, o := range s.order {
		out = appendCrypt(out, 4, a[o[0]], a[o[1]], a[o[2]])
	}
	return string(s.rest(out, a)), nil
}

// mixRound hashes a sum, the password and the salt in the order of round i, which MD5 and SHA share.
func mixRound(h hash.Hash, i int, sum, key, salt []byte) []byte {
	h.Reset()
	first, last := sum, key
	if i&1 == 1 {
		first, last = key, sum
	}
	h.Write(first)
	if i%3 != 0 {
		h.Write(salt)
	}
	if i%7 != 0 {
		h.Write(key)
	}
	h.Write(last)
	return h.Sum(sum[:0])
}

// md5Crypt returns the hash of a password of 1000 rounds of MD5.
func md5Crypt(password, salt, _ string, _ int, step func() error) (string, error) {
	key := []byte(password)
	h := md5.New()
	h.Write([]byte(password + salt + password))
	other := h.Sum(nil)
	h.Reset()
	h.Write([]byte(password + "$1$" + salt))
	h.Write(repeated(other, len(key)))
	for n := len(key); n > 0; n >>= 1 {
		if n&1 == 1 {
			h.Write([]byte{0})
		} else {
			h.Write(key[:1])
		}
	}
	sum := h.Sum(nil)
	for i := range 1000 {
		if err := step(); err != nil {
			return "", err
		}
		sum = mixRound(h, i, sum, key, []byte(salt))
	}
	out := []byte("$1$" + salt + "$")
	for _, o := range [][3]int{{0, 6, 12}, {1, 7, 13}, {2, 8, 14}, {3, 9, 15}, {4, 10, 5}} {
		out = appendCrypt(out, 4, sum[o[0]], sum[o[1]], sum[o[2]])
	}
	return string(appendCrypt(out, 2, sum[11])), nil
}

const bcryptAlphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// encodeBcrypt encodes bytes in base 64 with the alphabet of bcrypt, without padding.
func encodeBcrypt(data []byte) string {
	var b strings.Builder
	for i := 0; i < len(data); i += 3 {
		var three [3]byte
		n := copy(three[:], data[i:])
		word := int(three[0])<<16 | int(three[1])<<8 | int(three[2])
		for d := range n + 1 {
			b.WriteByte(bcryptAlphabet[word>>(18-6*d)&63])
		}
	}
	return b.String()
}

// decodeBcrypt decodes the 22 digits of a salt to 16 bytes. It ignores the last bits.
func decodeBcrypt(salt string) []byte {
	var out []byte
	word, bits := 0, 0
	for i := range len(salt) {
		word = word<<6 | strings.IndexByte(bcryptAlphabet, salt[i])
		if bits += 6; bits >= 8 {
			bits -= 8
			out = append(out, byte(word>>bits))
		}
	}
	return out
}

// bcryptHash returns the hash of a password of 2**cost rounds. Of the password 72 bytes count.
func bcryptHash(password, salt, ident string, cost int, step func() error) (string, error) {
	key := append([]byte(password), 0)
	key = key[:min(len(key), 72)]
	seed := decodeBcrypt(salt)
	cipher, err := blowfish.NewSaltedCipher(key, seed)
	if err != nil {
		return "", err
	}
	for range 1 << cost {
		if err := step(); err != nil {
			return "", err
		}
		blowfish.ExpandKey(key, cipher)
		blowfish.ExpandKey(seed, cipher)
	}
	text := []byte("OrpheanBeholderScryDoubt")
	for i := 0; i < len(text); i += 8 {
		for range 64 {
			cipher.Encrypt(text[i:i+8], text[i:i+8])
		}
	}
	return fmt.Sprintf("$%s$%02d$%s%s", ident, cost, encodeBcrypt(seed), encodeBcrypt(text[:23])), nil
}
