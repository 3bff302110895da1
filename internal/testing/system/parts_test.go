package system_test

// For the tests of this package.
import (
	_ "github.com/yaytpl/yaytpl/config/gotemplate"
	_ "github.com/yaytpl/yaytpl/config/gpg"
	_ "github.com/yaytpl/yaytpl/config/web"
)
