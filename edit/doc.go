// Package edit edits configuration files: it plans the smallest change of the text, writes
// it, evaluates the documents again and compares them with the result that was asked for.
//
// Paths and values are in the expanded document, in which all directives are carried
// out and no template is evaluated ([yaytpl.Document.Expanded]). The edited value may thus
// come from an include or a pointer; then it is overridden in the named file or, with the
// target [Source], changed in the file that defines it. There are two entry points:
//
//	Apply    edits such as "set web.port to 8080"     -> Result
//	ApplyAll the same edits of several files          -> Result
//	Restore  a document that was expanded and edited  -> Result, or a ConflictError
//	Preview  the same, without writing                -> Report
//
// Nothing is written to disk before [Result.Save].
//
// [Apply] makes all edits in one batch, or in several smaller ones:
//
//	Edit --plan--> draft: the document as it should be
//	     '-------> ways: edits of files that may have this result, the best first
//	                 |
//	                 v
//	               new texts --open, expand--> document --compare--> accept the texts,
//	                 ^                                         |     or try the next way
//	                 '-----------------------------------------'
//
// [Restore] computes the edits from the two documents. With the target [Source] it first
// changes the definitions that are in other places; package merge/restore plans the rest:
//
//	edited file --(if it is rendered: unrender)--> edited document
//	    definitions elsewhere --> restore.Make --> new texts --expand, compare--> accept,
//	                                  ^                                 |         or plan again,
//	                                  '---------------------------------'         more carefully
//
// How to read it:
//
//	edit.go            edits, options, results, and Apply
//	assign.go          edits such as web.port=8080
//	several.go         the same edits of several files
//	list.go            lists of edits and JSON Patch
//	batch.go           edits that are made together: begin here to see how it works
//	match.go           where an edit applies: paths of one place and of several
//	place.go           where a value is defined
//	private.go         private keys that an edit keeps
//	override.go        the ways to write an edit into the named file
//	rename.go          renamings
//	references.go      what refers to a renamed key
//	source.go          the ways to write an edit where the value is defined
//	compare.go         the documents after the edits, compared with the drafts
//	clear.go           whether an edit would write a secret in clear
//	clear_texts.go     the texts of secrets, and the errors about them
//	notation.go        whether an edit would copy an expression of Yay into YAML
//	masked.go          the lines of a file for a diff, without secrets
//	restore.go         Restore, Preview and PreviewEdits; Yay files
//	fold.go            one edited document becomes edits of its file
//	world.go           the documents in which the layers below an edited file are evaluated
//	joined.go          edits of lists whose items come from several lists, where these are defined
//	restore_source.go  changes of definitions that are in other places
//	comments.go        comments of the edited documents, and warnings of their tags
//	report.go          reports, as text and as JSON
//	conflicts.go       changes that cannot be written, with ways out, in reports and errors
package edit
