package value

import (
	"regexp"
	"regexp/syntax"
)

// A Regexp is a regular expression of RE2. Matching takes a time that grows with the length of the text
// times the size of the expression's program (Russ Cox: Regular Expression Matching in the Wild, 2010), and cannot
// be interrupted: callers count [Regexp.Steps] before it.
type Regexp struct {
	*regexp.Regexp
	Size int // instructions of the program
}

// CompileRegexp compiles an expression. It returns the errors of [regexp.Compile].
func CompileRegexp(text string) (*Regexp, error) {
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	return &Regexp{re, len(program.Inst)}, nil
}

// partsPerStep is how many times an instruction looks at a byte in the time of one step: (?:a?){500}b needs 5 ns for
// each.
const partsPerStep = 8

// Steps returns the steps of finding all matches in a text of n bytes.
func (r *Regexp) Steps(n int) int { return n * r.Size / partsPerStep }
