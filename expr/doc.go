// Package expr is the expression language of yaytpl: one syntax tree and one
// evaluator, with several spellings.
//
//	path query   ::services::web[env=prod]::port     ParsePath
//	template     services.web.port | default(80)     ParseJinja
//	object       {eval: ..., vars: ..., foreach: ...} Compile
//	                    \_______ Node _______/
//	                              |  Eval, All
//	                              v
//	                         value.Value
//
// An expression is evaluated in a [Scope]: the current map, the variables in scope, and
// an [Env], which gives access to the document, the library and the host. The package
// knows neither cells nor files.
//
// To read, in this order:
//
//	node.go path.go env.go              the tree, paths, and what evaluation needs
//	parser.go jinja_parser.go           expressions of templates, and the heads of
//	jinja_postfix.go                    statements; internal/scan has the tokens
//	compile.go object.go loop.go        which data is an expression; expression objects,
//	function.go                         their loops and functions
//	eval.go access.go call.go omit.go   evaluation
//	path_eval.go path_special.go        evaluation of paths
//	path_miss.go expect.go              paths without a match
//	functions.go environment.go         functions, tests and lookups that need the host
//	files.go inject.go lookup*.go       or the bindings of the document
//	check.go mentions.go                findings, and the keys that an expression names,
//	                                    without evaluation
//	errors.go nearname.go mistakes.go   names without a value; errors with places and
//	collections.go                      without secrets
//
// A name without a value is a [value.Undefined]; it turns into an error when it is
// used, so that "default", "is defined" and "?" can handle it.
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package expr
