// Package yaytpl opens configuration that is written in parts, in YAML, JSON, the Yay language or the
// mgmt language, and answers questions about the finished documents: their data, single values,
// matches of a query, and where each value came from.
//
//	files --Open--> Project --Documents--> Value, Query, Get, Explain, Template, WriteDot
//	                   |------Render-----> YAML, JSON, TOML, variables, text
//	                   '------Check------> findings
//
//	p, err := yaytpl.Open(ctx, []string{"site.yaml"}, yaytpl.Options{})
//	if err == nil {
//		err = p.Render(os.Stdout, yaytpl.RenderOptions{})
//	}
//
// A [Project] is one revision of its files. Its documents are lazy: a question evaluates the
// values that it needs and no others. A Project and its Documents are safe for concurrent
// use; they hold a lock. To evaluate on several cores, open the files several times.
// [Options] say what documents may read and do; the zero value allows files below the
// repository, and the environment.
//
// Five packages build on this one:
//
//   - config is the configuration of a running Go program: layers that can be reloaded, typed
//     access, native classes.
//   - edit changes files: single values, and whole documents that were edited in their
//     expanded form. Directives, comments and all other bytes stay.
//   - workspace reads project files: settings and targets.
//   - watch opens files again whenever something changes that was read.
//   - bindings looks values up in layered bindings and in Hiera.
//
// [NewOutput] writes results to files, [Format] lays out a file. Package crypto encrypts and decrypts files
// with secrets. Blank imports of config/gpg, config/web and config/gotemplate bring OpenPGP, URLs, and golang.template
// of the mgmt language, which not every program needs: without them they are errors that name the import.
//
// The API of this package is kept, and of bindings, config, edit, workspace, watch, value, source, resource and crypto. The
// other packages of the module may change with any version.
//
// Errors are [*source.Diagnostic] values, or [*source.Errors] with several of them;
// [source.Findings] returns either as a list. Match them with errors.Is and
// [source.ErrMissing], [source.ErrCycle], [source.ErrLimit] and [source.ErrAccess]. The
// "Codes" of a function are values of [source.Code].
package yaytpl

// How to read this package: options.go and project.go open files; document.go has the questions with a value or
// matches as the answer; render.go writes results; explain, check, dot and template are the others, a file each;
// files.go formats a file, assignment.go reads values of a command line. The evaluation itself is in
// internal/engine, the writing of results in internal/render.
