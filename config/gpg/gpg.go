// Package gpg brings OpenPGP to programs that import package config, or another package of this module: files that end
// in .gpg or .asc are decrypted when they are read, and encrypted again when they are edited.
//
//	import _ "github.com/yaytpl/yaytpl/config/gpg"
//
// It is a package of its own because of its size: see docs/go-api.md. Ansible Vault and hiera-eyaml need no import.
package gpg

import _ "github.com/yaytpl/yaytpl/crypto/pgp" // registers itself
