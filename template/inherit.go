package template

import (
	"iter"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An extendsOp sets the parent of a template. The rest of the template writes nothing;
// then the parent is rendered with the blocks of the template:
//
//	base:   <{% block a %}base{% endblock %}>
//	child:  {% extends "base" %}{% block a %}child of {{ super() }}{% endblock %}
//
// The child renders to "<child of base>".
type extendsOp struct {
	at   source.Span
	file expr.Node
}

// extendsHead parses "extends EXPR", which only conditions may enclose.
func (h *head) extendsHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	for _, o := range h.c.open[1:] {
		if o.word != "if" {
			return h.errorf("\"extends\" inside of %q", o.word)
		}
	}
	h.c.add(&extendsOp{h.at, n})
	return nil
}

func (o *extendsOp) exec(r *run) error {
	if r.unit.parent != nil {
		return source.Errorf(o.at, source.Syntax, "template error: a template can extend only one other")
	}
	t, err := r.file(o.file, o.at)
	if err != nil {
		return err
	}
	if r.unit.chain = append(r.unit.chain, link{t, o.at}); len(r.unit.chain) > maxUnits {
		return source.Errorf(o.at, source.Limit, "template %q extends itself more than %d deep", t.opts.Name, maxUnits)
	}
	r.unit.parent = t
	r.unit.addBlocks(t)
	r.out.silent = true
	return nil
}

// A link is a parent and the place of its extends.
type link struct {
	tpl *Template
	at  source.Span
}

// addBlocks adds the blocks of a template after the blocks that override them.
func (u *unit) addBlocks(t *Template) {
	for name, b := range t.blocks {
		if u.blocks == nil {
			u.blocks = map[string][]*blockStatement{}
		}
		u.blocks[name] = append(u.blocks[name], b)
	}
}

// A blockStatement is a part of a template that children may override.
type blockStatement struct {
	at       source.Span
	name     string
	scoped   bool // it sees the variables of enclosing loops
	required bool // children must override it
	escapes  bool // its template is escaped; "autoescape" around it does not count, as in Jinja
	body     body // set when the tree is built
}

// blockHead parses "block NAME [scoped] [required]".
func (h *head) blockHead() error {
	name, at, err := h.Name()
	if err != nil {
		return err
	}
	if before, ok := h.c.blocks[name]; ok {
		d := source.Errorf(at, source.Syntax, "template error: a second block %q", name)
		return d.Note(before, "the first is here")
	}
	if h.c.blocks == nil {
		h.c.blocks = map[string]source.Span{}
	}
	h.c.blocks[name] = at
	b := &blockStatement{at: h.at, name: name, escapes: h.c.t.syn.autoescape}
	b.scoped = h.Accept("scoped")
	b.required = h.Accept("required")
	switch {
	case b.required && h.Peek("scoped"):
		return h.Errorf(`"scoped" comes before "required"`)
	case h.Peek("-"):
		return h.Errorf("the name of a block has letters, digits and underscores, no hyphens")
	case !h.AtEnd() && !h.Peek(":"):
		return h.Errorf(`expected "scoped" or "required" after the name of the block`)
	}
	return h.open(b)
}

// exec runs the innermost override of the block.
func (b *blockStatement) exec(r *run, _ []body) error {
	if r.out.silent {
		return nil
	}
	scope := r.unit.top.scope
	if b.scoped {
		scope = r.frame.scope
	}
	return r.block(b.name, 0, scope)
}

// block runs the override of a block with the given level; 0 is the innermost.
func (r *run) block(name string, level int, s *expr.Scope) error {
	b := r.unit.blocks[name][level]
	if b.required && level == 0 {
		return source.Errorf(b.at, source.BadValue, "the block %q is required, and no template overrides it", name)
	}
	u := r.unit
	s = s.Tainted(&r.out.marks).Escaping(b.escapes).
		With("super", r.super(u, name, level, s)).
		With("self", value.FromMap(&selfMap{r, u}))
	return r.scoped(s, func() error {
		err := b.body.exec(r)
		for _, parent := range slices.Backward(u.chain) {
			err = included(err, placerFile(parent.tpl.at), parent.at)
		}
		return err
	})
}

// super returns the function super() of a block, which returns the text of the block
// that it overrides. super.super() is the one after that, and so on.
func (r *run) super(u *unit, name string, level int, s *expr.Scope) value.Value {
	if level+1 >= len(u.blocks[name]) {
		return undefinedf("block %q overrides nothing, so super() has no text", name)
	}
	return value.FromFunc(&value.Func{
		Name: "super",
		Call: func(value.Args) (value.Value, error) { return r.blockText(u, name, level+1, s) },
		Attr: func(attr string) (value.Value, bool) {
			if attr != "super" {
				return value.Null, false
			}
			return r.super(u, name, level+1, s), true
		},
	})
}

// blockText returns the text of a block, for super() and self.
func (r *run) blockText(u *unit, name string, level int, s *expr.Scope) (value.Value, error) {
	if err := r.enter(); err != nil {
		return value.Null, placed(err, u.blocks[name][level].at)
	}
	defer r.leave()
	outer := r.unit
	defer func() { r.unit = outer }()
	r.unit = u
	silent := r.out.silent
	defer func() { r.out.silent = silent }()
	return r.capture(s, func() error { return r.block(name, level, s) })
}

// A selfMap is the variable "self": the blocks of a unit as functions.
type selfMap struct {
	run  *run
	unit *unit
}

// Len returns the number of blocks.
func (m *selfMap) Len() int { return len(m.unit.blocks) }

// Keys yields the names of the blocks, sorted.
func (m *selfMap) Keys() iter.Seq[value.Key] {
	return value.TextKeys(slices.Values(slices.Sorted(maps.Keys(m.unit.blocks))))
}

// Get returns the function that renders a block.
func (m *selfMap) Get(k value.Key) (value.Value, bool, error) {
	if k.Kind != value.StringKind || m.unit.blocks[k.Text] == nil {
		return value.Null, false, nil
	}
	return value.FromFunc(&value.Func{Name: k.Text, Call: func(value.Args) (value.Value, error) {
		return m.run.blockText(m.unit, k.Text, 0, m.unit.top.scope)
	}}), true, nil
}
