package yaytpl

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/value"
)

// A Match is a match of a query. Unlike its value alone it is written with the tag that the list or map has in the
// document:
//
//	a: !Ref {b: 1}     the match of ::a is !Ref {b: 1}, its value {b: 1}
type Match struct {
	Value value.Value
	Tag   string // an explicit tag of a list or map that is not YAML's own, or ""

	from  *Document // that the query found it in, nil for a list of matches
	query string
}

// Matches is [Document.Query] with the tags of the matches.
//
// Codes: those of [Document.Query].
func (d *Document) Matches(query string) (matches []Match, err error) {
	defer d.lock()()
	defer d.project.gather(&err)()
	values, err := d.engine.Query(query)
	if err != nil {
		return nil, err
	}
	tags := d.engine.QueryTags(query, values)
	for i, v := range values {
		matches = append(matches, Match{Value: v, Tag: tags[i], from: d, query: query})
	}
	return matches, nil
}

// ListOf returns the matches of a query as one list.
func ListOf(matches []Match) Match {
	return Match{Value: value.FromList(matchList(matches))}
}

// OneOf is [One] for matches with tags.
func OneOf(matches []Match) Match {
	switch len(matches) {
	case 0:
		return Match{Value: expr.One(nil)}
	case 1:
		return matches[0]
	}
	return ListOf(matches)
}

// WriteMatch writes a match in the form of o, with its tag.
//
// Codes: those of [Project.Render].
func (p *Project) WriteMatch(w io.Writer, m Match, o RenderOptions) error {
	o.tag = m.Tag
	return m.located(p.WriteValue(w, m.Value, o))
}

// located adds to the error of a match that cannot be encoded, or of one in a list of them, the place that defines
// the value.
func (m Match) located(err error) error {
	var at *yaml.PathError
	if !errors.As(err, &at) {
		return err
	}
	path := at.Path
	if m.Value.Is(value.ListKind) && len(path) > 0 {
		all, listed := m.Value.List().(matchList)
		if i, failed := strconv.Atoi(path[0].Text); listed && failed == nil {
			m, path = all[i], path[1:]
		}
	}
	if m.from == nil {
		return err
	}
	defer m.from.lock()()
	above, ok := m.from.engine.MatchPath(m.query, m.Value)
	if !ok {
		return err
	}
	return m.from.locatedAt(slices.Concat(above, path), err)
}

// A matchList is the list of matches.
type matchList []Match

// Len implements [value.List].
func (l matchList) Len() int { return len(l) }

// At implements [value.List].
func (l matchList) At(i int) (value.Value, error) { return l[i].Value, nil }

// AnnotationAt implements [value.Annotated].
func (l matchList) AnnotationAt(i int) *value.Annotation {
	if l[i].Tag == "" {
		return nil
	}
	return &value.Annotation{Tag: l[i].Tag}
}
