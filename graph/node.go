package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Node is one contribution to a place in the configuration, as a front end wrote it down.
// Nodes are immutable and know no place: one node may be on many cells. The interface is
// closed, because a new kind of node is a change to the language.
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

// A Computed is a value that is evaluated on demand: an expression or a template. As a
// layer it hides older layers.
type Computed struct {
	At    source.Span
	Thunk Thunk
}

// A Thunk computes a value at a place. Thunks are immutable and shared, like the nodes that
// hold them.
type Thunk interface {
	// Eval returns the value at p.
	Eval(p *Context) (value.Value, error)
	// Raw returns the value as the source has it, not evaluated.
	Raw() value.Value
	// Soft reports whether the value is null where it would need itself, as it is
	// for expression objects; otherwise that is an error.
	Soft() bool
}

// A Map contributes entries. Entries of older maps under other keys stay visible.
type Map struct {
	At       source.Span
	Entries  []Entry
	Strategy Strategy

	// Form says that the map may be an expression object, because it has a key that
	// expressions have. [Forms] decides when all layers of the place are known.
	Form bool

	// Weak says that the map counts only if no other layer does: a block whose conditions
	// do not hold. A weak map has no entries.
	Weak bool

	constant bool // every node in it is a constant

	// Note is the annotation of the map as a whole.
	Note *value.Annotation

	// Lists are rules for the lists at or below the map, or nil.
	Lists *Lists

	// Private says which keys of the map are no part of the output, or is nil. The entry under
	// PrivateKey has the same as data.
	Private *Private

	index *keyTable // only for more than smallMap entries
}

// An Entry is one key of a Map with the node under it.
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
	SetStrategy // replaces older maps; newer maps are merged into it, as into one without a strategy
)

// A Seq contributes a list.
type Seq struct {
	At    source.Span
	Items []Node
	Notes []*value.Annotation // one for each item, or nil

	// Replace says that the list hides an older list even where the rule of the join would
	// append to it.
	Replace bool

	// Union says that the list joins an older one without repeated items, whatever the rules say.
	Union bool

	// Weak is as in a Map.
	Weak bool

	constant bool
	removes  bool // an item is a Delete with Of
}

// An Extend appends items to the value of the older layers. Without older layers it sets
// the list.
type Extend struct {
	At    source.Span
	Items []Node
	Notes []*value.Annotation // one for each item, or nil
}

// A Splice is an item of a list that contributes all items of another list, which is its
// node. A node that evaluates to something else is one item; an absent node is no item.
type Splice struct {
	Node Node

	// List requires a list. A computed value is evaluated to check that.
	List bool
}

// A Positional is an item of a list that merges into an older item: the one at the same
// index, or the one that Where selects.
type Positional struct {
	Node  Node
	Where *Where
}

// A Where selects an item of an older list: by index, negative from the end, or by the text
// under one of its keys.
type Where struct {
	Index     int
	Key, Text string // if Key is not ""
}

// A Delete removes the older layers of its place (whiteout).
type Delete struct {
	At source.Span

	// Of has the keys next to the marker, or is nil. As an item of a list under a ByField policy
	// the Delete removes the older item with the same field.
	Of *Map
}

// A Guard contributes one of several nodes, or nothing, depending on a value. Its condition
// may read a value that the guard itself changes: see guard.go.
type Guard struct {
	At source.Span
	On Thunk
	// Name is the name that On looks up, if On does nothing else; otherwise "".
	Name string
	// Pick returns the node for a value of On, nil for nothing. For a [Definition] it is always the same node.
	Pick func(p *Context, v value.Value) (Node, error)
	// May lists every node that Pick can return. Nil means any node: then the guard is
	// decided for every key.
	May []Node
	// With lists nodes that contribute to the result of Pick, such as arguments. Only
	// [Parts] uses it.
	With []Node
	// Label names the guard in messages: an "if", an "include".
	Label string
	// Item says that the guard is an item of a list: its condition is evaluated in the map
	// around the list.
	Item bool
	// Causes returns the places that decided a part of the node for a value of On, innermost first, for explain. Nil:
	// the condition decided all of it.
	Causes func(p *Context, v value.Value, part value.Path) []Cause
}

