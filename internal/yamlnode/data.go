package yamlnode

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	yamlv3 "gopkg.in/yaml.v3"
)

// Data is the data of a node of the library, with the place of each value.
type Data struct {
	Value value.Value // aliases and "<<" are resolved
	At    source.Span // zero if the node has no line
	Keys  []value.Key // of a map
	Items []*Data     // of a map, beside its keys, or of a list
}

// FromNode returns the data of a node, as if the library had written the node and we had read the text: a
// plain scalar is what YAML 1.2 says. Places are the lines and columns of the nodes in a file that is called
// name; its text, which messages quote, has the scalars at these places and blanks between them.
//
// Codes: usage for a node that is no YAML, cycle, limit, and the codes of scalars and keys.
func FromNode(name string, n *yamlv3.Node) (*Data, error) {
	r := reader{name: name, open: map[*yamlv3.Node]bool{}, spans: map[*yamlv3.Node]span{}}
	d, err := r.data(n)
	if err != nil {
		return nil, err
	}
	r.place(source.NewFile(name, r.text.String()))
	return d, nil
}

// maxNodes bounds the values of a layer, since a short document can repeat an alias very often, and maxText the
// blanks between them.
const (
	maxNodes = 1_000_000
	maxText  = 16 << 20
)

// A reader reads nodes of the library.
type reader struct {
	name   string
	text   strings.Builder // with the scalars so far
	line   int             // of the end of text, counted from 0
	start  int             // of that line
	placed []placed
	spans  map[*yamlv3.Node]span // of nodes that were read: aliases have the places of their targets
	open   map[*yamlv3.Node]bool
	read   int
}

// A span is a range of the text.
type span struct{ start, end int }

// A placed is data with its place until the text is complete.
type placed struct {
	of *Data
	at span
}

func (r *reader) place(f *source.File) {
	for _, p := range r.placed {
		p.of.At = f.Span(p.at.start, p.at.end)
	}
}

// moveTo adds lines and blanks to the text up to the place of a node, and reports whether that is possible.
func (r *reader) moveTo(n *yamlv3.Node) bool {
	lines, column := n.Line-1-r.line, n.Column-1
	if lines == 0 {
		column -= r.text.Len() - r.start
	}
	if lines < 0 || column < 0 || lines > maxText-r.text.Len() || column > maxText-r.text.Len()-lines {
		return false
	}
	if lines > 0 {
		r.text.WriteString(strings.Repeat("\n", lines))
		r.line, r.start = r.line+lines, r.text.Len()
	}
	r.text.WriteString(strings.Repeat(" ", column))
	return true
}

// data reads a node.
func (r *reader) data(n *yamlv3.Node) (*Data, error) {
	if r.read++; r.read > maxNodes {
		return nil, r.failed(source.Limit, "the node has more than %d values", maxNodes)
	}
	if r.open[n] {
		return nil, r.failed(source.Cycle, "the node contains itself")
	}
	if len(r.open) > value.MaxNesting {
		return nil, r.failed(source.Limit, "the node is nested more than %d deep", value.MaxNesting)
	}
	r.open[n] = true
	defer delete(r.open, n)
	d := &Data{}
	at, known := r.spans[n]
	writes := !known && r.moveTo(n)
	if writes {
		at.start = r.text.Len()
	}
	var err error
	switch {
	case n.Kind == yamlv3.DocumentNode && len(n.Content) == 1:
		return r.data(n.Content[0])
	case n.IsZero():
	case n.Kind == yamlv3.AliasNode && n.Alias == nil:
		err = r.failed(source.Usage, "the alias *%s is without a target", n.Value)
	case n.Kind == yamlv3.AliasNode:
		return r.data(n.Alias)
	case n.Kind == yamlv3.ScalarNode:
		if writes {
			first, _, _ := strings.Cut(n.Value, "\n")
			r.text.WriteString(first)
		}
		d.Value, err = scalarOf(n)
	case n.Kind == yamlv3.SequenceNode:
		err = r.list(d, n)
	case n.Kind == yamlv3.MappingNode && len(n.Content)%2 == 0:
		err = r.mapping(d, n)
	default:
		err = r.failed(source.Usage, "a node of kind %d with %d nodes in it is no YAML", n.Kind, len(n.Content))
	}
	if writes {
		at.end = r.text.Len()
		r.spans[n] = at
	}
	if writes || known {
		r.placed = append(r.placed, placed{d, at})
	}
	return d, err
}

