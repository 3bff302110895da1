package filters

import (
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

const pprintWidth = 80

// prettyPrint lays out a literal as Python's pprint does: on one line if it fits, else
// an item a line below the bracket; keys are sorted.
func prettyPrint(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if err := c.measure(in); err != nil {
		return value.Null, err
	}
	p := prettyPrinter{c: c}
	l, err := p.literal(in, 0)
	if err == nil {
		err = p.write(l, 0, 0)
	}
	return value.String(p.b.String()), err
}

// A literal is a value as Python writes it.
type literal struct {
	line  string // on one line; "" for a list or map that is longer than any line
	width int    // of line, in characters

	brackets string
	keys     []string // of a map, with their colons
	items    []literal
}

type prettyPrinter struct {
	c *Ctx
	b strings.Builder
}

func (p *prettyPrinter) literal(v value.Value, depth int) (literal, error) {
	if depth > maxDepth {
		return literal{}, errTooDeep
	}
	switch v.Kind() {
	case value.ListKind:
		return p.list(v, depth)
	case value.MapKind:
		return p.dict(v, depth)
	}
	s, err := p.c.repr(v)
	return literal{line: s, width: utf8.RuneCountInString(s)}, err
}

func (p *prettyPrinter) list(v value.Value, depth int) (literal, error) {
	l := literal{brackets: "[]"}
	items, err := p.c.listItems(v)
	if err != nil {
		return l, err
	}
	for _, item := range items {
		inner, err := p.literal(item, depth+1)
		if err != nil {
			return l, err
		}
		l.items = append(l.items, inner)
	}
	l.join()
	return l, nil
}

func (p *prettyPrinter) dict(v value.Value, depth int) (literal, error) {
	l := literal{brackets: "{}"}
	entries, err := p.c.entries(v)
	if err != nil {
		return l, err
	}
	sortEntries(entries)
	for _, e := range entries {
		key, err := p.c.repr(e.key.Value())
		if err != nil {
			return l, err
		}
		inner, err := p.literal(e.val, depth+1)
		if err != nil {
			return l, err
		}
		l.keys, l.items = append(l.keys, key+": "), append(l.items, inner)
	}
	l.join()
	return l, nil
}

// key returns what stands before item i.
func (l *literal) key(i int) string {
	if l.keys == nil {
		return ""
	}
	return l.keys[i]
}

// join writes a list or map on one line, if there is a line that it may fit in.
func (l *literal) join() {
	width := 2 * max(len(l.items), 1)
	for i, item := range l.items {
		width += utf8.RuneCountInString(l.key(i)) + item.width
		if item.line == "" || width > pprintWidth {
			return
		}
	}
	var b strings.Builder
	b.WriteString(l.brackets[:1])
	for i, item := range l.items {
		b.WriteString(pick(i == 0, "", ", ") + l.key(i) + item.line)
	}
	b.WriteString(l.brackets[1:])
	l.line, l.width = b.String(), width
}

// write writes a literal that begins in the column indent, and is followed by tail
// characters on its last line.
func (p *prettyPrinter) write(l literal, indent, tail int) error {
	if err := p.c.fits(p.b.Len() + len(l.line) + indent); err != nil {
		return err
	}
	if l.line != "" && (l.brackets == "" || l.width <= pprintWidth-indent-tail) {
		p.b.WriteString(l.line)
		return nil
	}
	for i, item := range l.items {
		p.b.WriteString(pick(i == 0, l.brackets[:1], ",\n"+strings.Repeat(" ", indent+1)) + l.key(i))
		behind := 1
		if i == len(l.items)-1 {
			behind = tail + 1
		}
		if err := p.write(item, indent+1+utf8.RuneCountInString(l.key(i)), behind); err != nil {
			return err
		}
	}
	p.b.WriteString(l.brackets[1:])
	return nil
}
