package expr

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Path is a path expression such as ::hosts::*::[role=web]?::ip
// (spec: expressions, section 1).
type Path struct {
	Place
	Segments []Segment // split at "::", the empty one before a leading "::" included

	marks value.Marks // of the text that it was read from
}

// A Segment is one step of a [Path].
type Segment struct {
	At      source.Span
	Kind    SegmentKind
	Key     string // of names, the digits of an integer, the variable without "$"
	Index   int    // of integers
	Filters []PathFilter
	Test    *PathTest // only on the last segment of a filter
	First   bool      // "?": only the first match
}

// A SegmentKind says what the key of a [Segment] is.
type SegmentKind uint8

// The kinds of keys.
const (
	NoKey SegmentKind = iota
	NameKey
	IndexKey
	VarKey
	StarKey
)

// A PathFilter is a condition in brackets.
type PathFilter struct {
	Negate bool
	Path   *Path // relative to the value; its last segment may have a test
}

// A PathTest compares a value with a text or a variable.
type PathTest struct {
	NotEqual bool
	Var      bool
	Text     string // or the variable without "$"
}

// String writes the path so that it reads back as the same path.
func (p *Path) String() string {
	var b strings.Builder
	for i := range p.Segments {
		if i > 0 {
			if strings.HasSuffix(p.Segments[i-1].Key, ":") {
				b.WriteByte(' ') // or the colon would join the "::"
			}
			b.WriteString("::")
		}
		p.Segments[i].write(&b)
	}
	return b.String()
}

func (s *Segment) write(b *strings.Builder) {
	switch s.Kind {
	case VarKey:
		b.WriteByte('$')
	case StarKey:
		b.WriteByte('*')
	}
	b.WriteString(s.Key)
	for _, f := range s.Filters {
		b.WriteByte('[')
		if f.Negate {
			b.WriteByte('!')
		}
		b.WriteString(f.Path.String())
		b.WriteByte(']')
	}
	if s.First {
		b.WriteByte('?')
	}
	if s.Test != nil {
		if strings.HasSuffix(s.Key, "!") {
			b.WriteByte(' ') // or the mark would join the "="
		}
		b.WriteString(s.Test.String())
	}
}

// String writes the test with its operator.
func (t *PathTest) String() string {
	s := "="
	if t.NotEqual {
		s = "!="
	}
	if t.Var {
		s += "$"
	}
	return s + t.Text
}

// absolute reports whether the path begins at the root of the document.
func (p *Path) absolute() bool {
	return len(p.Segments) > 1 && p.Segments[0].empty()
}

// empty reports whether the segment does nothing but take its value apart.
func (s *Segment) empty() bool {
	return s.Kind == NoKey && s.Filters == nil && s.Test == nil && !s.First
}

// Constant returns the keys of a path that leads from the root to one place:
// names and integers only. A reader may then look the place up in a text without
// building the whole document.
func (p *Path) Constant() ([]value.Key, bool) {
	if !p.absolute() {
		return nil, false
	}
	var keys []value.Key
	if len(p.Segments) == 2 && p.Segments[1].empty() {
		return keys, true
	}
	for _, s := range p.Segments[1:] {
		special := s.Kind == NameKey && strings.HasPrefix(s.Key, ".")
		if s.Kind != NameKey && s.Kind != IndexKey || s.Filters != nil || s.First || special {
			return nil, false
		}
		k := value.K(s.Key)
		if s.Kind == IndexKey {
			k.Kind = value.IntKind
		}
		keys = append(keys, k)
	}
	return keys, true
}
