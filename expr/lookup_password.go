package expr

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Passwords
//
// lookup('password', 'secrets/db length=15') is the password in the file secrets/db. If there is no
// such file, it is written with a random password. With encrypt=sha512_crypt the result is the hash of
// the password; the file keeps the salt, so that the hash is the same the next time. Its line is then
//
//	Xu3_rT0:p9aK salt=Fq1nB/4yVt0MhS2c
//
// and ends in " ident=2b" for bcrypt. Only the user can read the file. The file /dev/null is neither
// read nor written: the password is a new one every time, unless there is a seed.

// A storedPassword is what a file of a password has.
type storedPassword struct{ plain, salt, ident string }

// passwordForm says which password is wanted.
type passwordForm struct {
	length               int
	chars                []rune
	encrypt, ident, seed string
	seeded               bool
}

// maxPasswordLength bounds passwords, in characters.
const maxPasswordLength = 4096

// unwritten is the file that is neither read nor written.
const unwritten = "/dev/null"

// lookupPassword is Ansible's lookup "password": the password in a file, which it creates with a random one if it
// is missing. The value is marked as secret, and hashed if encrypt asks for that.
func lookupPassword(c lookupCall) ([]value.Value, error) {
	noName := c.errorf(source.BadValue, `lookup "password" needs the name of a file`).WithHint("write lookup('password', 'secrets/db length=15'), or %s for a password that is not kept", unwritten)
	if len(c.terms) == 0 {
		return nil, noName
	}
	return c.each(func(term string) (value.Value, error) {
		name, options, err := c.inTerm(term)
		if err == nil {
			err = c.with(options)
		}
		if err == nil && name == "" {
			err = noName
		}
		if err != nil {
			return value.Null, err
		}
		form, err := c.passwordForm()
		if err != nil {
			return value.Null, err
		}
		p, err := c.password(name, form)
		if err != nil {
			return value.Null, err
		}
		v := value.String(p.plain).Verbatim().Mark(value.Secret)
		if form.encrypt == "" {
			return v, nil
		}
		args := value.Args{Pos: []value.Value{value.String(form.encrypt), value.String(p.salt)}}
		if p.ident != "" {
			args.Named = []value.Named{{Name: "ident", Value: value.String(p.ident)}}
		}
		return c.CallFilter("password_hash", v, args)
	})
}

// passwordForm reads the options.
func (c lookupCall) passwordForm() (f passwordForm, err error) {
	length, err := c.textOption("length", "20")
	if err != nil {
		return f, err
	}
	if f.length, err = strconv.Atoi(length); err != nil || f.length < 1 || f.length > maxPasswordLength {
		return f, c.errorf(source.BadValue, "the length of a password is a number from 1 to %d, not %q", maxPasswordLength, length)
	}
	if f.chars, err = c.passwordChars(); err != nil {
		return f, err
	}
	if f.encrypt, err = c.textOption("encrypt", ""); err != nil {
		return f, err
	}
	if f.encrypt != "" && saltLength(f.encrypt) == 0 {
		return f, c.errorf(source.BadValue, "unknown hash %q", f.encrypt).WithHint("sha512_crypt, sha256_crypt, md5_crypt and bcrypt are known").DidYouMean(f.encrypt, slices.Values(saltedHashes))
	}
	if f.ident, err = c.textOption("ident", ""); err != nil {
		return f, err
	}
	bcrypt := saltLength(f.encrypt) == bcryptSalt
	switch {
	case f.ident != "" && !bcrypt:
		return f, c.errorf(source.BadValue, `the option "ident" of lookup "password" is for encrypt=bcrypt`)
	case f.ident != "" && !slices.Contains(bcryptIdents, f.ident):
		return f, c.errorf(source.BadValue, "unknown ident %q; it is 2a, 2b or 2y", f.ident)
	case f.ident == "" && bcrypt:
		f.ident = "2b"
	}
	_, f.seeded = c.option("seed")
	f.seed, err = c.textOption("seed", "")
	return f, err
}

// characterSet returns a set that the option "chars" can name, "" for other names.
func characterSet(name string) string {
	switch name {
	case "ascii_lowercase":
		return lowerCase
	case "ascii_uppercase":
		return upperCase
	case "ascii_letters":
		return lowerCase + upperCase
	case "digits":
		return "0123456789"
	case "hexdigits":
		return "0123456789abcdefABCDEF"
	case "octdigits":
		return "01234567"
	case "punctuation":
		return punctuation
	case "printable":
		return "0123456789" + lowerCase + upperCase + punctuation + " "
	case "whitespace":
		return " "
	}
	return ""
}

const (
	lowerCase   = "abcdefghijklmnopqrstuvwxyz"
	upperCase   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
)

