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
// Reading order: parse.go has the documents of a text and their nodes, mapping.go maps,
// directive.go how directives are spelt and the nodes that they become, runtime.go the
// computed values and what they need while an evaluation runs.
package merge
