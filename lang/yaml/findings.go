package yaml

import "github.com/yaytpl/yaytpl/source"

// maxFindings bounds what is told about one text, of each severity.
const maxFindings = 100

// findings are what is told about one text, in the order in which it was found. Errors
// and warnings are limited apart: many warnings must not hide that a text is wrong.
type findings struct {
	told    []*source.Diagnostic
	limited [source.Info + 1]limited // by severity
}

// limited counts findings of one severity.
type limited struct {
	told, more int
	last       *source.Diagnostic // that is told
	next       source.Span        // of the first that is not
}

func (f *findings) add(d *source.Diagnostic) {
	if f.full(d.Severity) {
		f.omit(d.Severity, d.At)
		return
	}
	l := &f.limited[d.Severity]
	l.told++
	l.last = d
	f.told = append(f.told, d)
}

// full reports whether no more findings of a severity are told. Who would make one may
// as well [findings.omit] it.
func (f *findings) full(s source.Severity) bool { return f.limited[s].told >= maxFindings }

// omit counts a finding that is not told.
func (f *findings) omit(s source.Severity, at source.Span) {
	l := &f.limited[s]
	if l.more++; l.more == 1 {
		l.next = at
	}
}

// all returns what is told, and other findings behind it. The last one of a severity
// says how many more there are.
func (f *findings) all(others ...*source.Diagnostic) []*source.Diagnostic {
	for s, l := range f.limited {
		if word := source.Severity(s).String(); l.more > 1 {
			l.last.Note(l.next, "%d more %ss from here on are not told", l.more, word)
		} else if l.more == 1 {
			l.last.Note(l.next, "one more %s is not told", word)
		}
	}
	return append(f.told, others...)
}
