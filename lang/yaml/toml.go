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
// The library splits the text into expressions and checks numbers and dates. Which tables and keys may follow each
// other is checked here: the library looks at all keys for each one, which takes minutes for a text of a few MB.
//
// Codes: syntax, duplicate-key, limit.
func ParseTOML(f *source.File, o ParseOptions) ([]*Document, []*source.Diagnostic) {
	if d := checkSize(f, o); d != nil {
		return nil, []*source.Diagnostic{d}
	}
	if at := invalidUTF8(f.Text); at >= 0 {
		return nil, []*source.Diagnostic{source.Errorf(f.Span(at, at+1), source.Syntax, "the text is not UTF-8")}
	}
	p := &tomlParser{file: f, from: afterMark(f.Text), opts: o}
	p.root = p.newTable(f.Span(0, len(f.Text)), headerTable, 1)
	p.table = p.root
	p.Reset([]byte(f.Text[p.from:]))
	for p.NextExpression() {
		if d := p.expression(p.Expression()); d != nil {
			return nil, []*source.Diagnostic{d}
		}
	}
	if err := p.Error(); err != nil {
		return nil, []*source.Diagnostic{p.bad(p.rangeOf(err), err)}
	}
	root := p.root.node
	return []*Document{{Root: root, At: root.At, Options: fileOptions(f.Text)}}, nil
}

// A tomlParser builds the tree of a TOML text.
type tomlParser struct {
	unstable.Parser
	file  *source.File
	from  int // the offset of the parsed text in the file
	opts  ParseOptions
	root  *tomlTable
	table *tomlTable // of the last header
	nodes slab[Node]
	count int // items and entries
}

// A tomlTable is the value of a key while its text is parsed.
type tomlTable struct {
	node  *Node
	key   source.Span // the first place of its key
	kind  tomlKind
	depth int
	keys  map[string]*tomlTable
	last  *tomlTable // of an array of tables: its last table
}

// A tomlKind says how a value was written, and so what may be added to it.
type tomlKind uint8

const (
	tomlValue   tomlKind = iota // after "=": nothing
	dottedTable                 // [a] has b in b.c = 1: other dotted keys
	outerTable                  // a in [a.b]: other headers, [a] once
	headerTable                 // [a]: the keys below the header, headers such as [a.b]
	tableArray                  // [[a]]: other tables
)

// rangeOf returns the place of an error of the library.
func (p *tomlParser) rangeOf(err error) source.Span {
	var bad *unstable.ParserError
	if !errors.As(err, &bad) {
		return p.file.Span(0, 0)
	}
	at := p.span(p.Range(bad.Highlight))
	return p.file.Span(int(at.Start), int(at.Start)+1)
}

