package crypto

import (
	"slices"
	"strconv"
	"strings"
)

// A status is what gpg says in its status lines (GnuPG, doc/DETAILS): the words behind
// each keyword, in order.
type status map[string][][]string

// The keywords that matter.
const (
	statusDecrypted     = "DECRYPTION_OKAY"
	statusFailed        = "DECRYPTION_FAILED"
	statusOpened        = "DECRYPTION_INFO" // a key fits, and the data are being read
	statusProtected     = "GOODMDC"         // said of authenticated encryption too
	statusBadProtection = "BADMDC"
	statusBadSignature  = "BADSIG"
	statusNoKey         = "NO_SECKEY"
	statusKnowsKey      = "KEY_CONSIDERED" // the public key at least
	statusError         = "ERROR"
	statusBadPassphrase = "BAD_PASSPHRASE"
	statusNoPassphrase  = "MISSING_PASSPHRASE"
	statusEncrypted     = "END_ENCRYPTION"
	statusBadRecipient  = "INV_RECP"
)

// readStatus reads the status lines among others.
func readStatus(text string) status {
	s := status{}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "[GNUPG:] ")
		if words := strings.Fields(rest); ok && len(words) > 0 {
			s[words[0]] = append(s[words[0]], words[1:])
		}
	}
	return s
}

func (s status) has(keyword string) bool { return len(s[keyword]) > 0 }

// The errors of libgpg-error that say why a passphrase did not come.
var (
	codesWrong    = []int{11}                // bad passphrase
	codesCanceled = []int{99, 198}           // canceled by the user
	codesNoAsking = []int{77, 85, 86, 32870} // no agent, no pinentry, no terminal for it
)

// failedWith reports whether gpg tells one of these errors.
func (s status) failedWith(codes []int) bool {
	for _, words := range s[statusError] {
		if len(words) < 2 {
			continue
		}
		number, _, _ := strings.Cut(words[1], "_") // of 11_BAD_PASSPHRASE
		n, err := strconv.Atoi(number)
		if err == nil && slices.Contains(codes, n&0xFFFF) {
			return true
		}
	}
	return false
}
