package yaml

import (
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// ParseTOML parses a TOML text to a tree with the place of every key and value (spec: everyday, B7).
// Dates and times are texts, as written. Numbers keep their spelling where YAML has it.
//
// The library is used twice: it decodes the text, which finds all that is wrong with it, and its
// parser gives the places.
//
// Codes: syntax, limit.
func ParseTOML(f *source.File, o ParseOptions) ([]*Document, []*source.Diagnostic) {
	text := strings.TrimPrefix(f.Text, "\ufeff")
	p := &tomlParser{file: f, from: len(f.Text) - len(text), index: map[*Node]map[string]int{}, depth: o.maxDepth()}
	if at := invalidUTF8(f.Text); at >= 0 {
		return nil, []*source.Diagnostic{source.Errorf(f.Span(at, at+1), source.Syntax, "the text is not UTF-8")}
	}
	if d := p.check(text); d != nil {
		return nil, []*source.Diagnostic{d}
	}
	p.root = p.collection(MapNode, f.Span(0, len(f.Text)))
	p.table = p.root
	p.Reset([]byte(text))
	for p.NextExpression() {
		if d := p.expression(p.Expression()); d != nil {
			return nil, []*source.Diagnostic{d}
		}
	}
	if p.Error() != nil {
		return nil, []*source.Diagnostic{p.bad(f.Span(0, 0), "")}
	}
	return []*Document{{Root: p.root, At: p.root.At, Options: fileOptions(f.Text)}}, nil
}

// A tomlParser builds the tree of a TOML text.
type tomlParser struct {
	unstable.Parser
	file  *source.File
	from  int // the offset of the parsed text in the file
	root  *Node
	table *Node // of the last header
	index map[*Node]map[string]int
	depth int // the levels of nesting that are left
	level int
}

// check returns the first thing that is wrong with the text.
func (p *tomlParser) check(text string) *source.Diagnostic {
	var all map[string]any
	err := toml.Unmarshal([]byte(text), &all)
	if err == nil {
		return nil
	}
	var bad *toml.DecodeError
	if !errors.As(err, &bad) {
		return p.bad(p.file.Span(0, 0), strings.TrimPrefix(err.Error(), "toml: "))
	}
	line, col := bad.Position()
	at := p.from
	for ; line > 1; line-- {
		at += strings.IndexByte(p.file.Text[at:], '\n') + 1
	}
	at = min(at+max(col-1, 0), len(p.file.Text))
	return p.bad(p.file.Span(at, min(at+1, len(p.file.Text))), strings.TrimPrefix(bad.Error(), "toml: "))
}

// bad returns an error of syntax. The message of the library may quote the text.
func (p *tomlParser) bad(at source.Span, what string) *source.Diagnostic {
	if what == "" || p.file.Secret {
		return source.Errorf(at, source.Syntax, "this is no TOML")
	}
	return source.Errorf(at, source.Syntax, "this is no TOML: %s", what)
}

func (p *tomlParser) span(r unstable.Range) source.Span {
	return p.file.Span(p.from+int(r.Offset), p.from+int(r.Offset+r.Length))
}

func (p *tomlParser) node(at source.Span) *Node {
	n := newNode(&slab[Node]{})
	n.At = at
	return n
}

func (p *tomlParser) collection(kind Kind, at source.Span) *Node {
	n := p.node(at)
	n.Kind, n.Style = kind, Block
	return n
}

// expression adds a key with its value, or opens the table of a header.
func (p *tomlParser) expression(n *unstable.Node) *source.Diagnostic {
	switch n.Kind {
	case unstable.KeyValue:
		return p.keyValue(p.table, n)
	case unstable.Table, unstable.ArrayTable:
		in, last, d := p.parent(p.root, n.Key())
		if d != nil {
			return d
		}
		if n.Kind == unstable.Table {
			p.table, d = p.child(in, last)
			return d
		}
		list := p.find(in, last)
		if list == nil {
			list = p.collection(SeqNode, p.span(last.Raw))
			p.add(in, last, list)
		}
		if list.Kind != SeqNode {
			return p.twice(last)
		}
		p.table = p.collection(MapNode, p.span(last.Raw))
		list.parts().Items = append(list.Items, p.table)
	}
	return nil
}

// parent returns the table of the last key of a dotted one, and that key.
func (p *tomlParser) parent(in *Node, keys unstable.Iterator) (*Node, *unstable.Node, *source.Diagnostic) {
	var last *unstable.Node
	for depth := p.level; keys.Next(); depth++ {
		if last != nil {
			var d *source.Diagnostic
			if in, d = p.child(in, last); d != nil {
				return nil, nil, d
			}
		}
		if last = keys.Node(); depth > p.depth {
			return nil, nil, source.Errorf(p.span(last.Raw), source.Limit, "nested more than %d deep", p.depth)
		}
	}
	return in, last, nil
}

// child returns the table under a key, the last one of an array of tables. It makes one if there is
// none.
func (p *tomlParser) child(in *Node, key *unstable.Node) (*Node, *source.Diagnostic) {
	n := p.find(in, key)
	switch {
	case n == nil:
		n = p.collection(MapNode, p.span(key.Raw))
		p.add(in, key, n)
	case n.Kind == SeqNode && len(n.Items) > 0:
		n = n.Items[len(n.Items)-1]
	}
	if n.Kind != MapNode {
		return nil, p.twice(key)
	}
	return n, nil
}

func (p *tomlParser) twice(key *unstable.Node) *source.Diagnostic {
	return source.Errorf(p.span(key.Raw), source.DuplicateKey, "duplicate key %q", string(key.Data))
}

func (p *tomlParser) find(in *Node, key *unstable.Node) *Node {
	if i, ok := p.index[in][string(key.Data)]; ok {
		return in.Entries[i].Value
	}
	return nil
}

func (p *tomlParser) add(in *Node, key *unstable.Node, v *Node) {
	name := string(key.Data)
	if p.index[in] == nil {
		p.index[in] = map[string]int{}
	}
	p.index[in][name] = len(in.Entries)
	k := p.node(p.span(key.Raw))
	k.Value, k.Style = value.String(name), tomlStyle(k.At.Text())
	in.parts().Entries = append(in.Entries, entryOf(value.K(name), k, v))
}

// tomlStyle returns the style of a text as written.
func tomlStyle(text string) Style {
	switch {
	case strings.HasPrefix(text, `"`):
		return DoubleQuoted
	case strings.HasPrefix(text, "'"):
		return SingleQuoted
	}
	return Plain
}

func (p *tomlParser) keyValue(table *Node, n *unstable.Node) *source.Diagnostic {
	in, last, d := p.parent(table, n.Key())
	if d != nil {
		return d
	}
	if p.find(in, last) != nil {
		return p.twice(last)
	}
	v, d := p.value(n.Value(), p.span(last.Raw))
	if d == nil {
		p.add(in, last, v)
	}
	return d
}

// value returns the node of a value. at is its place if it has none of its own.
func (p *tomlParser) value(n *unstable.Node, at source.Span) (*Node, *source.Diagnostic) {
	if n.Raw.Length > 0 {
		at = p.span(n.Raw)
	} else if n.Kind == unstable.Bool || n.Kind == unstable.Integer || n.Kind == unstable.Float {
		at = p.span(p.Range(n.Data))
	}
	if p.level++; p.level > p.depth {
		return nil, source.Errorf(at, source.Limit, "nested more than %d deep", p.depth)
	}
	defer func() { p.level-- }()
	switch n.Kind {
	case unstable.Array:
		list := p.collection(SeqNode, at)
		list.Style = Flow
		for items := n.Children(); items.Next(); {
			if items.Node().Kind == unstable.Comment {
				continue
			}
			item, d := p.value(items.Node(), at)
			if d != nil {
				return nil, d
			}
			list.parts().Items = append(list.Items, item)
		}
		return list, nil
	case unstable.InlineTable:
		m := p.collection(MapNode, at)
		m.Style = Flow
		for items := n.Children(); items.Next(); {
			if items.Node().Kind != unstable.KeyValue {
				continue
			}
			if d := p.keyValue(m, items.Node()); d != nil {
				return nil, d
			}
		}
		return m, nil
	}
	s := p.node(at)
	s.Value, s.Style = tomlScalar(n), tomlStyle(at.Text())
	return s, nil
}

// tomlScalar returns a scalar. Numbers that YAML spells in the same way keep their spelling.
func tomlScalar(n *unstable.Node) value.Value {
	text := string(n.Data)
	switch n.Kind {
	case unstable.Bool:
		return value.Bool(text == "true")
	case unstable.Integer, unstable.Float:
		if _, ok := resolveNumber(text); ok {
			return plainScalar(text)
		}
		plain := strings.ReplaceAll(text, "_", "")
		if bits, ok := strings.CutPrefix(plain, "0b"); ok {
			i, _ := strconv.ParseInt(bits, 2, 64) // checked by the decoder
			return value.Int(i)
		}
		word := strings.TrimLeft(plain, "+-")
		if word == "inf" || word == "nan" {
			plain = strings.TrimSuffix(plain, word) + "." + word
			if word == "nan" {
				plain = ".nan"
			}
		}
		if v, ok := resolve(plain); ok {
			return v
		}
	}
	return value.String(text)
}
