package filters

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// A formatter fills the {fields} of str.format.
type formatter struct {
	c    *Ctx
	args value.Args
	auto int // the next automatic index
}

// format fills a text as Python's str.format does: {} {0} {name} {0.attr} {0[key]}
// with !r and !s, and specifications behind a colon.
func (c *Ctx) format(s string, args value.Args) (value.Value, error) {
	f := &formatter{c: c, args: args}
	return f.run(s, 2)
}

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
		end := closingBrace(s)
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

func closingBrace(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// field writes what stands between braces.
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
	return b.WriteValue(v.Mark(form.Marks()), text)
}

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
	fill             string
	align, sign      byte
	alt, zero        bool
	width, precision int
	group            string
	verb             byte
}

func parseSpec(s string) (spec, error) {
	sp := spec{precision: -1}
	whole := s
	if _, n := utf8.DecodeRuneInString(s); len(s) > n && n > 0 && strings.IndexByte("<>^=", s[n]) >= 0 {
		sp.fill, sp.align, s = s[:n], s[n], s[n+1:]
	} else if s != "" && strings.IndexByte("<>^=", s[0]) >= 0 {
		sp.align, s = s[0], s[1:]
	}
	if s != "" && strings.IndexByte("+- ", s[0]) >= 0 {
		sp.sign, s = s[0], s[1:]
	}
	if strings.HasPrefix(s, "#") {
		sp.alt, s = true, s[1:]
	}
	if strings.HasPrefix(s, "0") {
		sp.zero, s = true, s[1:]
		if sp.align == 0 || sp.fill == "" {
			sp.fill = "0"
		}
	}
	sp.fill = cmp.Or(sp.fill, " ")
	var err error
	if sp.width, s, err = leadingNumber(s); err != nil {
		return sp, err
	}
	if s != "" && (s[0] == ',' || s[0] == '_') {
		sp.group, s = s[:1], s[1:]
	}
	if strings.HasPrefix(s, ".") {
		before := len(s) - 1
		if sp.precision, s, err = leadingNumber(s[1:]); err != nil || len(s) == before {
			return sp, fmt.Errorf("the format %q has no precision behind the point", whole)
		}
	}
	if len(s) > 1 || s != "" && strings.IndexByte("bcdeEfFgGnosxX%", s[0]) < 0 {
		return sp, fmt.Errorf("unknown format %q", whole)
	}
	if s != "" {
		sp.verb = s[0]
	}
	return sp, nil
}

func leadingNumber(s string) (int, string, error) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 {
		return 0, s, nil
	}
	n, err := strconv.Atoi(s[:i])
	if err != nil || n > defaultMaxBytes {
		return 0, "", &value.LimitError{What: "text", Max: defaultMaxBytes}
	}
	return n, s[i:], nil
}

func (c *Ctx) formatSpec(v value.Value, text string) (string, error) {
	if text == "" {
		return c.text(v)
	}
	sp, err := parseSpec(text)
	if err != nil {
		return "", err
	}
	numericVerb := sp.verb != 0 && sp.verb != 's'
	if v.IsNumber() || v.Is(value.BoolKind) && sp.verb != 's' {
		return c.formatNumber(numeric(v), sp)
	}
	if numericVerb {
		return "", fmt.Errorf("the format %q wants a number, got %s", text, value.Article(v.Kind()))
	}
	s, err := c.text(v)
	if err != nil {
		return "", err
	}
	if sp.precision >= 0 && len([]rune(s)) > sp.precision {
		s = string([]rune(s)[:sp.precision])
	}
	return c.alignText(s, sp, '<')
}

func (c *Ctx) alignText(s string, sp spec, def byte) (string, error) {
	align := sp.align
	if align == 0 {
		align = def
	}
	switch align {
	case '<':
		return c.pad(s, sp.width, sp.fill, right)
	case '^':
		n := sp.width - utf8.RuneCountInString(s)
		if n <= 0 {
			return s, nil
		}
		s, err := c.pad(s, sp.width-(n-n/2), sp.fill, left)
		if err != nil {
			return "", err
		}
		return c.pad(s, sp.width, sp.fill, right)
	}
	return c.pad(s, sp.width, sp.fill, left)
}

