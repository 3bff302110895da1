package expr

import (
	"iter"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// NoMatch explains why a path has no match: it returns a warning of code no-match at the first
// segment without one, with keys of a similar spelling. For ::srver::port over {server: {}} it
// is at srver: no "srver" at the top; did you mean "server"?
//
// The error is one of evaluating the path.
func NoMatch(p *Path, s *Scope) (*source.Diagnostic, error) {
	n, from, err := longestPrefix(p, s)
	if err != nil {
		return nil, err
	}
	seg := p.Segments[n]
	where := "at the top"
	if n > 1 || n == 1 && !p.absolute() {
		where = "in " + (&Path{Segments: p.Segments[:n]}).String()
	}
	d := source.Errorf(seg.At, source.NoMatch, "the path ends here: no match %s", where)
	d.Severity = source.Warning
	switch {
	case len(seg.Filters) > 0:
		bare := seg
		bare.Filters, bare.First = nil, false
		found, err := query(&Path{Place: p.Place, Segments: append(p.Segments[:n:n], bare)}, s)
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			d.Message = "no match " + where + " passes " + strings.TrimPrefix(seg.At.Text(), seg.Key)
			return hintFilterKey(d, seg.Filters, found), nil
		}
		fallthrough
	case seg.Kind == NameKey:
		if seg.Key != "" {
			d.Message = `no "` + seg.Key + `" ` + where
			d.DidYouMean(seg.Key, openKeys(from))
		}
	case seg.Kind == IndexKey:
		d.Message = "no item " + seg.Key + " " + where
	case seg.Kind == VarKey:
		if _, known, err := (&pathWalk{s: s, at: p.At}).variable(seg.Key); err == nil && !known {
			d.Message = "the variable $" + seg.Key + " has no value"
		}
	}
	return d, nil
}

// hintFilterKey adds the hint about the first key of a filter that none of the values has.
func hintFilterKey(d *source.Diagnostic, filters []PathFilter, values []value.Value) *source.Diagnostic {
	for _, f := range filters {
		first := f.Path.Segments[0]
		if first.Kind != NameKey {
			continue
		}
		known := false
		for k := range openKeys(values) {
			known = known || k == first.Key
		}
		if !known {
			return d.DidYouMean(first.Key, openKeys(values))
		}
	}
	return d
}

// longestPrefix returns the number of segments of the longest prefix of the path with a match,
// and its matches.
func longestPrefix(p *Path, s *Scope) (int, []value.Value, error) {
	for n := len(p.Segments) - 1; n > 0; n-- {
		if n == 1 && p.absolute() {
			return n, []value.Value{s.Env.Root()}, nil
		}
		found, err := query(&Path{Place: p.Place, Segments: p.Segments[:n]}, s)
		if err != nil || len(found) > 0 {
			return n, found, err
		}
	}
	return 0, []value.Value{s.Self}, nil
}

// openKeys yields the text keys of the maps among values and in lists among them. Keys of marked
// maps are secret.
func openKeys(values []value.Value) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, v := range values {
			items := []value.Value{v}
			if v.Is(value.ListKind) {
				items, _ = listItems(v)
			}
			for _, m := range items {
				if !m.Is(value.MapKind) || m.Marks() != 0 {
					continue
				}
				for k := range m.Map().Keys() {
					if k.Kind == value.StringKind && !yield(k.Text) {
						return
					}
				}
			}
		}
	}
}
