package dot

import (
	"bytes"
	"strconv"

	"github.com/yaytpl/yaytpl/source"
)

// An Include is one that was followed from a file to another.
type Include struct {
	From, To *source.File
	Key      string // the directive
}

// Includes draws files and the includes that lead from one to another. Those of layers
// are drawn even if nothing leads to them.
func Includes(out *bytes.Buffer, layers []*source.File, includes []Include) {
	_ = draw(out, func(d *drawing) error { // it cannot fail
		for _, f := range layers {
			d.file(f)
		}
		for _, in := range includes {
			d.edge(d.file(in.From), d.file(in.To), "label="+strconv.Quote(in.Key))
		}
		return nil
	})
}

// file draws a file, once, and returns its id.
func (d *drawing) file(f *source.File) string {
	id, fresh := d.id(f.Name)
	if fresh {
		d.box(id, f.Name)
	}
	return id
}
