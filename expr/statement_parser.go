package expr

import (
	"github.com/yaytpl/yaytpl/source"
)

// A Target is what "set" and "for" assign to: a name, an attribute of a namespace
// (ns.x), or several targets to which the items of a value are assigned.
type Target struct {
	At    source.Span
	Name  string
	Attr  string   // not empty for ns.x
	Items []Target // not nil for a, b
}

// Names returns the plain names that the target assigns to.
func (t Target) Names() []string {
	if t.Items == nil {
		if t.Attr != "" {
			return nil
		}
		return []string{t.Name}
	}
	var names []string
	for _, item := range t.Items {
		names = append(names, item.Names()...)
	}
	return names
}

// Target reads an assignment target.
func (p *Parser) Target() (Target, error) {
	start := p.offset()
	first, err := p.targetItem()
	if err != nil || !p.Peek(",") {
		return first, err
	}
	items := []Target{first}
	for p.Accept(",") {
		if !p.PeekName() && !p.Peek("(") || p.Peek("in") {
			break
		}
		item, err := p.targetItem()
		if err != nil {
			return Target{}, err
		}
		items = append(items, item)
	}
	return Target{At: p.spanFrom(start), Items: items}, nil
}

func (p *Parser) targetItem() (Target, error) {
	if err := p.enter(); err != nil {
		return Target{}, err
	}
	defer p.leave()
	if p.Accept("(") {
		t, err := p.Target()
		if err != nil {
			return t, err
		}
		return t, p.Expect(")")
	}
	start := p.offset()
	name, _, err := p.Name()
	if err != nil {
		return Target{}, err
	}
	t := Target{Name: name}
	if p.Accept(".") {
		if t.Attr, _, err = p.Name(); err != nil {
			return Target{}, err
		}
	}
	t.At = p.spanFrom(start)
	return t, nil
}

// A Param is a parameter of a macro. Without a default, Default is nil.
type Param struct {
	Name    string
	At      source.Span
	Default Node
}

// Params reads the parameters of a macro: "(a, b=1)".
func (p *Parser) Params() ([]Param, error) {
	if err := p.Expect("("); err != nil {
		return nil, err
	}
	var params []Param
	for !p.Accept(")") {
		param, err := p.param()
		if err != nil {
			return nil, err
		}
		params = append(params, param)
		if err := p.comma(")"); err != nil {
			return nil, err
		}
	}
	return params, nil
}

func (p *Parser) param() (Param, error) {
	name, at, err := p.Name()
	if err != nil {
		return Param{}, err
	}
	param := Param{Name: name, At: at}
	if p.Accept("=") {
		param.Default, err = p.Expr()
	}
	return param, err
}

// An Assignment is "name = expression", as "with" takes it.
type Assignment struct {
	Target Target
	Value  Node
}

// Assignments reads "a = EXPR, b = EXPR" to the end.
func (p *Parser) Assignments() ([]Assignment, error) {
	var all []Assignment
	for !p.AtEnd() {
		target, err := p.targetItem()
		if err != nil {
			return nil, err
		}
		if err := p.Expect("="); err != nil {
			return nil, err
		}
		v, err := p.Expr()
		if err != nil {
			return nil, err
		}
		all = append(all, Assignment{target, v})
		if !p.AtEnd() {
			if err := p.Expect(","); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// Filters reads "name(args) | name | ...", as the "filter" statement takes it, and
// applies the filters to x.
func (p *Parser) Filters(x Node) (Node, error) {
	n, err := p.filter(x, p.offset())
	if err != nil {
		return nil, err
	}
	if n, err = p.filters(n, p.offset()); err == nil && p.notes != nil {
		*p.notes = append(*p.notes, n)
	}
	return n, err
}
