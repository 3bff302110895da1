// Package load reads the files, URLs and variables that a configuration uses, runs its
// programs, and writes files, all inside the sandbox.
//
//	name, base --resolve--> path or URL --confine--> bytes --decrypt, decode--> source.File
//	                                       (roots, limits)           (cached by path)
//
// A [Files] is one run: it has the roots, counts files and bytes against the limits, and
// returns the same [source.File] for the same path. A [Host] gives expressions access to
// the environment, globs, programs and files to write.
//
// A refusal is a Diagnostic with code forbidden that names the flag that would allow the
// access.
//
// The files, in the order in which to read them:
//
//	files.go       a run, opening files, names to paths, each file once, limits
//	store.go       the files that several runs read
//	ahead.go       reading files before they are opened
//	confine.go     the roots, and how a path is kept below directories: place, within
//	mount.go       file systems of the program
//	decode.go      bytes to text
//	eyaml.go       values that hiera-eyaml encrypted
//	web.go         URLs; package web downloads them
//	project.go     a file in the directories above another one
//	near.go        the file that a missing name may have meant
//	inputs.go      notes of everything that is read
//	record.go      inputs with their answers, for a later run to compare
//	host.go        what expressions ask of the environment and of programs
//	glob.go, find.go, state.go
//	               what they ask of files: patterns, whether one is there, its properties
//	machine.go     properties of the machine
//	write.go       writing a file, and replacing one atomically
//	attributes.go  what a file takes over from the one that it replaces
//	rewrite.go     several files written together or not at all
//	tree.go        the files of a directory written together or not at all
//	tree_stage.go, tree_write.go, tree_commit.go
//	               where its new files are made; writing them; renaming them to their names
//	errors.go      messages
//	system_*.go, lock_*.go, links_*.go, extended_*.go, tree_linux.go, tree_other.go
//	               owners, locks, hard links, extended attributes and calls of each system
package load
