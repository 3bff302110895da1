package library

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/lang/mcl/types"
	"github.com/yaytpl/yaytpl/value"
)

// printFunctions returns the functions that print values.
func printFunctions() []*Func {
	return []*Func{
		{
			Name: "fmt.printf", Alias: "printf", Signatures: []string{"func(format str, a ?1, b ?2, ...) str"}, Rule: Printf,
			Doc:     "the format with the values of its verbs: %d int, %s str, %q str in quotes, %t bool, %f float, %v any type, %T the type, %%",
			Example: `fmt.printf("%d-%s-%v", 1, "a", [1, 2])`, Result: `"1-a-[1, 2]"`,
			Call: printf,
		},
	}
}

// A Verb is a verb of a format of printf. Kind is the type of its argument, Var for any.
type Verb struct {
	Letter rune
	Kind   types.Kind
}

// verbKind returns the type of the argument of a verb beside %%, and false for an unknown one.
func verbKind(letter rune) (types.Kind, bool) {
	switch letter {
	case 'd':
		return types.Int, true
	case 's', 'q':
		return types.Str, true
	case 't':
		return types.Bool, true
	case 'f':
		return types.Float, true
	case 'v', 'T':
		return types.Var, true
	}
	return 0, false
}

// Verbs returns the verbs of a format, or an error that names an unknown one. A single % at the end
// prints nothing.
func Verbs(format string) ([]Verb, error) {
	var all []Verb
	err := eachVerb(format, func(string) {}, func(letter rune) error {
		kind, ok := verbKind(letter)
		if !ok {
			return fmt.Errorf("the format has the unknown verb %%%c; there are %%d %%s %%q %%t %%f %%v %%T %%%%", letter)
		}
		all = append(all, Verb{letter, kind})
		return nil
	})
	return all, err
}

// eachVerb calls text for the parts of a format between verbs, and verb for each verb but %%.
func eachVerb(format string, text func(string), verb func(letter rune) error) error {
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 || i+1 == len(format) {
			text(strings.TrimSuffix(format, "%"))
			return nil
		}
		text(format[:i])
		letter, size := utf8.DecodeRuneInString(format[i+1:])
		format = format[i+1+size:]
		if letter == '%' {
			text("%")
		} else if err := verb(letter); err != nil {
			return err
		}
	}
}

// printf prints values into a format. Number and types of the arguments are known before if the format
// is; otherwise they are checked here.
func printf(c *Call) (value.Value, error) {
	format := c.Args[0]
	verbs, err := Verbs(format.Str())
	switch {
	case err != nil && c.hidden(0):
		return value.Null, c.Fail("the format has an unknown verb")
	case err != nil:
		return value.Null, c.Fail("%v", err)
	case len(verbs) != len(c.Args)-1:
		return value.Null, c.Fail("the format has another number of verbs than there are arguments: %d and %d", len(verbs), len(c.Args)-1)
	}
	var b value.TextBuilder
	i := 0
	err = eachVerb(format.Str(), b.WriteString, func(rune) error {
		v := verbs[i]
		i++
		arg, t := c.Args[i], c.Types[i]
		if v.Kind != types.Var && !t.Is(v.Kind) {
			return c.Fail("the verb %%%c takes %s, not %s", v.Letter, v.Kind, t)
		}
		if v.Letter == 'v' && t.HoldsFunc() {
			return c.Fail("a value of type %s cannot be printed", t)
		}
		text, err := c.printed(v.Letter, arg, t)
		if err != nil {
			return err
		}
		if err := c.Grow(b.Len(), len(text)); err != nil {
			return err
		}
		return b.WriteValue(arg, text)
	})
	return b.Value().Mark(format.Marks()), err
}

// printed returns a value as a verb prints it.
func (c *Call) printed(letter rune, v value.Value, t *types.Type) (string, error) {
	switch {
	case letter == 'T':
		return c.typeText(t)
	case letter == 'q':
		return strconv.Quote(v.Str()), nil
	case v.Is(value.StringKind):
		return v.Str(), nil
	}
	p := printer{step: c.Step}
	p.value(v)
	return p.b.String(), p.err
}

// maxTypeText bounds the text of a type that is printed.
const maxTypeText = 1 << 16

// typeText returns the text of a type.
func (c *Call) typeText(t *types.Type) (string, error) {
	text, ok := t.Text(maxTypeText)
	if !ok {
		return "", &value.LimitError{What: "the text of a type", Max: maxTypeText}
	}
	return text, c.Step(len(text))
}

// A printer prints values as %v does: texts in lists and maps in quotes, floats without an exponent,
// maps by sorted keys.
//
//	[1, 2]    {"a": 1, "b": 2}    struct{a: 1; b: "q"}
type printer struct {
	b    strings.Builder
	step func(n int) error
	err  error
}

func (p *printer) value(v value.Value) {
	if p.err == nil {
		p.err = p.step(1)
	}
	if p.err == nil && p.b.Len() > maxText {
		p.err = &value.LimitError{What: "text", Max: maxText}
	}
	if p.err != nil {
		return
	}
	switch v.Kind() {
	case value.BoolKind:
		p.b.WriteString(strconv.FormatBool(v.Bool()))
	case value.IntKind:
		n, _ := v.Int()
		p.b.WriteString(strconv.FormatInt(n, 10))
	case value.FloatKind:
		p.b.WriteString(strconv.FormatFloat(v.Float(), 'f', -1, 64))
	case value.StringKind:
		p.b.WriteString(strconv.Quote(v.Str()))
	case value.ListKind:
		p.list(v.List())
	case value.MapKind:
		p.collection(v.Map())
	}
}

func (p *printer) list(l value.List) {
	p.b.WriteByte('[')
	i := 0
	for item, err := range value.Items(l) {
		if err != nil {
			p.err = err
			return
		}
		if i > 0 {
			p.b.WriteString(", ")
		}
		p.value(item)
		i++
	}
	p.b.WriteByte(']')
}

func (p *printer) collection(m value.Map) {
	switch m := m.(type) {
	case *types.Structure:
		p.b.WriteString("struct{")
		for i, name := range m.Names {
			if i > 0 {
				p.b.WriteString("; ")
			}
			p.b.WriteString(name + ": ")
			p.value(m.Items[i])
		}
	case *types.Mapping:
		p.b.WriteByte('{')
		keys, items := m.Sorted()
		for i, k := range keys {
			if i > 0 {
				p.b.WriteString(", ")
			}
			p.value(k)
			p.b.WriteString(": ")
			p.value(items[i])
		}
	}
	p.b.WriteByte('}')
}
