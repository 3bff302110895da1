// Package roundtrip edits YAML and JSON texts without writing them anew: an edit
// becomes patches of the bytes that it means, and all else stays as it is.
//
// [Apply] takes a text, a notation and a list of edits. It reads the text once and
// makes the edits in a draft of its tree, one after the other. Then it writes the
// draft as a rope: ranges of the old text, and new text where the draft differs. That
// gives the patches. In the end the changed entries of the new text are read again,
// or all of it where those leave a doubt, and compared with the draft.
// If that fails, the smallest maps and lists around the edits are written anew, and
// if that would lose comments or does not help, the edits are refused.
//
// What stays:
//
//   - A value that is set to what it is already is not touched. Of a map or list only
//     what differs is written; items of lists are aligned by equality.
//   - A scalar keeps its style where that can hold the new value: plain, quotes,
//     literal, folded. Otherwise it gets the nearest style that can.
//   - Tags that still fit and anchors stay, comments and blank lines as well. The
//     comment directly above an entry goes with it when it is deleted or moved, and
//     so do those below it that are indented deeper; the first comment of a
//     document belongs to the document.
//   - What moves to another map or list keeps its text, as far in as it stands there.
//     Flow style has no room for the comments of lines: such a move is refused.
//   - New entries follow their neighbours: indentation, dashes, quotes, flow style
//     and the line break of the text. "{}" and "[]" in block style get block style.
//     Comments and spellings that a new value brings are written where it is new.
//
// Paths are those of the tree as it is written: "+include" and "<<" are keys like
// others, and no path leads through an alias. What cannot be done is refused with a
// [Reason], and then nothing is done.
//
// An edit of a big text costs little more than reading it once. One of JSON that adds or
// removes something reads the map or list again that it is in.
//
// How to read it:
//
//	edit.go         edits, texts and one call of Apply
//	draft.go        the tree as it is after the edits
//	operations.go   each operation on the draft
//	assign.go       a new value for a part of the draft; equality; anchors
//	writer.go       the draft as a rope, the rope as patches: begin here to see how it works
//	slots.go        where entries, items and comments lie in the old text; its layout
//	collections.go  maps and lists of the old text
//	fresh.go        new entries, their comments and the style of their neighbours
//	moved.go        entries that come from another map or list
//	scalars.go      scalars, literal and folded ones too
//	verify.go       the new text is parsed again and compared with the draft
package roundtrip
