// Package yamlnode converts between the trees of lang/yaml and the nodes of gopkg.in/yaml.v3: the format
// in which Go programs keep YAML with its comments, styles and places.
//
//	text before and after an edit --Compare--> where the two readers differ
//	text of a document          --FromText--> node, which decodes to our data
//	node                        --FromNode--> values with their places
//
// Read compare.go (the second reader of edits), then nodes.go and data.go.
package yamlnode
