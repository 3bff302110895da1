package yaytpl_test

import _ "github.com/yaytpl/yaytpl/config/gotemplate" // for the tests of this package
