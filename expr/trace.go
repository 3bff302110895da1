package expr

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// log reports the result to whoever reads traces, without what must not be shown.
func (o *Object) log(found []value.Value, s *Scope) error {
	wanted := s.Env.Options().Trace
	if o.trace != nil {
		v, err := evalUsed(o.trace, s)
		if err != nil {
			return err
		}
		wanted = wanted || value.Truthy(v)
	}
	if !wanted {
		return nil
	}
	d := source.Errorf(o.At, "", "trace: %s gives %s", o.describe(), shown(o.At, One(found)))
	d.Severity = source.Info
	s.Env.Warn(d)
	return nil
}

// maxShown bounds a value in a trace, in bytes.
const maxShown = 500

// shown writes a value that was computed at a place.
func shown(at source.Span, v value.Value) string {
	if v = plain(v); secretText(at) {
		v = v.Mark(value.Secret)
	}
	marks, err := value.DeepMarks(v)
	if err != nil {
		return "a value that cannot be computed"
	}
	if !v.IsScalar() {
		v = v.Mark(marks)
	}
	if masked, hidden := value.Masked(v); hidden {
		return masked
	}
	text, err := value.Repr(v)
	if err != nil {
		return "a value that cannot be computed"
	}
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "..."
	}
	return text
}
