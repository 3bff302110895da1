package yaytpl

import (
	"github.com/yaytpl/yaytpl/lang/yay"
	"github.com/yaytpl/yaytpl/source"
)

// yayRuntime returns what documents in Yay need while they are evaluated.
func (p *Project) yayRuntime() *yay.Runtime {
	return &yay.Runtime{Dir: p.dir, Open: p.openYay}
}

// openYay opens a file of an include in Yay. A URL of a package is a file below the
// repository of that name.
func (p *Project) openYay(name, base string) (*source.File, error) {
	return p.files.Open(name, base)
}
