package crypto

import (
	"path"
	"strings"
)

// Encrypted reports whether a file of that name or path is to be decrypted when it
// is opened: its name ends in .gpg or .asc.
func Encrypted(name string) bool { return PlainName(name) != name }

// PlainName returns a name without the ending that says that the file is encrypted:
// what is left decides the language.
func PlainName(name string) string {
	switch ending := path.Ext(name); strings.ToLower(ending) {
	case ".gpg", ".asc":
		return strings.TrimSuffix(name, ending)
	}
	return name
}
