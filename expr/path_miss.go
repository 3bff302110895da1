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
// For a path in the spelling of get or jq the hint is the path of a query: .a[].b is ::a::*::b.
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
	d := source.Warnf(seg.At, source.NoMatch, "the path ends here: no match %s", where)
	switch {
	case len(seg.Filters) > 0:
		bare := seg
		bare.Filters, bare.First = nil, false
		found, err := query(&Path{Range: p.Range, Segments: append(p.Segments[:n:n], bare)}, s)
		if err != nil {
			return nil, err
		}
		if len(found.found) > 0 {
			d.Message = "no match " + where + " passes " + strings.TrimPrefix(seg.At.Text(), seg.Key)
			return hintSpelling(hintFilterKey(d, seg.Filters, found.found), p.String()), nil
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
	return hintSpelling(d, p.String()), nil
}

// hintFilterKey adds the hint about the first key of a filter that none of the values has.
func hintFilterKey(d *source.Diagnostic, filters []PathFilter, values []value.Value) *source.Diagnostic {
	for _, f := range filters {
		first := f.Path.Segments[0]
		if first.Kind != NameKey {
			continue
		}
		if !contains(openKeys(values), first.Key) {
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
		found, err := query(&Path{Range: p.Range, Segments: p.Segments[:n]}, s)
		if err != nil || len(found.found) > 0 {
			return n, found.found, err
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

// hintSpelling adds the hint about a path that is not in the spelling of queries, unless d has a
// hint.
func hintSpelling(d *source.Diagnostic, path string) *source.Diagnostic {
	if d.Hint == "" {
		if ours, ok := respelt(path); ok {
			return d.WithHint("a path of a query is written %s", ours)
		}
		if strings.Contains(path, "|") && !strings.Contains(path, "{{") {
			return d.WithHint("an expression with filters is written {{ %s }}", path)
		}
	}
	return d
}

// respelt returns a path in the spelling of get or jq as the path of a query: a.b[0], .a[].b
// and /a/b are ::a::b::0, ::a::*::b and ::a::b, and so is ::a.b. It reports false for other texts.
func respelt(path string) (string, bool) {
	path = strings.TrimPrefix(path, "::")
	if strings.Contains(path, "::") || !strings.ContainsAny(path, "./[") {
		return "", false
	}
	separator := "."
	if strings.HasPrefix(path, "/") {
		separator = "/"
	}
	path = strings.NewReplacer("[]", separator+"*", "[", separator, "]", "", `"`, "").Replace(path)
	segments := strings.Split(strings.TrimPrefix(path, separator), separator)
	for _, s := range segments {
		if s == "" || strings.ContainsAny(s, "$:?{}|()=<>~! '") {
			return "", false
		}
	}
	return "::" + strings.Join(segments, "::"), true
}
