package value

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Format formats args as Python's "%" operator does: %s %r %d %i %u %x %o %e %f %g
// %c %%, with flags, width and precision, "*" for either, and %(key)s when the only
// argument is a map. Arguments that no directive uses are an error.
//
// The result has the marks of the format and of everything in the arguments, and
// arguments that are secret are its secret parts.
func Format(format Value, args []Value) (Value, error) {
	directives, err := parsePercent(format.Str())
	if err != nil {
		return Null, err
	}
	marks, err := DeepMarks(ListOf(args...))
	if err != nil {
		return Null, err
	}
	p := percentPrinter{args: args, decisive: format.marks}
	if err := p.print(directives); err != nil {
		return Null, err
	}
	return p.b.Value().MarkParts(marks).Mark(p.decisive), nil
}

// takesOne reports whether a format uses one argument: it has one directive without "*".
func takesOne(format string) bool {
	directives, err := parsePercent(format)
	if err != nil {
		return false // Format tells why
	}
	conversions := 0
	for _, d := range directives {
		if d.Width == starNumber || d.Precision == starNumber {
			return false
		}
		if d.Verb != 0 && d.Verb != '%' {
			conversions++
		}
	}
	return conversions == 1
}

// A directive is one piece of a format: literal text (verb 0) or a conversion.
type directive struct {
	text  string
	key   string
	keyed bool
	zero  bool
	Field
	NumberFormat
}

// Widths and precisions of a directive that has no number for them.
const (
	noNumber   = -1
	starNumber = -2 // taken from the arguments
)

func parsePercent(s string) ([]directive, error) {
	var out []directive
	for s != "" {
		text, rest, found := strings.Cut(s, "%")
		if text != "" {
			out = append(out, directive{text: text})
		}
		if !found {
			break
		}
		d, rest, err := parseDirective(rest)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
		s = rest
	}
	return out, nil
}

// parseDirective reads a directive without its "%".
func parseDirective(s string) (d directive, rest string, err error) {
	if strings.HasPrefix(s, "(") {
		end := ClosingBracket(s, '(', ')')
		if end < 0 {
			return d, "", errors.New(`incomplete format: "%(" is never closed`)
		}
		d.keyed, d.key, s = true, s[1:end], s[end+1:]
	}
	for s != "" && d.flag(s[0]) {
		s = s[1:]
	}
	if d.Width, s, err = widthOrStar(s); err != nil {
		return d, "", err
	}
	d.Precision = noNumber
	if strings.HasPrefix(s, ".") {
		if d.Precision, s, err = widthOrStar(s[1:]); err != nil {
			return d, "", err
		}
		if d.Precision == noNumber {
			d.Precision = 0
		}
	}
	s = strings.TrimLeft(s, "hlL")
	if s == "" {
		return d, "", errors.New(`incomplete format: "%" at the end needs a letter; write "%%" for a percent sign`)
	}
	d.Verb = s[0]
	if !strings.ContainsRune("sradiuxXoeEfFgGc%", rune(d.Verb)) {
		r, _ := utf8.DecodeRuneInString(s)
		return d, "", fmt.Errorf("unknown format %q; write \"%%%%\" for a percent sign", "%"+string(r))
	}
	return d, s[1:], nil
}

// flag sets what the flag c says. It reports whether c is a flag.
func (d *directive) flag(c byte) bool {
	switch c {
	case '-':
		d.Align = '<'
	case '+':
		d.Sign = '+'
	case ' ':
		if d.Sign == 0 {
			d.Sign = ' '
		}
	case '0':
		d.zero = true
	case '#':
		d.Alt = true
	default:
		return false
	}
	return true
}

func widthOrStar(s string) (n int, rest string, err error) {
	if strings.HasPrefix(s, "*") {
		return starNumber, s[1:], nil
	}
	return CutNumber(s, noNumber)
}

type percentPrinter struct {
	args     []Value
	next     int
	keyed    bool
	b        TextBuilder
	decisive Marks // of the arguments that shape all of the result
}

