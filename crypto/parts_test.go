package crypto_test

// For the tests of this package.
import (
	_ "github.com/yaytpl/yaytpl/crypto/pgp"
)
