// Package yamlnode stands between the trees of lang/yaml and the nodes of gopkg.in/yaml.v3: the format
// in which Go programs keep YAML with its comments, styles and places.
//
//	text before and after an edit --Compare--> where the two readers differ
package yamlnode
