package notation

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// joined reads a text in double quotes: its escapes, $name and ${expression}.
func (p *parser) joined() *joinNode {
	t := p.tok
	n := p.parts(p.src[t.start+1:t.end-1], t.start+1, true)
	n.at = p.place(t.start, t.end)
	p.advance()
	return n
}

// escape returns the meaning of a byte after a backslash in double quotes, 0 for a byte without one.
func escape(c byte) byte {
	if i := strings.IndexByte(`ntrs"\$`, c); i >= 0 {
		return "\n\t\r \"\\$"[i]
	}
	return 0
}

// parts splits a text at its expressions. The text begins at a byte of the source; quoted ones
// have escapes and $name besides ${...}.
func (p *parser) parts(s string, offset int, quoted bool) *joinNode {
	n := &joinNode{}
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			n.parts = append(n.parts, &constantNode{v: value.String(b.String())})
			b.Reset()
		}
	}
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\' && i+1 < len(s):
			i++
			if escaped := escape(s[i]); escaped != 0 {
				b.WriteByte(escaped)
			} else {
				b.WriteString(s[i-1 : i+1])
			}
		case !quoted && strings.HasPrefix(s[i:], "$${"):
			b.WriteString("${")
			i += 2
		case strings.HasPrefix(s[i:], "${"):
			end, ok := closing(s, i+2, 0)
			if !ok {
				p.failf(offset+i, offset+i+2, source.Syntax, "\"${\" has no closing brace")
			}
			flush()
			n.parts = append(n.parts, p.embedded(s[i+2:end], offset+i+2))
			i = end
		case quoted && s[i] == '$':
			sc := scanner{src: s}
			end := sc.word(i + 1)
			if first := strings.TrimPrefix(s[i+1:end], "::"); first == "" || first[0] >= '0' && first[0] <= '9' {
				// no name: "$5" and "$" are text
				b.WriteByte('$')
				continue
			}
			flush()
			n.parts = append(n.parts, &varNode{p.place(offset+i, offset+end), strings.TrimPrefix(s[i+1:end], "::")})
			i = end - 1
		default:
			b.WriteByte(s[i])
		}
	}
	flush()
	return n
}

// embedded reads the expression of ${...}, in which a bare name is a variable.
func (p *parser) embedded(s string, offset int) node {
	p.enter()
	defer p.leave()
	inner := newParser(s, func(start, end int) source.Span { return p.place(offset+start, offset+end) })
	inner.bare, inner.depth = true, p.depth
	var n node
	if d := inner.whole("\"}\"", func() { n = inner.binary(0) }); d != nil {
		p.fail(d)
	}
	return n
}

// whole calls read, after which the text must end. It returns the error that ended it.
func (p *parser) whole(end string, read func()) *source.Diagnostic {
	return p.run(func() {
		read()
		if p.tok.kind != endToken {
			p.expected(end)
		}
	})
}

// constant returns the text if it has no expressions.
func (n *joinNode) constant() (value.Value, bool) {
	switch len(n.parts) {
	case 0:
		return value.String(""), true
	case 1:
		c, ok := n.parts[0].(*constantNode)
		if ok {
			return c.v, true
		}
	}
	return value.Null, false
}

// typ reads a type.
func (p *parser) typ() (*types.Type, source.Span) {
	p.enter()
	defer p.leave()
	start := p.tok.start
	if p.isWord("class") && p.tok.kind == nameToken {
		p.advance()
		name, _ := p.name("the name of a class")
		return types.ReferenceTo("Class[" + name + "]"), p.spanOf(start)
	}
	if p.tok.kind != typeToken {
		p.expected("a type, such as String or Array[Integer]")
	}
	name, end := p.tok.text, p.tok.end
	p.advance()
	var args []types.Arg
	if p.is("[") && !p.tok.newline {
		p.note(isTight)
		p.advance()
		p.separated("]", func() { args = append(args, p.typeArgument()) })
	}
	t, bad := types.New(name, args)
	if bad != nil {
		p.fail(badType(bad, p.place(start, end)))
	}
	return t, p.spanOf(start)
}

// typeArgument reads an argument of a type, which is a constant.
func (p *parser) typeArgument() types.Arg {
	if p.startsType() {
		t, _ := p.typ()
		return types.Arg{Type: t}
	}
	if p.tok.kind == regexpToken {
		r, err := types.CompileRegexp(p.tok.text)
		if err != nil {
			p.failf(p.tok.start, p.tok.end, source.Syntax, "%s", err)
		}
		p.advance()
		return types.Arg{Match: r}
	}
	if p.is("?") && p.peek().text == "?" {
		p.failf(p.tok.start, p.tok.end, source.Syntax, "queries (??) are not supported")
	}
	n := p.binary(0)
	c, ok := n.(*constantNode)
	if !ok {
		p.fail(source.Errorf(n.span(), source.Syntax, "the argument of a type is a constant"))
	}
	if isDefault(n) {
		return types.Arg{Default: true}
	}
	return types.Arg{Value: c.v}
}

// ParseType parses a type in a text, as of YAML.
//
// Codes: syntax, unknown-type.
func ParseType(text string, place func(start, end int) source.Span) (*types.Type, *source.Diagnostic) {
	t, err := types.Parse(text)
	if bad := (*types.Error)(nil); errors.As(err, &bad) {
		return nil, badType(bad, place(bad.Start, bad.End))
	}
	return t, nil
}

// badType returns the error of a type at a place.
func badType(bad *types.Error, at source.Span) *source.Diagnostic {
	code := source.Syntax
	if bad.Unknown {
		code = source.UnknownType
	}
	d := source.Errorf(at, code, "%s", bad.Message)
	if bad.Near != "" {
		d.WithHint("did you mean %s?", bad.Near)
	}
	return d
}
