package pgp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/yaytpl/yaytpl/crypto/internal/run"
)

// The limits of the packets before the encrypted data. Each packet costs time when a message
// is decrypted.
const (
	maxRecipients  = 500
	maxPassphrases = 8
	maxArgon2      = 4 << 20 // passes times kilobytes of memory
)

// The types of packets (RFC 9580, section 5).
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

// A message is an encrypted file.
type message struct {
	name    string
	raw     []byte // the content of the file
	body    []byte // without armour
	armored bool

	ids         []uint64 // of the keys that decrypt it; 0 is a hidden recipient
	passphrases int      // number of passphrases that decrypt it
	gpgOnly     int      // number of passphrases that only gpg supports
}

// recipients lists the recipients, for errors: "0123456789ABCDEF, a passphrase".
func (m *message) recipients() string {
	const most = 10
	var names []string
	for _, id := range slices.Compact(slices.Sorted(slices.Values(m.ids))) {
		if id == 0 {
			names = append(names, "a hidden recipient")
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

// readMessage reads the unencrypted parts of a message. It returns an error for a message that
// is incomplete, has no integrity protection, or is not an encrypted message.
func readMessage(name string, data []byte) (*message, error) {
	m := &message{name: name, raw: data, body: data}
	if err := m.dearmor(); err != nil {
		return nil, err
	}
	if len(m.body) == 0 {
		return nil, notMessage(name, "it is empty")
	}
	if m.body[0]&0x80 == 0 {
		return nil, notMessage(name, "it has another format")
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
		return nil, damaged(name, "it has no recipients and no passphrase")
	}
	return m, nil
}

var (
	armorBegin = []byte("-----BEGIN PGP ")
	armorEnd   = []byte("-----END PGP ")
)

// dearmor removes the armour, if there is one (RFC 9580, section 6.2).
func (m *message) dearmor() error {
	if len(m.raw) > 0 && m.raw[0]&0x80 != 0 {
		return nil // binary: a packet begins with a byte that is not ASCII
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
		return notMessage(m.name, "it is a "+strings.ToLower(strings.Map(run.Printable, kind)))
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

// readPackets reads the packets up to the encrypted data, which must be the last one.
func (m *message) readPackets() error {
	packets := packet.NewOpaqueReader(bytes.NewReader(m.body))
	for n := 0; n <= maxRecipients+maxPassphrases+1; n++ {
		p, err := packets.Next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return damaged(m.name, "it is cut off")
		case err != nil:
			return damaged(m.name, "it is not a sequence of packets")
		}
		switch p.Tag {
		case tagKeyPacket:
			id := uint64(0) // hidden
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
				return damaged(m.name, "data after the encrypted data")
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

// addPassphrase counts a packet for a passphrase. It returns an error if testing a passphrase
// would take too much time or memory.
func (m *message) addPassphrase(p *packet.OpaquePacket) error {
	derive := 2 // offset of the key derivation, after version and cipher
	switch {
	case len(p.Contents) == 0:
		return damaged(m.name, "a packet is empty")
	case p.Contents[0] == 5:
		m.gpgOnly++ // a draft that gpg implements since 2.3
		return nil
	case p.Contents[0] == 6:
		derive = 5 // after version, length, cipher, mode and length
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