// A Cause is a condition, a loop or the like that decided a part of a node. On evaluates what was decisive.
type Cause struct {
	Label string
	At    source.Span
	On    Thunk
}

// An Each is an item of a list that repeats its body for every item of Over, with Names
// bound to that item. A body that is a list contributes its items, any other body one item.
// Several names are bound to the items of the item:
//
//	Names = k, v; Over = [[a, 1], [b, 2]]; Body = [k, v]   contributes a, 1, b, 2
type Each struct {
	At    source.Span
	Names []string
	Over  Thunk
	Body  Node
}

// A Let binds names for the nodes in its body. The names are no part of the configuration.
// Of equal names the last one counts.
type Let struct {
	At    source.Span
	Names []Entry
	Body  Node

	// Imports are the included files in the body, in order. Their names are visible next to
	// the names of the Let.
	Imports []Import

	// Map says that the body is a map: the bound nodes are evaluated inside of it.
	Map bool
}

// An Import is a node whose names are visible in a Let. Before counts the names of the Let
// that are older than the import.
type Import struct {
	Node   Node
	Before int
}

// A Stack is a pile of layers, oldest first.
type Stack struct {
	At     source.Span
	Layers []Node
	Rule   *Rule
}

// A Define is the layer on the name of a definition, whose body is used elsewhere.
type Define struct {
	At   source.Span
	Kind string // for messages: a "macro", a "prototype"
	Body Node
}

// An Instance contributes the body of a definition to the place that uses it: see instance.go.
type Instance struct {
	At  source.Span
	Def *Definition

	// Args is a map whose entries are bound to names in the body. They are evaluated where
	// the Instance is. Args may be nil.
	Args Node

	// Self is a name in the body for the place of the Instance, "" for an Instance with Args.
	Self string

	// Given is a layer on top of the body of an Instance with Self, joined by Rule. It may be nil.
	Given Node
	Rule  *Rule
}

// An Overlay puts a map on top of bases, oldest first. If the map is empty and there is one
// base, the overlay is that base, which may be of any kind.
type Overlay struct {
	At    source.Span
	Bases []Node
	Own   *Map
	Rule  *Rule
	// Lone says that the overlay is only its one base, which need not be a map.
	Lone bool
	// Written returns the map as in the source, with directives as plain keys.
	Written func() Node

	older *layer // the older documents below the root of a document, its first base, or nil
}

// A View contributes the entries of a map that is a value already. It reads an entry only
// when a caller needs it.
type View struct {
	At  source.Span
	Map func() (value.Map, error)

	// Marks are the marks of the map. They also apply to its entries.
	Marks value.Marks

	// Last puts the keys after the keys of newer layers.
	Last bool
}

// A Ref contributes the layers of another place. They are placed where the Ref is, as if
// they had been written there.
type Ref struct {
	At   source.Span // the directive's key
	Key  string      // the directive as written, for messages
	From Start

	Up     int    // FromHere: levels up from the map that holds the Ref, 0 is itself
	Anchor string // FromAnchor, and FromFile if a name selects in the file
	File   string // FromFile: the name as written
	FileAt source.Span
	Lang   string          // FromFile: language, "" for the one that the file name implies
	Named  string          // FromFile: a named root to which File is relative
	Choice *Choice         // FromFile: which document of several, or nil
	Switch map[string]bool // FromFile: options that override the options of the file

	Path []string // pointer segments to walk from there

	Deep bool // FromFile: the file may include itself at a deeper place

	Optional bool // a missing target contributes nothing
	Raw      bool // the target's own directives are data
}

// A Start is the place at which a Ref begins its walk.
type Start uint8

// The starts.
const (
	FromRoot   Start = iota // the document
	FromHere                // the map that holds the Ref, or an enclosing one
	FromAnchor              // a node with a name
	FromFile                // another file
)

