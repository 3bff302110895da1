// Package graph evaluates a layered configuration.
//
//	front ends --nodes--> Layers --Eval--> Cell --fold--> value.Value
//	                        ^                |
//	                        '---- Loader <---'  (an include on a cell)
//
// A place in the configuration is a [Cell]. Front ends contribute immutable [Node] values to it,
// newer ones on top of older ones. The layers of a cell are found on demand: each layer of the
// enclosing cell is asked, newest first, for the key (layers.go), and the layers are folded down to
// the first that hides the rest (fold.go). No layer is ever removed, so [Cell.Explain] can always
// list the layers that a value overrides.
//
//	a: 1, then a: 2               two layers on cell a
//	+include, +*anchor, +/path    [Overlay]: [Ref] layers below a map
//	{+%: whiteout}                [Delete]
//	if, select, computed include  [Guard]: one of several nodes, or nothing
//	extend                        [Extend]: appends to the older layers
//
// Some layers depend on the place that they contribute to: a guard may read a value that it changes,
// a pointer may lead into the map that holds it. Such a layer is hidden while it is being resolved,
// and results that depend on that are provisional: they are not cached (refs.go). The choice of a
// guard must also hold in the finished graph, otherwise it is a paradox (guard.go).
//
// Two techniques keep large configurations fast: a map that is the base of many others is folded
// once and shared (refs.go), and a group of many maps is asked through an index of its keys
// (layers.go).
//
// Nodes may be shared between goroutines. An [Eval] may not.
//
// # How to read this package
//
// Nodes, cells, layers and fold are the idea. The rest replaces layers by others, reads values, and
// bounds the work.
//
//	node.go      contributions as front ends write them: 17 kinds of nodes, the rules of joins
//	cell.go      places, layers, the evaluation
//	layers.go    looking up a key in the layers of a cell
//	fold.go      merging layers
//	list.go, list_match.go
//	             merging lists; loops; which items of lists are the same: by a field, by their data
//	policy.go    rules by which lists are merged
//	refs.go      overlays, pointers, hidden layers
//	include.go   documents, files, anchors; one document over the other
//	match.go     choosing documents by what they contain
//	names.go     names around nodes
//	instance.go  uses of macros and prototypes
//	bypass.go    values of calls without cells
//	guard.go     conditions, and when their choices hold
//	reads.go     what guards have read
//	values.go    computing values, cycles
//	keys.go      the keys of a map
//	keytable.go  finding entries by their keys
//	lazy.go      maps and lists as values; values as layers
//	features.go  what documents make necessary
//	raw.go       values with nothing evaluated
//	private.go   keys that are no part of the output
//	omit.go      computed values that are absent
//	tag.go       tags of lists and maps
//	shade.go     values that a secret condition chooses
//	tick.go      values that depend on the clock
//	limits.go    steps, depth, memory, and room on the stack for deep nesting
//	stack.go     every layer of a cell, those that others hide and those that do not apply too
//	near.go      what errors say about missing names
//
// What follows inspects an evaluation. It names everything above, and nothing above names it:
//
//	explain.go   where a value comes from
//	itemplaces.go  which list has an item, as it is written
//	joins.go, kinds.go, newkeys.go
//	             layers that join in a way that was probably not meant: lists; kinds of values; new keys
package graph
