package dot

import (
	"bytes"

	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/value"
)

// Resources draws a graph of resources {resources, edges}, which must be valid: a box for each resource,
// labelled "kind: name", in the order of the list. Edges that notify are bold, edges that send a value
// are labelled with the fields (spec: mcl, section 11).
//
//	{resources: [{kind: pkg, name: nginx}, {kind: svc, name: nginx}], edges: [{from: Pkg[nginx], to: Svc[nginx], notify: true}]}
//
//	n0 [label="pkg: nginx"];
//	n1 [label="svc: nginx"];
//	n0 -> n1 [style=bold];
//
// Codes: limit, and the codes of evaluation.
func Resources(out *bytes.Buffer, v value.Value, g *resource.Graph) error {
	names, err := shownNames(v)
	if err != nil {
		return err
	}
	return draw(out, func(d *drawing) error {
		for i, r := range g.Resources {
			if err := d.count(); err != nil {
				return err
			}
			id, _ := d.id(r.ID.String())
			d.box(id, r.Kind+": "+names[i])
		}
		for _, e := range g.Edges {
			if err := d.count(); err != nil {
				return err
			}
			from, _ := d.id(e.From.String())
			to, _ := d.id(e.To.String())
			attributes := ""
			if e.Notify {
				attributes = "style=bold"
			}
			if e.Recv != "" {
				if attributes != "" {
					attributes += ", "
				}
				attributes += "label=" + quoted(e.Send+" -> "+e.Recv)
			}
			d.edge(from, to, attributes)
		}
		return nil
	})
}

// shownNames returns the names of the resources of a graph as labels show them.
func shownNames(v value.Value) ([]string, error) {
	list, ok, err := v.Map().Get(value.K("resources"))
	if err != nil || !ok {
		return nil, err
	}
	marks := v.Marks() | list.Marks()
	var names []string
	for item, err := range value.Items(list.List()) {
		if err != nil {
			return nil, err
		}
		name, _, err := item.Map().Get(value.K("name"))
		if err != nil {
			return nil, err
		}
		text, hidden := value.Masked(name.Mark(marks | item.Marks()))
		if !hidden {
			text = name.Str()
		}
		names = append(names, text)
	}
	return names, nil
}