// A Rule decides how the layers of a join are merged. It belongs to the join, because the
// languages differ. The evaluator knows no language.
//
//	rule        [1] then [2]   {a: 1} then null   1 then {a: 1}
//	MergeRule   [1, 2]         {a: 1}             {a: 1}
//	StackRule   [2]            null               an error
//	BlockRule   [1, 2]         null               an error
type Rule struct {
	Name string

	// appendLists appends a newer list to an older one, without the items that the older
	// list has, unless [Lists] say otherwise. Without it the newer list hides the older.
	appendLists bool

	// nullKeepsMap lets a null over a map contribute nothing. Otherwise null is a value
	// like any other.
	nullKeepsMap bool

	// Typed makes it an error to put a map, or an addition to a list, over another kind of
	// value. A computed value below them is evaluated to learn its kind.
	Typed bool

	// concatLists appends the items of a newer list to an older one, repeated or not.
	concatLists bool

	// Below is the rule for layers under one key of joined maps, nil for the same rule.
	Below *Rule
}

func (r *Rule) below() *Rule {
	if r != nil && r.Below != nil {
		return r.Below
	}
	return r
}

// replaces reports whether a list hides older layers.
func (r *Rule) replaces(s *Seq) bool {
	return !s.Union && (s.Replace || !r.appendLists && !r.concatLists)
}

// The rules of the joins.
var (
	// MergeRule is the rule of merge directives and of several files (spec: merge,
	// section 6).
	MergeRule = &Rule{Name: "merge", appendLists: true, nullKeepsMap: true}

	// StackRule is the rule of repeated keys in Yay: maps join deeply, other values hide
	// older layers (spec: yay, section 6.1).
	StackRule = &Rule{Name: "stack", Typed: true}

	// BlockRule is the rule of the stanzas of one block in Yay: lists are concatenated.
	BlockRule = &Rule{Name: "block", Typed: true, concatLists: true, Below: StackRule}
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

// smallMap is the largest number of entries, members or cells that is searched linearly.
// Larger collections have an index.
const smallMap = 8

// NewMap completes a map. It must be called when all entries are known, before the map is
// shared.
func NewMap(m Map) *Map {
	m.constant = m.Strategy == DefaultStrategy && !m.Form && !m.Weak && m.Lists == nil && m.Private == nil
	for i := range m.Entries {
		m.constant = m.constant && isConstant(m.Entries[i].Node)
	}
	if len(m.Entries) > smallMap {
		m.index = newKeyTable(m.Entries)
	}
	return &m
}

// NewSeq completes a list, as NewMap does a map.
func NewSeq(s Seq) *Seq {
	s.constant = !s.Replace && !s.Union && !s.Weak
	for _, n := range s.Items {
		s.constant = s.constant && isConstant(n)
		if d, ok := n.(*Delete); ok && d.Of != nil {
			s.removes = true
		}
	}
	return &s
}

// Vary notes that a node in the map or list n is not constant any more. It must be called for all maps and lists around
// a node that is replaced after [NewMap] or [NewSeq], before they are shared.
func Vary(n Node) {
	switch n := n.(type) {
	case *Map:
		n.constant = false
	case *Seq:
		n.constant = false
	}
}

// isConstant reports whether a node and all nodes in it are plain data without directives.
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

// Find returns the index of the entry with key k. Of equal keys the last one counts.
func (m *Map) Find(k value.Key) (int, bool) {
	if m.index != nil {
		return m.index.find(m.Entries, k)
	}
	for i := len(m.Entries) - 1; i >= 0; i-- {
		if m.Entries[i].Key == k {
			return i, true
		}
	}
	return 0, false
}

// A Part is a node inside of another node.
type Part struct {
	Label string // the key, the index or the role of the node, "" for none
	Node  Node
}

// Parts returns the nodes inside of n, in source order. The layers of a stack or an overlay
// are not among them: see [Pile].
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

// Pile returns the layers of n, newest first: the layers of a stack or an overlay, otherwise only
// n.
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
