// Package restore folds the edited form of an expanded document back into the text that it
// came from: the inverse of package merge (spec: roundtrip, section 4).
//
//	text --merge--> nodes --graph--> before    the document with its directives expanded
//	                  |                |
//	                  |             (edited)
//	                  |                v
//	                  '---restore---> after
//	                         |
//	                       edits of the text, for roundtrip
//
// A directive contributes layers below the map that holds it. Where a value of the edited
// document differs from the value of these layers, the map above them has to say it: with
// a key, a whiteout or a nullout. The layers are evaluated in the edited document, in
// which the targets of directives have been edited too. So a template that was edited
// together with all its users needs one edit, in the template.
//
// How to read it:
//
//	plan.go        what goes in and comes out: Make
//	walk.go        text and edited document side by side; begin here to see how it works
//	layers.go      layers below and above the text
//	maps.go        the entries of a map, renames, "<<"
//	overlay.go     a map with directives; overrides
//	lists.go       the items of a list
//	items.go       a list over an older one: the forms that say the difference
//	joins.go       the same for a list that the text has
//	rules.go       rules by which lists are merged, and how a map gets one
//	align.go       which item became which, with the fewest moves
//	edits.go       whole values, comments and moves as edits
//	sites.go       directives, aliases and their targets
//	relocation.go  where a place is after the edit; targets that must stay
//	values.go      values that may be missing, fingerprints, differences, sets of places
//
// Only directives are evaluated, and nothing is written: the caller makes the edits,
// expands the result and compares it.
package restore
