// Package merge reads YAML with merge directives, expression objects and templates
// as contributions to a configuration.
//
//	source.File --lang/yaml--> tree --Parse--> graph.Doc
//
//	+include: f.yaml   +*anchor:   +/path:   +../path:    bases below a map
//	{+%: whiteout}     {+%: replace}                      how a map joins its base
//	{eval: ::a::b}     "{{ a.b }}"                        computed values
//
// [Parse] only produces nodes: it opens no file and evaluates nothing. A [Runtime]
// serves computed values when the graph evaluates them.
//
// Reading order: parse.go has the documents of a text and their nodes, mapping.go maps,
// lists.go their rules for lists, private.go their private keys, directive.go the syntax of
// directives and the nodes that they become, match.go the layers on older documents,
// misspelt.go the findings about keys that were meant as directives, runtime.go the computed
// values and their environment.
//
// Other packages of this module use it, and its API may change with any version: package yaytpl names the packages
// whose API is kept.
package merge
