package notation

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/source"
)

// site reads a section "site": its parts in any order, with or without commas.
func (p *parser) site(s *bind.Site) {
	p.advance()
	p.note(isBlock)
	p.need("{")
	for !p.take("}") {
		start := p.tok.start
		p.note(startsLine)
		switch {
		case p.isWord("categories"):
			s.CategoriesAt = p.sectionStart(start, s.CategoriesAt, "categories")
			p.categories(s)
		case p.isWord("bindings", "layers"):
			s.LayersAt = p.sectionStart(start, s.LayersAt, "layers")
			p.layers(s)
		case p.isWord("precedence"):
			p.advance()
			p.need("=>")
			if !p.isWord("specific", "highest") {
				p.expected("specific or highest")
			}
			s.Highest = p.isWord("highest")
			p.advance()
		case p.isWord("environment", "dynamic_environments"):
			p.environment(s)
		default:
			p.expected("categories, bindings, precedence, environment or \"}\"")
		}
		p.take(",")
	}
}

// sectionStart skips the name of a section, which may occur once.
func (p *parser) sectionStart(start int, first source.Span, name string) source.Span {
	at := p.place(start, p.tok.end)
	if first != (source.Span{}) {
		p.fail(source.Errorf(at, source.DuplicateSection, "there are two sections \"%s\"", name).Note(first, "the first one is here"))
	}
	p.advance()
	p.take("=>")
	return at
}

func (p *parser) categories(s *bind.Site) {
	p.need("{")
	p.upTo("}", func() {
		name, at := p.ident("the name of a category")
		p.need("=>")
		s.Categories = append(s.Categories, bind.Category{Name: name, At: at, Value: p.expression()})
	})
}

func (p *parser) layers(s *bind.Site) {
	p.need("[")
	for !p.take("]") {
		start := p.tok.start
		p.note(startsLine)
		p.takeWord("layer")
		p.note(hasTitle)
		p.need("{")
		l := bind.Layer{Name: p.expression()}
		p.note(hasTitle)
		p.need(":")
		for _, a := range p.attributes() {
			switch a.Name {
			case "include":
				l.Include = a.Value
			case "exclude":
				l.Exclude = a.Value
			default:
				p.fail(source.Errorf(a.At, source.Syntax, "expected include or exclude, found \"%s\"", a.Name))
			}
		}
		p.need("}")
		l.At = p.spanOf(start)
		s.Layers = append(s.Layers, l)
		if !p.take(",") && !p.is("]") && !p.isWord("layer") && !p.is("{") {
			p.expected("\",\" or \"]\"")
		}
	}
}

// attributes reads NAME => VALUE until the closing brace, which it leaves.
func (p *parser) attributes() []bind.Attribute {
	var out []bind.Attribute
	for !p.is("}") && p.tok.kind != endToken {
		name, at := p.ident("the name of an attribute")
		p.need("=>")
		out = append(out, bind.Attribute{Name: name, At: at, Value: p.expression()})
		if !p.take(",") && !p.take(";") {
			break
		}
	}
	return out
}

// environment reads Environment {}, environment {} or dynamic_environments {}.
func (p *parser) environment(s *bind.Site) {
	if s.Environments == nil {
		s.Environments = &bind.Environments{}
	}
	e := bind.Environment{Dynamic: p.isWord("dynamic_environments")}
	defaults := p.tok.kind == typeToken && p.tok.text == "Environment"
	start := p.tok.start
	p.advance()
	if !defaults {
		p.note(hasTitle)
	}
	p.need("{")
	if defaults {
		s.Environments.Defaults = append(s.Environments.Defaults, p.attributes()...)
		p.need("}")
		return
	}
	e.Name = p.expression()
	p.note(hasTitle)
	p.need(":")
	e.Attributes = p.attributes()
	p.need("}")
	e.At = p.spanOf(start)
	s.Environments.Declared = append(s.Environments.Declared, e)
}

// set reads "bindings NAME { operations }".
func (p *parser) set() *bind.Set {
	start := p.tok.start
	p.advance()
	name, _ := p.name("the name of the bindings")
	s := &bind.Set{Name: name, At: p.spanOf(start)}
	s.Ops = p.block()
	return s
}

// block reads operations in braces.
func (p *parser) block() []bind.Op {
	p.enter()
	defer p.leave()
	p.note(isBlock)
	p.need("{")
	var out []bind.Op
	for !p.take("}") {
		if p.take(";") {
			continue
		}
		out = append(out, p.operation()...)
	}
	return out
}

// operationWords begin operations.
var operationWords = []string{"when", "include", "exclude", "bind", "multibind", "rebind"}

// isOperation reports whether the token begins an operation.
func (p *parser) isOperation() bool { return p.isWord(operationWords...) }

func sameWord(a, b string) bool { return strings.EqualFold(a, b) }
