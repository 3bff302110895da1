package filters

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// A formatter replaces the {fields} of str.format.
type formatter struct {
	c       *Ctx
	args    value.Args
	auto    int  // the next automatic index
	escapes bool // fields that are no HTML
}

// format formats as Python's str.format does: {} {0} {name} {0.attr} {0[key]}, with !r,
// !s and a specification such as {:>5} or {:{width}}. In HTML fields are escaped.
func (c *Ctx) format(in value.Value, args value.Args) (value.Value, error) {
	s, err := c.receiver(in)
	if err != nil {
		return value.Null, err
	}
	f := &formatter{c: c, args: args, escapes: in.IsHTML()}
	return f.run(s, 2)
}

// run formats s. depth is 2 for the format and 1 for a specification, whose fields may have none: {:{width}}, but not
// {:{w:{x}}}.
func (f *formatter) run(s string, depth int) (value.Value, error) {
	var b value.TextBuilder
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		if strings.HasPrefix(s, "{{") || strings.HasPrefix(s, "}}") {
			b.WriteString(s[:1])
			s = s[2:]
			continue
		}
		if s[0] == '}' {
			return value.Null, errors.New(`a single "}" in the format; write "}}"`)
		}
		end := value.ClosingBracket(s, '{', '}')
		if end < 0 || depth == 0 {
			return value.Null, errors.New(`a "{" in the format is never closed`)
		}
		if err := f.field(&b, s[1:end], depth); err != nil {
			return value.Null, err
		}
		if err := f.c.fits(b.Len()); err != nil {
			return value.Null, err
		}
		s = s[end+1:]
	}
	return b.Value(), nil
}

// field writes the value of a field; s is the text between the braces.
func (f *formatter) field(b *value.TextBuilder, s string, depth int) error {
	name, spec := s, ""
	bracket := strings.IndexByte(s, ']') + 1
	if i := strings.IndexByte(s[bracket:], ':'); i >= 0 {
		name, spec = s[:bracket+i], s[bracket+i+1:]
	}
	name, conversion, converted := strings.Cut(name, "!")
	v, err := f.lookup(name)
	if err != nil {
		return err
	}
	form, err := f.run(spec, depth-1)
	if err != nil {
		return err
	}
	if converted {
		if v, err = f.convert(v, conversion); err != nil {
			return err
		}
	}
	text, err := f.c.formatSpec(v, form.Str())
	if err != nil {
		return err
	}
	if f.escapes && depth == 2 && !v.IsHTML() {
		var plain value.TextBuilder
		if err := plain.WriteValue(v.Mark(form.Marks()), text); err != nil {
			return err
		}
		v = value.EscapeHTML(plain.Value())
		text = v.Str()
	}
	return b.WriteValue(v.Mark(form.Marks()), text)
}

// convert applies !s, !r or !a: !r is the text of the value as a literal of Python.
func (f *formatter) convert(v value.Value, conversion string) (value.Value, error) {
	text := f.c.text
	switch conversion {
	case "s":
	case "r", "a":
		text = f.c.repr
	default:
		return value.Null, fmt.Errorf("unknown conversion %q in the format", "!"+conversion)
	}
	s, err := text(v)
	if err != nil {
		return value.Null, err
	}
	var b value.TextBuilder
	err = b.WriteValue(v, s)
	return b.Value(), err
}

// lookup evaluates the name of a field: an argument, then attributes and keys: 0.name[key]. Each container adds its
// marks.
func (f *formatter) lookup(name string) (value.Value, error) {
	n := strings.IndexAny(name, ".[")
	if n < 0 {
		n = len(name)
	}
	v, err := f.argument(name[:n])
	for rest := name[n:]; rest != "" && err == nil; {
		var key string
		if rest[0] == '[' {
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return v, errors.New(`a "[" in the format is never closed`)
			}
			key, rest = rest[1:end], rest[end+1:]
		} else {
			rest = strings.TrimPrefix(rest, ".")
			n := strings.IndexAny(rest, ".[")
			if n < 0 {
				n = len(rest)
			}
			key, rest = rest[:n], rest[n:]
		}
		marks := v.Marks()
		v, err = attribute(v, key)
		if v.Is(value.UndefinedKind) && err == nil {
			err = reason(v)
		}
		v = v.Mark(marks)
	}
	return v, err
}

