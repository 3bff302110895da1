package expr

import (
	"iter"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An external is a file that an expression names. While it is inside an expression
// it is a map with path, contents and encoding, read on demand; outside it is the
// path that was given.
type external struct {
	s        *Scope
	at       source.Span
	given    string
	base     string
	encoding string
	marks    value.Marks // of what its full path is made of
}

// plain returns what a value is outside the expression that made it.
func plain(v value.Value) value.Value {
	if !v.Is(value.MapKind) {
		return v
	}
	if e, ok := v.Map().(*external); ok {
		return value.String(e.given).Mark(v.Marks()).Verbatim()
	}
	return v
}

// Len returns the number of attributes.
func (e *external) Len() int { return 3 }

// Keys yields the names of the attributes.
func (e *external) Keys() iter.Seq[value.Key] {
	return func(yield func(value.Key) bool) {
		for _, name := range [...]string{"path", "encoding", "contents"} {
			if !yield(value.K(name)) {
				return
			}
		}
	}
}

// Get returns an attribute.
func (e *external) Get(k value.Key) (value.Value, bool, error) {
	switch k {
	case value.K("path"):
		path, err := e.s.Env.Host().Abs(e.given, e.base)
		return value.String(path).Mark(e.marks).Verbatim(), true, located(e.at, source.Access, err, e.marks)
	case value.K("encoding"):
		return value.String(e.encoding), true, nil
	case value.K("contents"):
		file, err := e.s.Env.Host().ReadFile(e.given, e.base)
		if err != nil {
			return value.Null, false, located(e.at, source.Access, err, e.marks)
		}
		return fileText(file, file.Text), true, nil
	}
	return value.Null, false, nil
}

// fileText returns text from a file: final, and secret if the file was encrypted.
func fileText(f *source.File, text string) value.Value {
	v := value.String(text).Verbatim()
	if f.Secret {
		v = v.Mark(value.Secret)
	}
	return v
}
