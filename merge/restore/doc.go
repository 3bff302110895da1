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
// Nothing is evaluated but directives, and nothing is written: whoever makes the edits
// expands the result and compares.
package restore