// argument returns an argument by its index or name. An empty name is the next index, as in "{} {}".
func (f *formatter) argument(name string) (value.Value, error) {
	if name == "" {
		name = strconv.Itoa(f.auto)
		f.auto++
	}
	if i, err := strconv.Atoi(name); err == nil {
		if i < 0 || i >= len(f.args.Pos) {
			return value.Null, fmt.Errorf("the format needs argument %d, got %d arguments", i, len(f.args.Pos))
		}
		return f.args.Pos[i], nil
	}
	for _, n := range f.args.Named {
		if n.Name == name {
			return n.Value, nil
		}
	}
	return value.Null, fmt.Errorf("the format needs the argument %q", name)
}

// A spec is [[fill]align][sign][#][0][width][,|_][.precision][type].
type spec struct {
	zero bool
	value.Field
	value.NumberFormat
}

func parseSpec(s string) (spec, error) {
	var sp spec
	whole := s
	// cut removes the first byte of s if it is one of chars; else it is 0.
	cut := func(chars string) (c byte) {
		if s != "" && strings.IndexByte(chars, s[0]) >= 0 {
			c, s = s[0], s[1:]
		}
		return c
	}
	if _, n := utf8.DecodeRuneInString(s); len(s) > n && strings.IndexByte("<>^=", s[n]) >= 0 {
		sp.Fill, s = s[:n], s[n:]
	}
	sp.Align = cut("<>^=")
	sp.Sign = cut("+- ")
	sp.Alt = cut("#") != 0
	sp.zero = cut("0") != 0
	if sp.zero && (sp.Align == 0 || sp.Fill == "") {
		sp.Fill = "0"
	}
	sp.Fill = cmp.Or(sp.Fill, " ")
	var err error
	if sp.Width, s, err = value.CutNumber(s, 0); err != nil {
		return sp, err
	}
	if c := cut(",_"); c != 0 {
		sp.Group = string(rune(c))
	}
	sp.Precision = -1
	if cut(".") != 0 {
		if sp.Precision, s, err = value.CutNumber(s, -1); err != nil || sp.Precision < 0 {
			return sp, fmt.Errorf("the format %q has no precision after the point", whole)
		}
	}
	sp.Verb = cut("bcdeEfFgGnosxX%")
	if s != "" {
		return sp, fmt.Errorf("unknown format %q", whole)
	}
	return sp, nil
}

// onlyPads reports whether the specification leaves the digits of a number as they are.
func (s spec) onlyPads() bool {
	return s.NumberFormat == value.NumberFormat{Precision: -1} && !s.zero && s.Align != '='
}

// formatSpec formats v by a specification.
func (c *Ctx) formatSpec(v value.Value, text string) (string, error) {
	if text == "" {
		return c.text(v)
	}
	sp, err := parseSpec(text)
	if err != nil {
		return "", err
	}
	var sign, s string
	align := byte('>')
	switch {
	case v.IsNumber() && sp.onlyPads():
		s, err = c.text(v)
	case v.IsNumber() || v.Is(value.BoolKind) && sp.Verb != 's':
		if sign, s, err = sp.Digits(v); sp.zero {
			align = '='
		}
	case sp.Verb != 0 && sp.Verb != 's':
		err = fmt.Errorf("the format %q wants a number, got %s", text, value.Article(v.Kind()))
	default:
		s, err = c.text(v)
		s, align = value.Clip(s, sp.Precision), '<'
	}
	if err != nil {
		return "", err
	}
	sp.Align = cmp.Or(sp.Align, align)
	if n := sp.Missing(sign, s); n > 0 {
		if err := c.reserveProduct(n, len(sp.Fill)); err != nil {
			return "", err
		}
	}
	return sp.Pad(sign, s), nil
}

// percentFilters is Jinja's format, which is the operator % of Python: {{ '%s has %d' | format(name, n) }}.
func percentFilters() []Func {
	return family("percent", joining(row("format", "Replaces %s, %d, %05.2f, %(name)s ... in a text by the arguments.",
		"{{ '%s-%03d' | format('a', 7) }}", `"a-007"`,
		with((*Ctx).text, percentFormat), variadic("args", Any), keywords("named"))))
}

func percentFormat(c *Ctx, s string, a Bound) (value.Value, error) {
	args := a.Rest()
	if len(a.Named()) > 0 {
		if len(args) > 0 {
			return value.Null, errors.New("takes arguments by position or by name, not both")
		}
		m := value.NewMap(len(a.Named()))
		for _, n := range a.Named() {
			m.Set(value.K(n.Name), n.Value)
		}
		args = []value.Value{value.FromMap(m)}
	}
	for _, arg := range args {
		if err := c.measure(arg); err != nil {
			return value.Null, err
		}
	}
	return value.Format(value.String(s), args)
}
