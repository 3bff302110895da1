package schema

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Violation is a part of a value that a schema does not allow. Its texts quote no value, but keys
// and what the schema says. Of a secret map or list they do not tell the keys inside either.
type Violation struct {
	Path    value.Path // of the part
	Key     bool       // its last key is at fault, not its value
	Message string
	Hint    string

	Schema *Document  // the document of the schema
	At     value.Path // the keyword in it

	keyword string
}

// Place returns the place of the keyword in the text of the schema.
func (v *Violation) Place() source.Span { return v.Schema.place(v.At) }

// A sink receives violations. The nil sink drops them: its caller only asks whether a value is valid.
type sink struct {
	visit func(Violation) bool
	done  bool
}

// A message has "%s" for the place, and one for arg if that is not empty.
type message struct {
	format, arg string
	subject     string // in place of the path: a key
	hint        string
}

var notAllowed = message{format: "the schema does not allow %s"}

// found reports a violation of a keyword of n at l. It returns false: the value is not valid.
func (s *sink) found(n *node, l *location, word string, m message) bool {
	return s.report(n, l, word, m, false)
}

// keyFound is found for a key.
func (s *sink) keyFound(n *node, l *location, word string, m message) bool {
	return s.report(n, l, word, m, true)
}

func (s *sink) report(n *node, l *location, word string, m message, key bool) bool {
	if s == nil || s.done {
		return false
	}
	v := Violation{Path: l.path(), Key: key, Schema: n.doc, At: n.at, Hint: m.hint, keyword: word}
	if word != "" {
		v.At = n.below(value.K(word))
	}
	subject := "the document"
	if len(v.Path) > 0 {
		subject = v.Path.String()
	}
	switch {
	case l != nil && l.hidden:
		subject, v.Hint, v.Key = "a value in "+subject, "", false
	case m.subject != "":
		subject = quote(m.subject)
	}
	v.Message = fmt.Sprintf(m.format, subject)
	if m.arg != "" {
		v.Message = fmt.Sprintf(m.format, subject, m.arg)
	}
	s.done = !s.visit(v)
	return false
}

// wrongType reports a value of a type that is not allowed.
func (s *sink) wrongType(n *node, l *location, word string, v value.Value, allowed types) bool {
	if s == nil {
		return false
	}
	m := message{format: "%s is " + article(typesOf(v), false) + "; the schema allows %s", arg: article(allowed, true)}
	if v.Is(value.StringKind) && v.Marks() == 0 {
		switch text := v.Str(); {
		case allowed&(isInteger|isNumber) != 0 && value.SpellsNumber(text):
			m.hint = "without quotes it is a number"
		case allowed&isBoolean != 0 && (text == "true" || text == "false"):
			m.hint = "without quotes it is a boolean"
		}
	}
	if v.Is(value.IntKind) || v.Is(value.FloatKind) || v.Is(value.BoolKind) {
		if allowed&isString != 0 {
			m.hint = "in quotes it is a text"
		}
	}
	return s.found(n, l, word, m)
}

// inWords are the types in the order of their bits.
var inWords = []string{"a list", "a boolean", "an integer", "null", "a number", "a map", "a text"}

