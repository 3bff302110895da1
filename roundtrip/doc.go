// Package roundtrip edits YAML and JSON texts in place: an edit changes the bytes that it
// has to, and all other bytes stay.
//
// [Apply] takes a text, its syntax and a list of edits. It parses the text once and makes
// the edits one after the other in a draft of the tree. Then it writes the draft as a
// rope: ranges of the old text, and new text where the draft differs. The new text becomes
// patches. To verify them, the changed entries of the new text are parsed again, or the
// whole text where those are not enough, and compared with the draft. If they differ, the
// smallest maps and lists around the edits are written from scratch. If that would lose
// comments, or still differs, the edits are refused.
//
// What stays:
//
//   - A value that is set to an equal value is not touched. In a map or list only the
//     differences are written; items of lists are aligned by equality.
//   - A scalar keeps its style (plain, quoted, literal, folded) if that can represent the
//     new value. Otherwise it gets the nearest style that can.
//   - Anchors stay, and so do tags that fit the new value, comments and blank lines. The
//     comment directly above an entry is deleted or moved with it, and so are the comments
//     below it that are indented deeper. Items that are commented out stay where they are.
//     The first comment of a document belongs to the document.
//   - An entry that moves to another map or list keeps its text, with its indentation
//     adapted. Flow style has no place for comments on lines: such a move is refused.
//   - New entries look like their neighbours: indentation, dashes, quotes, flow style and
//     line breaks. "{}" and "[]" in block style become block style. Comments and spellings
//     of a new value ([value.Annotated]) are written with it.
//
// Paths lead through the tree in the text: "+include" and "<<" are keys like others, and
// no path leads through an alias. An edit that cannot be made is refused with a
// [source.Reason], and the text does not change.
//
// An edit of a big text costs little more than parsing it once. An edit of JSON that adds
// or removes something parses the map or list around it a second time.
//
// How to read it:
//
//	edit.go         edits, texts and one call of Apply
//	draft.go        the tree as it is after the edits
//	operations.go   each operation on the draft
//	assign.go       a new value for a part of the draft; equality; anchors
//	writer.go       the draft as a rope, the rope as patches: begin here to see how it works
//	slots.go        where entries, items and comments are in the old text; its layout
//	collections.go  maps and lists of the old text
//	leftover.go     comments that stay when the entries around them go
//	retag.go        another tag for a map or list that stays
//	fresh.go        new entries, their comments and the style of their neighbours
//	moved.go        entries that come from another map or list
//	comments.go     edits of comments only
//	scalars.go      scalars, literal and folded ones too
//	verify.go       the new text is parsed again and compared with the draft
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package roundtrip
