// Package crypto decrypts and encrypts files: OpenPGP messages (RFC 4880 and RFC 9580), binary
// or armoured, texts of Ansible Vault, and values of hiera-eyaml.
//
//	name, data --message--> recipients, passphrases, integrity
//	                           |
//	        key file or passphrase --native--> text
//	        neither                --gpg-----> text      (the user's gpg and its agent)
//
// A [Decrypter] is one run: it reads the key file once, unlocks a key once, asks for a
// passphrase once, and decrypts a file once. It returns no text before the whole message is
// read and its integrity checked. It writes nothing to disk.
//
// Messages need no signature: permission to write a file is a matter of the file system or of
// the repository. A signature that can be checked and is wrong is an error.
//
// Errors are [*source.Diagnostic] values without a place, with code decryption, or limit for
// data that is too large. They contain names of keys and files, never passphrases or texts.
//
// The files, in the order in which to read them: decrypter.go has the API and chooses between
// native decryption and gpg. message.go reads the unencrypted part of a message. native.go
// works in this process, with the keys of keyring.go and recipients.go; gpg.go runs the user's gpg. Both get
// passphrases from passphrase.go. vault.go is about Ansible Vault, eyaml.go about
// hiera-eyaml. errors.go has the messages.
package crypto
