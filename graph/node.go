package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Node is one contribution to a place in the configuration, as a front end
// wrote it down. It is immutable and knows no place: the same node may lie on many
// cells. The interface is closed: a new kind of node is a change to the language.
type Node interface {
	// Span returns where the node was written.
	Span() source.Span
	node()
}

// A Scalar is a constant.
type Scalar struct {
	At  source.Span
	Val value.Value

	// Final says that a null means null: it hides a map below (nullout).
	Final bool
}

// A Computed is a value that is worked out when it is asked for: an expression or
// a template. As a layer it hides what is below.
type Computed struct {
	At    source.Span
	Thunk Thunk
}

// A Thunk computes the value of the place that it is asked for. Thunks are
// immutable and shared like the nodes that hold them.
type Thunk interface {
	// Eval returns the value at p.
	Eval(p *Place) (value.Value, error)
	// Raw returns the value as the source has it, not evaluated.
	Raw() value.Value
	// Soft reports whether the value is null where it would need itself, as it is
	// for expression objects; otherwise that is an error.
	Soft() bool
}

// A Map contributes entries. It lets entries of older maps show through.
type Map struct {
	At       source.Span
	Entries  []Entry
	Strategy Strategy

	// Form says that the map may be an expression object: it has a key that
	// expressions have. What it is, is decided when all layers are known.
	Form bool

	// Weak says that the map is there only if nothing else is: what a block comes
	// to whose conditions do not hold. It has no entries.
	Weak bool

	// Note is what the source says about the map as a whole.
	Note *value.Annotation

	index    map[value.Key]int32 // only past smallMap entries
	constant bool                // nothing in it needs evaluation
}

// An Entry is one key of a Map with what it contributes there.
type Entry struct {
	Key   value.Key
	KeyAt source.Span
	Node  Node
	Note  *value.Annotation // comments and spelling, or nil
}

// A Strategy says how a map joins an older map (spec: merge, section 6).
type Strategy uint8

// The strategies. Whiteout is a [Delete], nullout a final null [Scalar].
const (
	DefaultStrategy Strategy = iota
	MergeStrategy
	ErrorStrategy
	ReplaceStrategy
)

// A Seq contributes a list.
type Seq struct {
	At    source.Span
	Items []Node
	Notes []*value.Annotation // one for each item, or nil

	// Replace says that the list hides an older one where the rule of the join
	// would have put both together.
	Replace bool

	// Weak is as for a Map.
	Weak bool

	constant bool
}

// An Extend adds items behind whatever the older layers provide. Extending a
// place without an older layer sets it.
type Extend struct {
	At    source.Span
	Items []Node
}

// A Splice is an item of a list that stands for the items of the list that its
// node comes to. If that is no list it is one item; if it is nothing, none.
type Splice struct {
	Node Node

	// List says that it has to be a list. A computed value is worked out to see.
	List bool
}

// A Positional is an item of a list that joins an older item: the one of the same
// index, or the one that Where selects.
type Positional struct {
	Node  Node
	Where *Where
}

// A Where selects an item of an older list: by its index, which may count from the
// end, or by the text of one of its keys.
type Where struct {
	Index     int
	Key, Text string // if Key is set
}

// A Delete removes what older layers have at its place (whiteout).
type Delete struct{ At source.Span }

// A Guard contributes one of several nodes, or nothing, depending on a value. Its
// condition may read what the guard itself may change: see guard.go.
type Guard struct {
	At source.Span
	On Thunk
	// Pick returns the node for a value of On; nil contributes nothing.
	Pick func(p *Place, v value.Value) (Node, error)
	// May holds every node that Pick can return. Nil means that it may return
	// anything, so that the guard has to be asked for every key.
	May []Node
	// With holds nodes that take part in what Pick returns, such as arguments: for
	// those who look at what was written.
	With []Node
	// Label says what the guard is, for messages: an "if", an "include".
	Label string
	// Item says that the guard is part of a list: its condition stands in the map
	// around the list.
	Item bool
}

// An Each is an item of a list that stands for the items that its body comes to for
// every item of a list, with names bound to that. A body that is a list adds its
// items, any other is one item. Several names are bound to the items of the item.
type Each struct {
	At    source.Span
	Names []string
	Over  Thunk
	Body  Node
}

// A Let binds names for the nodes in its body. The names are not part of the
// configuration. If a name occurs more than once the last one counts.
type Let struct {
	At    source.Span
	Names []Entry
	Body  Node

	// Imports are the nodes of the body, in order, whose own names are visible
	// beside those of the Let: the included files.
	Imports []Import

	// Map says that the body is a map: what is bound stands in it.
	Map bool
}

