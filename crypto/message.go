package crypto

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// The bounds of what stands before the encrypted data. Each of these costs time when
// a message is opened, and nobody needs more.
const (
	maxRecipients  = 500
	maxPassphrases = 8
	maxArgon2      = 4 << 20 // passes times kilobytes of memory
)

// The packets that a message may consist of (RFC 9580, section 5).
const (
	tagKeyPacket        = 1
	tagSignature        = 2
	tagPassphrasePacket = 3
	tagOnePass          = 4
	tagCompressed       = 8
	tagUnprotected      = 9
	tagMarker           = 10
	tagLiteral          = 11
	tagProtected        = 18
	tagAEAD             = 20
	tagPadding          = 21
)

// A message is an encrypted file that nobody has decrypted yet.
type message struct {
	name    string
	raw     []byte // as it came
	body    []byte // without armour
	armored bool

	ids         []uint64 // of the keys that open it; 0 is a key that is not named
	passphrases int      // how many passphrases open it
	gpgOnly     int      // how many do in a way that only gpg knows
}

// recipients lists what opens a message, for messages.
func (m *message) recipients() string {
	const most = 10
	var names []string
	for _, id := range slices.Compact(slices.Sorted(slices.Values(m.ids))) {
		if id == 0 {
			names = append(names, "a key that is not named")
		} else {
			names = append(names, keyName(id))
		}
	}
	if n := len(names); n > most {
		names = append(names[:most], fmt.Sprintf("%d more", n-most))
	}
	if m.passphrases+m.gpgOnly > 0 {
		names = append(names, "a passphrase")
	}
	return strings.Join(names, ", ")
}

// readMessage reads the parts of a message that are not encrypted. The message is
// whole and protects its integrity if there is no error.
func readMessage(name string, data []byte) (*message, error) {
	m := &message{name: name, raw: data, body: data}
	if err := m.dearmor(); err != nil {
		return nil, err
	}
	if len(m.body) == 0 {
		return nil, notMessage(name, "it is empty")
	}
	if m.body[0]&0x80 == 0 {
		return nil, notMessage(name, "it is something else")
	}
	if err := m.readPackets(); err != nil {
		return nil, err
	}
	switch {
	case len(m.ids) > maxRecipients:
		return nil, damaged(name, fmt.Sprintf("it has more than %d recipients", maxRecipients))
	case m.passphrases+m.gpgOnly > maxPassphrases:
		return nil, damaged(name, fmt.Sprintf("it has more than %d passphrases", maxPassphrases))
	case len(m.ids)+m.passphrases+m.gpgOnly == 0:
		return nil, damaged(name, "it does not say what opens it")
	}
	return m, nil
}

var (
	armorBegin = []byte("-----BEGIN PGP ")
	armorEnd   = []byte("-----END PGP ")
)

// dearmor takes the armour off, if there is one (RFC 9580, section 6.2).
func (m *message) dearmor() error {
	if len(m.raw) > 0 && m.raw[0]&0x80 != 0 {
		return nil // the first octet of a packet is never one of a text in ASCII
	}
	start := bytes.Index(m.raw, armorBegin)
	if start < 0 {
		return nil
	}
	m.armored = true
	kind, _, _ := strings.Cut(string(m.raw[start+len(armorBegin):min(start+100, len(m.raw))]), "-")
	switch kind {
	case "MESSAGE":
	case "SIGNED MESSAGE", "SIGNATURE":
		return notMessage(m.name, "it is only signed")
	default:
		return notMessage(m.name, "it is a "+strings.ToLower(strings.Map(printable, kind)))
	}
	if !bytes.Contains(m.raw[start:], armorEnd) {
		return damaged(m.name, "it is cut off")
	}
	block, err := armor.Decode(bytes.NewReader(m.raw[start:]))
	if err == nil {
		m.body, err = io.ReadAll(block.Body)
	}
	if err != nil {
		return damaged(m.name, "its armour cannot be read")
	}
	return nil
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}

// readPackets looks at the packets up to the encrypted data, which must be the last.
func (m *message) readPackets() error {
	packets := packet.NewOpaqueReader(bytes.NewReader(m.body))
	for n := 0; n <= maxRecipients+maxPassphrases+1; n++ {
		p, err := packets.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return damaged(m.name, "it is cut off")
		case err != nil:
			return damaged(m.name, "it is no sequence of packets")
		}
		switch p.Tag {
		case tagKeyPacket:
			id := uint64(0) // the packet does not name its key
			if parsed, err := p.Parse(); err == nil {
				if key, ok := parsed.(*packet.EncryptedKey); ok {
					id = key.KeyId
				}
			}
			m.ids = append(m.ids, id)
		case tagPassphrasePacket:
			if err := m.addPassphrase(p); err != nil {
				return err
			}
		case tagMarker, tagPadding:
		case tagProtected, tagAEAD:
			if _, err := packets.Next(); !errors.Is(err, io.EOF) {
				return damaged(m.name, "something follows the encrypted data")
			}
			return nil
		case tagUnprotected:
			return unprotected(m.name)
		case tagSignature, tagOnePass, tagCompressed, tagLiteral:
			return notMessage(m.name, "it is signed or packed, and not encrypted")
		default:
			if p.Tag < 40 { // others may be skipped (RFC 9580, section 4.3)
				return notMessage(m.name, fmt.Sprintf("it begins with a packet of type %d", p.Tag))
			}
		}
	}
	return damaged(m.name, fmt.Sprintf("it has more than %d recipients", maxRecipients))
}

// addPassphrase counts a packet that a passphrase opens, if that costs no more than
// it should.
func (m *message) addPassphrase(p *packet.OpaquePacket) error {
	derive := 2 // where the derivation of the key begins: version, cipher
	switch {
	case len(p.Contents) == 0:
		return damaged(m.name, "a packet is empty")
	case p.Contents[0] == 5:
		m.gpgOnly++ // a draft that gpg follows since 2.3
		return nil
	case p.Contents[0] == 6:
		derive = 5 // version, length, cipher, mode, length
	}
	const argon2, argon2Size = 4, 20
	if rest := p.Contents[min(derive, len(p.Contents)):]; len(rest) >= argon2Size && rest[0] == argon2 {
		passes, memory := int(rest[17]), rest[19]
		if memory > 31 || passes<<memory > maxArgon2 {
			return damaged(m.name, "its passphrase would take too much memory or time to check")
		}
	}
	m.passphrases++
	return nil
}
