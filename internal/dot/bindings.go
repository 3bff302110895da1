package dot

import (
	"bytes"
)

// A Key is a key of layered bindings.
type Key struct {
	Name    string
	Text    string // of its value
	Sources []Source
	Reads   []string // the keys that the value was made of
}

// A Source is a set of bindings, or a file of a level, that has a key.
type Source struct {
	Name   string // its layer, set or level, and file
	Status string // set, merged, part, over or refused
}

// Bindings draws the keys of bindings. A solid edge leads from a key to a source that its value
// comes from, a dotted one to a source that is overridden or refused, a dashed one to a key that it
// reads. For
//
//	bindings default { bind a to inject(b) bind b to 1 }
//
// there are solid edges from a and b to the set, and a dashed one from a to b.
//
// Code: limit.
func Bindings(out *bytes.Buffer, keys []Key) error {
	return draw(out, func(d *drawing) error {
		for _, k := range keys {
			if err := d.count(); err != nil {
				return err
			}
			id, _ := d.id("key " + k.Name)
			d.box(id, k.Name+": "+k.Text)
		}
		for _, k := range keys {
			if err := d.sources(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// sources draws the edges of a key.
func (d *drawing) sources(k Key) error {
	from, _ := d.id("key " + k.Name)
	for _, s := range k.Sources {
		if err := d.count(); err != nil {
			return err
		}
		to, fresh := d.id("source " + s.Name)
		if fresh {
			d.box(to, s.Name)
		}
		attributes := ""
		if s.Status == "over" || s.Status == "refused" {
			attributes = "style=dotted, label=" + quoted(s.Status)
		}
		d.edge(from, to, attributes)
	}
	for _, read := range k.Reads {
		to, fresh := d.id("key " + read)
		if fresh {
			d.box(to, read)
		}
		d.edge(from, to, "style=dashed")
	}
	return nil
}
