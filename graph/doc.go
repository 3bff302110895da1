// Package graph works out what a layered configuration comes to.
//
//	front ends --nodes--> Layers --Eval--> Cell --fold--> value.Value
//	                        ^                |
//	                        '---- Loader <---'  (an include met on the way)
//
// A place in the configuration is a [Cell]. Front ends contribute immutable [Node]
// values to it, later ones on top. What lies on a cell is found on demand: each
// layer of the parent is asked, newest first, what it has under the key (layers.go),
// and the layers are folded until one hides the rest (fold.go). Nothing is removed,
// so [Eval.Explain] can always say what a value overrode.
//
//	a: 1, then a: 2               two layers on cell a
//	+include, +*anchor, +/path    [Overlay]: [Ref] layers below a map
//	{+%: whiteout}                [Delete]
//	if, select, computed include  [Guard]: one of several nodes, or nothing
//	extend                        [Extend]: does not hide what is below
//
// Some layers cannot be found without looking at the place they are to land on: a
// guard that reads what it may change, a pointer into the map that holds it. Such a
// layer is hidden while it is being decided; what was found meanwhile is
// provisional and is not remembered (refs.go). A guard's choice must hold in the
// finished graph too, or it is a paradox (guard.go).
//
// Two things keep large configurations cheap: a map that many others stand on is
// folded once and shared with them (refs.go), and a group of many maps is asked
// through an index of its keys (layers.go).
//
// Nodes may be shared between goroutines. An [Eval] may not.
//
// # How to read this package
//
// The first three lines are the idea; all else is when a layer stands for others, and
// how little has to be looked at.
//
//	what is written         node.go
//	places, layers          cell.go layers.go
//	fold                    fold.go list.go
//	what stands for others  refs.go (include.go: files)
//	  names, macros         names.go
//	  guards                guard.go
//	values                  values.go lazy.go
//	limits, size            limits.go
//	for those who ask why   explain.go
package graph
