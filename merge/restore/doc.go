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
// To read it, begin with plan.go, which has what goes in and comes out, and walk.go, which
// goes through the text:
//
//	spot.go mapping.go                  places of the text, and maps there
//	entries.go rename.go order.go       a map on its way to what is wanted
//	mergekey.go                         what "<<" brings
//	overlay.go override.go              a map with directives; what is said over them
//	list.go align.go common.go          a list, and which item became which
//	positional.go                       items that join older ones by their index
//	rewrite.go notes.go moves.go        edits: whole values, comments, what only moved
//	sites.go reference.go               what takes something from elsewhere, and what
//	relocation.go putback.go intact.go  where that is now; what has to stay; what did not change
//	differences.go trail.go             where two documents differ; sets of places
//	twins.go fingerprint.go optional.go small tools
//
// Nothing is evaluated but directives, and nothing is written: whoever makes the edits
// expands the result and compares.
package restore
