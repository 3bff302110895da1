package yay

import (
	"errors"
	"iter"
	"math"
	"math/big"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// textOf returns the string form of a scalar (spec: yay, section 3): the spelling of a
// number from a source, "null" for null, the form of Python for others. A list or a
// mapping is a type error.
func textOf(v value.Value, at source.Span) (string, error) {
	if v.Is(value.StringKind) {
		return v.Str(), nil
	}
	var room [32]byte
	text, err := appendText(room[:0], v, at)
	return string(text), err
}

// appendText appends the string form of a scalar. Integers have a limit, because the
// conversion of long ones takes more than linear time.
func appendText(to []byte, v value.Value, at source.Span) ([]byte, error) {
	if s := v.Source(); s != nil && s.Spelling != "" && v.IsNumber() {
		return append(to, s.Spelling...), nil
	}
	switch v.Kind() {
	case value.StringKind:
		return append(to, v.Str()...), nil
	case value.IntKind:
		if i, ok := v.Int(); ok {
			return strconv.AppendInt(to, i, 10), nil
		}
		const bitsPerDigit = 3
		if v.BigInt().BitLen() > scan.MaxDigits*bitsPerDigit {
			return to, source.Errorf(at, source.Limit, "an integer in a text would have more than %d digits", scan.MaxDigits)
		}
		return v.BigInt().Append(to, 10), nil
	case value.FloatKind:
		text, err := value.Repr(v)
		return append(to, text...), err
	case value.BoolKind:
		if v.Bool() {
			return append(to, "True"...), nil
		}
		return append(to, "False"...), nil
	case value.NullKind:
		return append(to, "null"...), nil
	}
	return to, wrongType(at, "a string", v)
}

// joinText concatenates literal parts and expressions, with the marks of all of them. It
// is a limit error if the text becomes too long.
func joinText(parts []Part, in surroundings) (value.Value, error) {
	ev := evaluator{in: in}
	t := textJoin{max: in.MaxText()}
	for i := range parts {
		var err error
		if p := &parts[i]; p.Node != nil {
			err = t.addNode(ev, p.Node)
		} else {
			err = t.addText(p.Text, p.At)
		}
		if err != nil {
			return value.Null, err
		}
	}
	v := t.value()
	return v, ev.charge(len(v.Str()), source.Span{})
}

// concat joins the parts of the name of "% import".
func (ev evaluator) concat(n *expr.Concat) (value.Value, error) {
	t := textJoin{max: ev.in.MaxText()}
	for _, p := range n.Parts {
		if err := t.addNode(ev, p); err != nil {
			return value.Null, err
		}
	}
	return t.value(), nil
}

// A textJoin concatenates texts. It collects plain bytes until the first part that has
// marks; from then on a builder keeps track of the marked ranges.
type textJoin struct {
	max   int
	room  [64]byte
	plain []byte
	parts *value.TextBuilder
}

// addNode evaluates an expression and appends its string form.
func (t *textJoin) addNode(ev evaluator, n expr.Node) error {
	v, err := ev.operand(n)
	if err == nil {
		err = t.add(v, n.Span())
	}
	return err
}

// add appends the string form of a scalar.
func (t *textJoin) add(v value.Value, at source.Span) error {
	if v.Marks() == 0 && t.parts == nil {
		if v.Is(value.StringKind) {
			return t.addText(v.Str(), at)
		}
		if t.plain == nil {
			t.plain = t.room[:0]
		}
		text, err := appendText(t.plain, v, at)
		if err != nil {
			return err
		}
		t.plain = text
		return t.grow(0, at)
	}
	text, err := textOf(v, at)
	if err != nil {
		return err
	}
	if err := t.grow(len(text), at); err != nil {
		return err
	}
	if t.parts == nil {
		t.parts = &value.TextBuilder{}
		t.parts.WriteString(string(t.plain))
	}
	return t.parts.WriteValue(v, text)
}

// addText appends a text without marks.
func (t *textJoin) addText(s string, at source.Span) error {
	if err := t.grow(len(s), at); err != nil {
		return err
	}
	if t.parts != nil {
		t.parts.WriteString(s)
		return nil
	}
	if t.plain == nil {
		t.plain = t.room[:0]
	}
	t.plain = append(t.plain, s...)
	return nil
}

// grow returns an error if n more bytes would make the text too long.
func (t *textJoin) grow(n int, at source.Span) error {
	size := len(t.plain)
	if t.parts != nil {
		size = t.parts.Len()
	}
	if size+n > t.max {
		return tooLong(at, t.max)
	}
	return nil
}

func tooLong(at source.Span, limit int) error {
	return source.Errorf(at, source.Limit, "a text would be longer than %d bytes", limit)
}

// value returns the text. Braces in it are not a template.
func (t *textJoin) value() value.Value {
	if t.parts != nil {
		return t.parts.Value().Verbatim()
	}
	return value.String(string(t.plain)).Verbatim()
}

// bytesPerStep is the number of bytes that a function can process in the time of a step.
const bytesPerStep = 64

// changedPerStep is the number of bytes of a text that a function changes in a step, and matchSteps the
// cost of a match or of a piece.
const (
	changedPerStep = 8
	matchSteps     = 8
)

// texts returns the arguments, which are scalars, as texts.
func (c *builtinCall) texts() ([]string, error) {
	out := make([]string, len(c.args))
	for i := range c.args {
		s, err := c.text(i)
		if err != nil {
			return nil, err
		}
		out[i] = s
		if err := c.step(1 + len(s)/changedPerStep); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func replaceText(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	text, before, after := t[0], t[1], t[2]
	size := len(text) + strings.Count(text, before)*(len(after)-len(before))
	if size > c.in.MaxText() {
		return value.Null, tooLong(c.node.At, c.in.MaxText())
	}
	return c.made(strings.ReplaceAll(text, before, after)), nil
}

func stringOf(c *builtinCall) (value.Value, error) {
	if c.args[0].Is(value.StringKind) {
		return c.args[0], nil
	}
	s, err := c.text(0)
	return c.made(s), err
}

func loweredText(c *builtinCall) (value.Value, error) { return c.changed(strings.ToLower) }
func upperedText(c *builtinCall) (value.Value, error) { return c.changed(strings.ToUpper) }

// changed applies change to the argument.
func (c *builtinCall) changed(change func(string) string) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	return c.made(change(t[0])), nil
}

func integerOf(c *builtinCall) (value.Value, error) {
	v := c.args[0]
	if !v.Is(value.FloatKind) {
		i, err := asInteger(v, c.at(0))
		return i.WithoutSource().Mark(c.marks()), err
	}
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return value.Null, wrongType(c.at(0), "a finite number", v)
	}
	i, _ := big.NewFloat(f).Int(nil)
	return value.BigInt(i).Mark(c.marks()), nil
}

func floatOf(c *builtinCall) (value.Value, error) {
	v, err := asNumber(c.args[0], c.at(0))
	if err != nil {
		return value.Null, err
	}
	f := v.Float()
	if v.Is(value.IntKind) && math.IsInf(f, 0) {
		return value.Null, source.Errorf(c.at(0), source.BadValue, "the integer is too large for a float")
	}
	return value.Float(f).Mark(c.marks()), nil
}

func joinItems(c *builtinCall) (value.Value, error) {
	if !c.args[0].Is(value.ListKind) && !c.args[0].Is(value.MapKind) {
		return value.Null, wrongType(c.at(0), "a list", c.args[0]).WithHint("join(list, separator)")
	}
	between := value.String("")
	if len(c.args) == 2 {
		between = c.args[1]
		if _, err := c.text(1); err != nil {
			return value.Null, err
		}
	}
	t := textJoin{max: c.in.MaxText()}
	first := true
	err := c.each(0, func(item value.Value) error {
		if !first {
			if err := t.add(between, c.node.At); err != nil {
				return err
			}
		}
		first = false
		return t.add(item, c.at(0))
	})
	return t.value().Mark(c.args[0].Marks()), err
}

func splitText(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	var pieces iter.Seq[string]
	switch {
	case len(t) == 1:
		pieces = strings.FieldsSeq(t[0])
	case t[1] == "":
		return value.Null, source.Errorf(c.at(1), source.WrongType, "expected a string that is not empty as the separator")
	default:
		pieces = strings.SplitSeq(t[0], t[1])
	}
	most := c.in.MaxText() / bytesPerPiece
	items := value.Slice{}
	for p := range pieces {
		if len(items) == most {
			return value.Null, source.Errorf(c.node.At, source.Limit, "a list would have more than %d items", most)
		}
		if err := c.step(matchSteps); err != nil {
			return value.Null, err
		}
		items = append(items, c.made(p))
	}
	return value.FromList(items).Mark(c.marks()), nil
}

// bytesPerPiece is the size of a piece of a text in relation to the limit of texts.
const bytesPerPiece = 32

// substitute is sub(pattern, replacement, text), with regular expressions of RE2 and
// replacements of Python (spec: yay, section 4.6).
func substitute(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	re, err := patterns.compile(t[0])
	if err != nil {
		return value.Null, c.badPattern(err)
	}
	if err := c.step(1 + re.Steps(len(t[2]))); err != nil {
		return value.Null, err
	}
	pieces, err := parseReplacement(t[1], re.Regexp)
	if err != nil {
		d := source.Errorf(c.at(1), source.WrongType, "expected a replacement: %s", err)
		if c.args[1].Marks() != 0 || isSecret(c.at(1)) {
			d.Message = "expected a replacement: the string is not one"
		}
		return value.Null, d
	}
	return c.replaceMatches(re.Regexp, pieces, t[2])
}

// The memory of a match and of each of its groups.
const (
	bytesPerMatch = 24
	bytesPerGroup = 16
)

func (c *builtinCall) replaceMatches(re *regexp.Regexp, pieces []replacementPiece, text string) (value.Value, error) {
	most := c.in.MaxText() / (bytesPerMatch + bytesPerGroup*(re.NumSubexp()+1))
	matches := re.FindAllStringSubmatchIndex(text, most+1)
	if len(matches) > most {
		return value.Null, source.Errorf(c.node.At, source.Limit, "the pattern has more than %d matches", most)
	}
	var b strings.Builder
	end := 0
	for _, m := range matches {
		b.WriteString(text[end:m[0]])
		end = m[1]
		for _, p := range pieces {
			b.WriteString(p.literal)
			if p.literal == "" && m[2*p.group] >= 0 {
				b.WriteString(text[m[2*p.group]:m[2*p.group+1]])
			}
		}
		if err := c.step(matchSteps * (1 + len(pieces))); err != nil {
			return value.Null, err
		}
		if b.Len()+len(text)-end > c.in.MaxText() {
			return value.Null, tooLong(c.node.At, c.in.MaxText())
		}
	}
	b.WriteString(text[end:])
	return c.made(b.String()), nil
}

// badPattern returns the error of a pattern. It shows no secret.
func (c *builtinCall) badPattern(err error) error {
	d := source.Errorf(c.at(0), source.WrongType, "expected a regular expression: the string is not one")
	var bad *syntax.Error
	if !errors.As(err, &bad) || c.args[0].Marks() != 0 || isSecret(c.at(0)) {
		return d
	}
	d.Message = "expected a regular expression: " + bad.Code.String() + " " + strconv.Quote(shorten(bad.Expr))
	switch bad.Code {
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidNamedCapture:
		return d.WithHint("patterns are those of RE2: without lookahead, lookbehind and references to groups")
	}
	return d
}

// A replacementPiece is a literal text, or a reference to a group if the text is empty.
type replacementPiece struct {
	literal string
	group   int
}

// parseReplacement reads a replacement as in Python: \1, \g<1>, \g<name>, \\ and the
// escapes of control characters.
func parseReplacement(s string, re *regexp.Regexp) ([]replacementPiece, error) {
	var pieces []replacementPiece
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			pieces = append(pieces, replacementPiece{literal: s[:i]})
			s = s[i:]
			continue
		}
		p, n, err := parseEscape(s, re)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, p)
		s = s[n:]
	}
	return pieces, nil
}

