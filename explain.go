package yaytpl

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/render"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Explanation is the origin of a value: the layers that define it, and the values that it
// was computed from.
type Explanation struct {
	Document int // the number of the document, counted from 0; -1 if the files have only one
	Path     value.Path
	Value    value.Value
	Facts    []graph.Fact // layers, newest first, then refused ones, then values that were read

	// Err is the error of a value that cannot be computed; its layers are known all the
	// same. Value is then undefined, as it is for a deleted value.
	Err error
}

// Explain returns the value at a path with its origin: the layer that sets it, those that it
// overrides, those that were refused, and the values that it was computed from. A deleted
// value has an explanation too.
//
// Codes: not-found if no layer defines the path.
func (d *Document) Explain(path string) (*Explanation, error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return nil, err
	}
	defer d.lock()()
	v, keys, err := d.engine.Walk(steps)
	failed := err
	if failed != nil {
		keys = docpath.Literal(steps)
	}
	e, err := d.engine.Eval()
	if err != nil {
		return nil, err
	}
	cell := e.Root().Shown(keys)
	facts, err := cell.Explain()
	if err == nil {
		reads := slices.IndexFunc(facts, func(f graph.Fact) bool { return f.Role == graph.Uses })
		if reads < 0 {
			reads = len(facts)
		}
		facts = slices.Insert(facts, reads, d.engine.Unmatched(keys)...)
	}
	switch {
	case failed != nil && (err != nil || len(facts) == 0):
		return nil, failed
	case err != nil:
		return nil, err
	}
	if cell.Shaded() {
		facts = undecided(facts)
	}
	x := &Explanation{Document: d.number(), Path: keys, Value: v, Facts: showable(facts, keys)}
	if failed != nil {
		x.Value = value.Undefined(failed)
	}
	if failed != nil && source.Findings(failed)[0].Code != source.NotFound {
		x.Err = failed
	}
	return x, nil
}

// undecided returns the layers of a value that a secret condition chooses, in the order of their
// places. Which of them it is, and what it reads, is not reported. Layers of included files are left out:
// the condition may have chosen the include.
func undecided(facts []graph.Fact) []graph.Fact {
	var layers []graph.Fact
	for _, f := range facts {
		switch f.Role {
		case graph.Sets, graph.Merges, graph.Beaten, graph.Refused:
			if len(f.Includes) > 0 {
				continue
			}
			layers = append(layers, graph.Fact{Role: graph.Either, At: f.At, Val: f.Val, Layer: f.Layer})
		}
	}
	slices.SortStableFunc(layers, func(a, b graph.Fact) int { return cmp.Compare(a.At.String(), b.At.String()) })
	return layers
}

// showable returns the facts that may be shown: it marks values of the source that contain the
// argument of "sensitive". If a secret was read, facts about missing names are left out, since a
// name may have been computed from the secret.
func showable(facts []graph.Fact, keys value.Path) []graph.Fact {
	argument := show.InsideSensitive(keys)
	var secret bool
	for _, f := range facts {
		secret = secret || f.Val.Marks() != 0
	}
	shown := make([]graph.Fact, 0, len(facts))
	for _, f := range facts {
		if secret && f.Role == graph.Uses && f.At.IsZero() && f.Val.IsNull() {
			continue
		}
		if argument || f.Val.Is(value.StringKind) && show.CallsSensitive(f.Val.Str()) {
			f.Val = f.Val.Mark(value.Sensitive)
		}
		shown = append(shown, f)
	}
	return shown
}

// WriteText writes the explanation for people: the value, then a line for each fact. Secrets are
// masked unless reveal is set.
//
//	services.orders.replicas = 3
//	  set      teams/data.yaml:6:13         3   included from site.yaml:20:18
//	  over     defaults/service.yaml:18:15  1   through +*worker in teams/data.yaml:2:3
func (x *Explanation) WriteText(w io.Writer, reveal bool) error {
	var b bytes.Buffer
	if x.Document >= 0 {
		fmt.Fprintf(&b, "document %d ", x.Document)
	}
	path := source.Escaped(x.Path.String())
	switch {
	case x.Err != nil:
		fmt.Fprintf(&b, "%s cannot be worked out\n", path)
	case x.Value.Is(value.UndefinedKind):
		fmt.Fprintf(&b, "%s is not there\n", path)
	default:
		fmt.Fprintf(&b, "%s = %s\n", path, source.Escaped(show.Value(x.Value, reveal)))
	}
	width := 0
	for _, f := range x.Facts {
		width = max(width, len(f.At.String()))
	}
	for _, f := range x.Facts {
		line := fmt.Sprintf("  %-8s %-*s  %s", f.Role, width, cmp.Or(f.At.String(), "-"), detail(f, reveal))
		b.WriteString(source.Escaped(strings.TrimRight(line, " ")) + "\n")
	}
	return show.WriteTo(w, b.Bytes())
}

