package yaytpl

import (
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A maskNote is the finding about the first mask that one result has in place of a sensitive
// value, as a warning. One result has one warning, however many values it hides.
type maskNote struct{ warning *source.Diagnostic }

// mustReveal reports whether a mask in the result is an error: shells and other programs read
// these forms, and would deploy it (spec: everyday, A2).
func (o RenderOptions) mustReveal() bool { return o.NoMask || o.Form == "env" || o.Form == "text" }

// masked records that v was written with masks in place of sensitive values. It returns an error
// where that must not happen.
//
// Code: redacted.
func (o RenderOptions) masked(v value.Value) error {
	if !o.mustReveal() && (o.Redact || o.note == nil || o.note.warning != nil) {
		return nil // it was asked for, or there is a warning already
	}
	path, more := sensitivePath(v)
	if !o.mustReveal() {
		others := ""
		if more {
			others = ", and so are others"
		}
		o.note.warning = source.Warnf(source.Span{}, source.Redacted, "%s is printed as %s%s", nameOf(path), value.SensitiveText, others).
			WithHint("--reveal prints it")
		o.note.warning.Cause = &yaml.PathError{Path: path}
		return nil
	}
	d := source.Errorf(source.Span{}, source.Redacted, "%s", mistaken(path)).
		WithHint("--reveal prints it")
	d.Cause = &yaml.PathError{Path: path}
	return d
}

// mistaken returns the message for a mask that must not be printed.
func mistaken(path value.Path) string {
	return nameOf(path) + " is sensitive, and " + value.SensitiveText + " would be taken for its value"
}

// nameOf returns a path in a result for messages; the result may be one value without a path.
func nameOf(path value.Path) string {
	if len(path) == 0 {
		return "the value"
	}
	return path.String()
}

// sensitivePath returns the path of the first sensitive value in v, and whether there are more.
func sensitivePath(v value.Value) (first value.Path, more bool) {
	found := false
	var path value.Path
	_ = value.Walk(v, func(at value.Position, v value.Value, err error) error {
		if at.Depth > 0 {
			key := at.Key
			if key == (value.Key{}) {
				key = value.Index(at.Index)
			}
			path = append(path[:at.Depth-1], key)
		}
		switch {
		case err != nil:
			return value.SkipInside
		case v.Marks()&value.Sensitive == 0:
			return nil
		case found:
			more = true
			return value.SkipAll
		}
		first, found = append(value.Path{}, path...), true
		return value.SkipInside
	})
	return first, more
}

// Located adds to an error of [Project.WriteValue] the place that defines the value, which is
// the one at a path of the document.
func (d *Document) Located(path string, err error) error {
	steps, failed := docpath.Parse(path)
	if failed != nil || err == nil {
		return err
	}
	defer d.lock()()
	_, keys, failed := d.engine.Walk(steps)
	if failed != nil {
		return err
	}
	return d.locatedBelow(keys, err)
}
