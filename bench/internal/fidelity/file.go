package fidelity

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Kind is the kind of a node.
type Kind uint8

// The kinds.
const (
	Scalar Kind = iota
	Map
	List
	Alias
)

// A Style is the style of a scalar.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Quoted
	Block // literal or folded
)

// A Node is a node of a text: aliases are not followed, and tags are resolved.
type Node struct {
	Kind   Kind
	Style  Style
	Flow   bool   // a map or list in brackets
	Tag    string // short: "!!str"; of a map or list only an explicit one
	Text   string // of a scalar; the name of an alias
	Anchor string
	Keys   []*Node // of a map
	Kids   []*Node // values of a map, items of a list

	line  int // from 0
	col   int // bytes from the beginning of the line
	after int // the line where the next node begins
}

// A document is a YAML document, or the value of a JSON text.
type document struct {
	root *Node
	end  int // the line after it
}

// setAfter sets the field after of every node.
func (d *document) setAfter() {
	next := d.end
	var visit func(n *Node)
	visit = func(n *Node) {
		n.after = next
		for i := len(n.Kids) - 1; i >= 0; i-- {
			visit(n.Kids[i])
			next = n.Kids[i].line
			if n.Kind == Map {
				visit(n.Keys[i])
				next = n.Keys[i].line
			}
		}
		next = n.line
	}
	visit(d.root)
}

// clone returns a copy of a tree.
func (n *Node) clone() *Node {
	c := *n
	c.Keys, c.Kids = cloneAll(n.Keys), cloneAll(n.Kids)
	return &c
}

func cloneAll(list []*Node) []*Node {
	var out []*Node
	for _, n := range list {
		out = append(out, n.clone())
	}
	return out
}

const byteOrderMark = "\ufeff"

// A File is a text that can be edited.
type File struct {
	Text string
	JSON bool
	docs []*document
}

// Read reads a text. It refuses files with directives (%YAML), and with line breaks of
// YAML 1.1, since their lines cannot be counted by "\n". It also refuses a last line that has only
// blanks and no line break: in a block text of "|+" that is a line (yaml-test-suite, JEF9), and yaml.v3 drops it.
func Read(text string, json bool) (*File, error) {
	f := &File{Text: text, JSON: json}
	body := strings.TrimPrefix(text, byteOrderMark)
	if json {
		root, err := readJSON(body)
		if err != nil {
			return nil, err
		}
		f.docs = []*document{{root: root, end: strings.Count(body, "\n") + 1}}
	} else if err := f.readYAML(body); err != nil {
		return nil, err
	}
	for _, d := range f.docs {
		d.setAfter()
	}
	return f, nil
}

func (f *File) readYAML(body string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic of yaml.v3: %v", r)
		}
	}()
	if strings.ContainsAny(body, "\u0085\u2028\u2029") || strings.Count(body, "\r") != strings.Count(body, "\r\n") {
		return errors.New("line breaks of YAML 1.1")
	}
	lines := strings.Split(body, "\n")
	if last := lines[len(lines)-1]; last != "" && strings.Trim(last, " ") == "" {
		return errors.New("a last line of blanks")
	}
	r := yaml.NewDecoder(strings.NewReader(body))
	for {
		var n yaml.Node
		if err := r.Decode(&n); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if n.Kind != yaml.DocumentNode || len(n.Content) != 1 {
			return errors.New("no document")
		}
		root := shown(n.Content[0], lines)
		f.docs = append(f.docs, &document{root: root, end: documentEnd(lines, lastLine(root)+1)})
	}
}

// documentEnd returns the first line at or after from that is a marker, or the number of
// lines.
func documentEnd(lines []string, from int) int {
	for i := from; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "---") || strings.HasPrefix(lines[i], "...") {
			return i
		}
	}
	return len(lines)
}

// lastLine returns the first line of the last node of a tree.
func lastLine(n *Node) int {
	if len(n.Kids) > 0 {
		return max(n.line, lastLine(n.Kids[len(n.Kids)-1]))
	}
	return n.line
}

