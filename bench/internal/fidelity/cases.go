package fidelity

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// An Op is the operation of an edit.
type Op string

// The operations.
const (
	Set    Op = "set"    // a scalar gets another value of its kind
	Delete Op = "delete" // an entry of a map is removed
	Add    Op = "add"    // a map gets an entry
	Rename Op = "rename" // an entry gets another key
	Append Op = "append" // a list gets an item
)

// Ops lists all operations.
var Ops = []Op{Set, Delete, Add, Rename, Append}

// NewKey is the key of added and renamed entries.
const NewKey = "a-new-key"

// A Step leads from a map to a value by its key, or from a list to an item by its index.
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
	Old   *Node  // Set: the scalar before the edit

	file   *File
	holder *Node // the map with the entry, or the list of Append
	index  int   // of the entry in its holder
	above  int   // the line of the key or dash whose value is the holder
}

// Cases returns up to n cases of each operation, spread over the file. Other turns have other cases.
func (f *File) Cases(n, turn int) []Case {
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
		_, part := math.Modf(float64(turn) * math.Phi)
		shift := int(part * float64(len(of)))
		for i := range min(n, len(of)) {
			out = append(out, of[((2*i+1)*len(of)/(2*min(n, len(of)))+shift)%len(of)])
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

// visit adds the cases of n and of the nodes below it. The key or dash before n is on the line
// above.
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

// visitMap omits maps with keys that a path cannot name, and the entries of "<<".
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

// word returns a string scalar.
func word(text string) *Node { return &Node{Tag: "!!str", Text: text} }

// another returns a scalar of the kind of n with another value, or nil for binary data.
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

// Documents returns the number of documents in the file.
func (c *Case) Documents() int { return len(c.file.docs) }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer returns the path as a JSON pointer, or "." for the root.
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
