package template

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func (r *run) writeText(s string) error {
	o := r.out
	if o.silent || s == "" {
		return nil
	}
	if err := o.flush(); err != nil {
		return err
	}
	o.chunks++
	o.text.WriteString(s)
	return r.count(len(s))
}

// writeMarked writes a text that has marks. That nothing is written where a secret is
// empty says so much about it that the rest is not shown either.
func (r *run) writeMarked(v value.Value) error {
	o := r.out
	if v.Str() == "" {
		o.decidedBy(v.Marks())
		return nil
	}
	if err := o.flush(); err != nil {
		return err
	}
	o.chunks++
	o.marks |= v.Marks()
	if err := o.text.WriteValue(v, v.Str()); err != nil {
		return err
	}
	return r.count(len(v.Str()) + len(value.SecretText))
}

func (r *run) writeString(v value.Value) error {
	if v.Marks() == 0 {
		return r.writeText(v.Str())
	}
	return r.writeMarked(v)
}

// write writes a value. The first one that is no text is held back, since the
// result is that very value if nothing else is written.
func (r *run) write(v value.Value, exempt bool) error {
	o := r.out
	if o.silent {
		return nil
	}
	if v.Is(value.StringKind) {
		first := o.chunks == 0
		if err := r.writeString(v); err != nil {
			return err
		}
		if first && o.chunks == 1 {
			o.only, o.exempt = v, exempt
		}
		return nil
	}
	m := meter{run: r}
	if err := m.visit(v, 0); err != nil {
		return err
	}
	if err := o.flush(); err != nil {
		return err
	}
	o.chunks++
	o.only, o.inside, o.held = v, m.marks, true
	if o.chunks > 1 {
		return o.flush()
	}
	return nil
}

// count adds to the text produced.
func (r *run) count(n int) error {
	if r.bytes += n; r.bytes > r.opts.maxBytes() {
		return source.Errorf(source.Span{}, source.Limit, "the template produces more than %d bytes of text", r.opts.maxBytes())
	}
	if n > 4096 {
		return r.base.Env.Step(n / 4096)
	}
	return nil
}

// A meter counts the text that a list or map will become before it is made, and
// collects the marks of what is in it. Lists that share lists can be small and
// their text without end.
type meter struct {
	run   *run
	marks value.Marks
}

// maxValueDepth bounds the nesting of a value that is written as text.
const maxValueDepth = 2000

func (m *meter) visit(v value.Value, depth int) error {
	m.marks |= v.Marks()
	if depth > maxValueDepth {
		return source.Errorf(source.Span{}, source.Limit, "the value is nested more than %d deep, or contains itself", maxValueDepth)
	}
	if err := expr.Raise(v); err != nil {
		return err
	}
	switch v.Kind() {
	case value.StringKind:
		return m.run.count(len(v.Str()))
	case value.ListKind:
		return m.list(v.List(), depth)
	case value.MapKind:
		return m.dict(v.Map(), depth)
	}
	return m.run.count(4)
}

func (m *meter) list(l value.List, depth int) error {
	if err := m.run.base.Env.Step(1 + l.Len()); err != nil {
		return err
	}
	for item, err := range value.Items(l) {
		if err != nil {
			return err
		}
		if err := m.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (m *meter) dict(d value.Map, depth int) error {
	if err := m.run.base.Env.Step(1 + d.Len()); err != nil {
		return err
	}
	for k := range d.Keys() {
		if err := m.run.count(len(k.Text) + 4); err != nil {
			return err
		}
		item, _, err := d.Get(k)
		if err != nil {
			return err
		}
		if err := m.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}
