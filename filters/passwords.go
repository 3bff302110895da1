package filters

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// passwordFilters is Ansible's password_hash. Its result with a salt is the same as crypt(3)'s; without one it has a
// random salt, and so differs in each evaluation.
func passwordFilters() []Func {
	return family("passwords", row("password_hash", "Hashes a password for /etc/shadow: sha512, sha256, md5 or blowfish (bcrypt). Without a salt it is random, and the hash another one each time. ident is 2a, 2b or 2y, of bcrypt only.",
		"{{ 'secret' | password_hash('sha512', 'saltsalt', rounds=5000) }}", `"$6$saltsalt$TVLlQcbpFVof5W3Yz4DTP6gRstiNuHwwTt6GLc1E5n0U0aDehy0S5knV8wiOQSpT0Y77vwPZN.Pq.H91p5hVO1"`,
		passwordHash,
		opt("hashtype", Text, value.String("sha512")), opt("salt", Text, value.Null), opt("salt_size", Int, value.Null), opt("rounds", Int, value.Null), opt("ident", Text, value.Null)))
}

// A passwordMethod is a hash function for passwords, with the numbers that Ansible allows and
// uses. stepsPerRound is its cost.
type passwordMethod struct {
	names                      []string
	saltSize                   int
	exactSalt                  bool
	rounds, minRounds, maximum int // 0: it has none
	stepsPerRound              int
	hash                       func(password, salt, ident string, rounds int, step func() error) (string, error)
}

var passwordMethods = []passwordMethod{
	{[]string{"sha512", "sha512_crypt"}, 16, false, 656000, 1000, 999_999_999, 40, sha512Crypt.hash},
	{[]string{"sha256", "sha256_crypt"}, 16, false, 535000, 1000, 999_999_999, 30, sha256Crypt.hash},
	{[]string{"md5", "md5_crypt"}, 8, false, 0, 0, 0, 10, md5Crypt},
	{[]string{"blowfish", "bcrypt"}, 22, true, 12, 4, 31, 5000, bcryptHash},
}

// maxPassword is the number of bytes of the longest password.
const maxPassword = 4096

// passwordHash checks everything before it hashes, which takes as long as the rounds are many: it counts each round as
// steps while it goes.
func passwordHash(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	if !in.Is(value.StringKind) {
		return value.Null, value.Wants("a text", in.Kind())
	}
	if len(in.Str()) > maxPassword || strings.ContainsRune(in.Str(), 0) {
		return value.Null, fmt.Errorf("the password is longer than %d bytes, or has a NUL", maxPassword)
	}
	m, err := passwordMethodOf(a.Str("hashtype"))
	if err != nil {
		return value.Null, err
	}
	rounds, err := m.roundsOf(a)
	if err != nil {
		return value.Null, err
	}
	salt, err := m.salt(c, a)
	if err != nil {
		return value.Null, err
	}
	ident := "2b"
	if id := a.Str("ident"); id != "" {
		if !m.exactSalt {
			return value.Null, errors.New(`only bcrypt takes "ident"`)
		}
		if id != "2a" && id != "2b" && id != "2y" {
			return value.Null, fmt.Errorf("unknown ident %q; it is 2a, 2b or 2y", id)
		}
		ident = id
	}
	s, err := m.hash(in.Str(), salt, ident, rounds, func() error { return c.step(m.stepsPerRound) })
	return value.String(s), err
}

func passwordMethodOf(name string) (passwordMethod, error) {
	for _, m := range passwordMethods {
		if slices.Contains(m.names, name) {
			return m, nil
		}
	}
	return passwordMethod{}, fmt.Errorf("unknown hash %q; sha512, sha256, md5 and blowfish (bcrypt) are known", name)
}

// roundsOf returns the rounds of a call, by default Ansible's. For bcrypt the number is the logarithm to base 2.
func (m passwordMethod) roundsOf(a Bound) (int, error) {
	n := a.Int("rounds")
	switch {
	case n == 0:
		return m.rounds, nil
	case m.rounds == 0:
		return 0, fmt.Errorf("%s has no rounds to choose", m.names[0])
	case n < m.minRounds || n > m.maximum:
		return 0, fmt.Errorf("%s has %d to %d rounds, not %d", m.names[0], m.minRounds, m.maximum, n)
	}
	return n, nil
}

// salt returns the given salt, or a random one.
func (m passwordMethod) salt(c *Ctx, a Bound) (string, error) {
	salt, size := a.Str("salt"), a.Int("salt_size")
	if size == 0 {
		size = m.saltSize
	}
	if size < 1 || size > m.saltSize || m.exactSalt && size != m.saltSize {
		return "", fmt.Errorf("the salt of %s has %s%d characters, not %d", m.names[0], pick(m.exactSalt, "", "1 to "), m.saltSize, size)
	}
	if salt == "" {
		r := c.unseeded()
		var b strings.Builder
		for range size {
			b.WriteByte(cryptAlphabet[r.IntN(len(cryptAlphabet))])
		}
		return b.String(), nil
	}
	if len(salt) > m.saltSize || m.exactSalt && len(salt) != m.saltSize {
		return "", fmt.Errorf("the salt of %s has %s%d characters", m.names[0], pick(m.exactSalt, "", "at most "), m.saltSize)
	}
	if strings.Trim(salt, cryptAlphabet) != "" {
		return "", errors.New("a salt has only letters, digits, . and /")
	}
	return salt, nil
}
