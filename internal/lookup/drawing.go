package lookup

import (
	"bytes"

	"github.com/yaytpl/yaytpl/internal/dot"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/bind"
)

// Draw draws all data of a table with its sources for Graphviz. Secret and sensitive values are
// masked.
//
// Codes: limit, the codes of evaluating all data.
func Draw(out *bytes.Buffer, t *bind.Table) error {
	names, err := t.All()
	if err != nil {
		return err
	}
	var keys []dot.Key
	for _, name := range names {
		a, err := t.Lookup(RequestOf(name))
		if err != nil {
			return err
		}
		if !a.Found {
			continue
		}
		x := Explain(t, a, false)
		k := dot.Key{Name: show.Text(name), Text: x.short(a.Value)}
		for _, s := range x.Steps {
			switch s.Status {
			case bind.StepMissing, bind.StepAbsent, bind.StepAside:
				continue
			}
			k.Sources = append(k.Sources, dot.Source{Name: origin(s), Status: string(s.Status)})
			for _, via := range s.Steps {
				k.Reads = append(k.Reads, show.Text(via.Key))
			}
		}
		keys = append(keys, k)
	}
	return dot.Bindings(out, keys)
}

// origin names the set or the level of a step, with its layer and file.
func origin(s bind.Step) string {
	name := s.File
	if name == "" && s.At.File != nil {
		name = s.At.File.Name
	}
	part := "bindings " + s.Bindings
	if s.Level != "" {
		part = "level " + s.Level
	}
	return "layer " + s.Layer + ", " + part + "\n" + show.Text(name)
}
