package value

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format formats args as Python's "%" operator does: %s %r %d %i %u %x %o %e %f %g
// %c %%, with flags, width and precision, "*" for either, and %(key)s when the only
// argument is a map. A format with one directive takes a whole list as its argument.
//
// The result has the marks of the format and of everything in the arguments, and
// arguments that are secret are its secret parts.
func Format(format Value, args []Value) (Value, error) {
	pieces, err := parsePercent(format.Str())
	if err != nil {
		return Null, err
	}
	marks, err := DeepMarks(ListOf(args...))
	if err != nil {
		return Null, err
	}
	p := percentPrinter{args: args, decisive: format.marks}
	directives := 0
	for _, d := range pieces {
		if d.verb != 0 && d.verb != '%' {
			directives++
		}
	}
	if directives == 1 && len(args) != 1 && len(args) > 0 && !anyStar(pieces) {
		p.args = []Value{ListOf(args...)}
	}
	if err := p.print(pieces); err != nil {
		return Null, err
	}
	return p.b.Value().MarkParts(marks).Mark(p.decisive), nil
}

// A directive is one piece of a format: literal text (verb 0) or a conversion.
type directive struct {
	text             string
	key              string
	keyed            bool
	minus, plus      bool
	space, zero, alt bool
	width, prec      int // -1: none, -2: taken from the arguments
	verb             byte
}

const (
	noNumber   = -1
	starNumber = -2
)

func anyStar(ds []directive) bool {
	for _, d := range ds {
		if d.width == starNumber || d.prec == starNumber {
			return true
		}
	}
	return false
}

func parsePercent(s string) ([]directive, error) {
	var out []directive
	for s != "" {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			out = append(out, directive{text: s[:i]})
			s = s[i:]
			continue
		}
		d, rest, err := parseDirective(s[1:])
		if err != nil {
			return nil, err
		}
		out = append(out, d)
		s = rest
	}
	return out, nil
}

func parseDirective(s string) (d directive, rest string, err error) {
	if strings.HasPrefix(s, "(") {
		end := closingParen(s)
		if end < 0 {
			return d, "", errors.New(`incomplete format: "%(" is never closed`)
		}
		d.keyed, d.key, s = true, s[1:end], s[end+1:]
	}
	for s != "" && d.flag(s[0]) {
		s = s[1:]
	}
	if d.width, s, err = formatNumber(s); err != nil {
		return d, "", err
	}
	d.prec = noNumber
	if strings.HasPrefix(s, ".") {
		if d.prec, s, err = formatNumber(s[1:]); err != nil {
			return d, "", err
		}
		if d.prec == noNumber {
			d.prec = 0
		}
	}
	s = strings.TrimLeft(s, "hlL")
	if s == "" {
		return d, "", errors.New(`incomplete format: "%" at the end needs a letter; write "%%" for a percent sign`)
	}
	d.verb = s[0]
	if !strings.ContainsRune("sradiuxXoeEfFgGc%", rune(d.verb)) {
		r, _ := utf8.DecodeRuneInString(s)
		return d, "", fmt.Errorf("unknown format %q; write \"%%%%\" for a percent sign", "%"+string(r))
	}
	return d, s[1:], nil
}