// detail returns the value of a fact, and the directives, includes and layer that it came
// through.
func detail(f graph.Fact, reveal bool) string {
	var parts []string
	switch f.Role {
	case graph.Refused:
		if !f.Val.IsNull() {
			parts = append(parts, show.Value(f.Val, reveal))
		}
		parts = append(parts, f.Reason)
	case graph.Deletes:
	case graph.Uses:
		parts = append(parts, f.Path.String()+" = "+show.Value(f.Val, reveal))
		if f.Reason != "" {
			parts = append(parts, f.Reason)
		}
	default:
		parts = append(parts, show.Value(f.Val, reveal))
		if f.Reason != "" {
			parts = append(parts, f.Reason)
		}
	}
	for _, at := range f.Through {
		parts = append(parts, "through "+at.Text()+" in "+at.String())
	}
	for _, at := range f.Includes {
		parts = append(parts, "included from "+at.String())
	}
	if f.Layer != "" && len(f.Includes) == 0 && f.At.File != nil && f.Layer != f.At.File.Name {
		parts = append(parts, "layer "+f.Layer)
	}
	return strings.Join(parts, "   ")
}

// factJSON is a fact for programs.
type factJSON struct {
	Role     string   `json:"role"`
	Place    string   `json:"at,omitempty"`
	Value    string   `json:"value,omitempty"`
	Path     string   `json:"path,omitempty"`
	Layer    string   `json:"layer,omitempty"`
	Through  []string `json:"through,omitempty"`
	Includes []string `json:"includes,omitempty"`
	Reason   string   `json:"reason,omitempty"`
}

// MarshalJSON returns the explanation for programs, with secrets masked. [Explanation.JSON] can
// reveal them.
func (x *Explanation) MarshalJSON() ([]byte, error) { return x.JSON(false) }

// JSON is [Explanation.MarshalJSON], with secrets unmasked if reveal is set.
func (x *Explanation) JSON(reveal bool) ([]byte, error) {
	out := struct {
		Doc    *int       `json:"document,omitempty"`
		Path   string     `json:"path"`
		Exists bool       `json:"exists"`
		Value  string     `json:"value,omitempty"`
		Error  string     `json:"error,omitempty"`
		Facts  []factJSON `json:"facts"`
	}{Path: x.Path.String(), Exists: x.Err != nil || !x.Value.Is(value.UndefinedKind), Facts: []factJSON{}}
	if x.Document >= 0 {
		out.Doc = &x.Document
	}
	switch {
	case x.Err != nil:
		out.Error = x.Err.Error()
	case out.Exists:
		out.Value = show.Value(x.Value, reveal)
	}
	for _, f := range x.Facts {
		j := factJSON{Role: string(f.Role), Place: f.At.String(), Layer: f.Layer, Reason: f.Reason}
		switch f.Role {
		case graph.Refused:
			if !f.Val.IsNull() {
				j.Value = show.Value(f.Val, reveal)
			}
		case graph.Deletes:
		case graph.Uses:
			j.Path = f.Path.String()
			fallthrough
		default:
			j.Value = show.Value(f.Val, reveal)
		}
		for _, at := range f.Through {
			j.Through = append(j.Through, at.String())
		}
		for _, at := range f.Includes {
			j.Includes = append(j.Includes, at.String())
		}
		out.Facts = append(out.Facts, j)
	}
	return show.JSON(out)
}

// Origins returns the layers that made the value at a path, newest first: the one that sets it, or
// those that are merged in it, without those that they override.
//
// Codes: the codes of [Document.Get].
func (d *Document) Origins(path string) ([]graph.Fact, error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return nil, err
	}
	defer d.lock()()
	_, keys, err := d.engine.Walk(steps)
	if err != nil {
		return nil, err
	}
	return d.engine.Origins(keys)
}

// Lines are the lines that [Project.Render] prints in YAML.
type Lines struct {
	project *Project
	units   []render.Unit
	lines   engine.Lines
}

// Lines renders the documents that o selects. Of o only Each and Doc count.
//
// Codes: the codes of [Project.Render].
func (p *Project) Lines(o RenderOptions) (*Lines, error) {
	o = RenderOptions{Each: o.Each, Doc: o.Doc}
	var text bytes.Buffer
	if err := p.Render(&text, o); err != nil {
		return nil, err
	}
	defer p.lock()()
	units, err := p.renderer(o).Units()
	return &Lines{p, units, engine.NewLines(text.String())}, err
}

// At returns the document and the path of the value on a line, counted from 1. With a column it is
// the innermost value there; with 0 the outermost that begins on the line, or the innermost that goes on
// there. Ok is false after the last line.
func (l *Lines) At(line, col int) (d *Document, path value.Path, ok bool) {
	i, path, ok := l.lines.At(line, col)
	if !ok || i >= len(l.units) {
		return nil, nil, false
	}
	u := l.units[i]
	return l.project.docs[u.Doc.Index()], slices.Concat(u.Path, path), true
}
