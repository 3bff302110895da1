package merge

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// badDirective reports a value that a directive does not take.
func (m *mapping) badDirective(n *yaml.Node, format string, args ...any) *source.Diagnostic {
	return m.errorf(n.At, source.BadDirective, format, args...)
}

// shown returns a text of the file for a message.
func (m *mapping) shown(text string) string {
	if m.marks&value.Secret != 0 {
		return value.SecretText
	}
	return text
}

const strategyHint = "the strategies are merge, replace, error, whiteout and nullout"

// unknownStrategy reports the value of "+%" if it names no strategy.
func (m *mapping) unknownStrategy(n *yaml.Node, word string) {
	names := []string{"merge", "replace", "error", "whiteout", "nullout"}
	m.errorf(n.At, source.UnknownDirective, "unknown strategy %q", m.shown(word)).WithHint(strategyHint).
		DidYouMean(word, slices.Values(names))
}

// words are the directives that are words, each with the number of changes that a key may differ
// by to be a misspelling of it. Keys that differ more are data of other tools, such as +tags
// and +patch (spec: everyday, A7).
var words = [...]struct {
	name    string
	changes int
}{{"include", 2}, {"private", 2}, {"lists", 1}, {"match", 1}}

// mayBeMatch reports whether an entry may be meant as "+match": a map at the top of a document. Words with
// another first letter, such as +patch, are data.
func (m *mapping) mayBeMatch(e *yaml.Entry, word string) bool {
	return m.node == m.top && strings.HasPrefix(word, "m") && e.Value.Kind == yaml.MapNode
}

// unknownDirective reports a key that is a misspelt directive, such as +incude or +?inculde.
func (m *mapping) unknownDirective(e *yaml.Entry) {
	key := e.Key.Text
	word, optional := strings.CutPrefix(key[1:], "?")
	if i := strings.IndexAny(word, "*/"); i >= 0 {
		word = word[:i]
	}
	best, name := -1, ""
	for _, w := range words {
		n := source.Changes(word, w.name, w.changes)
		if w.name == "match" && !m.mayBeMatch(e, word) {
			continue
		}
		if n >= 0 && (best < 0 || n < best) {
			best, name = n, w.name
		}
	}
	if best < 0 || best == 0 && !optional {
		return
	}
	near := "+" + name
	if optional && (name == "include" || name == "match") {
		near = "+?" + name
	}
	m.errorf(e.KeyAt, source.UnknownDirective, "unknown directive %q", key).
		WithHint("did you mean %q? (where such keys are data: # yaytpl: directives=off)", near)
}
