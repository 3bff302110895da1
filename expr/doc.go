// Package expr is the expression language of yaytpl: one syntax tree and one
// evaluator, with several spellings.
//
//	path query   ::services::web[env=prod]::port     ParsePath
//	template     services.web.port | default(80)     ParseJinja
//	object       {eval: ..., vars: ..., foreach: ...} Compile
//	                    \_______ Node _______/
//	                              |  Eval, Query
//	                              v
//	                         value.Value
//
// An expression is evaluated in a [Scope]: the map it stands in, the variables
// around it, and an [Env] through which it sees the document and the world. The
// package knows nothing of cells or files.
//
// A name without a value is a [value.Undefined]; it turns into an error when it is
// used, so that "default", "is defined" and "?" can catch it.
package expr