func closingParen(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (d *directive) flag(c byte) bool {
	switch c {
	case '-':
		d.minus = true
	case '+':
		d.plus = true
	case ' ':
		d.space = true
	case '0':
		d.zero = true
	case '#':
		d.alt = true
	default:
		return false
	}
	return true
}

func formatNumber(s string) (n int, rest string, err error) {
	if strings.HasPrefix(s, "*") {
		return starNumber, s[1:], nil
	}
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 {
		return noNumber, s, nil
	}
	if n, err = strconv.Atoi(s[:i]); err != nil || n > maxResult {
		return 0, "", &LimitError{"text", maxResult}
	}
	return n, s[i:], nil
}

type percentPrinter struct {
	args     []Value
	next     int
	keyed    bool
	b        TextBuilder
	decisive Marks // of what shapes all of the result
}

func (p *percentPrinter) print(pieces []directive) error {
	for _, d := range pieces {
		if err := p.piece(d); err != nil {
			return err
		}
	}
	single := len(p.args) == 1 && p.args[0].kind == MapKind
	if p.next < len(p.args) && !p.keyed && !(single && p.next == 0) {
		return fmt.Errorf("the format uses %d arguments, got %d", p.next, len(p.args))
	}
	return nil
}

func (p *percentPrinter) piece(d directive) error {
	switch d.verb {
	case 0:
		return p.write(Null, d.text)
	case '%':
		return p.write(Null, "%")
	}
	if err := p.stars(&d); err != nil {
		return err
	}
	arg, err := p.argument(d)
	if err != nil {
		return err
	}
	body, numeric, err := d.convert(arg)
	if err != nil {
		return err
	}
	return p.write(arg, d.pad(body, numeric))
}

// write adds text that was made from v.
func (p *percentPrinter) write(v Value, text string) error {
	if p.b.Len()+len(text) > maxResult {
		return &LimitError{"text", maxResult}
	}
	return p.b.WriteValue(v, text)
}

func (p *percentPrinter) stars(d *directive) error {
	for _, n := range []*int{&d.width, &d.prec} {
		if *n != starNumber {
			continue
		}
		v, err := p.take()
		if err != nil {
			return err
		}
		p.decisive |= v.marks
		i, ok := asNumber(v).Int()
		if !ok {
			return fmt.Errorf(`"*" in a format wants an integer, got %s`, Article(v.kind))
		}
		if i < 0 && n == &d.width {
			d.minus, i = true, -i
		}
		if i < 0 || i > maxResult {
			return &LimitError{"text", maxResult}
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

func (d directive) convert(v Value) (s string, numeric bool, err error) {
	switch d.verb {
	case 's':
		s, err = Text(v)
		return d.clip(s), false, err
	case 'r', 'a':
		s, err = Repr(v)
		return d.clip(s), false, err
	case 'c':
		s, err = oneCharacter(v)
		return s, false, err
	case 'd', 'i', 'u':
		s, err = d.integer(v, 10)
	case 'x', 'X':
		s, err = d.integer(v, 16)
	case 'o':
		s, err = d.integer(v, 8)
	default:
		s, err = d.float(v)
	}
	return s, true, err
}

func (d directive) clip(s string) string {
	if d.prec < 0 {
		return s
	}
	n := 0
	for i := range s {
		if n == d.prec {
			return s[:i]
		}
		n++
	}
	return s
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

func (d directive) integer(v Value, base int) (string, error) {
	n := asNumber(v)
	if n.kind == FloatKind && base == 10 && !math.IsInf(n.Float(), 0) && !math.IsNaN(n.Float()) {
		i, _ := new(big.Float).SetFloat64(math.Trunc(n.Float())).Int(nil)
		n = BigInt(i)
	}
	if n.kind != IntKind {
		return "", fmt.Errorf("the format %q wants an integer, got %s", "%"+string(d.verb), Article(v.kind))
	}
	i := n.BigInt()
	digits := new(big.Int).Abs(i).Text(base)
	if d.verb == 'X' {
		digits = strings.ToUpper(digits)
	}
	if pad := d.prec - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	if d.alt && base != 10 {
		digits = map[byte]string{'x': "0x", 'X': "0X", 'o': "0o"}[d.verb] + digits
	}
	return d.sign(i.Sign() < 0) + digits, nil
}

func (d directive) float(v Value) (string, error) {
	n := asNumber(v)
	if !n.IsNumber() {
		return "", fmt.Errorf("the format %q wants a number, got %s", "%"+string(d.verb), Article(v.kind))
	}
	prec := d.prec
	if prec < 0 {
		prec = 6
	}
	if prec > 1000 {
		return "", &LimitError{"precision", 1000}
	}
	f := n.Float()
	s := strings.TrimLeft(strconv.FormatFloat(math.Abs(f), d.verb|0x20, prec, 64), "+")
	if d.verb < 'a' {
		s = strings.ToUpper(s)
	} else {
		s = strings.ToLower(s)
	}
	return d.sign(math.Signbit(f) && !math.IsNaN(f)) + s, nil
}

func (d directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

func (d directive) pad(s string, numeric bool) string {
	n := d.width - utf8.RuneCountInString(s)
	switch {
	case n <= 0:
		return s
	case d.minus:
		return s + strings.Repeat(" ", n)
	case d.zero && numeric:
		sign := len(s) - len(strings.TrimLeft(s, "+- "))
		if strings.HasPrefix(s[sign:], "0x") || strings.HasPrefix(s[sign:], "0X") || strings.HasPrefix(s[sign:], "0o") {
			sign += 2
		}
		return s[:sign] + strings.Repeat("0", n) + s[sign:]
	}
	return strings.Repeat(" ", n) + s
}
