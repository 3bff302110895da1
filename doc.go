// Package yaytpl turns configuration that is written once, in parts, into finished
// documents, and can say where every value came from.
//
// # Documents
//
//	files --Open--> Project --Document--> Value, Query, Get, Explain, Template, WriteDot
//	                   |------Render----> YAML, JSON, TOML, variables, text
//	                   '------Check-----> findings
//
//	p, err := yaytpl.Open(ctx, []string{"site.yaml"}, yaytpl.Options{})
//	if err == nil {
//		err = p.Render(os.Stdout, yaytpl.RenderOptions{})
//	}
//
// A [Project] is one revision of its files. Its documents are evaluated lazily: a
// query works out what it needs and no more. Several goroutines may use a Project and
// its Documents; they take turns. To work at the same time, open the files again.
// [Options] say what documents may read and do; the zero value allows files below the
// repository, and the environment.
//
// # Configuration of a program
//
// A [Config] is the configuration of a Go program, which may be used by several
// goroutines and changes while the program runs:
//
//	files, texts, Go data --Load, Add--> Config --Get, Eval--> Node --> Int, String, Decode
//
// # Files that are edited
//
// [EditFile] changes single values of a file, [RestoreFile] folds an edited document back
// into the file that it was made of; both keep what they do not mean. [Format] lays out a
// file. Nothing is written before [Edited.Save] or [Formatted.Save]. [Encrypt] and
// [Decrypt] are for files that only some may read.
//
// # Errors
//
// Errors are [*source.Diagnostic] values or [*Errors], which holds several; [Findings]
// makes one list of either. Match them with errors.Is and [source.ErrMissing],
// [source.ErrCycle], [source.ErrLimit] and [source.ErrAccess]. What functions say under
// "Codes" are values of [source.Code].
package yaytpl

// How to read this package. It ties the others together (docs/architecture.md has them)
// and is what Go programs and the command call. Files that belong together begin alike:
//
//	options.go, project.go    what a Project is and how it is opened: layers.go and
//	                          define.go make its layers, loader.go finds includes
//	document.go, turn.go      one document: its evaluation, and who may evaluate
//	get, query, explain, check, diff, dot, render, texttemplate, help
//	                          what can be asked of it, a file each
//	force.go, errors.go       evaluating everything, and several findings in one error
//	library.go                what templates can call, from package filters
//	config*.go                layers that change; config_revision.go is one state of them
//	node*.go                  places in a Config, and what Go data they come to
//	class*.go                 classes of the program that a Config makes instances of
//	edit*.go                  EditFile: plan, write, expand again, compare
//	restore*.go, conflict*.go RestoreFile: from an edited document back to edits
//	format.go, encryption.go  the other things that are done with files
