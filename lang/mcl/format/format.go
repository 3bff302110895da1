package format

import (
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// maxRounds bounds how often a text is laid out again. Two rounds are the most that is known.
const maxRounds = 10

// Format returns the text of a program in the standard layout. Formatting the result changes nothing.
// The problems of the program do not matter.
//
// One round is enough for programs that have a line break after each statement and each bracket that
// opens lines. In others a comment may move into brackets, which it opens in the next round:
//
//	func($x) { func($y) {     func($x) { func($y) {     func($x) {
//	$y } } # c                	$y # c                  	func($y) {
//	                          } }                       		$y # c
//	                                                    	}
//	                                                    }
//
// Codes: type-conflict for an annotation that the literal after it contradicts; internal if the result
// would be another program, which is a bug of this package.
func Format(p *syntax.Program) (string, error) {
	if conflicts := p.Contradictions(); len(conflicts) > 0 {
		return "", source.OneOrMany(conflicts)
	}
	text := layout(p)
	for range maxRounds {
		again, err := syntax.Parse(source.NewFile(p.File.Name, text))
		switch {
		case err != nil:
			return "", bug(p, "is no program: "+err.Error())
		case !same(p, again):
			return "", bug(p, "is another program")
		}
		next := layout(again)
		if next == text {
			return text, nil
		}
		text = next
	}
	return "", bug(p, "has a layout that formatting changes again")
}

// layout prints a program.
func layout(p *syntax.Program) string {
	f := &printer{file: p.File, comments: p.Comments}
	f.statements(p.Body.Stmts, 0)
	f.commentsBefore(f.file.Lines()+1, 0)
	return f.b.String()
}

func bug(p *syntax.Program, problem string) error {
	return source.Errorf(p.File.Span(0, 0), source.Internal, "the formatted text %s; nothing is written", problem).
		WithHint("this is a bug in yaytpl: please report it with the file")
}
