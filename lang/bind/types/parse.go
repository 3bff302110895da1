package types

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Arg is an argument of a type: a type, a value, an expression, or "default".
type Arg struct {
	Type    *Type
	Match   *Regexp
	Value   value.Value
	Default bool
}

// An Error is the reason why a text is no type.
type Error struct {
	Start, End int // the bytes at fault
	Unknown    bool
	Message    string
	Near       string // the name that was probably meant
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// maxNesting bounds the brackets of a type.
const maxNesting = 100

// Parse parses a type as it is written in .pp files, with constant arguments.
//
//	Array[Integer[1, default]]   Hash[String, Data]   Class[ntp]   class ntp   Web["one two"]
//
// The error is an [*Error].
func Parse(text string) (*Type, error) {
	p := parser{text: text}
	p.blank()
	t, err := p.typ()
	if err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, p.unexpected("the end of the type")
	}
	return t, nil
}

// A parser reads a type from text.
type parser struct {
	text  string
	at    int
	depth int
}

func (p *parser) blank() {
	p.at = len(p.text) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n"))
}

// unexpected returns the error that something is missing here.
func (p *parser) unexpected(wanted string) error {
	found, end := "the end of the text", p.at
	if p.at < len(p.text) {
		_, n := utf8.DecodeRuneInString(p.text[p.at:])
		end = p.at + n
		found = strconv.Quote(p.text[p.at:end])
	}
	return &Error{Start: p.at, End: end, Message: fmt.Sprintf("expected %s, found %s", wanted, found)}
}

// take skips a character with the blanks after it, if it is next.
func (p *parser) take(c byte) bool {
	if p.at >= len(p.text) || p.text[p.at] != c {
		return false
	}
	p.at++
	p.blank()
	return true
}

// word reads a name with its parts: Foo::Bar, ntp, ::ntp.
func (p *parser) word() string {
	start := p.at
	for p.at < len(p.text) {
		c, n := utf8.DecodeRuneInString(p.text[p.at:])
		if !(c == '_' || c == ':' || c == '-' && p.at > start || unicode.IsLetter(c) || unicode.IsDigit(c)) {
			break
		}
		p.at += n
	}
	word := p.text[start:p.at]
	p.blank()
	return word
}

func (p *parser) typ() (*Type, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, &Error{Start: p.at, End: p.at, Message: "the type is nested too deeply"}
	}
	defer func() { p.depth-- }()
	start := p.at
	name := p.word()
	if name == "class" {
		of := p.word()
		if of == "" {
			return nil, p.unexpected("the name of a class")
		}
		return ReferenceTo("Class[" + of + "]"), nil
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(name, "::")); !unicode.IsUpper(first) {
		p.at = start
		return nil, p.unexpected("the name of a type, such as String or Array[Integer]")
	}
	var args []Arg
	for more := p.take('['); more; {
		a, err := p.argument()
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		if more = p.take(','); !more && !p.take(']') {
			return nil, p.unexpected(`"," or "]"`)
		}
	}
	t, err := New(name, args)
	if err != nil {
		err.Start, err.End = start, start+len(name)
		return nil, err
	}
	return t, nil
}

// argument reads an argument: a type, a text, a number, an expression or "default".
func (p *parser) argument() (Arg, error) {
	if p.at >= len(p.text) {
		return Arg{}, p.unexpected("an argument of the type")
	}
	switch c := p.text[p.at]; {
	case c == '\'' || c == '"' || c == '/':
		text, err := p.quoted(c)
		if err != nil || c != '/' {
			return Arg{Value: value.String(text)}, err
		}
		r, err := CompileRegexp(text)
		if err != nil {
			return Arg{}, &Error{Start: p.at, End: p.at, Message: err.Error()}
		}
		return Arg{Match: r}, nil
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.isType():
		t, err := p.typ()
		return Arg{Type: t}, err
	}
	word := p.word()
	switch word {
	case "":
		return Arg{}, p.unexpected("an argument of the type")
	case "default":
		return Arg{Default: true}, nil
	case "true", "false":
		return Arg{Value: value.Bool(word == "true")}, nil
	}
	return Arg{Value: value.String(word)}, nil
}

// isType reports whether a type begins: a capital letter, or "class".
func (p *parser) isType() bool {
	first, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return unicode.IsUpper(first) || strings.HasPrefix(p.text[p.at:], "class ")
}

