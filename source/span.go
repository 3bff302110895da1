package source

import "fmt"

// A Span is the half-open range [Start, End) of a file, in bytes from its start. The
// zero Span is "no place": the value came from a flag or the environment. Spans may be
// compared with ==.
type Span struct {
	File       *File
	Start, End uint32
}

// IsZero reports whether s is no place.
func (s Span) IsZero() bool { return s.File == nil }

// Text returns the bytes of the range.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.Text[s.Start:s.End]
}

// Contains reports whether at lies in s: false if either is no place.
func (s Span) Contains(at Span) bool {
	return s.File != nil && s.File == at.File && s.Start <= at.Start && at.End <= s.End
}

// Sub returns the part [start, end) of s, in bytes from its start, clamped to s.
func (s Span) Sub(start, end int) Span {
	if s.File == nil {
		return s
	}
	n := int(s.End - s.Start)
	start = min(max(start, 0), n)
	end = min(max(end, start), n)
	return Span{s.File, s.Start + uint32(start), s.Start + uint32(end)}
}

// String returns file:line:col, or "" for no place.
func (s Span) String() string {
	if s.File == nil {
		return ""
	}
	line, col := s.File.Position(int(s.Start))
	return fmt.Sprintf("%s:%d:%d", s.File.Name, line, col)
}
