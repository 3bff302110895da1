package main

import "strings"

// A deviation is the outcome of texts that yaytpl reads in its own way, and the reason.
type deviation struct {
	outcome outcome
	reason  string
	texts   string // names of texts, a line each
}

// deviations are all of them. The test fails for any other text whose outcome is wrong.
var deviations = []deviation{
	{refused, "a key is a scalar: a list or map as a key has no path", `
		aliases-in-flow-objects
		flow-sequence-in-flow-mapping
		implicit-flow-mapping-key-on-one-line
		mapping-key-and-flow-sequence-item-anchors
		nested-implicit-complex-keys
		question-mark-edge-cases/00
		question-mark-edge-cases/01
		single-pair-implicit-entries
		spec-example-2-11-mapping-between-sequences
		spec-example-6-12-separation-spaces
		spec-example-8-19-compact-block-mappings
		various-combinations-of-explicit-block-mappings
		various-trailing-comments
		various-trailing-comments-1-3
		zero-indented-sequences-in-explicit-mapping-keys`},
	{refused, "the keys of a map are unique, the empty key too", `
		block-mapping-with-missing-keys`},
	{refused, "bytes that are not UTF-8 (!!binary) have no place in JSON", `
		construct-binary`},
	{otherData, "an empty file is null in JSON, so that every file has data", `
		comment-and-document-end-marker
		document-end-marker
		empty-stream
		spec-example-5-5-comment-indicator
		spec-example-6-10-comment-lines`},
}

// knownDeviation returns the deviation that has a text, or nil.
func knownDeviation(name string) *deviation {
	for i := range deviations {
		for known := range strings.FieldsSeq(deviations[i].texts) {
			if known == name {
				return &deviations[i]
			}
		}
	}
	return nil
}
