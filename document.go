package yaytpl

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/render"
	"github.com/yaytpl/yaytpl/internal/yamlnode"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/resource"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	yamlv3 "gopkg.in/yaml.v3"
)

// A Document is one finished document of a project: all layers of one position.
type Document struct {
	project *Project
	engine  *engine.Document
}

// lock is [Project.lock] for a question about one document.
func (d *Document) lock() (unlock func()) {
	d.project.mu.Lock()
	d.engine.Begin()
	return d.project.mu.Unlock
}

// number returns the number of the document, counted from 0, or -1 if there is only one.
func (d *Document) number() int {
	if len(d.project.docs) < 2 {
		return -1
	}
	return d.engine.Index()
}

// Value returns the finished document. It is lazy: lists and maps in it evaluate their items
// when these are asked for, and may fail then. An empty document is null.
func (d *Document) Value() (value.Value, error) {
	defer d.lock()()
	return d.engine.Value()
}

// Expanded returns the document with its merge directives applied, and with expressions and
// templates as they are written.
func (d *Document) Expanded() (value.Value, error) {
	defer d.lock()()
	return d.engine.Expanded()
}

// YAML returns the finished document as a node of gopkg.in/yaml.v3, with comments, styles and tags, and with the
// places of the text that [Project.Render] writes. It decodes to the data of the document, and is written by the
// library as a text with that data: what the library reads differently, such as 0644, gets another spelling or
// quotes. An integer of more than 64 bits is a float64 in an any and exact in a *big.Int. Sensitive values are masked.
//
// Codes: the codes of [Project.Render].
func (d *Document) YAML() (*yamlv3.Node, error) {
	var text strings.Builder
	if err := d.project.Render(&text, RenderOptions{Doc: d.engine.Index() + 1}); err != nil {
		return nil, err
	}
	return yamlnode.FromText(d.engine.Name(), text.String())
}

// Schema returns the JSON Schema (2020-12) that the layers of the document imply: its keys, the types that
// their values have in any layer, and the comments at the keys as descriptions.
func (d *Document) Schema() (value.Value, error) {
	defer d.lock()()
	return d.engine.ImpliedSchema()
}

// Empty reports whether the document has no content at all.
func (d *Document) Empty() bool {
	defer d.lock()()
	return d.engine.Empty()
}

// Force evaluates everything in v. The error holds all failures that do not depend on each
// other, each once.
func (d *Document) Force(v value.Value) (err error) {
	defer d.lock()()
	defer d.project.gather(&err)()
	return d.engine.Force(v)
}

// Get returns the value at a path: a.b[0], a::b::0 or a JSON pointer. It evaluates only the
// values that this one needs.
//
// Codes: not-found, with keys of a similar spelling; syntax for a bad path.
func (d *Document) Get(path string) (v value.Value, err error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return value.Null, err
	}
	defer d.lock()()
	defer d.project.gather(&err)()
	if v, ok := d.engine.Lookup(docpath.Constant(steps)); ok {
		return v, nil
	}
	v, _, err = d.engine.Walk(steps)
	return v, err
}

// Query returns every match of a query in the document. A query that begins with
// "{" but not with "{{" is an expression object in YAML, one that contains "{{" or
// "{%" is a template, any other is a path such as ::services::web[env=prod]::port.
//
// Codes: syntax, bad-expression, undefined, and the codes of evaluation.
func (d *Document) Query(query string) (matches []value.Value, err error) {
	defer d.lock()()
	defer d.project.gather(&err)()
	return d.engine.Query(query)
}

// NoMatch explains why [Document.Query] has no match for a query: a warning of code no-match at
// the first segment of the path without one, with keys of a similar spelling.
//
// The error is one of evaluation.
func (d *Document) NoMatch(query string) (*source.Diagnostic, error) {
	defer d.lock()()
	miss, err := d.engine.NoMatch(query)
	if err == nil && d.number() >= 0 {
		miss.Message += ", in " + d.engine.Name()
	}
	return miss, err
}

// NoMatch explains why [Document.Query] has no match for a query in any document: as
// [Document.NoMatch] does for the document in which the path gets farthest.
func (p *Project) NoMatch(query string) (*source.Diagnostic, error) {
	defer p.lock()()
	var best *source.Diagnostic
	var where string
	for _, d := range p.docs {
		miss, err := d.engine.NoMatch(query)
		switch {
		case err != nil:
			return nil, err
		case best == nil || miss.At.Start > best.At.Start:
			best, where = miss, d.engine.Name()
		case miss.At.Start == best.At.Start:
			where = fmt.Sprintf("any of the %d documents", len(p.docs))
			best.Hint = cmp.Or(best.Hint, miss.Hint)
		}
	}
	if where != "" {
		best.Message += ", in " + where
	}
	return best, nil
}

// Resources returns the graph of resources that the document describes: the result of a program of the mgmt
// language, or a map of the same form in any notation.
//
// Codes: bad-document, duplicate-resource, unknown-resource, edge-cycle, the codes of evaluation.
func (d *Document) Resources() (*resource.Graph, error) {
	v, err := d.Value()
	if err != nil {
		return nil, err
	}
	if err := d.Force(v); err != nil {
		return nil, err
	}
	return resource.Of(v)
}

// One returns the matches of a query as one value: null for none, the match itself for one, a
// list for several.
func One(matches []value.Value) value.Value { return expr.One(matches) }

// A Match is a match of a query. Encoders write it with the tag that the list or map has in the document, which
// its value does not carry:
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
// Codes: the codes of [Document.Query].
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
// Codes: the codes of [Project.Render].
func (p *Project) WriteMatch(w io.Writer, m Match, o RenderOptions) error {
	return m.located(p.writeTagged(w, m.Value, m.Tag, o))
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
	return render.LocatedAt(m.from.engine, slices.Concat(above, path), err)
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
