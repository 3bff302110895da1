package template

import (
	"strings"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// pythonSyntax has the tokens of Python literals. Strings have no prefixes such as b or r.
var pythonSyntax = scan.Syntax{
	Singles: "[](){},:+-",
	Letters: true, Underscores: true, Points: true, Words: true, Triple: true, Python: true,
}

// readLiteral returns the value of a text that is a Python literal as a whole: a number,
// True, False, None, a list, a dict, or a tuple, which becomes a list (spec: expressions,
// section 7). ok is false for any other text, such as
//
//	'quoted'     the quotes are part of the text; only those in lists and dicts are read
//	{1, 2}       YAML has no sets
//	007, 1.2.3   no numbers in Python
//	12e4567      too large for a float; more likely a digest
//
// A float keeps its spelling if YAML reads it as the same number: 1.10 stays 1.10, also in
// lists and dicts.
// Steps are charged to work, which may be nil, while the items of lists and dicts are
// read. A short template can make a large literal: more than maxLiteralItems is an error.
func readLiteral(text string, work stepper) (v value.Value, ok bool, err error) {
	return readWith(text, work, false)
}

// readWords is readLiteral for texts that may also have true, false and null, as JSON has.
func readWords(text string, work stepper) (v value.Value, ok bool, err error) {
	return readWith(text, work, true)
}

func readWith(text string, work stepper, json bool) (v value.Value, ok bool, err error) {
	start := len(text) - len(strings.TrimLeft(text, "\r\n"))
	if !mayBeLiteral(text[start:]) {
		return value.Null, false, nil
	}
	text = strings.TrimRight(text, blanks)
	p := literalParser{Scanner: scan.Scanner{Syntax: &pythonSyntax, Text: text, Pos: start, End: len(text)}, work: work, json: json}
	p.Scan(&p.tok)
	v, ok = p.top()
	if p.refused != nil {
		return value.Null, false, p.refused
	}
	if !ok || p.tok.Kind != scan.End || v.Is(value.StringKind) {
		return value.Null, false, nil
	}
	return v, true, nil
}

// literalPrefix returns the value of the literal that a text begins with, which may be a
// quoted string, and its length.
func literalPrefix(text string) (v value.Value, n int, ok bool) {
	p := literalParser{Scanner: scan.Scanner{Syntax: &pythonSyntax, Text: text, End: len(text)}}
	p.Pos = len(text) - len(strings.TrimLeft(text, blanks))
	p.Scan(&p.tok)
	v, ok = p.value()
	return v, p.tok.Start, ok
}

// mayBeLiteral rules out most texts by their first byte, and versions and addresses such
// as 1.10.3 by their points.
func mayBeLiteral(text string) bool {
	if text == "" {
		return false
	}
	switch c := text[0]; c {
	case '[', '(', '{', '-', '+', '.', 'T', 'F', 'N', '\'', '"':
		return true
	default:
		return '0' <= c && c <= '9' && (strings.Count(text, ".") < 2 || strings.Contains(text, ","))
	}
}

const (
	maxLiteralDepth = 200     // nested brackets, as in Python's own parser
	maxIntDigits    = 4300    // of an integer, as in Python
	maxLiteralItems = 4 << 20 // values in the lists and dicts of a literal
	literalSteps    = 4       // charged for a value
)

// A stepper counts work, and may refuse more of it.
type stepper interface{ Step(n int) error }

// A literalParser parses Python literals. Its methods return false at the first token
// that does not belong to a literal.
type literalParser struct {
	scan.Scanner
	tok     scan.Token // not consumed yet
	depth   int        // of open brackets
	items   int        // values so far
	work    stepper    // or nil
	json    bool       // true, false and null are words
	refused error      // why the literal is not read
}

// next reads the next token. A line break separates tokens only inside of brackets.
func (p *literalParser) next() {
	separators := " \t"
	if p.depth > 0 {
		separators = blanks
	}
	for p.Pos < p.End && strings.IndexByte(separators, p.Text[p.Pos]) >= 0 {
		p.Pos++
	}
	p.Scan(&p.tok)
}

// accept skips an operator, and reports whether it is the next token.
func (p *literalParser) accept(op string) bool {
	if !p.tok.Is(op) {
		return false
	}
	p.next()
	return true
}

// top parses a value, or several with commas between them, which are a tuple.
func (p *literalParser) top() (value.Value, bool) {
	first, ok := p.value()
	if !ok || !p.tok.Is(",") {
		return first, ok
	}
	items := value.Slice{first}
	for p.accept(",") && p.tok.Kind != scan.End && !p.tok.Is(")") {
		v, ok := p.value()
		if !ok {
			return v, false
		}
		items = append(items, v)
	}
	return value.FromList(items), true
}

func (p *literalParser) value() (v value.Value, ok bool) {
	if p.items++; p.items%itemsCounted == 0 && !p.charge() {
		return value.Null, false
	}
	switch word := p.tok.Text; p.tok.Kind {
	case scan.Number:
		text := p.Text[p.tok.Start:p.tok.End]
		v, ok = p.number()
		return spelledFloat(v, text), ok
	case scan.String:
		return p.text()
	case scan.Name:
		p.next()
		switch word {
		case "True":
			return value.True, true
		case "False":
			return value.False, true
		case "None":
			return value.Null, true
		case "true", "false":
			return value.Bool(word == "true"), p.json
		case "null":
			return value.Null, p.json
		}
	case scan.Op:
		switch word {
		case "-", "+":
			from := p.tok.Start
			p.next()
			end := p.tok.End
			v, ok = p.number()
			if ok && word == "-" {
				v, _ = value.Neg(v)
			}
			return spelledFloat(v, p.Text[from:end]), ok
		case "[", "(", "{":
			return p.bracket(word)
		}
	}
	return value.Null, false
}

// spelledFloat returns a float with its spelling, if YAML reads that as the same number and
// a computed float is spelled differently.
func spelledFloat(v value.Value, text string) value.Value {
	var usual [32]byte
	if !v.Is(value.FloatKind) || strings.Trim(text, "0123456789+-.eE") != "" || string(value.AppendFloat(usual[:0], v.Float())) == text {
		return v
	}
	return v.WithSource(value.Scalar{Spelling: text, Plain: true})
}

// charge charges the last items. It returns false if no more may be read.
func (p *literalParser) charge() bool {
	if p.items > maxLiteralItems {
		p.refused = source.Errorf(source.Span{}, source.Limit, "the text of the template is a literal of more than %d values", maxLiteralItems)
	} else if p.work != nil {
		p.refused = p.work.Step(literalSteps * itemsCounted)
	}
	return p.refused == nil
}

func (p *literalParser) number() (value.Value, bool) {
	n, text := p.tok.Number, p.Text[p.tok.Start:p.tok.End]
	if p.tok.Kind != scan.Number {
		return value.Null, false
	}
	if _, small := n.Int(); !small && n.Is(value.IntKind) {
		if text[1] > '9' && text[1] != '_' {
			text = text[2:] // 0x
		}
		if len(text)-strings.Count(text, "_") > maxIntDigits {
			return value.Null, false
		}
	}
	p.next()
	return n, true
}

// text parses adjacent strings, which are one.
func (p *literalParser) text() (value.Value, bool) {
	parts := make([]string, 0, 1)
	for p.tok.Kind == scan.String {
		if text := p.Text[p.tok.Start:p.tok.End]; !isPythonString(text) {
			return value.Null, false
		}
		parts = append(parts, p.tok.Text)
		p.next()
	}
	return value.String(strings.Join(parts, "")), true
}

// isPythonString reports whether a string that the scanner takes is one in Python: there,
// a line break must be escaped or in triple quotes, and \N names a character, which is
// not supported.
func isPythonString(text string) bool {
	broken := strings.IndexByte(text, '\n') >= 0
	if !broken && !strings.Contains(text, `\N`) {
		return true
	}
	text = strings.ReplaceAll(text, `\\`, "")
	if len(text) >= 6 && text[1] == text[0] && text[2] == text[0] {
		broken = false
	}
	return !strings.Contains(text, `\N`) && (!broken || !strings.Contains(strings.ReplaceAll(text, "\\\n", ""), "\n"))
}

// bracket parses a list, a dict, or a value or tuple in parentheses.
func (p *literalParser) bracket(open string) (v value.Value, ok bool) {
	if p.depth++; p.depth > maxLiteralDepth {
		return value.Null, false
	}
	p.next()
	closing := ")"
	switch {
	case open == "[":
		closing = "]"
		v, ok = p.list()
	case open == "{":
		closing = "}"
		v, ok = p.dict()
	case p.tok.Is(")"):
		v, ok = value.ListOf(), true
	default:
		v, ok = p.top()
	}
	p.depth-- // before the token after the bracket is read
	return v, ok && p.accept(closing)
}

func (p *literalParser) list() (value.Value, bool) {
	items := value.Slice{}
	for !p.tok.Is("]") {
		v, ok := p.value()
		if !ok || !p.accept(",") && !p.tok.Is("]") {
			return v, false
		}
		items = append(items, v)
	}
	return value.FromList(items), true
}

func (p *literalParser) dict() (value.Value, bool) {
	m := value.NewMap(4)
	for !p.tok.Is("}") {
		k, ok := p.value()
		if !ok {
			return k, false
		}
		key, ok := value.KeyOf(k)
		if !ok || !p.accept(":") {
			return k, false
		}
		v, ok := p.value()
		if !ok || !p.accept(",") && !p.tok.Is("}") {
			return v, false
		}
		m.Set(key, v)
	}
	return value.FromMap(m), true
}
