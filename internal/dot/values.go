package dot

import (
	"bytes"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/value"
)

// Reads are what computing the values of a document looked at, each once.
type Reads struct {
	order []read
	seen  map[[2]string]bool
}

// A read is one place that computing the value of another looked at.
type read struct {
	from, to string // paths
	cell     *graph.Cell
}

// Listen notes what an evaluation reads from now on.
func Listen(e *graph.Eval) *Reads {
	r := &Reads{seen: map[[2]string]bool{}}
	e.OnRead = func(from, to *graph.Cell) {
		ends := [2]string{from.Path().String(), to.Path().String()}
		if !r.seen[ends] && ends[0] != ends[1] {
			r.seen[ends] = true
			r.order = append(r.order, read{ends[0], ends[1], to})
		}
	}
	return r
}

// Values draws the places of a finished document, which must not contain itself: solid
// edges lead to what lies below a place, dashed ones to what computing a value reads.
//
// Codes: limit, and what evaluation finds.
func Values(out *bytes.Buffer, v value.Value, r *Reads) error {
	return draw(out, func(d *drawing) error {
		if err := d.value(v, nil); err != nil {
			return err
		}
		d.reads(r.order)
		return nil
	})
}

// reads draws what was read. A place that is none of the document gets a box.
func (d *drawing) reads(order []read) {
	for _, r := range order {
		if v, ok, err := r.cell.Value(); !ok || err != nil || v.Is(value.FuncKind) {
			continue // a name that means something else
		}
		from, _ := d.id(r.from)
		to, fresh := d.id(r.to)
		if fresh {
			d.box(to, r.cell.Name().String())
		}
		d.edge(from, to, "style=dashed")
	}
}

// value draws a value and what is below it.
func (d *drawing) value(v value.Value, path value.Path) error {
	id, _ := d.id(path.String())
	if err := d.count(); err != nil {
		return err
	}
	label := "document"
	if len(path) > 0 {
		label = path[len(path)-1].Text
	}
	if v.IsScalar() || v.Marks() != 0 {
		label += ": " + show.Value(v, false)
	}
	d.box(id, label)
	if v.Marks() != 0 {
		return nil // so is what is below it
	}
	switch v.Kind() {
	case value.MapKind:
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err == nil {
				err = d.below(id, path, k, item)
			}
			if err != nil {
				return err
			}
		}
	case value.ListKind:
		for i := range v.List().Len() {
			item, err := v.List().At(i)
			if err == nil {
				err = d.below(id, path, value.Index(i), item)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// below draws an entry or item of the place at a path.
func (d *drawing) below(id string, path value.Path, k value.Key, item value.Value) error {
	at := append(path[:len(path):len(path)], k)
	to, _ := d.id(at.String())
	d.edge(id, to, "")
	return d.value(item, at)
}
