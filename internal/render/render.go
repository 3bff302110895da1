package render

import (
	"bytes"
	"errors"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Renderer writes documents of a project as one result. The caller holds the lock of the project.
type Renderer struct {
	Encoder
	Project *engine.Project
	Docs    []*engine.Document

	// Joins reports findings about the layers of a document after its last unit, and returns those that are errors.
	Joins func(*engine.Document) error
}

// Render writes the results of units one after the other. Without Options.Partial, out has no use after an error.
//
// Codes: the codes of [Encoder.Encode] and of evaluation.
func (r *Renderer) Render(out *bytes.Buffer, units []Unit) error {
	var errs []*source.Diagnostic
	form, _ := FormNamed(r.Form) // encode reports the error
	several := len(units) > 1 || r.Place != Alone
	for i, u := range units {
		if i > 0 || r.Place == Later {
			out.WriteString(form.Between)
		}
		start := out.Len()
		err := r.unit(out, u, several)
		if err == nil && u.last {
			err = r.Joins(u.Doc)
		}
		if err == nil {
			if i == 0 && several && r.Place != Later && form.Between != "" {
				markEmpty(out, form.Between)
			}
			continue
		}
		errs = append(errs, source.Findings(err)...)
		out.Truncate(start)
		if r.Partial {
			errs = append(errs, source.Findings(r.part(out, u, several))...)
		}
	}
	if len(errs) > 0 {
		return source.OneOrMany(errs)
	}
	return nil
}

// markEmpty inserts the line between documents, such as "---", before a first document without content.
// Otherwise the line before the second document would begin the first.
func markEmpty(out *bytes.Buffer, between string) {
	for line := range bytes.Lines(out.Bytes()) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return
		}
	}
	text := bytes.Clone(out.Bytes())
	out.Reset()
	out.WriteString(between)
	out.Write(text)
}

// unit writes one result. several is set if there are others.
func (r *Renderer) unit(out *bytes.Buffer, u Unit, several bool) error {
	v, err := r.result(u)
	if err != nil {
		return err
	}
	err = r.write(out, u, v, several)
	if err == nil || graph.Stops(err) && !errors.Is(err, yaml.ErrDepth) {
		return err
	}
	// The encoder stops at the first failure. Force finds the others too.
	if all := u.Doc.Force(v); all != nil {
		return all
	}
	return LocatedBelow(u.Doc, u.Path, err)
}

// part writes the result without the values that fail. It returns the error of a limit that only
// this reaches: unit ends at the first error, and this goes on.
func (r *Renderer) part(out *bytes.Buffer, u Unit, several bool) error {
	v, err := r.result(u)
	if err != nil {
		return nil // the error of unit
	}
	start := out.Len()
	var s salvage
	if err := r.write(out, u, s.value(v, 0), several); err != nil {
		out.Truncate(start)
		s.stopped(err)
	}
	return s.limit
}

// A salvage copies what does not fail of a value.
type salvage struct {
	limit  error // the first error of a limit
	limits int   // errors of limits
}

// mostLimits is the most values that may exceed a limit. If more do, the evaluation has exceeded one, and each
// value that is not known yet fails: then nothing more is copied.
const mostLimits = 100

// stopped counts an error of a limit.
func (s *salvage) stopped(err error) {
	if !graph.Stops(err) {
		return
	}
	if s.limits++; s.limit == nil {
		s.limit = err
	}
}

// value returns v without the entries and items that fail.
func (s *salvage) value(v value.Value, depth int) value.Value {
	v = value.Public(v)
	if depth > value.MaxNesting {
		return value.Null
	}
	switch v.Kind() {
	case value.ListKind:
		var items value.Slice
		for i := 0; i < v.List().Len() && s.limits < mostLimits; i++ {
			if item, err := v.List().At(i); err == nil {
				items = append(items, s.value(item, depth+1))
			} else {
				s.stopped(err)
			}
		}
		return value.FromList(items).Mark(v.Marks())
	case value.MapKind:
		m := value.NewMap(v.Map().Len())
		for _, k := range engine.AllKeys(v) {
			if s.limits >= mostLimits {
				break
			}
			item, ok, err := v.Map().Get(k)
			if ok && err == nil {
				m.Set(k, s.value(item, depth+1))
			}
			s.stopped(err)
		}
		return value.FromMap(m).Mark(v.Marks())
	}
	return v
}

// write encodes the value of a unit with the comments of the document.
func (r *Renderer) write(out *bytes.Buffer, u Unit, v value.Value, several bool) error {
	form, _ := FormNamed(r.Form) // encode reports the error
	if u.whole() && u.Doc.Empty() && form.EmptyIsNil {
		return nil
	}
	o := r.options()
	o.Compact = o.Compact || several && form.LineEach
	if u.whole() {
		o.Head, o.Foot = u.Doc.Comments()
		o.Tag = u.Doc.Tag()
	} else {
		note := u.annotation()
		o.Head, o.Tag = note.Head, note.Tag
	}
	warned := r.Warning != nil
	err := r.encode(out, v, o)
	if r.Warning != nil && !warned {
		r.Warning = source.AsDiagnostic(LocatedBelow(u.Doc, u.Path, r.Warning), source.Span{}, source.Redacted)
	}
	return err
}
