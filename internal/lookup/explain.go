package lookup

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Explanation is the derivation of an answer (spec: bindings, section 11).
type Explanation struct {
	Answer bind.Answer
	Axes   []bind.Axis
	Steps  []bind.Step
	Near   string // a key that was probably meant, if nothing was found

	Reveal bool // show secret and sensitive values
}

// Explain returns the derivation of an answer.
func Explain(t *bind.Table, a bind.Answer, reveal bool) *Explanation {
	e := &Explanation{Answer: a, Axes: t.Axes, Steps: t.Steps(a), Reveal: reveal}
	if !a.Found {
		e.Near = Near(t, a)
	}
	return e
}

// Near returns a key that was probably meant by one that was not found, or "".
func Near(t *bind.Table, a bind.Answer) string {
	if len(a.Key.Segments) == 0 {
		return "" // the key is a type
	}
	return t.Near(a.Key.Segments[0].Text)
}

// Value returns the derivation as data: the form of -o json and -o yaml.
func (e *Explanation) Value() value.Value {
	d := newObject()
	d.set("key", value.String(e.Answer.Key.Text))
	if !e.Answer.Found {
		d.set("found", value.False)
		if e.Near != "" {
			d.set("near", value.ListOf(value.String(e.Near)))
		} else {
			d.set("near", value.ListOf())
		}
	} else {
		d.set("value", e.masked(e.Answer.Value))
		d.set("type", value.String(e.Answer.Type.String()))
		d.set("merge", e.merge())
	}
	var axes []value.Value
	for _, a := range e.Axes {
		if a.Value == "" {
			continue
		}
		axis := newObject()
		axis.set("name", value.String(a.Name))
		axis.set("value", e.masked(value.String(a.Value).Mark(a.Marks)))
		axes = append(axes, axis.value())
	}
	d.set("categories", value.ListOf(axes...))
	d.set("steps", e.stepsValue(e.Steps))
	return d.value()
}

// merge returns the strategy of the answer, null for the best source.
func (e *Explanation) merge() value.Value {
	if e.Answer.Merge == nil {
		return value.Null
	}
	return value.String(e.Answer.Merge.Kind.String())
}

// masked returns a value with its secrets replaced.
func (e *Explanation) masked(v value.Value) value.Value {
	if e.Reveal || plain(v) {
		return v
	}
	masked, err := value.Rewrite(v, func(_ value.Position, v value.Value, err error) (value.Value, error) {
		if text, hidden := value.Masked(v); hidden {
			return value.String(text), value.SkipInside
		}
		return v.WithoutSource(), err
	})
	if err != nil {
		return value.String("?")
	}
	return masked
}

func (e *Explanation) stepsValue(steps []bind.Step) value.Value {
	out := make([]value.Value, len(steps))
	for i, s := range steps {
		out[i] = e.stepValue(s)
	}
	return value.ListOf(out...)
}

func (e *Explanation) stepValue(s bind.Step) value.Value {
	d := newObject()
	d.set("status", value.String(string(s.Status)))
	text := func(key, s string) {
		if s != "" {
			d.set(key, value.String(s))
		}
	}
	text("key", s.Key)
	text("at", s.Place())
	text("id", s.ID)
	if s.Value != nil {
		d.set("value", e.masked(*s.Value))
	}
	text("layer", s.Layer)
	text("bindings", s.Bindings)
	text("level", s.Level)
	if len(s.When) > 0 {
		var when []value.Value
		for _, tests := range s.When {
			conjunction := newObject()
			for _, t := range tests {
				conjunction.set(t[0], value.String(t[1]))
			}
			when = append(when, conjunction.value())
		}
		d.set("when", value.ListOf(when...))
	}
	if len(s.Precedence) > 0 {
		var names []value.Value
		for _, name := range s.Precedence {
			names = append(names, value.String(name))
		}
		d.set("precedence", value.ListOf(names...))
	}
	text("reason", s.Reason)
	if len(s.Steps) > 0 {
		d.set("steps", e.stepsValue(s.Steps))
	}
	return d.value()
}

// An object is a map under construction.
type object struct{ dict *value.Dict }

func newObject() object { return object{value.NewMap(8)} }

func (o object) set(key string, v value.Value) { o.dict.Set(value.K(key), v) }

func (o object) value() value.Value { return value.FromMap(o.dict) }