// An Import is a node that brings names. Those among the first Before names of its
// Let are older than it.
type Import struct {
	Node   Node
	Before int
}

// A Stack is layers that lie on one another, oldest first.
type Stack struct {
	At     source.Span
	Layers []Node
	Rule   *Rule
}

// A Define is what lies on the name of a definition: nodes to be used elsewhere.
type Define struct {
	At   source.Span
	Kind string // for messages: a "macro", a "prototype"
	Body Node
}

// An Instance is what a definition contributes where it is used: see names.go.
type Instance struct {
	At  source.Span
	Def *Definition

	// Args is a map whose entries are names for the body. They are worked out where
	// the Instance stands. It may be nil.
	Args Node

	// Given lies over the body, under Rule. It may be nil.
	Given Node
	Rule  *Rule

	// Self is a name for the place of the Instance in the body, "" for none.
	Self string
}

// An Overlay puts a map on top of bases, oldest first. If the map says nothing
// itself and there is one base, the place is that base, whatever it is.
type Overlay struct {
	At    source.Span
	Bases []Node
	Own   *Map
	Rule  *Rule
	// Lone says that the overlay is only its one base: the base need not be a map.
	Lone bool
	// Written returns the map as the source has it, directives as plain keys.
	Written func() Node
}

// A View contributes the entries of a map that is a value already. Nothing of the
// map is looked at before it is needed.
type View struct {
	At  source.Span
	Map func() (value.Map, error)

	// Marks are those of the map: its entries have them as well.
	Marks value.Marks

	// Last says that the keys come behind those of newer layers.
	Last bool
}

// A Ref contributes what lies on another place: the layers found there are placed
// where the Ref stands, as if they had been written there.
type Ref struct {
	At   source.Span // the directive's key
	Key  string      // the directive as written, for messages
	From Start

	Up     int    // FromHere: levels up from the map that holds the Ref, 0 is itself
	Anchor string // FromAnchor, and FromFile if a name selects in the file
	File   string // FromFile: the name as written
	FileAt source.Span
	Lang   string          // FromFile: language, or "" to tell by name
	Named  string          // FromFile: a named root that File is relative to
	Switch map[string]bool // FromFile: options that override those of the file

	Path []string // pointer segments to walk from there

	Deep bool // FromFile: a file may include itself further down

	Optional bool // a missing target contributes nothing
	Raw      bool // the target's own directives are data
}

// A Start says where a Ref begins its walk.
type Start uint8

// The starts.
const (
	FromRoot   Start = iota // the document
	FromHere                // the map that holds the Ref, or an enclosing one
	FromAnchor              // a node with a name
	FromFile                // another file
)

// A Rule says how layers of a join come together. It belongs to the join, because
// the languages differ; the evaluator knows no language.
type Rule struct {
	Name string

	// AppendLists puts an older and a newer list together, without the items that
	// the older one has already. Otherwise the newer list hides the older.
	AppendLists bool

	// NullKeepsMap lets a null that was written over a map add nothing to it.
	// Otherwise null is a value like any other.
	NullKeepsMap bool

	// Typed makes it an error to put a map or an addition to a list over something
	// else. A computed value below them is worked out to see what it is.
	Typed bool

	// ConcatLists puts a newer list behind the items of an older one.
	ConcatLists bool

	// Below is the rule of what the joined maps have under one key, nil for the
	// same.
	Below *Rule
}

func (r *Rule) below() *Rule {
	if r != nil && r.Below != nil {
		return r.Below
	}
	return r
}

// replaces reports whether a list takes the place of what is older.
func (r *Rule) replaces(s *Seq) bool { return s.Replace || !r.AppendLists && !r.ConcatLists }

// The rules of the joins.
var (
	// MergeRule is that of merge directives and of several files (spec: merge,
	// section 6).
	MergeRule = &Rule{Name: "merge", AppendLists: true, NullKeepsMap: true}

	// StackRule is that of repeated keys in Yay: maps join deeply, everything
	// else hides what is older (spec: yay, section 6.1).
	StackRule = &Rule{Name: "stack", Typed: true}

	// BlockRule is that of the stanzas of one block in Yay: lists follow each
	// other.
	BlockRule = &Rule{Name: "block", Typed: true, ConcatLists: true, Below: StackRule}
)