func (r *reader) failed(code source.Code, format string, args ...any) error {
	at := source.NewFile(r.name, r.text.String())
	return source.Errorf(at.Span(len(at.Text), len(at.Text)), code, format, args...)
}

func (r *reader) list(d *Data, n *yamlv3.Node) error {
	items := make(value.Slice, len(n.Content))
	for i, kid := range n.Content {
		item, err := r.data(kid)
		if err != nil {
			return err
		}
		d.Items, items[i] = append(d.Items, item), item.Value
	}
	d.Value = value.FromList(items)
	return nil
}

// mapping reads a map. Its own keys win over keys of "<<", and earlier maps of "<<" over later ones.
func (r *reader) mapping(d *Data, n *yamlv3.Node) error {
	var merged []*Data
	at := map[value.Key]int{}
	for i := 0; i < len(n.Content); i += 2 {
		key, err := r.data(n.Content[i])
		if err != nil {
			return err
		}
		item, err := r.data(n.Content[i+1])
		if err != nil {
			return err
		}
		if isMerge(n.Content[i]) {
			merged = append(merged, item)
			continue
		}
		k, ok := value.KeyOf(key.Value.WithoutSource())
		if !ok || at[k] > 0 {
			return r.failed(source.BadKey, "%s cannot be a key here: it is a map, a list or a key that is there already", value.Article(key.Value.Kind()))
		}
		d.add(at, k, item)
	}
	for _, from := range merged {
		maps := []*Data{from}
		if from.Value.Is(value.ListKind) {
			maps = from.Items
		}
		for _, m := range maps {
			if !m.Value.Is(value.MapKind) {
				return r.failed(source.BadType, "<< needs a map or a list of maps")
			}
			for i, k := range m.Keys {
				if at[k] == 0 {
					d.add(at, k, m.Items[i])
				}
			}
		}
	}
	m := value.NewMap(len(d.Keys))
	for i, k := range d.Keys {
		m.Set(k, d.Items[i].Value)
	}
	d.Value = value.FromMap(m)
	return nil
}

// isMerge reports whether a key is "<<", as the library does.
func isMerge(key *yamlv3.Node) bool {
	return key.Kind == yamlv3.ScalarNode && key.Value == "<<" && (key.Tag == "" || key.Tag == "!" || key.ShortTag() == "!!merge")
}

// add adds an entry. at has the number of entries up to each key.
func (d *Data) add(at map[value.Key]int, k value.Key, item *Data) {
	d.Keys, d.Items = append(d.Keys, k), append(d.Items, item)
	at[k] = len(d.Keys)
}

// scalarOf returns the data of a scalar: with a tag only where the library writes it.
func scalarOf(n *yamlv3.Node) (value.Value, error) {
	tag, style := "", styleOf(n)
	plain := yamlv3.Node{Kind: yamlv3.ScalarNode, Value: n.Value}
	switch short := n.ShortTag(); {
	case n.Style&yamlv3.TaggedStyle != 0, short != plain.ShortTag() && short != "!!str":
		if tag = short; !strings.HasPrefix(tag, "!") {
			tag = "!<" + tag + ">"
		}
	case short == "!!str" && style == yaml.Plain && plain.ShortTag() != "!!str":
		style = yaml.DoubleQuoted
	}
	v, d := yaml.ScalarValue(tag, n.Value, style)
	if d != nil {
		return value.Null, d
	}
	return v, nil
}
