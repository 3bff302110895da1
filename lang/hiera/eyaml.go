package hiera

import (
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Values of hiera-eyaml
//
// A level with lookup_key: eyaml_lookup_key has YAML files in which texts are encrypted, as a whole or in
// part. They are decrypted when a value is needed, then interpolated like others:
//
//	db::url: "db://shop:ENC[PKCS7,MIIB...]@%{facts.db}/"

// An Encrypted is a text that hiera-eyaml encrypted, and where a level says that its key is.
type Encrypted struct {
	Method, Text string // ENC[METHOD,TEXT]; "" is PKCS7

	KeyFile     string // pkcs7_private_key of hiera.yaml as a path like the paths of data files, "" for none
	KeyVariable string // pkcs7_private_key_env_var
	SecretNames bool   // secret facts are in these names
}

// A Decrypter decrypts values of hiera-eyaml. It is safe for concurrent use.
type Decrypter interface {
	// DecryptEyaml returns a text. If there is no key for it, hidden says so: a warning without a
	// place.
	DecryptEyaml(e Encrypted) (text string, hidden *source.Diagnostic, err error)
}

// eyamlKeys are the options of a level of eyaml for one node.
type eyamlKeys struct {
	cache          *Cache
	file, variable string
	secret         bool // the names of the file and the variable
}

// encryptedMark is what all encrypted texts have.
const encryptedMark = "ENC["

// encryptedText matches an encrypted text as hiera-eyaml does. brokenText matches the begin of one
// that it leaves as it is, since a character is wrong or the end is missing.
var (
	encryptedText = lazy.Regexp{Text: `ENC\[(?:(\w+),)?([a-zA-Z0-9+/ =\r\n]+?)\]`}
	brokenText    = lazy.Regexp{Text: `(?i)ENC\[(?:pkcs7|gpg),`}
)

// isEncrypted reports whether a text may have encrypted parts.
func isEncrypted(s string) bool {
	return strings.Contains(s, encryptedMark) && (encryptedText.Get().MatchString(s) || brokenText.Get().MatchString(s))
}

// decrypted returns a text with its encrypted parts decrypted, and all parts interpolated. The
// decrypted ones are secret. One line break at the end of the text is removed, as in Puppet.
func (i *interpolator) decrypted(s string, at spanner) (value.Value, error) {
	found := encryptedText.Get().FindAllStringSubmatchIndex(s, -1)
	var b value.TextBuilder
	from := 0
	for n, m := range found {
		if err := i.plainPart(&b, s, from, m[0], at); err != nil {
			return value.Null, err
		}
		from = m[1]
		e := Encrypted{Text: s[m[4]:m[5]], KeyFile: i.eyaml.file, KeyVariable: i.eyaml.variable, SecretNames: i.eyaml.secret}
		if m[2] >= 0 {
			e.Method = s[m[2]:m[3]]
		}
		whole := len(found) == 1 && m[0] == 0 && strings.TrimSpace(s[m[1]:]) == ""
		here := at(m[0], m[4]) // without the long text
		v, err := i.decryptedPart(e, s[m[0]:m[1]], n == len(found)-1 && m[1] == len(s), here)
		switch {
		case err != nil:
			return value.Null, err
		case whole && !v.Is(value.StringKind):
			return v, nil
		}
		if err := i.write(&b, v, here); err != nil {
			return value.Null, err
		}
	}
	if err := i.plainPart(&b, chomped(s), from, len(s), at); err != nil {
		return value.Null, err
	}
	return b.Value(), nil
}

// plainPart adds a part of a text that is not encrypted.
func (i *interpolator) plainPart(b *value.TextBuilder, s string, from, to int, at spanner) error {
	if from >= min(to, len(s)) {
		return nil
	}
	part := s[from:min(to, len(s))]
	if m := brokenText.Get().FindStringIndex(part); m != nil {
		return source.Errorf(at(from+m[0], from+m[1]), source.Decryption, "the encrypted value is damaged: it has no ], or a character that is not base64").
			WithHint("restore it from a copy, or encrypt it again with eyaml encrypt")
	}
	if !strings.Contains(part, "%{") {
		b.WriteString(part)
		return nil
	}
	v, err := i.text(part, func(start, end int) source.Span { return at(from+start, from+end) })
	if err != nil {
		return err
	}
	return i.write(b, v, at(from, to))
}

// eyamlSteps are charged for a value that is decrypted.
const eyamlSteps = 5_000

// decryptedPart returns the text of an encrypted part, written as it is in the file. Without a key it
// stays as it is and is sensitive: nobody sees it for the value.
func (i *interpolator) decryptedPart(e Encrypted, written string, last bool, at source.Span) (value.Value, error) {
	if err := i.scope.Step(eyamlSteps); err != nil {
		return value.Null, err
	}
	r := i.eyaml.cache.decrypt(e)
	switch {
	case r.err != nil:
		return value.Null, source.AsDiagnostic(r.err, at, source.Decryption).Located(at)
	case r.hidden != nil:
		if i.eyaml.cache.first(at) {
			i.scope.Warn(r.hidden.Located(at))
		}
		return value.String(written).Mark(value.Sensitive), nil
	}
	text := r.text
	if last {
		text = chomped(text)
	}
	v := value.String(text)
	if strings.Contains(text, "%{") {
		inside := *i
		inside.secret = true
		var err error
		if v, err = inside.text(text, func(int, int) source.Span { return at }); err != nil {
			return value.Null, err
		}
	}
	return v.Mark(value.Secret), nil
}

// chomped returns a text without one line break at its end.
func chomped(s string) string {
	if rest, ok := strings.CutSuffix(s, "\r\n"); ok {
		return rest
	}
	if rest, ok := strings.CutSuffix(s, "\n"); ok {
		return rest
	}
	return strings.TrimSuffix(s, "\r")
}

// readAsItIs warns about an encrypted text in a level that does not decrypt.
func (i *interpolator) readAsItIs(s string, at spanner) {
	start := strings.Index(s, encryptedMark)
	here := at(start, start+len(encryptedMark))
	if i.cache == nil || !i.cache.first(here) {
		return
	}
	i.scope.Warn(source.Warnf(here, source.Encrypted, "the text is encrypted by hiera-eyaml, and its level reads it as it is").
		WithHint("lookup_key: eyaml_lookup_key in place of data_hash decrypts the level"))
}

// decrypted texts of a cache, by what was encrypted, and the places of warnings.
type decryptions struct {
	mu     sync.Mutex
	done   map[Encrypted]decryption
	warned map[source.Span]bool
}

// A decryption is the outcome for one text.
type decryption struct {
	text   string
	hidden *source.Diagnostic
	err    error
}

// decrypt decrypts a text once for all nodes.
func (c *Cache) decrypt(e Encrypted) decryption {
	c.secrets.mu.Lock()
	r, ok := c.secrets.done[e]
	c.secrets.mu.Unlock()
	if ok {
		return r
	}
	r.text, r.hidden, r.err = c.decrypter.DecryptEyaml(e)
	c.secrets.mu.Lock()
	defer c.secrets.mu.Unlock()
	if c.secrets.done == nil {
		c.secrets.done = map[Encrypted]decryption{}
	}
	c.secrets.done[e] = r
	return r
}

// first reports whether it is called for a place for the first time.
func (c *Cache) first(at source.Span) bool {
	c.secrets.mu.Lock()
	defer c.secrets.mu.Unlock()
	if c.secrets.warned[at] {
		return false
	}
	if c.secrets.warned == nil {
		c.secrets.warned = map[source.Span]bool{}
	}
	c.secrets.warned[at] = true
	return true
}