func (p *percentPrinter) print(directives []directive) error {
	for _, d := range directives {
		arg, text := Null, d.text
		switch d.Verb {
		case 0:
		case '%':
			text = "%"
		default:
			err := p.stars(&d)
			if err == nil {
				arg, err = p.argument(d)
			}
			if err == nil {
				text, err = d.convert(arg)
			}
			if err != nil {
				return err
			}
		}
		if p.b.Len()+len(text) > maxResult {
			return &LimitError{What: "text", Max: maxResult}
		}
		if err := p.b.WriteValue(arg, text); err != nil {
			return err
		}
	}
	single := len(p.args) == 1 && p.args[0].kind == MapKind
	if p.next < len(p.args) && !p.keyed && !(single && p.next == 0) {
		return fmt.Errorf("the format uses %d of the %d arguments", p.next, len(p.args))
	}
	return nil
}

// stars replaces each "*" of d by the next argument.
func (p *percentPrinter) stars(d *directive) error {
	for _, n := range []*int{&d.Width, &d.Precision} {
		if *n != starNumber {
			continue
		}
		v, err := p.take()
		if err != nil {
			return err
		}
		p.decisive |= v.marks
		i, ok := AsNumber(v).Int()
		if !ok {
			return fmt.Errorf(`"*" in a format wants an integer, got %s`, Article(v.kind))
		}
		if i < 0 && n == &d.Width {
			d.Align, i = '<', -i
		}
		if i < 0 || i > maxResult {
			return &LimitError{What: "text", Max: maxResult}
		}
		*n = int(i)
	}
	return nil
}

func (p *percentPrinter) take() (Value, error) {
	if p.next >= len(p.args) {
		return Null, fmt.Errorf("the format needs more than %d arguments", len(p.args))
	}
	p.next++
	return p.args[p.next-1], nil
}

func (p *percentPrinter) argument(d directive) (Value, error) {
	if !d.keyed {
		return p.take()
	}
	if len(p.args) != 1 || p.args[0].kind != MapKind {
		return Null, fmt.Errorf("the format %q wants a map", "%("+d.key+")")
	}
	p.keyed = true
	v, ok, err := p.args[0].Map().Get(K(d.key))
	if err == nil && !ok {
		err = fmt.Errorf("the format needs the key %q, which the map does not have", d.key)
	}
	return v.Mark(p.args[0].marks), err
}

// convert writes v, filled up to the width.
func (d directive) convert(v Value) (string, error) {
	var sign, text string
	var err error
	d.Fill = " "
	switch d.Verb {
	case 's':
		text, err = Text(v)
		text = Clip(text, d.Precision)
	case 'r', 'a':
		text, err = Repr(v)
		text = Clip(text, d.Precision)
	case 'c':
		text, err = oneCharacter(v)
	default:
		if d.zero && d.Align == 0 {
			d.Align, d.Fill = '=', "0"
		}
		d.MinDigits = d.Precision
		sign, text, err = d.Digits(d.truncated(v))
	}
	return d.Pad(sign, text), err
}

// truncated returns a float without its decimals, if d writes decimal integers.
func (d directive) truncated(v Value) Value {
	f := v.Float()
	if v.kind != FloatKind || strings.IndexByte("diu", d.Verb) < 0 || math.IsInf(f, 0) || math.IsNaN(f) {
		return v
	}
	i, _ := new(big.Float).SetFloat64(math.Trunc(f)).Int(nil)
	return BigInt(i)
}

func oneCharacter(v Value) (string, error) {
	if v.kind == StringKind && utf8.RuneCountInString(v.Str()) == 1 {
		return v.Str(), nil
	}
	if i, ok := v.Int(); ok && i >= 0 && i <= utf8.MaxRune {
		return string(rune(i)), nil
	}
	return "", errors.New(`the format "%c" wants an integer or a text of one character`)
}
