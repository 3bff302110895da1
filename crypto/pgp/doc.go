// Package pgp decrypts and encrypts OpenPGP messages for package crypto, to which it gives itself. It is a package of
// its own, since the library and what it needs are some megabytes of a program. A blank import brings it.
//
//	name, data --message--> recipients, passphrases, integrity
//	                           |
//	        key file or passphrase --native--> text
//	        neither                --gpg-----> text      (the user's gpg and its agent)
//
// Messages need no signature: permission to write a file is a matter of the file system or of
// the repository. A signature that can be checked and is wrong is an error.
//
// Read messages.go, which chooses between native decryption and gpg; message.go reads the unencrypted part of a message;
// native.go works in this process, with the keys of keyring.go and recipients.go; gpg.go runs the user's gpg. Both get
// passphrases from passphrase.go. errors.go has the messages.
package pgp
