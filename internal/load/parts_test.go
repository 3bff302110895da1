package load_test

// For the tests of this package.
import (
	_ "github.com/yaytpl/yaytpl/crypto/pgp"
	_ "github.com/yaytpl/yaytpl/internal/web"
)