// shown converts a node of yaml.v3.
func shown(y *yaml.Node, lines []string) *Node {
	n := &Node{Text: y.Value, Anchor: y.Anchor}
	n.line = min(max(y.Line-1, 0), len(lines)-1) // the place of a missing value may be after the last line
	n.col = byteColumn(lines[n.line], y.Column-1)
	n.Flow = y.Style&yaml.FlowStyle != 0
	switch y.Kind {
	case yaml.ScalarNode:
		n.Tag = y.ShortTag()
		n.Style = styleOf(y.Style)
	case yaml.AliasNode:
		n.Kind = Alias
	case yaml.SequenceNode:
		n.Kind = List
		for _, kid := range y.Content {
			n.Kids = append(n.Kids, shown(kid, lines))
		}
	case yaml.MappingNode:
		n.Kind = Map
		for i := 0; i+1 < len(y.Content); i += 2 {
			n.Keys = append(n.Keys, shown(y.Content[i], lines))
			n.Kids = append(n.Kids, shown(y.Content[i+1], lines))
		}
	}
	if n.Kind != Scalar && y.Style&yaml.TaggedStyle != 0 {
		n.Tag = y.ShortTag()
	}
	return n
}

func styleOf(s yaml.Style) Style {
	switch {
	case s&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return Block
	case s&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return Quoted
	}
	return Plain
}

// byteColumn returns the number of bytes of the first chars characters of a line.
func byteColumn(line string, chars int) int {
	for i := range line {
		if chars == 0 {
			return i
		}
		chars--
	}
	return len(line)
}

// A jsonReader builds the tree of a JSON text.
type jsonReader struct {
	text  string
	dec   *json.Decoder
	lines []int // offsets of the lines
}

// readJSON returns the tree of a JSON text.
func readJSON(text string) (*Node, error) {
	r := jsonReader{text: text, dec: json.NewDecoder(strings.NewReader(text)), lines: []int{0}}
	r.dec.UseNumber()
	for i := range len(text) {
		if text[i] == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	n, err := r.value()
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return n, nil
}

func (r *jsonReader) value() (*Node, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	return r.node(t)
}

// node returns the node that begins with a token.
func (r *jsonReader) node(t json.Token) (*Node, error) {
	n := &Node{Flow: true}
	n.line, n.col = r.place(t)
	switch t := t.(type) {
	case json.Delim:
		return n, r.fill(n, t)
	case string:
		n.Tag, n.Text, n.Style = "!!str", t, Quoted
	case json.Number:
		n.Tag, n.Text = "!!int", string(t)
		if strings.ContainsAny(n.Text, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Text = "!!bool", fmt.Sprint(t)
	default:
		n.Tag, n.Text = "!!null", "null"
	}
	return n, nil
}

// fill reads the entries or items after a bracket.
func (r *jsonReader) fill(n *Node, open json.Delim) error {
	n.Kind = List
	if open == '{' {
		n.Kind = Map
	}
	for r.dec.More() {
		if n.Kind == Map {
			key, err := r.value()
			if err != nil {
				return err
			}
			n.Keys = append(n.Keys, key)
		}
		kid, err := r.value()
		if err != nil {
			return err
		}
		n.Kids = append(n.Kids, kid)
	}
	_, err := r.dec.Token()
	return err
}

// place returns the line and the column of the last token. The start of a string is found by
// its quote, which is not preceded by an odd number of backslashes.
func (r *jsonReader) place(t json.Token) (line, col int) {
	end := int(r.dec.InputOffset())
	at := end - 1
	switch t := t.(type) {
	case string:
		for at--; at > 0 && !(r.text[at] == '"' && evenBackslashes(r.text[:at])); at-- {
		}
	case json.Number:
		at = end - len(t)
	case bool:
		at = end - len(fmt.Sprint(t))
	case nil:
		at = end - len("null")
	}
	line = sort.SearchInts(r.lines, at+1) - 1
	return line, at - r.lines[line]
}

func evenBackslashes(before string) bool {
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 0
}
