package engine

import (
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
)

// NoMatch explains why a query has no match: a warning of code no-match at the first segment of
// the path without one, with keys of a similar spelling. For a path in the spelling of get or jq
// the hint is the path of a query: .a[].b is ::a::*::b.
func (d *Document) NoMatch(query string) (*source.Diagnostic, error) {
	f := source.NewFile("query", query)
	at := f.Span(0, len(query))
	path, err := expr.ParsePath(query, expr.At(at))
	if err != nil || expr.IsTemplate(query) || strings.HasPrefix(strings.TrimSpace(query), "{") {
		miss := source.Errorf(at, source.NoMatch, "the expression has no result")
		miss.Severity = source.Warning
		return miss, nil
	}
	s, err := d.scope()
	if err != nil {
		return nil, err
	}
	miss, err := expr.NoMatch(path, s)
	if err == nil && miss.Hint == "" {
		miss = hintSpelling(miss, query)
	}
	return miss, err
}

// hintSpelling adds the hint about a path that is not in the spelling of queries.
func hintSpelling(d *source.Diagnostic, query string) *source.Diagnostic {
	if path, ok := asQuery(query); ok {
		return d.WithHint("a path of a query is written %s", path)
	}
	return d
}

// asQuery returns a path in the spelling of get or jq as the path of a query: a.b[0], .a[].b
// and /a/b are ::a::b::0, ::a::*::b and ::a::b. It reports false for other texts.
func asQuery(path string) (string, bool) {
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