// article returns types in words. Of a value, an integer is a number.
func article(t types, all bool) string {
	if !all && t&isInteger != 0 {
		t = isNumber
	}
	if all && t&isNumber != 0 {
		t &^= isInteger
	}
	var words []string
	for i, word := range inWords {
		if t&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	if !all && t == isNumber {
		return "a number"
	}
	return listed(words)
}

// listed joins words as in "a, b or c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// maxShown is the number of allowed values that a message lists.
const maxShown = 6

// noneOf returns the message about a value that is none of the allowed ones.
func (c *checking) noneOf(allowed []value.Value) message {
	m := message{format: "%s is not one of the values that the schema allows"}
	var words []string
	for _, a := range allowed[:min(len(allowed), maxShown)] {
		if k, ok := value.KeyOf(a); ok && a.Is(value.StringKind) {
			words = append(words, quote(k.Text))
		} else if ok {
			words = append(words, k.Text)
		}
	}
	switch {
	case len(words) != len(allowed):
	case len(words) == 1:
		m = message{format: "%s is not %s, the only value that the schema allows", arg: words[0]}
	case len(words) > 1:
		m.hint = "it allows " + listed(words)
	}
	if !c.v.Is(value.StringKind) || c.v.Marks() != 0 || len(allowed) == 1 {
		return m
	}
	near := c.suggest(c.v.Str(), func(yield func(string) bool) {
		for _, a := range allowed {
			if a.Is(value.StringKind) && !yield(a.Str()) {
				return
			}
		}
	})
	if near != "" {
		m.hint = "did you mean " + quote(near) + "?"
	}
	return m
}

// numberMessage returns the message about a number beyond a limit.
func numberMessage(word string, limit value.Value) message {
	text, err := value.Text(limit)
	if err != nil {
		text = "of the schema"
	}
	formats := map[string]string{
		"minimum": "%s is below the minimum, %s", "exclusiveMinimum": "%s is not above %s",
		"maximum": "%s is above the maximum, %s", "exclusiveMaximum": "%s is not below %s",
		"multipleOf": "%s is no multiple of %s",
	}
	return message{format: formats[word], arg: text}
}

// missing returns the message about a key that is missing, with a key of the map that may be meant.
func missing(c *checking, name, because string) message {
	m := message{format: "%s has no key %s", arg: quote(name) + ", which the schema requires"}
	if because != "" {
		m.arg = quote(name) + ", which the key " + quote(because) + " requires"
	}
	if c.v.Marks() != 0 {
		return m
	}
	if near := c.suggest(name, value.KeyTexts(value.Public(c.v).Map())); near != "" && c.n.properties[near] == nil {
		m.hint = "is it the key " + quote(near) + "?"
	}
	return m
}

// unknownKey reports a key that is not allowed.
func (c *checking) unknownKey(n *node, l *location, word, name string) {
	if c.ok = false; c.out == nil {
		return
	}
	m := message{format: "the schema has no key %s", subject: name}
	if path := c.l.path(); len(path) > 0 {
		m.format, m.arg = "the schema has no key %s in %s", path.String()
	}
	if near := c.suggest(name, c.n.propertyNames(nil)); near != "" {
		m.hint = "did you mean " + quote(near) + "?"
	}
	c.out.keyFound(n, l, word, m)
}

// maxCandidates bounds the names that are looked at for near ones, for all violations.
const maxCandidates = 200_000

// suggest returns a near name, "" for none, or if there are too many candidates.
func (c *checking) suggest(name string, candidates iter.Seq[string]) string {
	return source.Suggest(name, func(yield func(string) bool) {
		for name := range candidates {
			if c.near++; c.near > maxCandidates || !yield(name) {
				return
			}
		}
	})
}

// propertyNames yields the keys that n and the nodes that it applies to the same map know.
func (n *node) propertyNames(seen map[*node]bool) iter.Seq[string] {
	if seen == nil {
		seen = map[*node]bool{}
	}
	return func(yield func(string) bool) {
		if seen[n] {
			return
		}
		seen[n] = true
		for name := range n.properties {
			if !yield(name) {
				return
			}
		}
		for below := range n.sameValue() {
			for name := range below.propertyNames(seen) {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// How far alternatives are explained: violations of each, and alternatives inside of alternatives.
const (
	maxInside     = 8
	maxExplained  = 3
	stepsOfReport = 1000
)

func noAlternative(n int) message {
	return message{format: "%s satisfies none of %s of the schema", arg: "the " + strconv.Itoa(n) + " alternatives"}
}

// explainAlternatives reports why none of several alternatives is satisfied. If only one has the right
// types and constants, its violations are reported:
//
//	anyOf: [{type: integer}, {properties: {kind: {const: a}, x: {type: integer}}}, {properties: {kind: {const: b}}}]
//	{kind: a, x: text}    x is a text; the schema allows an integer
func (c *checking) explainAlternatives(word string, all []*node) error {
	if c.explaining >= maxExplained {
		c.violated(word, noAlternative(len(all)))
		return nil
	}
	c.explaining++
	defer func() { c.explaining-- }()
	var near [][]Violation
	var wanted types
	onlyTypes := true
	for _, n := range all {
		var inside []Violation
		collect := &sink{visit: func(v Violation) bool {
			inside = append(inside, v)
			return len(inside) < maxInside
		}}
		if _, err := c.check(n, c.v, c.l, collect, c.fresh()); err != nil {
			return err
		}
		if err := c.schema.charge(len(inside) * stepsOfReport); err != nil {
			return err
		}
		t := n.wantedTypes(0)
		if onlyTypes = onlyTypes && t != 0 && t&typesOf(c.v) == 0; onlyTypes {
			wanted |= t
		}
		if !slices.ContainsFunc(inside, func(v Violation) bool { return v.excludes(len(c.l.path())) }) {
			near = append(near, inside)
		}
	}
	switch {
	case onlyTypes:
		c.out.wrongType(c.n, c.l, word, c.v, wanted)
		return nil
	case len(near) != 1:
		m := noAlternative(len(all))
		if len(near) > 1 && len(near[0]) > 0 && (c.l == nil || !c.l.hidden) {
			m.hint = "of one: " + near[0][0].Message
		}
		c.violated(word, m)
		return nil
	}
	for _, v := range near[0] {
		if c.out.done {
			break
		}
		c.out.done = !c.out.visit(v)
	}
	return nil
}

// wantedTypes returns the types that n, or the node that it refers to, allows; 0 for any.
func (n *node) wantedTypes(depth int) types {
	if n.types == 0 && n.ref != nil && depth < 10 {
		return n.ref.target.wantedTypes(depth + 1)
	}
	return n.types
}

// excludes reports whether an alternative was not meant: the value, whose path has so many keys, is of
// another type, or it or one of its own values is none of the constants.
func (v Violation) excludes(keys int) bool {
	depth := len(v.Path) - keys
	switch v.keyword {
	case "", "type", "not":
		return depth <= 0
	case "const", "enum":
		return depth <= 1
	}
	return false
}

func tooDeep() error {
	return source.Errorf(source.Span{}, source.Limit, "more than %d parts of the schema and the document are nested", maxDepth)
}

// counted returns a number with a unit.
func counted(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

// maxQuoted is the length from which on texts of a schema are cut in messages.
const maxQuoted = 200

func cut(text string) string { return source.Cut(text, maxQuoted) }

func quote(text string) string { return strconv.Quote(cut(text)) }
