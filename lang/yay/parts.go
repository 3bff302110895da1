package yay

import "github.com/yaytpl/yaytpl/source"

// mostParts is how many stanzas, and words of expressions, are read of one text. A stanza
// takes up to 600 bytes until it is evaluated, a word less.
const mostParts = 4_000_000

// A partCount counts the stanzas and words of a text.
type partCount struct{ most, count int }

// add counts one more. It reports whether that is allowed.
func (c *partCount) add() bool {
	c.count++
	return !c.over()
}

func (c *partCount) over() bool { return c.count > c.most }

func (c *partCount) tooMany(at source.Span) *source.Diagnostic {
	return source.Errorf(at, source.Limit, "the text has more than %d stanzas and words of expressions", c.most)
}
