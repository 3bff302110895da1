// Package yay reads the Yay language (spec: yay): mappings and lists by indentation,
// directives in the manner of Python, expressions in braces. [Parse] turns a text into
// a [Tree]; [Lower] turns a tree into the nodes of the graph, whose values [Runtime]
// evaluates.
package yay
