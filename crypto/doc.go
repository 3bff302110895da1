// Package crypto decrypts and encrypts files: OpenPGP messages (RFC 4880 and RFC 9580), binary
// or armoured, texts of Ansible Vault, and values of hiera-eyaml. OpenPGP is in package pgp below this one, which a
// program imports for its effect:
//
//	import _ "github.com/yaytpl/yaytpl/config/gpg"
//
// A [Decrypter] is one run: it reads the key file once, unlocks a key once, asks for a
// passphrase once, and decrypts a file once. It returns no text before the whole message is
// read and its integrity checked. It writes nothing to disk.
//
// Errors are [*source.Diagnostic] values without a place, with code decryption, or limit for
// data that is too large. They contain names of keys and files, never passphrases or texts.
//
// Read decrypter.go, which has the API. vault.go is about Ansible Vault, eyaml.go about hiera-eyaml.
package crypto
