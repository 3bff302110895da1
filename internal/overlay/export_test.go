package overlay

import (
	"strings"

	"github.com/yaytpl/yaytpl/roundtrip"
)

// Wrong returns texts in which a writer with a mistake replaced one entry of a file by another.
func (x *Overlay) Wrong(path, old, now string) Texts {
	return Texts{
		byPath:  map[string]string{path: strings.Replace(x.Source(path).Text, old, now, 1)},
		entries: map[string][]roundtrip.Entry{path: {{Old: old, New: now}}},
	}
}