func (c *Ctx) formatNumber(v value.Value, sp spec) (string, error) {
	sign, digits, err := sp.digits(v)
	if err != nil {
		return "", err
	}
	size := 3
	switch sp.verb {
	case 'b', 'o', 'x', 'X':
		size = 4
		if sp.alt {
			sign += "0" + string(rune(sp.verb))
		}
	}
	if sp.group != "" {
		digits = grouped(digits, sp.group, size)
	}
	if sp.zero && sp.align == 0 {
		sp.align = '='
	}
	if sp.align == '=' {
		digits, err = c.pad(digits, sp.width-len(sign), sp.fill, left)
		return sign + digits, err
	}
	return c.alignText(sign+digits, sp, '>')
}

func (sp spec) digits(v value.Value) (sign, digits string, err error) {
	negative := false
	if v.Is(value.IntKind) && (sp.verb == 0 || strings.IndexByte("bcdnoxX", sp.verb) >= 0) {
		digits, err = sp.integer(v.BigInt())
		negative = v.BigInt().Sign() < 0
	} else if v.Is(value.FloatKind) && sp.verb != 0 && strings.IndexByte("bcdoxX", sp.verb) >= 0 {
		return "", "", fmt.Errorf("the format %q wants an integer, got a number", string(rune(sp.verb)))
	} else {
		digits, err = sp.float(math.Abs(v.Float()))
		negative = math.Signbit(v.Float())
	}
	switch {
	case negative:
		sign = "-"
	case sp.sign == '+' || sp.sign == ' ':
		sign = string(rune(sp.sign))
	}
	return sign, digits, err
}

func (sp spec) integer(i *big.Int) (string, error) {
	abs := new(big.Int).Abs(i)
	switch sp.verb {
	case 'c':
		if !i.IsInt64() || i.Int64() < 0 || i.Int64() > utf8.MaxRune {
			return "", errors.New("the number is not that of a character")
		}
		return string(rune(i.Int64())), nil
	case 'b':
		return abs.Text(2), nil
	case 'o':
		return abs.Text(8), nil
	case 'x':
		return abs.Text(16), nil
	case 'X':
		return strings.ToUpper(abs.Text(16)), nil
	}
	return abs.String(), nil
}

func (sp spec) float(f float64) (string, error) {
	if sp.precision > 1000 {
		return "", &value.LimitError{What: "precision", Max: 1000}
	}
	if sp.verb == 0 && sp.precision < 0 {
		return value.Text(value.Float(f))
	}
	verb, suffix, precision := sp.verb, "", sp.precision
	if precision < 0 {
		precision = 6
	}
	switch verb {
	case '%':
		f, suffix, verb = f*100, "%", 'f'
	case 0, 'n':
		verb = 'g'
	}
	if verb|0x20 == 'g' {
		precision = max(precision, 1)
	}
	s := strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, verb|0x20, precision, 64)), "+")
	if sp.verb == 0 && !strings.ContainsAny(s, ".ein") {
		s += ".0"
	}
	if verb < 'a' {
		s = strings.ToUpper(s)
	}
	return s + suffix, nil
}

// grouped puts a separator between groups of digits before the point.
func grouped(s, sep string, size int) string {
	n := len(s)
	if size == 3 {
		if i := strings.IndexAny(s, ".eE%"); i >= 0 {
			n = i
		}
	}
	var b strings.Builder
	for i := range n {
		if i > 0 && (n-i)%size == 0 {
			b.WriteString(sep)
		}
		b.WriteByte(s[i])
	}
	return b.String() + s[n:]
}

func percentFilters() []Func {
	return []Func{{
		Name: "format", Family: "percent", Call: percentFormat, flow: joins,
		Params:  []Param{variadic("args", Any), keywords("named")},
		Doc:     "Fills the %s, %d, %05.2f, %(name)s ... of a text with the arguments.",
		Example: "{{ '%s-%03d' | format('a', 7) }}", Result: `"a-007"`,
	}}
}

func percentFormat(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
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
