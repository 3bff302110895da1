package yaytpl

import (
	"io"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// A Match is a match of a query. Unlike its value alone it is written with the tag that the list or map has in the
// document:
//
//	a: !Ref {b: 1}     the match of ::a is !Ref {b: 1}, its value {b: 1}
type Match struct {
	Value value.Value
	Tag   string // an explicit tag of a list or map that is not YAML's own, or ""
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
		matches = append(matches, Match{v, tags[i]})
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
	return p.WriteValue(w, m.Value, o)
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
