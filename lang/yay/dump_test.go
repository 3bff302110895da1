package yay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// dump writes the meaning of a tree, without places and layout, one line for each stanza.
func dump(t *Tree) string {
	var d dumper
	d.block(t.Root)
	return d.b.String()
}

type dumper struct {
	b     strings.Builder
	depth int
}

func (d *dumper) line(format string, args ...any) {
	d.b.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dumper) block(b *Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stanzas {
		d.stanza(s)
	}
}

func (d *dumper) body(b *Block) {
	d.depth++
	d.block(b)
	d.depth--
}

func (d *dumper) stanza(s Stanza) {
	switch s := s.(type) {
	case *Pair:
		d.value(fmt.Sprintf("key %s%q", when(s.Extend, "extend "), s.Key), s.Value)
	case *Item:
		d.value("item"+when(s.Bare, " bare"), s.Value)
	case *Include:
		d.line("include %s", node(s.Operand))
	case *Search:
		d.line("search %s", node(s.Operand))
	case *Configure:
		d.line("configure %s", s.Name)
		d.body(s.Body)
	case *Set:
		d.line("set %s = %s", targetNames(s.Targets), node(s.Value))
	case *If:
		d.choice(s)
	case *For:
		d.line("for %s in %s if %s", targetNames(s.Targets), node(s.In), node(s.If))
		d.body(s.Body)
	case *Select:
		d.line("select %s", node(s.On))
		d.depth++
		for _, c := range s.Cases {
			d.value(fmt.Sprintf("case %s%q", when(c.Else, "else "), c.Key), c.Value)
		}
		d.depth--
	case *Macro:
		d.line("macro %s", s.Name)
		d.body(s.Body)
	case *Call:
		d.line("call %s%s", node(s.Macro), when(s.Args == nil, " ()"))
		d.body(s.Args)
	case *Prototype:
		d.line("prototype %s", s.Name)
		d.body(s.Body)
	case *New:
		d.line("new %s%s as %q%s", when(s.Create, "path "), node(s.Class), s.As, when(s.Args == nil, " ()"))
		d.body(s.Args)
	default:
		d.line("unknown %T", s)
	}
}

