package syntax

import (
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
)

// ParseType reads a type, or a signature of the library, which may have type variables such as ?1, and
// "..." after its last parameter.
//
//	func(format str, a ?1, ...) str
//
// Codes: syntax, limit.
func ParseType(text string) (*Type, error) {
	p := newParser(source.NewFile("type", text), true)
	t := p.typeOf("expected a type")
	if p.err == nil && p.tok.kind != endOfText {
		p.unexpected("expected the end of the type")
	}
	if p.err != nil {
		return nil, p.err
	}
	return t, nil
}

// scalarType returns the type that is one word, and false for other words.
func scalarType(word string) (TypeKind, bool) {
	i := slices.Index(typeNames[:], word)
	return TypeKind(max(i, 0)), i >= 0
}

// typeOf reads a type. Otherwise the error ends in expected.
func (p *parser) typeOf(expected string) *Type {
	p.enter()
	defer p.leave()
	start, word := p.tok.start, p.textOf(p.tok)
	t := &Type{}
	switch {
	case p.is("["):
		open := p.at()
		p.advance()
		p.closing("]", open, "expected %q")
		t.Kind, t.Elem = ListType, p.typeOf("expected the type of the elements")
	case p.is("{"):
		t.Kind, t.Short = MapType, true
		p.mapType(t)
	case p.is("map"):
		t.Kind = MapType
		p.advance()
		p.mapType(t)
	case p.is("struct"):
		t.Kind = StructType
		p.advance()
		p.structType(t)
	case p.is("func"):
		t.Kind = FuncType
		p.advance()
		p.funcType(t)
	case p.is("?"):
		p.advance()
		n, err := strconv.Atoi(p.textOf(p.tok))
		if err != nil || n < 1 {
			p.unexpected("expected the number of a type variable")
		}
		p.advance()
		t.Kind, t.Var = VarType, n
	default:
		kind, ok := scalarType(word)
		if !ok {
			p.noType(expected)
		}
		p.advance()
		t.Kind = kind
	}
	t.Range = p.since(start)
	return t
}

// otherTypes are names of types in other languages.
var otherTypes = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"string": "str", "boolean": "bool", "integer": "int", "double": "float", "float64": "float", "int64": "int", "list": "[]T", "dict": "map{K: V}"}
}}

// noType makes the current token, which begins no type, an error.
func (p *parser) noType(expected string) {
	met, named := p.textOf(p.tok), p.tok.kind == word
	d := p.unexpected("%s", expected)
	switch known, ok := otherTypes.Get()[met]; {
	case ok:
		d.WithHint("this type is called %s", known)
	case named:
		d.WithHint("the types are bool, str, int, float, []T, map{K: V}, struct{name T} and func(T) T")
	}
}

// mapType reads "{key: element}".
func (p *parser) mapType(t *Type) {
	open := p.expect("{")
	t.Key = p.typeOf("expected the type of the keys")
	p.expect(":")
	t.Elem = p.typeOf("expected the type of the values")
	p.closing("}", open, "expected %q")
}

// structType reads "{name type; name type}".
func (p *parser) structType(t *Type) {
	open := p.expect("{")
	for p.err == nil && !p.is("}") {
		start := p.tok.start
		f := TypeField{Name: p.anyName("the name of a field").Text}
		f.Type = p.typeOf("expected the type of the field")
		f.At = p.since(start).At
		t.Fields = append(t.Fields, f)
		if !p.accept(";") {
			break
		}
		if p.is("}") {
			p.unexpected("expected a field after \";\"")
		}
	}
	p.closing("}", open, "expected \";\" or %q")
}

// funcType reads "(parameters) result". A parameter may have a name.
func (p *parser) funcType(t *Type) {
	open := p.expect("(")
	p.elements(")", open, func() {
		start := p.tok.start
		if p.accept("...") {
			if t.Variadic = len(t.Fields) > 0; !t.Variadic || !p.is(")") {
				p.unexpected("expected \"...\" after the last parameter only")
			}
			return
		}
		f := TypeField{}
		switch {
		case p.tok.kind == dollar:
			f.Name = "$" + p.variable().Text
		case p.tok.kind == word && !p.beginsType():
			f.Name = p.textOf(p.tok)
			p.advance()
		}
		f.Type = p.typeOf("expected a type")
		f.At = p.since(start).At
		t.Fields = append(t.Fields, f)
	})
	t.Elem = p.typeOf("expected the type of the result")
}

// beginsType reports whether the current word begins a type. The words map, struct and func may be
// names of parameters.
func (p *parser) beginsType() bool {
	switch w := p.textOf(p.tok); w {
	case "map", "struct":
		return p.isAt(1, "{")
	case "func":
		return p.isAt(1, "(")
	default:
		_, ok := scalarType(w)
		return ok
	}
}
