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
// An expression is evaluated in a [Scope]: the map it stands in, the variables
// around it, and an [Env] through which it sees the document and the world. The
// package knows nothing of cells or files.
//
// To read, in this order:
//
//	node.go path.go env.go                 the tree, and what evaluation asks for
//	lexer.go parser.go jinja_parser.go     expressions of templates; statement_parser.go
//	                                       has the heads of statements
//	path_parser.go                         paths
//	recognize.go data.go object.go         what in a document is meant for us, and objects
//	function.go foreach.go                 what an object may call, and its loops
//	scope.go eval.go access.go call.go     evaluation; undefined.go for names without value
//	path_eval.go special_keys.go           evaluation of paths
//	functions_*.go lookup*.go env_filters.go external.go   the functions themselves
//	check.go infer.go walk.go              what can be told without evaluating
//	errors.go conceal.go                   errors with places and without secrets
//
// A name without a value is a [value.Undefined]; it turns into an error when it is
// used, so that "default", "is defined" and "?" can catch it.
package expr