// Span and node make each kind a Node.
func (n *Scalar) Span() source.Span     { return n.At }
func (n *Computed) Span() source.Span   { return n.At }
func (m *Map) Span() source.Span        { return m.At }
func (n *Seq) Span() source.Span        { return n.At }
func (n *Extend) Span() source.Span     { return n.At }
func (n *Splice) Span() source.Span     { return n.Node.Span() }
func (n *Positional) Span() source.Span { return n.Node.Span() }
func (n *Delete) Span() source.Span     { return n.At }
func (g *Guard) Span() source.Span      { return g.At }
func (n *Each) Span() source.Span       { return n.At }
func (n *Let) Span() source.Span        { return n.At }
func (n *Overlay) Span() source.Span    { return n.At }
func (n *Stack) Span() source.Span      { return n.At }
func (n *Define) Span() source.Span     { return n.At }
func (n *Instance) Span() source.Span   { return n.At }
func (n *View) Span() source.Span       { return n.At }
func (n *Ref) Span() source.Span        { return n.At }

func (*Scalar) node()     {}
func (*Computed) node()   {}
func (*Map) node()        {}
func (*Seq) node()        {}
func (*Extend) node()     {}
func (*Splice) node()     {}
func (*Positional) node() {}
func (*Delete) node()     {}
func (*Guard) node()      {}
func (*Each) node()       {}
func (*Let) node()        {}
func (*Overlay) node()    {}
func (*Stack) node()      {}
func (*Define) node()     {}
func (*Instance) node()   {}
func (*View) node()       {}
func (*Ref) node()        {}

// smallMap is up to how many entries, members or cells are gone through to find one:
// of more there is an index.
const smallMap = 8

// NewMap finishes a map: it must be called once its entries are complete and
// before the map is shared.
func NewMap(m Map) *Map {
	m.constant = m.Strategy == DefaultStrategy && !m.Form && !m.Weak
	for i := range m.Entries {
		m.constant = m.constant && isConstant(m.Entries[i].Node)
	}
	if len(m.Entries) > smallMap {
		m.index = make(map[value.Key]int32, len(m.Entries))
		for i := range m.Entries {
			m.index[m.Entries[i].Key] = int32(i)
		}
	}
	return &m
}

// NewSeq finishes a list, as NewMap does a map.
func NewSeq(s Seq) *Seq {
	s.constant = !s.Replace && !s.Weak
	for _, n := range s.Items {
		s.constant = s.constant && isConstant(n)
	}
	return &s
}

func isConstant(n Node) bool {
	switch n := n.(type) {
	case *Scalar:
		return !n.Final
	case *Map:
		return n.constant
	case *Seq:
		return n.constant
	}
	return false
}

// Find returns the index of the entry with key k. If a key occurs more than once
// the last one counts.
func (m *Map) Find(k value.Key) (int, bool) {
	if m.index != nil {
		i, ok := m.index[k]
		return int(i), ok
	}
	for i := len(m.Entries) - 1; i >= 0; i-- {
		if m.Entries[i].Key == k {
			return i, true
		}
	}
	return 0, false
}

// A Part is a node within another one.
type Part struct {
	Label string // the key, the index, what it is for; "" for none
	Node  Node
}

// Parts returns the nodes that a node was written with, in source order. What lies
// on what is not among them: see [Pile].
func Parts(n Node) []Part {
	switch n := n.(type) {
	case *Map:
		return entryParts(n.Entries)
	case *Seq:
		return itemParts(n.Items)
	case *Extend:
		return itemParts(n.Items)
	case *Splice:
		return []Part{{"items", n.Node}}
	case *Positional:
		return []Part{{"item", n.Node}}
	case *Guard:
		return itemParts(append(n.May[:len(n.May):len(n.May)], n.With...))
	case *Each:
		return []Part{{"body", n.Body}}
	case *Let:
		return append(entryParts(n.Names), Part{"body", n.Body})
	case *Define:
		return []Part{{"body", n.Body}}
	}
	return nil
}

func entryParts(entries []Entry) []Part {
	parts := make([]Part, len(entries))
	for i := range entries {
		parts[i] = Part{entries[i].Key.Text, entries[i].Node}
	}
	return parts
}

func itemParts(items []Node) []Part {
	parts := make([]Part, len(items))
	for i, n := range items {
		parts[i] = Part{strconv.Itoa(i), n}
	}
	return parts
}

// Pile returns the nodes that lie on one another where n stands, newest first: n
// alone, if it is no stack.
func Pile(n Node) []Node {
	switch n := n.(type) {
	case *Stack:
		pile := make([]Node, 0, len(n.Layers))
		for i := len(n.Layers) - 1; i >= 0; i-- {
			pile = append(pile, Pile(n.Layers[i])...)
		}
		return pile
	case *Overlay:
		var pile []Node
		if len(n.Own.Entries) > 0 || len(n.Bases) == 0 {
			pile = append(pile, n.Own)
		}
		for i := len(n.Bases) - 1; i >= 0; i-- {
			pile = append(pile, Pile(n.Bases[i])...)
		}
		return pile
	}
	return []Node{n}
}
