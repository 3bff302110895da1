package format_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/lang/mcl/format"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// tokens matches the tokens of a program; a history such as $x{2} is one.
var tokens = regexp.MustCompile(`(?s)"(?:\\.|[^"\\])*"|#[^\n]*|\$\w+\{\d+\}|\$?[A-Za-z]\w*|-?\d+(?:\.\d+)?|<\|>|=>|->|\?:|==|!=|<=|>=|&&|\|\||[^\s]`)

// TestRandomLayout puts blanks, line breaks and comments between the tokens of programs at random. The
// program stays the same, so it must have a layout that formatting does not change again.
func TestRandomLayout(t *testing.T) {
	formatted := 0
	for name, text := range programs(t) {
		if _, err := syntax.Parse(source.NewFile(name, text)); err != nil {
			continue
		}
		words := tokens.FindAllString(text, -1)
		for seed := range uint64(60) {
			random := rand.New(rand.NewPCG(seed, 1))
			mixed := mix(words, random)
			p, err := syntax.Parse(source.NewFile(name, mixed))
			if err != nil {
				t.Errorf("%s, seed %d: %v\n%s", name, seed, err, mixed)
				break
			}
			_, err = format.Format(p)
			var d *source.Diagnostic
			if errors.As(err, &d) && d.Code == source.Internal {
				t.Errorf("%s, seed %d: %v\n%s", name, seed, err, mixed)
				break
			}
			formatted++
		}
	}
	if formatted < 1000 {
		t.Errorf("only %d programs are formatted", formatted)
	}
}

// mix joins words with random white space and comments. Some programs are dense, others sparse.
func mix(words []string, random *rand.Rand) string {
	var b strings.Builder
	comments, breaks := random.Float64()*0.2, random.Float64()*0.6
	for i, w := range words {
		b.WriteString(w)
		switch x := random.Float64(); {
		case strings.HasPrefix(w, "#"):
			b.WriteString("\n")
		case x < comments:
			fmt.Fprintf(&b, " # %d\n", i)
		case x < comments+breaks:
			b.WriteString(strings.Repeat("\n", 1+random.IntN(3)))
		default:
			b.WriteString(" ")
		}
		if random.Float64() < comments/4 {
			fmt.Fprintf(&b, "\n# own %d\n", i)
		}
	}
	return b.String()
}
