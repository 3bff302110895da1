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
		question-mark-edge-cases/01
		single-pair-implicit-entries
		spec-example-2-11-mapping-between-sequences
		spec-example-6-12-separation-spaces
		spec-example-8-19-compact-block-mappings
		various-combinations-of-explicit-block-mappings
		various-trailing-comments
		various-trailing-comments-1-3
		zero-indented-sequences-in-explicit-mapping-keys `},
	{refused, "bytes that are no UTF-8 (!!binary) cannot be written as JSON", `
		construct-binary `},
	{otherData, "a file without a document is one empty document, null", `
		empty-stream
		spec-example-5-5-comment-indicator
		spec-example-6-10-comment-lines `},
	{refused, "outside of the part of YAML that is read", `
		aliases-in-explicit-block-mapping
		allowed-characters-in-alias
		anchors-with-colon-in-name
		bare-document-after-document-end-marker
		block-mapping-with-missing-keys
		colon-and-adjacent-value-after-comment-on-next-line
		colon-and-adjacent-value-on-next-line
		comment-and-document-end-marker
		directive-variants/06
		document-end-marker
		empty-implicit-key-in-single-pair-flow-sequences
		empty-keys-in-block-and-flow-mapping
		empty-lines-at-end-of-document
		flow-collections-over-many-lines/01
		flow-mapping-colon-on-line-after-key/00
		flow-mapping-colon-on-line-after-key/01
		flow-mapping-colon-on-line-after-key/02
		leading-tab-content-in-literals/00
		leading-tab-content-in-literals/01
		multiline-double-quoted-flow-mapping-key
		multiline-plain-flow-mapping-key
		question-mark-edge-cases/00
		single-character-streams/01
		spec-example-6-2-indentation-indicators
		spec-example-6-3-separation-spaces
		spec-example-7-2-empty-content
		spec-example-7-3-completely-empty-flow-nodes
		spec-example-8-18-implicit-block-mapping-entries
		spec-example-8-2-block-indentation-indicator
		spec-example-9-3-bare-documents
		spec-example-9-4-explicit-documents
		spec-example-9-5-directives-documents
		syntax-character-edge-cases/00
		tab-at-beginning-of-line-followed-by-a-flow-mapping
		tab-indented-top-flow
		tabs-in-various-contexts/001
		tabs-in-various-contexts/010
		tabs-that-look-like-indentation/00
		tabs-that-look-like-indentation/03
		tabs-that-look-like-indentation/04
		tabs-that-look-like-indentation/07
		zero-indented-block-scalar
		zero-indented-block-scalar-with-line-that-looks-like-a-comment `},
	{accepted, "refused by the specification only", `
		block-scalar-with-more-spaces-than-first-content-line
		comment-without-whitespace-after-block-scalar-indicator
		comment-without-whitespace-after-doublequoted-scalar
		dash-in-flow-sequence
		directive-by-itself-with-no-document
		directive-variants/00
		directive-variants/01
		double-quoted-scalar-with-escaped-single-quote
		duplicate-yaml-directive
		extra-words-on-yaml-directive
		invalid-comma-in-tag
		invalid-comment-after-comma
		invalid-comment-after-end-of-flow-sequence
		missing-document-end-marker-before-directive
		need-document-footer-before-directives
		plain-dashes-in-flow-sequence
		tabs-in-various-contexts/003
		tabs-that-look-like-indentation/01
		wrong-indented-flow-sequence
		wrong-indented-multiline-quoted-scalar `},
	{otherData, "blanks at the end of the text", `
		trailing-line-of-spaces/01
		trailing-whitespace-in-streams/02 `},
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