// bad returns an error of syntax. The message of the library may quote the text.
func (p *tomlParser) bad(at source.Span, err error) *source.Diagnostic {
	if p.file.Secret {
		return source.Errorf(at, source.Syntax, "this is no TOML")
	}
	return source.Errorf(at, source.Syntax, "this is no TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
}

func (p *tomlParser) span(r unstable.Range) source.Span {
	return p.file.Span(p.from+int(r.Offset), p.from+int(r.Offset+r.Length))
}

func (p *tomlParser) newNode(at source.Span) *Node {
	n := newNode(&p.nodes)
	n.At = at
	return n
}

// newTable returns a table of a level of nesting.
func (p *tomlParser) newTable(at source.Span, kind tomlKind, depth int) *tomlTable {
	n := p.newNode(at)
	if n.Kind, n.Style = MapNode, Block; kind == tableArray {
		n.Kind = SeqNode
	}
	return &tomlTable{node: n, kind: kind, depth: depth}
}

// expression adds a key with its value, or opens the table of a header.
func (p *tomlParser) expression(n *unstable.Node) *source.Diagnostic {
	switch n.Kind {
	case unstable.KeyValue:
		return p.keyValue(p.table, n)
	case unstable.Table, unstable.ArrayTable:
		in, last, d := p.parent(p.root, n.Key(), outerTable)
		if d != nil {
			return d
		}
		if p.table, d = p.header(in, last, n.Kind == unstable.ArrayTable); d != nil {
			return d
		}
	}
	return nil
}

// parent returns the table that holds the last key of a dotted key, and that last key. It makes missing tables on the
// way, of a kind: outerTable in a header, dottedTable elsewhere.
func (p *tomlParser) parent(in *tomlTable, keys unstable.Iterator, kind tomlKind) (*tomlTable, *unstable.Node, *source.Diagnostic) {
	for keys.Next() {
		key := keys.Node()
		if keys.IsLast() {
			return in, key, nil
		}
		t := in.keys[string(key.Data)]
		switch {
		case t == nil:
			t = p.newTable(p.span(key.Raw), kind, in.depth+1)
			if d := p.add(in, key, t); d != nil {
				return nil, nil, d
			}
		case t.kind == tomlValue, kind == dottedTable && t.kind != dottedTable:
			return nil, nil, p.closed(key, t)
		case t.kind == tableArray:
			t = t.last
		}
		in = t
	}
	return in, nil, nil
}

// header opens the table of a header in the table before its last key.
func (p *tomlParser) header(in *tomlTable, key *unstable.Node, array bool) (*tomlTable, *source.Diagnostic) {
	t := in.keys[string(key.Data)]
	at := p.span(key.Raw)
	switch {
	case array && (t == nil || t.kind == tableArray):
		if t == nil {
			t = p.newTable(at, tableArray, in.depth+1)
			if d := p.add(in, key, t); d != nil {
				return nil, d
			}
		}
		t.last = p.newTable(at, headerTable, t.depth+1)
		t.node.parts().Items = append(t.node.Items, t.last.node)
		return t.last, p.counted(at, t.last.depth)
	case t == nil:
		t = p.newTable(at, headerTable, in.depth+1)
		return t, p.add(in, key, t)
	case !array && t.kind == outerTable:
		t.kind = headerTable
		return t, nil
	}
	return nil, p.closed(key, t)
}

// closed returns the error for a key or a header to whose value nothing can be added.
func (p *tomlParser) closed(key *unstable.Node, t *tomlTable) *source.Diagnostic {
	d := source.Errorf(p.span(key.Raw), source.DuplicateKey, "duplicate key %q; first at %s", key.Data, t.key)
	return d.WithHint("remove one of them, or give it another name").Note(t.key, "first here")
}

// counted counts an item or an entry at a level of nesting.
func (p *tomlParser) counted(at source.Span, depth int) *source.Diagnostic {
	if depth > p.opts.maxDepth() {
		return tooDeep(p.file, int(at.Start), p.opts)
	}
	if p.count++; p.count > p.opts.maxValues() {
		return tooManyValues(p.file, int(at.Start), p.opts)
	}
	return nil
}

// add adds a key with its value to a table.
func (p *tomlParser) add(in *tomlTable, key *unstable.Node, t *tomlTable) *source.Diagnostic {
	name, k := string(key.Data), p.newNode(p.span(key.Raw))
	k.Value, k.Style = value.String(name), tomlStyle(k.At.Text())
	if in.keys == nil {
		in.keys = map[string]*tomlTable{}
	}
	in.keys[name], t.key = t, k.At
	in.node.parts().Entries = append(in.node.Entries, entryOf(value.K(name), k, t.node))
	return p.counted(k.At, t.depth)
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

// keyValue adds a key, which may be dotted, and its value to a table.
func (p *tomlParser) keyValue(table *tomlTable, n *unstable.Node) *source.Diagnostic {
	in, last, d := p.parent(table, n.Key(), dottedTable)
	if d != nil {
		return d
	}
	if t := in.keys[string(last.Data)]; t != nil {
		return p.closed(last, t)
	}
	v, d := p.value(n.Value(), p.span(last.Raw), in.depth+1)
	if d != nil {
		return d
	}
	return p.add(in, last, &tomlTable{node: v, depth: in.depth + 1})
}

// value returns the node of a value of a level of nesting. at is its place if it has none of its own.
func (p *tomlParser) value(n *unstable.Node, at source.Span, depth int) (*Node, *source.Diagnostic) {
	switch n.Kind {
	case unstable.Array:
		return p.array(n, p.placeOr(n, at), depth)
	case unstable.InlineTable:
		t := p.newTable(p.placeOr(n, at), tomlValue, depth)
		t.node.Style = Flow
		for items := n.Children(); items.Next(); {
			if items.Node().Kind != unstable.KeyValue {
				continue
			}
			if d := p.keyValue(t, items.Node()); d != nil {
				return nil, d
			}
		}
		return t.node, nil
	case unstable.String:
		s := p.newNode(p.placeOr(n, at))
		s.Value, s.Style = value.String(string(n.Data)), tomlStyle(s.At.Text())
		return s, nil
	}
	s := p.newNode(p.span(p.Range(n.Data)))
	if err := checkTOML(n); err != nil {
		return nil, p.bad(s.At, err)
	}
	s.Value = tomlScalar(n)
	return s, nil
}

// placeOr returns the place of a value, or at if it has none.
func (p *tomlParser) placeOr(n *unstable.Node, at source.Span) source.Span {
	if n.Raw.Length > 0 {
		return p.span(n.Raw)
	}
	return at
}

// array returns the node of an array in brackets.
func (p *tomlParser) array(n *unstable.Node, at source.Span, depth int) (*Node, *source.Diagnostic) {
	list := p.newNode(at)
	list.Kind, list.Style = SeqNode, Flow
	for items := n.Children(); items.Next(); {
		if items.Node().Kind == unstable.Comment {
			continue
		}
		item, d := p.value(items.Node(), at, depth+1)
		if d == nil {
			d = p.counted(item.At, depth+1)
		}
		if d != nil {
			return nil, d
		}
		list.parts().Items = append(list.Items, item)
	}
	return list, nil
}

// checkTOML returns the error of the library for a number or a date. Most numbers are short and decimal, and need
// no check.
func checkTOML(n *unstable.Node) error {
	if n.Kind == unstable.Bool || len(n.Data) < 18 && allDigits(string(n.Data)) {
		return nil
	}
	var x map[string]any
	return toml.Unmarshal(append([]byte("v = "), n.Data...), &x)
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
