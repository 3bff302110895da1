package yaytpl

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Explanation says where a value came from.
type Explanation struct {
	Path  value.Path
	Value value.Value
	Facts []graph.Fact // newest layer first, then what was refused, then what was read

	// Err is why the value cannot be worked out, which its layers do not depend on; nil
	// otherwise. Value is then undefined, as it is where a value was deleted.
	Err error
}

// Explain returns the value at a path with everything that had a say in it: the
// layer that set it, those that it beat, those that were refused, and the values
// that it was computed from. A place that was deleted is explained as well.
//
// Codes: not-found if no layer ever defined the path.
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
	facts, err := e.Root().At(keys).Explain()
	switch {
	case failed != nil && (err != nil || len(facts) == 0):
		return nil, failed
	case err != nil:
		return nil, err
	}
	x := &Explanation{Path: keys, Value: v, Facts: showable(facts, keys)}
	if failed != nil {
		x.Value = value.Undefined(failed)
	}
	if failed != nil && source.Findings(failed)[0].Code != source.NotFound {
		x.Err = failed
	}
	return x, nil
}

// showable returns facts about a place that give no secret away. Where a secret was
// read, what was looked for and not found may have been named by it.
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

// WriteText writes the explanation for people: the value, then a line for each
// layer. Values that must not be shown are masked unless reveal is set.
func (x *Explanation) WriteText(w io.Writer, reveal bool) error {
	var b bytes.Buffer
	switch {
	case x.Err != nil:
		fmt.Fprintf(&b, "%s cannot be worked out\n", x.Path)
	case x.Value.Is(value.UndefinedKind):
		fmt.Fprintf(&b, "%s is not there\n", x.Path)
	default:
		fmt.Fprintf(&b, "%s = %s\n", x.Path, show.Value(x.Value, reveal))
	}
	width := 0
	for _, f := range x.Facts {
		width = max(width, len(f.At.String()))
	}
	for _, f := range x.Facts {
		line := fmt.Sprintf("  %-8s %-*s  %s", f.Role, width, place(f), detail(f, reveal))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return show.WriteTo(w, b.Bytes())
}

func place(f graph.Fact) string {
	if s := f.At.String(); s != "" {
		return s
	}
	return "-"
}

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

// MarshalJSON writes the explanation for programs. Values that must not be shown
// are masked; [Explanation.JSON] can reveal them.
func (x *Explanation) MarshalJSON() ([]byte, error) { return x.JSON(false) }

// JSON is MarshalJSON with a choice.
func (x *Explanation) JSON(reveal bool) ([]byte, error) {
	out := struct {
		Path   string     `json:"path"`
		Exists bool       `json:"exists"`
		Value  string     `json:"value,omitempty"`
		Error  string     `json:"error,omitempty"`
		Facts  []factJSON `json:"facts"`
	}{Path: x.Path.String(), Exists: x.Err != nil || !x.Value.Is(value.UndefinedKind), Facts: []factJSON{}}
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
