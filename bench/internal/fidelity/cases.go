package fidelity

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// An Op is what an edit does.
type Op string

// The operations.
const (
	Set    Op = "set"    // a scalar becomes another one of its kind
	Delete Op = "delete" // an entry of a map goes
	Add    Op = "add"    // a map gets an entry
	Rename Op = "rename" // the key of an entry becomes another one
	Append Op = "append" // a list gets an item
)

// Ops are all operations.
var Ops = []Op{Set, Delete, Add, Rename, Append}

// NewKey is the key that entries get.
const NewKey = "a-new-key"

// A Step leads from a node to one in it: by the key of an entry, or else by the index
// of an item.
type Step struct {
	Key   string
	Index int // -1 with a key
}

// A Case is an edit of a file.
type Case struct {
	Op    Op
	Doc   int
	Path  []Step // Append: the list; Add: the new entry
	Value *Node  // Set, Add, Append: a scalar
	Old   *Node  // Set: the scalar that stands there

	file   *File
	holder *Node // the map with the entry, the list that is appended to
	index  int   // of the entry in its holder
	above  int   // the line where the key or dash stands that has the holder as value
}

// Cases returns up to n cases of each operation, spread over the file.
func (f *File) Cases(n int) []Case {
	var all []Case
	for i, d := range f.docs {
		c := collector{file: f, doc: i}
		c.visit(d.root, nil, d.root.line)
		all = append(all, c.cases...)
	}
	var out []Case
	for _, op := range Ops {
		var of []Case
		for _, c := range all {
			if c.Op == op {
				of = append(of, c)
			}
		}
		for i := range min(n, len(of)) {
			out = append(out, of[(2*i+1)*len(of)/(2*min(n, len(of)))])
		}
	}
	return out
}

// A collector finds all cases of a document.
type collector struct {
	file  *File
	doc   int
	cases []Case
}

func (c *collector) add(x Case) {
	x.file, x.Doc = c.file, c.doc
	x.Path = slices.Clone(x.Path)
	c.cases = append(c.cases, x)
}

func (c *collector) visit(n *Node, path []Step, above int) {
	switch n.Kind {
	case Scalar:
		if v := another(n); v != nil && len(path) > 0 {
			c.add(Case{Op: Set, Path: path, Value: v, Old: n, above: above})
		}
	case List:
		c.add(Case{Op: Append, Path: path, holder: n, above: above, Value: word("new")})
		for i, kid := range n.Kids {
			c.visit(kid, append(path, Step{Index: i}), kid.line)
		}
	case Map:
		c.visitMap(n, path, above)
	}
}

// visitMap leaves out maps with keys that no path leads to, and entries of "<<".
func (c *collector) visitMap(n *Node, path []Step, above int) {
	seen := map[string]bool{NewKey: true}
	for _, key := range n.Keys {
		if key.Kind != Scalar || key.Tag == "!!null" || seen[key.Text] {
			return
		}
		seen[key.Text] = true
	}
	c.add(Case{Op: Add, Path: append(path, Step{Key: NewKey, Index: -1}), holder: n, above: above, Value: word("new")})
	for i, kid := range n.Kids {
		key := n.Keys[i]
		if key.Tag == "!!merge" {
			continue
		}
		p := append(path, Step{Key: key.Text, Index: -1})
		c.add(Case{Op: Delete, Path: p, holder: n, index: i, above: above})
		c.add(Case{Op: Rename, Path: p, holder: n, index: i, above: above})
		c.visit(kid, p, key.line)
	}
}

func word(text string) *Node { return &Node{Tag: "!!str", Text: text} }

// another returns a scalar of the kind of n that is another one; nil if there is none.
func another(n *Node) *Node {
	switch n.Tag {
	case "!!int":
		if i, ok := new(big.Int).SetString(n.Text, 10); ok && (n.Text == "0" || n.Text[0] != '0') {
			return &Node{Tag: n.Tag, Text: i.Add(i, big.NewInt(1)).String()}
		}
		return &Node{Tag: n.Tag, Text: "12345"}
	case "!!float":
		if n.Text == "12.5" {
			return &Node{Tag: n.Tag, Text: "13.5"}
		}
		return &Node{Tag: n.Tag, Text: "12.5"}
	case "!!bool":
		return &Node{Tag: n.Tag, Text: strconv.FormatBool(!strings.EqualFold(n.Text, "true"))}
	case "!!null":
		return word("new")
	case "!!binary":
		return nil
	}
	if strings.Contains(n.Text, "\n") {
		return word("x" + n.Text)
	}
	return word(n.Text + "x")
}

// Documents returns how many documents the file has.
func (c *Case) Documents() int { return len(c.file.docs) }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer returns the path as a JSON pointer, "." for the root.
func (c *Case) Pointer() string {
	if len(c.Path) == 0 {
		return "."
	}
	var b strings.Builder
	for _, s := range c.Path {
		key := s.Key
		if s.Index >= 0 {
			key = strconv.Itoa(s.Index)
		}
		b.WriteString("/" + pointerEscapes.Replace(key))
	}
	return b.String()
}

// YAML returns a scalar as YAML on one line.
func (n *Node) YAML() string {
	if n.Tag == "!!str" {
		return strconv.Quote(n.Text)
	}
	return n.Text
}
