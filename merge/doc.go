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
// is what computed values need when the graph asks for them.
//
// From the outside in: parse.go has the documents of a text, lower.go their nodes,
// mapping.go maps, directive.go what a directive stands for, key.go how one is spelt,
// expression.go expression objects; thunk.go and runtime.go are what is left to
// evaluation.
package merge
