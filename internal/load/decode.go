package load

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// decode sets the text of a file. UTF-16 and UTF-32 with a byte order mark are converted to
// UTF-8, as YAML requires (YAML 1.2.2, section 5.2); other data must be UTF-8.
//
// The text shares its bytes with data, so the caller must not change data afterwards.
func decode(f *source.File, data []byte) (*source.File, error) {
	f.Text = asText(data)
	bad := -1
	if form, ok := encodingOf(data); ok {
		f.Text, bad = form.text(data[form.mark:])
		if bad >= 0 {
			bad = len(f.Text)
		}
	} else if !utf8.ValidString(f.Text) {
		bad = firstInvalid(f.Text)
	}
	if bad < 0 {
		return f, nil
	}
	return nil, notText(f, bad)
}

// notText reports that the text of f is invalid at an offset. It does not quote the text if
// that is secret.
func notText(f *source.File, offset int) error {
	if strings.IndexByte(f.Text[:offset], 0) >= 0 {
		return source.Errorf(f.Span(offset, offset+1), source.Syntax, "this is not text: it has NUL bytes").
			WithHint("the file has another format, such as a picture, a program or an archive")
	}
	d := source.Errorf(f.Span(offset, offset+1), source.Syntax, "the text is not valid UTF-8")
	if f.Secret {
		return d.WithHint("encrypt the file in UTF-8")
	}
	if offset < len(f.Text) {
		d.Message += fmt.Sprintf(": it has the byte 0x%02x here", f.Text[offset])
	} else {
		d.Message = "the text is not valid UTF-16 or UTF-32 from here on"
	}
	return d.WithHint("save the file in UTF-8")
}

// firstInvalid returns the offset of the first byte of s that is not UTF-8, or -1.
func firstInvalid(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// An encoding is UTF-16 or UTF-32 in one byte order.
type encoding struct {
	order binary.ByteOrder
	width int // bytes of a unit
	mark  int // bytes of the byte order mark
}

// encodingOf recognizes an encoding by its byte order mark. The mark of UTF-32 (FF FE 00 00)
// begins with the mark of UTF-16 (FF FE), so it is tested first.
func encodingOf(data []byte) (encoding, bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0}):
		return encoding{binary.LittleEndian, 4, 4}, true
	case bytes.HasPrefix(data, []byte{0, 0, 0xFE, 0xFF}):
		return encoding{binary.BigEndian, 4, 4}, true
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}):
		return encoding{binary.LittleEndian, 2, 2}, true
	case bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return encoding{binary.BigEndian, 2, 2}, true
	}
	return encoding{}, false
}

// text converts data to UTF-8 and returns it with -1. If data is invalid, text returns the
// part before the fault and the offset of the fault.
func (e encoding) text(data []byte) (string, int) {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		r, size := e.next(data[i:])
		if size == 0 {
			return string(out), i
		}
		out = utf8.AppendRune(out, r)
		i += size
	}
	return string(out), -1
}

// next decodes one character and returns it with its size in bytes. The size is 0 if data
// does not begin with a valid character.
func (e encoding) next(data []byte) (r rune, size int) {
	switch {
	case len(data) < e.width:
		return 0, 0
	case e.width == 4:
		u := e.order.Uint32(data)
		if u > utf8.MaxRune || !utf8.ValidRune(rune(u)) {
			return 0, 0
		}
		return rune(u), 4
	}
	r = rune(e.order.Uint16(data))
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(data) < 4 {
		return 0, 0
	}
	if r = utf16.DecodeRune(r, rune(e.order.Uint16(data[2:]))); r == utf8.RuneError {
		return 0, 0
	}
	return r, 4
}

// withText sets the text of a file to data, decrypted if path ends as the names of encrypted
// files do, or if the data is an Ansible Vault. Files and URLs both use it, so decryption does not depend on how a document
// names a file.
func (f *Files) withText(file *source.File, path string, data []byte) (*source.File, error) {
	if !source.IsEncrypted(path) && !crypto.IsVault(asText(data)) {
		return decode(file, data)
	}
	f.inputs.uses(f.config.Decrypter)
	text, err := f.config.Decrypter.Decrypt(f.config.Context, file.Name, data, min(f.left(), maxText))
	if err != nil {
		return nil, err
	}
	file.Secret = true
	return decode(file, text)
}