// parseEscape reads the escape at the start of s and returns its length.
func parseEscape(s string, re *regexp.Regexp) (replacementPiece, int, error) {
	if len(s) == 1 {
		return replacementPiece{}, 0, errors.New("it ends with a backslash")
	}
	if s[1] == 'g' {
		name, _, ok := strings.Cut(strings.TrimPrefix(s, `\g<`), ">")
		if !ok || !strings.HasPrefix(s, `\g<`) {
			return replacementPiece{}, 0, errors.New(`write a group as \g<name>`)
		}
		n := len(`\g<>`) + len(name)
		if i := re.SubexpIndex(name); i >= 0 {
			return replacementPiece{group: i}, n, nil
		}
		p, err := numberedGroup(name, re)
		return p, n, err
	}
	if s[1] >= '1' && s[1] <= '9' {
		n := 2
		if len(s) > 2 && s[2] >= '0' && s[2] <= '9' {
			n = 3
		}
		p, err := numberedGroup(s[1:n], re)
		return p, n, err
	}
	if i := strings.IndexByte(`\nrtabfv0`, s[1]); i >= 0 {
		return replacementPiece{literal: "\\\n\r\t\a\b\f\v\x00"[i : i+1]}, 2, nil
	}
	if s[1] >= 'a' && s[1] <= 'z' || s[1] >= 'A' && s[1] <= 'Z' {
		return replacementPiece{}, 0, errors.New(strconv.Quote(s[:2]) + " is not an escape")
	}
	return replacementPiece{literal: s[:2]}, 2, nil
}

func numberedGroup(digits string, re *regexp.Regexp) (replacementPiece, error) {
	i, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || int(i) > re.NumSubexp() {
		return replacementPiece{}, errors.New("the pattern has no group " + strconv.Quote(shorten(digits)))
	}
	return replacementPiece{group: int(i)}, nil
}

// A patternCache caches compiled patterns for calls in loops.
type patternCache struct {
	lock sync.Mutex
	done map[string]*value.Regexp
}

const (
	maxPatterns      = 100
	maxCachedPattern = 1000 // bytes
)

var patterns patternCache

func (c *patternCache) compile(text string) (*value.Regexp, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if p, ok := c.done[text]; ok {
		return p, nil
	}
	p, err := value.CompileRegexp(text)
	if err != nil {
		return nil, err
	}
	if len(text) > maxCachedPattern {
		return p, nil
	}
	if c.done == nil || len(c.done) == maxPatterns {
		c.done = map[string]*value.Regexp{}
	}
	c.done[strings.Clone(text)] = p
	return p, nil
}
