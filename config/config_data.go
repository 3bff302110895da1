package config

import (
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Add adds a layer with data of the program: a map, a struct with yaml tags or a
// [value.Value] that is a map. In it may be those, slices, arrays, pointers, texts,
// numbers, truth values, nil, times, durations and what has a text form of its own
// (encoding.TextMarshaler). Keys of Go maps come in sorted order. Maps join the maps
// below, everything else takes their place. Texts are texts: no templates.
//
// Codes: usage for data that is no map, and for what configuration cannot hold, such
// as channels.
func (c *Config) Add(data any) error {
	v, err := godata.ToValue(data)
	if err != nil {
		return err
	}
	if !v.Is(value.MapKind) {
		return source.Errorf(source.Span{}, source.Usage, "only a map or a struct can be added to a configuration, not %s", godata.TypeName(data))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.reading()
	if err != nil {
		return err
	}
	doc := &graph.Doc{File: source.NewFile("the program", ""), Root: hostNode(v), Base: p.Dir()}
	c.push(engine.Layer{Name: doc.File.Name, Docs: []*graph.Doc{doc}})
	return nil
}

// hostNode returns data as a layer whose lists and nulls hide what is below.
func hostNode(v value.Value) graph.Node {
	switch v.Kind() {
	case value.MapKind:
		m := graph.Map{}
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k) // of plain data: it cannot fail
			m.Entries = append(m.Entries, graph.Entry{Key: k, Node: hostNode(item)})
		}
		return graph.NewMap(m)
	case value.ListKind:
		s := graph.Seq{Replace: true}
		for item := range value.Items(v.List()) {
			s.Items = append(s.Items, hostNode(item))
		}
		return graph.NewSeq(s)
	}
	return &graph.Scalar{Val: v.Verbatim(), Final: v.IsNull()}
}