// Text writes the derivation for people:
//
//	colour = "gold" (String)
//	  categories  role="db" environment="production" common
//	  set      site.pp:10:35  "gold"  layer "site", bindings default, when role db
func (e *Explanation) Text() string {
	var b strings.Builder
	if e.Answer.Found {
		fmt.Fprintf(&b, "%s = %s (%s)", show.Text(e.Answer.Key.Text), e.short(e.Answer.Value), e.Answer.Type)
		if m := e.Answer.Merge; m != nil {
			fmt.Fprintf(&b, " (merge %s%s)", m.Kind, fromOption(e.Answer.MergeAt))
		}
	} else {
		fmt.Fprintf(&b, "%s: not found", show.Text(e.Answer.Key.Text))
		if e.Near != "" {
			fmt.Fprintf(&b, "; did you mean %q?", e.Near)
		}
	}
	b.WriteString("\n  categories ")
	for i, a := range e.Axes {
		switch {
		case i == len(e.Axes)-1:
			b.WriteString(" " + a.Name)
		case a.Value != "":
			fmt.Fprintf(&b, " %s=%s", a.Name, e.short(value.String(a.Value).Mark(a.Marks)))
		}
	}
	b.WriteByte('\n')
	e.steps(&b, e.Steps, "  ")
	return b.String()
}

func fromOption(at source.Span) string {
	if at.File == nil {
		return ""
	}
	line, _ := at.File.Position(int(at.Start))
	return fmt.Sprintf(" from option at %s:%d", at.File.Name, line)
}

// short writes a value on one line of at most 60 characters.
func (e *Explanation) short(v value.Value) string {
	masked := e.masked(v)
	var b strings.Builder
	if err := yaml.EncodeJSON(&b, masked, yaml.EncodeOptions{Compact: true, DropTags: true, Reveal: e.Reveal, MaxBytes: maxEncoded}); err != nil {
		return show.Value(v, e.Reveal)
	}
	text := strings.TrimSpace(b.String())
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown-3]) + "..."
	}
	return source.Escaped(text)
}

// maxShown is the number of characters of a value on a line, maxEncoded the bytes of a value that
// is written out for that; a longer one is {...} or [...].
const (
	maxShown   = 60
	maxEncoded = 64 << 10
)

// plain reports whether a value has neither marks nor tags. What is in many places is visited once.
func plain(v value.Value) bool {
	var seen value.Visited
	ok := true
	err := value.Walk(v, func(_ value.Position, v value.Value, err error) error {
		if s := v.Source(); err != nil || v.Marks() != 0 || s != nil && s.Tag != "" {
			ok = false
			return value.SkipAll
		}
		if !v.IsScalar() && !seen.Add(v) {
			return value.SkipInside
		}
		return nil
	})
	return ok && err == nil
}

func (e *Explanation) steps(b *strings.Builder, steps []bind.Step, indent string) {
	for _, s := range steps {
		fmt.Fprintf(b, "%s%-7s", indent, s.Status)
		fields := []string{}
		if s.Key != "" {
			fields = append(fields, show.Text(s.Key))
		}
		if at := s.Place(); at != "" {
			fields = append(fields, show.Text(at))
		}
		if s.Value != nil {
			fields = append(fields, e.short(*s.Value))
		}
		if s.ID != "" {
			fields = append(fields, "id "+s.ID)
		}
		if from := where(s); from != "" {
			fields = append(fields, from)
		}
		for _, f := range fields {
			b.WriteString("  " + f)
		}
		if s.Reason != "" {
			b.WriteString(": " + source.Escaped(s.Reason))
		}
		b.WriteByte('\n')
		e.steps(b, s.Steps, indent+"  ")
	}
}

// where writes the layer, the set or level, and the condition of a step.
func where(s bind.Step) string {
	if s.Layer == "" {
		return ""
	}
	out := fmt.Sprintf("layer %q", s.Layer)
	if s.Bindings != "" {
		out += ", bindings " + s.Bindings
	}
	if s.Level != "" {
		out += fmt.Sprintf(", level %q", s.Level)
	}
	var alternatives []string
	for _, tests := range s.When {
		var parts []string
		for _, t := range tests {
			parts = append(parts, t[0]+" "+t[1])
		}
		alternatives = append(alternatives, strings.Join(parts, " and "))
	}
	if len(alternatives) > 0 {
		out += ", when " + strings.Join(alternatives, " or ")
	}
	return out
}