// quoted reads a text in quotes, or a regular expression between slashes.
func (p *parser) quoted(quote byte) (string, error) {
	var b strings.Builder
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == quote:
			p.at = i + 1
			p.blank()
			return b.String(), nil
		case c == '\\' && i+1 < len(p.text) && (p.text[i+1] == quote || p.text[i+1] == '\\' && quote != '/'):
			i++
			b.WriteByte(p.text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", &Error{Start: p.at, End: len(p.text), Message: fmt.Sprintf("the text has no closing %c", quote)}
}

func (p *parser) number() (Arg, error) {
	start := p.at
	for p.at++; p.at < len(p.text) && strings.IndexByte("0123456789.eE+-xXabcdfABCDF_", p.text[p.at]) >= 0; p.at++ {
	}
	text := p.text[start:p.at]
	p.blank()
	if v, ok := value.ParseInt(text, 0); ok {
		return Arg{Value: v}, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return Arg{}, &Error{Start: start, End: start + len(text), Message: fmt.Sprintf("%q is no number", text)}
	}
	return Arg{Value: value.Float(f)}, nil
}

// New returns the type with a name and arguments. A name that is no built-in type is the name of
// a component; a name near to a built-in one is an error (spec: bindings, section 8). The
// caller sets the place of the error.
func New(name string, args []Arg) (*Type, *Error) {
	name = strings.TrimPrefix(name, "::")
	kind, ok := builtIn(name)
	if !ok {
		return reference(name, args)
	}
	bad := func(format string, a ...any) *Error {
		return &Error{Message: fmt.Sprintf("%s %s", name, fmt.Sprintf(format, a...))}
	}
	parts, onlyTypes := typesOf(args)
	switch kind {
	case Integer, Float:
		return numberType(kind, args, bad)
	case Pattern:
		return patternType(args, bad)
	case Enum:
		t := &Type{Kind: Enum}
		for _, a := range args {
			if a.Type != nil || !a.Value.Is(value.StringKind) {
				return nil, bad("takes texts")
			}
			t.Texts = append(t.Texts, a.Value.Str())
		}
		if len(args) == 0 {
			return nil, bad("needs the texts that it accepts, such as Enum[low, high]")
		}
		return t, nil
	case Array:
		if len(args) == 0 {
			return ArrayOf(DataType), nil
		}
		if !onlyTypes || len(args) > 1 {
			return nil, bad("takes one type, the type of its items")
		}
		return ArrayOf(parts[0]), nil
	case Hash:
		switch {
		case len(args) == 0:
			return HashOf(LiteralType, DataType), nil
		case !onlyTypes || len(args) > 2:
			return nil, bad("takes the type of its values, or the types of its keys and values")
		case len(args) == 1:
			return HashOf(LiteralType, parts[0]), nil
		}
		return HashOf(parts[0], parts[1]), nil
	case Variant:
		if !onlyTypes || len(args) == 0 {
			return nil, bad("takes the types that it accepts")
		}
		return &Type{Kind: Variant, Args: parts}, nil
	case Optional, Sensitive:
		if len(args) == 1 && args[0].Type == nil && !args[0].Default && kind == Optional && args[0].Value.Str() != "" {
			parts, onlyTypes = []*Type{{Kind: Enum, Texts: []string{args[0].Value.Str()}}}, true
		}
		if !onlyTypes || len(args) > 1 {
			return nil, bad("takes one type")
		}
		if len(args) == 0 {
			parts = []*Type{AnyType}
		}
		return &Type{Kind: kind, Args: parts}, nil
	}
	if len(args) > 0 {
		return nil, bad("takes no arguments")
	}
	return &Type{Kind: kind}, nil
}

// typesOf returns the arguments as types, and whether all of them are.
func typesOf(args []Arg) ([]*Type, bool) {
	out := make([]*Type, 0, len(args))
	for _, a := range args {
		if a.Type == nil {
			return nil, false
		}
		out = append(out, a.Type)
	}
	return out, true
}

func numberType(kind Kind, args []Arg, bad func(string, ...any) *Error) (*Type, *Error) {
	t := &Type{Kind: kind}
	if len(args) > 2 {
		return nil, bad("takes the smallest and the largest value")
	}
	for i, a := range args {
		if a.Default {
			continue
		}
		if a.Type != nil || a.Match != nil || !a.Value.IsNumber() {
			return nil, bad("takes numbers, or default")
		}
		if i == 0 {
			t.Min = a.Value
		} else {
			t.Max = a.Value
		}
	}
	if !t.Min.IsNull() && !t.Max.IsNull() {
		if order, err := value.Compare(t.Min, t.Max); err == nil && order > 0 {
			return nil, bad("has a smallest value above the largest")
		}
	}
	return t, nil
}

func patternType(args []Arg, bad func(string, ...any) *Error) (*Type, *Error) {
	switch {
	case len(args) == 0:
		return PatternType, nil
	case len(args) == 1 && args[0].Match != nil:
		return &Type{Kind: Pattern, Match: args[0].Match}, nil
	case len(args) == 1 && args[0].Type == nil && args[0].Value.Str() != "":
		r, err := CompileRegexp(args[0].Value.Str())
		if err != nil {
			return nil, &Error{Message: err.Error()}
		}
		return &Type{Kind: Pattern, Match: r}, nil
	}
	return nil, bad("takes one regular expression, such as Pattern[/^web/]")
}

// reference returns the symbolic reference NAME or NAME[ARGUMENTS].
func reference(name string, args []Arg) (*Type, *Error) {
	if name != "Class" && name != "Type" {
		if near := nearBuiltIn(name); near != "" {
			return nil, &Error{Unknown: true, Message: "unknown type " + name, Near: near}
		}
	}
	if len(args) == 0 {
		return ReferenceTo(name), nil
	}
	texts := make([]string, len(args))
	for i, a := range args {
		switch {
		case a.Type != nil:
			texts[i] = a.Type.String()
		case a.Match != nil:
			texts[i] = "/" + a.Match.String() + "/"
		case a.Default:
			texts[i] = "default"
		default:
			text, err := value.Text(a.Value)
			if err != nil {
				return nil, &Error{Message: err.Error()}
			}
			texts[i] = strings.TrimPrefix(text, "::")
		}
	}
	return ReferenceTo(name + "[" + strings.Join(texts, ", ") + "]"), nil
}

// nearBuiltIn returns the built-in type that differs from name in one or two letters. Short
// names, such as Ansi, must differ in one.
func nearBuiltIn(name string) string {
	limit := 2
	if len(name) <= 4 {
		limit = 1
	}
	i := slices.IndexFunc(names, func(n kindName) bool { return source.Changes(name, n.name, limit) >= 0 })
	if i < 0 {
		return ""
	}
	return names[i].name
}