// passwordChars returns the characters of the option "chars": names of sets and characters, as a list
// or with commas between them, where two commas are a comma. As in Ansible, quotes are left out.
func (c lookupCall) passwordChars() ([]rune, error) {
	v, ok := c.option("chars")
	if !ok {
		v = value.ListOf(value.String("ascii_letters"), value.String("digits"), value.String(".,:-_"))
	}
	var parts []string
	if v.Is(value.StringKind) && strings.Contains(v.Str(), ",,") {
		parts = []string{","}
		v = value.String(strings.ReplaceAll(v.Str(), ",,", ","))
	}
	at := ","
	if v.Is(value.ListKind) {
		at = ""
	}
	more, err := c.split("chars", v, at)
	if err != nil {
		return nil, err
	}
	var all []rune
	for _, part := range append(parts, more...) {
		if set := characterSet(part); set != "" {
			part = set
		}
		for _, r := range part {
			if unicode.IsControl(r) {
				return nil, c.errorf(source.BadValue, "a password cannot have the character %q", r)
			}
			if r != '"' && r != '\'' {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return nil, c.errorf(source.BadValue, `the option "chars" has no characters`)
	}
	return all, nil
}

// password reads the file, or writes it. A file that has no salt yet, though one is needed, is
// written again.
func (c lookupCall) password(name string, f passwordForm) (p storedPassword, err error) {
	found := false
	if name != unwritten {
		if p, found, err = c.readPassword(name); err != nil {
			return p, err
		}
	}
	before := p
	if !found {
		if p, err = c.newPassword(f); err != nil {
			return p, err
		}
	}
	if f.encrypt != "" && p.salt == "" {
		p.salt = string(pickRunes(c.randomness(f), []rune(saltChars), saltLength(f.encrypt)))
	}
	if n := saltLength(f.encrypt); f.encrypt != "" && len(p.salt) > n {
		return p, c.errorf(source.BadValue, "the salt in %s has more than the %d characters of %s", name, n, f.encrypt)
	} else if n == bcryptSalt && len(p.salt) < n {
		return p, c.errorf(source.BadValue, "the salt in %s has less than the %d characters of %s", name, n, f.encrypt)
	}
	if f.encrypt != "" && p.ident == "" {
		p.ident = f.ident
	}
	if p == before || name == unwritten {
		return p, nil
	}
	host, line := c.host(), []byte(p.line())
	if found {
		_, err = host.WriteFile(name, c.s.Base, line)
	} else if _, err = host.CreatePrivate(name, c.s.Base, line); errors.Is(err, fs.ErrExist) {
		err = c.errorf(source.Access, "another program has just written %s, or it is a link that leads nowhere", name)
	}
	return p, located(c.at, source.Access, err, 0)
}

// readPassword reads the file of a password, if there is one.
func (c lookupCall) readPassword(name string) (p storedPassword, found bool, err error) {
	path, err := c.host().Find(name, c.s.Base)
	if err != nil || path == "" {
		return p, false, located(c.at, source.Access, err, 0)
	}
	file, err := c.read(path)
	if err != nil {
		return p, false, err
	}
	p.plain = strings.TrimRightFunc(file.Text, unicode.IsSpace)
	cut := func(word string) (text string) {
		if i := strings.LastIndex(p.plain, word); i >= 0 {
			p.plain, text = p.plain[:i], p.plain[i+len(word):]
		}
		return text
	}
	p.ident = cut(" ident=")
	p.salt = cut(" salt=")
	return p, true, nil
}

// line is the line that the file has.
func (p storedPassword) line() string {
	s := p.plain
	if p.salt != "" {
		s += " salt=" + p.salt
	}
	if p.ident != "" {
		s += " ident=" + p.ident
	}
	return s + "\n"
}

func (c lookupCall) newPassword(f passwordForm) (storedPassword, error) {
	if err := c.Step(1 + f.length); err != nil {
		return storedPassword{}, located(c.at, source.Limit, err, 0)
	}
	return storedPassword{plain: string(pickRunes(c.randomness(f), f.chars, f.length))}, nil
}

const saltChars = lowerCase + upperCase + "0123456789./"

// saltedHashes are the hash functions.
var saltedHashes = []string{"sha512", "sha512_crypt", "sha256", "sha256_crypt", "md5", "md5_crypt", "blowfish", "bcrypt"}

// saltLength returns the length of the salt of a hash function, 0 for an unknown name.
func saltLength(name string) int {
	switch name {
	case "sha512", "sha512_crypt", "sha256", "sha256_crypt":
		return 16
	case "md5", "md5_crypt":
		return 8
	case "blowfish", "bcrypt":
		return bcryptSalt
	}
	return 0
}

// bcryptIdents are the versions of bcrypt.
var bcryptIdents = []string{"2a", "2b", "2y"}

// bcryptSalt is the length of the salt of bcrypt, which has no shorter ones.
const bcryptSalt = 22

// randomness returns the random numbers of the host, or the numbers of a seed, which are the same on every
// machine.
func (c lookupCall) randomness(f passwordForm) *rand.Rand {
	if f.seeded {
		return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(f.seed))))
	}
	return rand.New(hostRandom{c.host()})
}

// hostRandom is a source of random numbers that nobody can guess.
type hostRandom struct{ host Host }

func (r hostRandom) Uint64() uint64 { return r.host.Random() }

func pickRunes(r *rand.Rand, from []rune, n int) []rune {
	out := make([]rune, n)
	for i := range out {
		out[i] = from[r.IntN(len(from))]
	}
	return out
}
