// Package crypto opens and makes encrypted files: OpenPGP messages (RFC 4880 and
// RFC 9580), armoured or not.
//
//	name, data --message--> recipients, passphrases, integrity
//	                           |
//	        key file or passphrase --native--> text
//	        neither                --gpg-----> text      (the user's own, with its agent)
//
// A [Decrypter] is one run: it reads the key file once, unlocks a key once, asks for
// a passphrase once, and decrypts a file once. No text leaves it before all of the
// message was read and its integrity was checked. Nothing is written to disk.
//
// Signatures are not asked for: who may write a file is decided elsewhere. A
// signature that can be checked and is wrong is an error.
//
// Errors are [*source.Diagnostic] values of code decryption without a place, or of
// code limit for what is too large. They name keys and files, never passphrases or
// texts.
//
// To read it: decrypter.go has the API and chooses the way. message.go reads the part
// of a message that is not encrypted. native.go works in this process, with the keys of
// keyring.go; gpg.go runs the user's gpg. Both ask passphrase.go.
package crypto
