package syntax

import (
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
)

// What users of other languages write, and what it is here.

// hints for characters that other languages have.
var hints = lazy.Value[map[rune]string]{Make: func() map[rune]string {
	return map[rune]string{
		'\'':     `strings have double quotes: "text"`,
		'`':      `strings have double quotes: "text"`,
		'&':      `write "and", or &&`,
		'|':      `write "or", or ||`,
		'%':      `write math.mod(a, b)`,
		'~':      `the arrow between edges is ->; the line "Notify => Kind["name"]," makes one that notifies`,
		'\\':     `a line continues on the next one without a mark`,
		'?':      `a condition is written "if c { a } else { b }", for a field "field => c ?: value,"`,
		'\u00A0': `this is a blank that does not break; write a plain one`,
		'“':      `write a plain quote: "`,
		'”':      `write a plain quote: "`,
	}
}}

const (
	noNull   = "there is no null; a condition leaves a line out: field => c ?: value,"
	noReturn = `the body of a function is its result, without "return"`
	digits   = "a number has decimal digits and at most one point: no exponent, no other base"
)

// words of other languages where an expression begins.
var otherWords = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"null": noNull, "nil": noNull, "none": noNull, "undef": noNull, "return": noReturn,
		"True": "write true", "False": "write false", "None": noNull,
	}
}}

// declarators are words with which other languages bind a variable.
var declarators = []string{"let", "var", "const", "local", "set", "val", "my"}

// edgeWord returns the name of an edge for Puppet's word, "" for other words.
func edgeWord(lower string) string {
	switch lower {
	case "require":
		return "Depend"
	case "subscribe":
		return "Listen"
	}
	return ""
}

// explain adds a hint about a token that is a mistake wherever it is unexpected.
func (p *parser) explain(d *source.Diagnostic) {
	met := p.textOf(p.tok)
	number := p.tok.kind == integer || p.tok.kind == float
	var before token
	if p.pos > 0 {
		before = p.tokens[p.pos-1]
	}
	touches := p.tok.start == p.last && p.pos > 0
	switch {
	case number && met[0] == '-' && p.tok.start > 0:
		d.WithHint("a minus that touches a digit is its sign; to subtract write \"- %s\"", met[1:])
	case met == "-" && p.ahead(1).kind == dollar:
		d.WithHint("there is no negation; write 0 - $%s", p.textOf(p.ahead(2)))
	case met == "-" && p.ahead(1).kind == integer:
		d.WithHint("a negative number has no blank after its sign")
	case p.tok.kind == capital && p.isAt(1, "[") && !(touches && before.kind == word):
		d.WithHint("%s[...] is the end of an edge, and no value: an edge has one, with a name or a list of names", met)
	case p.tok.kind == capital && touches:
		d.WithHint("names have small letters, digits and \"_\"")
	case p.tok.kind == word && touches && before.kind == integer:
		d.WithHint(digits)
	case met == "." && p.ahead(1).kind == integer:
		d.WithHint("write 0.%s", p.textOf(p.ahead(1)))
	case met == "*" && touches && p.textOf(before) == "*":
		d.WithHint("write math.pow(a, b), of floats")
	case met == "/" && before.kind == word && p.ahead(1).kind == word:
		d.WithHint("a text, such as a path, is in quotes")
	case met == "/":
		d.WithHint("a comment begins with #")
	case met == ";":
		d.WithHint("statements need no mark between them")
	case met == ":" && p.isAt(1, "="):
		d.WithHint("a variable is bound by $x = value")
	case met == ":" && (p.isScalarAt(1) || p.isAt(1, "[")):
		d.WithHint("a type has no colon in front: $x int")
	case (met == "+" || met == "-") && p.isAt(1, "=") && before.kind == word:
		d.WithHint("a variable is bound once: $x = value")
	case otherWords.Get()[met] != "":
		d.WithHint("%s", otherWords.Get()[met])
	}
}

// explainName adds a hint about a word where an expression begins.
func (p *parser) explainName(d *source.Diagnostic, name string, next token) {
	switch {
	case d.Hint != "":
	case p.textOf(next) == "=":
		d.WithHint("to bind a variable write $%s =", name)
	case p.textOf(next) == "[":
		d.WithHint("the end of an edge has a capital letter: %s[...]; a variable is written $%s", Capitalised(name), name)
	default:
		d.WithHint("a variable is written $%s, a call %s(), a text %q", name, name, name)
	}
}

// explainLine adds a hint about the value of a line of a resource that is the end of an edge, or should be.
func explainLine(d *source.Diagnostic, name string) {
	switch lower := strings.ToLower(name); {
	case edgeWord(lower) != "":
		d.WithHint("this edge is called %s", edgeWord(lower))
	case isProperty(name):
		d.WithHint("an edge has a capital letter: %s", Capitalised(name))
	}
}

// isScalarAt reports whether the token that many places ahead is a type of one word.
func (p *parser) isScalarAt(ahead int) bool {
	_, ok := scalarType(p.textOf(p.ahead(ahead)))
	return ok
}

// Capitalised returns a kind or property as the end of an edge writes it: "aws:ec2" is "Aws:Ec2".
func Capitalised(kind string) string {
	parts := strings.Split(kind, ":")
	for i, p := range parts {
		if p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, ":")
}
