package lookup

import _ "github.com/yaytpl/yaytpl/config/gpg" // for the tests of this package
