package expr

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
)

// expect marks the paths of an expression object that are expected to have a match: all but those
// of which the expression says that they may have none (spec: everyday, A7).
//
//	{eval: ::web::port}                        expected
//	{eval: ::web?::port}                       not: "?"
//	{eval: {if: ::web::tls, then: ::a}}        not: below if
//	{eval: ::services::*, foreach: ::a}        not: a loop over nothing is a loop
func expect(n Node) {
	switch n := n.(type) {
	case *Path:
		n.expected = !n.mayMiss()
		return
	case *Object:
		if n.each == nil && !n.demands() {
			expect(n.Body)
		}
		return
	case *funcCall:
		switch n.name {
		case "if", "and", "or", "not", "foreach":
			return
		}
	}
	for _, child := range children(n) {
		expect(child)
	}
}

// demands reports whether "strict" makes it an error that there is no result.
func (o *Object) demands() bool {
	lit, ok := o.strict.(*Lit)
	return ok && (lit.Value.Str() == "required" || lit.Value.Str() == "notnull")
}

// mayMiss reports whether a segment has "?".
func (p *Path) mayMiss() bool {
	return slices.ContainsFunc(p.Segments, func(s Segment) bool { return s.First })
}

// Misses are the paths of expression objects that were expected to have a match and had none, in
// one evaluation.
type Misses struct {
	// Settled reports whether the values that were read meanwhile are final. Otherwise the
	// expression will be evaluated again.
	Settled func() bool

	seen map[*Path]bool
}

// first adds a path and reports whether it was not known.
func (m *Misses) first(p *Path) bool {
	if m.seen[p] {
		return false
	}
	if m.seen == nil {
		m.seen = map[*Path]bool{}
	}
	m.seen[p] = true
	return true
}

// missed reports that the path has no match, once in an evaluation: as a warning, or as the error
// that it returns.
func (p *Path) missed(s *Scope) error {
	o := s.Env.Options()
	if !o.StrictPaths && (o.Misses == nil || !o.Misses.Settled() || !o.Misses.first(p)) {
		return nil
	}
	d, err := NoMatch(p, s)
	if err != nil {
		return err
	}
	if p.marks != 0 || quotesSecret(d) {
		d = concealedIn(d)
	}
	if o.StrictPaths {
		d.Severity = source.Error
		return d
	}
	d.Message += ", so this is null"
	s.Env.Warn(d)
	return nil
}

// warnWholeList warns of a test after the key of a list, which keeps or drops the list as a
// whole (spec: everyday, A4): ::a::b[c=x] is the list b, ::a::b::[c=x] the items that pass.
func (p *Path) warnWholeList(seg *Segment, s *Scope) {
	m := s.Env.Options().Misses
	if !seg.tests() || !p.asked && (!p.expected || m == nil || !m.Settled()) {
		return
	}
	i := 0
	for i < len(p.Segments) && &p.Segments[i] != seg {
		i++
	}
	if i == len(p.Segments) {
		return // a segment that is a part of another
	}
	bare, test := *seg, *seg
	bare.Filters, bare.First = nil, false
	test.Kind, test.Key = NoKey, ""
	items := Path{Segments: slices.Concat(p.Segments[:i], []Segment{bare, test}, p.Segments[i+1:])}
	d := source.Warnf(seg.At, source.WholeList, "the test is on the list as a whole, and keeps all its items").
		WithHint("%s tests the items", items.String())
	if p.marks != 0 || quotesSecret(d) {
		d = concealedIn(d)
	}
	s.Env.Warn(d)
}

// tests reports whether a filter of the segment compares a value.
func (s *Segment) tests() bool {
	return slices.ContainsFunc(s.Filters, func(f PathFilter) bool {
		return f.Path.Segments[len(f.Path.Segments)-1].Test != nil
	})
}
