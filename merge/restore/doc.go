// Package restore folds the edited form of a finished document back into the text that
// it came from: the way back from package merge (spec: roundtrip, section 4).
//
//	text --merge--> nodes --graph--> before    the document with its directives carried out
//	                  |                |
//	                  |             (edited)
//	                  |                v
//	                  '---restore---> after
//	                         |
//	                       edits of the text, for roundtrip
//
// A directive contributes layers below the map that holds it. Where a value of the
// edited document is not what those layers come to, the map above them has to say
// it: a key, a whiteout, a nullout. What the layers come to is asked of the edited
// document, in which the targets of directives have been edited too; so a template that
// was changed together with all that use it is changed alone.
//
// How to read it:
//
//	plan.go        what goes in and comes out: Make
//	walk.go        text and edited document side by side; begin here to see how it works
//	maps.go        the entries of a map, renames, "<<"
//	overlay.go     a map with directives; overrides
//	lists.go       the items of a list
//	align.go       which item became which, with the fewest moves
//	edits.go       whole values, comments and moves as edits
//	sites.go       directives, aliases and their targets
//	relocation.go  where a place is after the edit; targets that must stay
//	values.go      values that may be missing, fingerprints, differences, sets of places
//
// Nothing is evaluated but directives, and nothing is written: whoever makes the edits
// expands the result and compares.
package restore
