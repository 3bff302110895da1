package source

import (
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A File is one immutable version of a source text. Its fields are set before it is
// shared. A text has less than 4 GB, since a [Span] counts bytes in 32 bits.
type File struct {
	// Name is the name in messages: the path as the user would write it, a URL, or "-"
	// for standard input.
	Name string

	// Path is the absolute path that the file was read from, with the separators of the
	// system; empty for a text that is not on disk.
	Path string

	// Text is the whole text, byte for byte.
	Text string

	// Secret is set for the text of an encrypted file: excerpts of it are never shown.
	Secret bool

	// Sum returns the SHA-256 of the file as it is stored, in hexadecimal digits. It is nil for a
	// text that was not read.
	Sum func() string

	// Info has the properties of the file when it was read. It is nil for a text that was not read from
	// a file of the system.
	Info fs.FileInfo

	once   sync.Once
	lines  []uint32 // offset of the first byte of each line
	hidden atomic.Pointer[File]
}

// NewFile returns a file with the given name and text.
func NewFile(name, text string) *File { return &File{Name: name, Text: text} }

// Span returns the range [start, end) of f. Offsets are clamped to the text.
func (f *File) Span(start, end int) Span {
	start = min(max(start, 0), len(f.Text))
	end = min(max(end, start), len(f.Text))
	return Span{File: f, Start: uint32(start), End: uint32(end)}
}

// Hidden returns a copy of the file that is secret, always the same one. Values that were
// computed from secrets have their places in it, so that no message quotes them.
func (f *File) Hidden() *File {
	if f.Secret {
		return f
	}
	if h := f.hidden.Load(); h != nil {
		return h
	}
	f.hidden.CompareAndSwap(nil, &File{Name: f.Name, Path: f.Path, Text: f.Text, Secret: true})
	return f.hidden.Load()
}

// index returns the offsets of the lines: 0, and the offset after each "\n" and after each
// "\r" without a "\n" after it.
func (f *File) index() []uint32 {
	f.once.Do(func() {
		lines := make([]uint32, 1, 1+strings.Count(f.Text, "\n"))
		for i := 0; i < len(f.Text); i++ {
			switch f.Text[i] {
			case '\r':
				if i+1 < len(f.Text) && f.Text[i+1] == '\n' {
					continue
				}
				lines = append(lines, uint32(i+1))
			case '\n':
				lines = append(lines, uint32(i+1))
			}
		}
		f.lines = lines
	})
	return f.lines
}

// Lines returns the number of lines. A text that ends in a line break has an
// empty last line.
func (f *File) Lines() int { return len(f.index()) }

// LineStart returns the offset of the first byte of a line, counted from 1.
func (f *File) LineStart(line int) int {
	lines := f.index()
	if line < 1 {
		return 0
	}
	if line > len(lines) {
		return len(f.Text)
	}
	return int(lines[line-1])
}

// Line returns the text of a line, counted from 1, without its line break.
func (f *File) Line(line int) string {
	if line < 1 || line > f.Lines() {
		return ""
	}
	end := len(f.Text)
	if line < f.Lines() {
		end = f.LineStart(line + 1)
	}
	return strings.TrimRight(f.Text[f.LineStart(line):end], "\r\n")
}

// Position returns the line and column of a byte offset, both counted from 1.
// Columns count characters. A byte order mark has no width.
func (f *File) Position(offset int) (line, col int) {
	offset = min(max(offset, 0), len(f.Text))
	lines := f.index()
	line = sort.Search(len(lines), func(i int) bool { return int(lines[i]) > offset })
	before := f.Text[lines[line-1]:offset]
	if line == 1 {
		before = strings.TrimPrefix(before, "\uFEFF")
	}
	return line, utf8.RuneCountInString(before) + 1
}

// A Span is the half-open range [Start, End) of a file, in bytes from its start. The
// zero Span is no place: a value from a flag or the environment has it. Spans can be
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

// Contains reports whether at is inside of s: false if either is no place.
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