func when(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

func targetNames(targets []Target) string {
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	return strings.Join(names, ",")
}

func (d *dumper) choice(s *If) {
	for _, b := range s.Branches {
		d.line("if %s", node(b.Cond))
		d.body(b.Body)
	}
	if s.Else != nil {
		d.line("else")
		d.body(s.Else.Body)
	}
}

func (d *dumper) value(what string, v Value) {
	switch v := v.(type) {
	case nil:
		d.line("%s: blank", what)
	case *Block:
		d.line("%s:", what)
		d.body(v)
	case *Scalar:
		empty := v.Block != "" && v.Val.Str() == ""
		d.line("%s: %s%s%s", what, when(v.Quoted || empty, "quoted "), when(v.Block != "" && !empty, v.Block+" "), constant(v.Val))
	case *Text:
		var parts []string
		for _, part := range v.Parts {
			if part.Node != nil {
				parts = append(parts, node(part.Node))
			} else {
				parts = append(parts, strconv.Quote(part.Text))
			}
		}
		d.line("%s: %stext %s", what, when(v.Block != "", v.Block+" "), strings.Join(parts, " . "))
	case *Expression:
		d.line("%s: %s", what, node(v.Node))
	case *Empty:
		d.line("%s: empty %s", what, map[bool]string{false: "{}", true: "[]"}[v.List])
	default:
		d.line("%s: unknown %T", what, v)
	}
}

// constant writes the kind and the value of a constant, and its spelling if that
// differs.
func constant(v value.Value) string {
	var s string
	switch v.Kind() {
	case value.IntKind:
		s = v.BigInt().String()
	case value.FloatKind:
		s = value.FormatFloat(v.Float())
	case value.StringKind:
		return strconv.Quote(v.Str())
	case value.BoolKind:
		s = strconv.FormatBool(v.Bool())
	default:
		s = v.Kind().String()
	}
	if source := v.Source(); source != nil && source.Spelling != s {
		s += " <" + source.Spelling + ">"
	}
	return s
}

// node writes an expression with every operation in parentheses.
func node(n expr.Node) string {
	switch n := n.(type) {
	case nil:
		return "-"
	case *expr.Lit:
		return constant(n.Value)
	case *expr.Name:
		return n.Name
	case *expr.Select:
		return node(n.X) + "." + n.Name
	case *expr.Index:
		return node(n.X) + "[" + node(n.Key) + "]"
	case *expr.Slice:
		return node(n.X) + "[" + node(n.From) + ":" + node(n.To) + ":" + node(n.Step) + "]"
	case *expr.CallExpr:
		var args []string
		for _, a := range n.Args {
			args = append(args, when(a.Name != "", a.Name+"=")+node(a.Value))
		}
		return node(n.Fn) + "(" + strings.Join(args, ", ") + ")"
	case *expr.Unary:
		return "(" + n.Op + " " + node(n.X) + ")"
	case *expr.Binary:
		return "(" + node(n.X) + " " + n.Op + " " + node(n.Y) + ")"
	case *expr.Logic:
		return "(" + node(n.X) + " " + n.Op + " " + node(n.Y) + ")"
	case *expr.Compare:
		return "(" + node(n.First) + " " + n.Rest[0].Op + " " + node(n.Rest[0].Y) + ")"
	case *expr.Cond:
		return "(" + node(n.Then) + " if " + node(n.Test) + " else " + node(n.Else) + ")"
	case *expr.Else:
		return "(" + node(n.X) + " else " + node(n.Y) + ")"
	case *expr.List:
		return "[" + nodes(n.Items) + "]"
	case *expr.Concat:
		return "concat(" + nodes(n.Parts) + ")"
	case *expr.Map:
		var entries []string
		for _, e := range n.Entries {
			entries = append(entries, node(e.Key)+": "+node(e.Value))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case *expr.For:
		return comprehension(n)
	}
	return fmt.Sprintf("unknown %T", n)
}

// comments returns all comments of a tree in their order.
func comments(t *Tree) string {
	var c commentReader
	c.block(t.Root)
	c.add(t.Foot...)
	return strings.Join(c, "\n")
}

type commentReader []string

func (c *commentReader) add(lines ...string) {
	for _, s := range lines {
		if s != "" {
			*c = append(*c, s)
		}
	}
}

func (c *commentReader) block(b *Block) {
	if b == nil {
		return
	}
	for _, s := range b.Stanzas {
		c.stanza(s)
	}
	c.add(b.Foot...)
}

func (c *commentReader) layout(l *Layout) {
	c.add(l.Lead...)
	c.add(l.Trail)
}

func (c *commentReader) value(v Value) {
	if b, ok := v.(*Block); ok {
		c.block(b)
	}
}

func (c *commentReader) stanza(s Stanza) {
	c.layout(s.Around())
	switch s := s.(type) {
	case *Pair:
		c.value(s.Value)
	case *Item:
		c.value(s.Value)
	case *Configure:
		c.block(s.Body)
	case *If:
		c.branches(s)
	case *For:
		c.block(s.Body)
	case *Select:
		for _, arm := range s.Cases {
			c.layout(&arm.Layout)
			c.value(arm.Value)
		}
		c.add(s.Foot...)
	case *Macro:
		c.block(s.Body)
	case *Call:
		c.block(s.Args)
	case *Prototype:
		c.block(s.Body)
	case *New:
		c.block(s.Args)
	}
}

func (c *commentReader) branches(s *If) {
	for _, b := range s.Branches {
		c.layout(&b.Layout)
		c.block(b.Body)
	}
	if s.Else != nil {
		c.layout(&s.Else.Layout)
		c.block(s.Else.Body)
	}
}

func nodes(list []expr.Node) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, node(n))
	}
	return strings.Join(texts, ", ")
}

func comprehension(n *expr.For) string {
	s := "[" + when(n.Key != nil, node(n.Key)+": ") + node(n.Item)
	for _, c := range n.Clauses {
		s += " for " + strings.Join(c.Names, ",") + " in " + node(c.In)
		for _, test := range c.Ifs {
			s += " if " + node(test)
		}
	}
	return s + "]"
}
