package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/internal/unrender"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Report lists the changes of an edited document, and where each can be written.
type Report struct {
	Changes []ReportChange // in the order of the document
}

// A ReportChange is one change of an expanded document, with the ways to write it.
type ReportChange struct {
	value.Change               // path, old and new value in the expanded document
	Defined      []source.Span // the definitions of the old value, the effective one first
	Through      []source.Span // the directives that include or refer to it, the innermost first
	Override     string        // the edit of the named file, "" if there is none
	Source       string        // the edit of the definition, "" if there is none
	Reason       source.Reason // why it cannot be written, "" if it can
	Ways         []string      // how to resolve a conflict, the best way first
	Inline       bool          // [Options].Inline may resolve the conflict, by expanding a directive

	asWell bool        // a side effect of other changes, not a change of the edited document
	of     *fold       // the document
	result value.Marks // of the old value, evaluated, and so of a new value in its place
	hidden bool        // the new value goes to an encrypted file

	sourceInClear bool // Source is an edit of a file that is not encrypted
}

// Conflicts returns the changes that cannot be written.
func (r *Report) Conflicts() []ReportChange {
	var found []ReportChange
	for _, c := range r.Changes {
		if c.Reason != "" {
			found = append(found, c)
		}
	}
	return found
}

// WriteText writes the report as text: a line for each change, and below it the definitions,
// the directives, the edits or the conflict. Secrets are masked unless reveal is set.
func (r *Report) WriteText(w io.Writer, reveal bool) error {
	var b bytes.Buffer
	if len(r.Changes) == 0 {
		b.WriteString("nothing changes\n")
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%s\n", source.Escaped(c.headline(reveal)))
		for _, at := range c.Defined {
			fmt.Fprintf(&b, "  %-9s %s\n", "defined", at)
		}
		for _, at := range c.Through {
			fmt.Fprintf(&b, "  %-9s %s in %s\n", "through", source.Escaped(openingLine(at)), at)
		}
		c.writeOutcome(&b)
	}
	return show.WriteTo(w, b.Bytes())
}

// headline returns a change on one line, in the form of a diff.
func (c ReportChange) headline(reveal bool) string {
	switch {
	case !c.HasOld:
		return fmt.Sprintf("+ %s: %s", c.Path, c.briefNew(reveal))
	case !c.HasNew:
		return fmt.Sprintf("- %s: %s", c.Path, c.briefOld(reveal))
	}
	return fmt.Sprintf("~ %s: %s -> %s", c.Path, c.briefOld(reveal), c.briefNew(reveal))
}

// writeOutcome writes the conflict or the edits of a change.
func (c ReportChange) writeOutcome(b *bytes.Buffer) {
	if c.Reason != "" {
		fmt.Fprintf(b, "  %-9s %s: %s\n", "conflict", c.Reason, c.Reason.Meaning())
		for _, way := range c.Ways {
			fmt.Fprintf(b, "  %-9s %s\n", "way out", way)
		}
	}
	for _, way := range []struct{ name, text string }{{"override", c.Override}, {"source", c.Source}} {
		if way.text != "" {
			fmt.Fprintf(b, "  %-9s %s\n", way.name, source.Escaped(way.text))
		}
	}
}

// openingLine returns the first line of the text of a place, which may be a whole map.
func openingLine(at source.Span) string {
	if at.File != nil && at.File.Secret {
		return value.SecretText
	}
	line, _, _ := strings.Cut(at.Text(), "\n")
	return show.Text(strings.TrimSpace(line))
}

// briefOld returns the old value on one line.
func (c ReportChange) briefOld(reveal bool) string { return compact(c.marked(c.Old), reveal) }

// briefNew returns the new value on one line.
func (c ReportChange) briefNew(reveal bool) string { return compact(c.markedNew(), reveal) }

// markedNew returns the new value as marked does. What takes the place of the result of a template
// is as secret as the result, and so is what goes to an encrypted file, or is the text of a secret.
func (c ReportChange) markedNew() value.Value {
	v := c.marked(c.New)
	if c.result != 0 && !unrender.IsEvaluated(v) {
		v = v.Mark(c.result)
	}
	if c.hidden {
		v = v.Mark(value.Secret)
	}
	return c.of.withCopies(v)
}

// marked returns a value of the change with the marks by which it is masked. A value that
// replaces a secret is a secret, and so is a value that an encrypted file defines.
func (c ReportChange) marked(v value.Value) value.Value {
	marks, err := value.DeepMarks(c.Old)
	if err != nil {
		marks = value.Secret
	}
	for _, at := range c.Defined {
		if at.File != nil && at.File.Secret {
			marks |= value.Secret
		}
	}
	if show.InsideSensitive(c.Path) {
		marks |= value.Sensitive
	}
	if marks != 0 {
		return v.Mark(marks)
	}
	return withSensitiveCalls(v)
}

// withSensitiveCalls marks the templates in v that may contain an argument of "sensitive",
// and that argument of an expression object.
func withSensitiveCalls(v value.Value) value.Value {
	out, err := value.Rewrite(v, func(at value.Position, v value.Value, err error) (value.Value, error) {
		switch {
		case err != nil && v.IsNull():
			return v, value.Drop // cannot be computed
		case err != nil: // nested too deeply
			return v.Mark(value.Sensitive), value.SkipInside
		case at.Key == value.K("sensitive") || v.Is(value.StringKind) && show.CallsSensitive(v.Str()):
			return v.Mark(value.Sensitive), nil
		}
		return v, nil
	})
	if err != nil {
		return v.Mark(value.Sensitive)
	}
	return out
}

// compact returns a value on one line, with secrets masked unless reveal is set.
func compact(v value.Value, reveal bool) string {
	text, err := compactJSON(v, reveal)
	if err != nil {
		return show.Value(v, reveal) // JSON has no infinity
	}
	return show.Cut(text)
}

// compactJSON returns a value as JSON on one line.
func compactJSON(v value.Value, reveal bool) (string, error) {
	var b bytes.Buffer
	o := yaml.EncodeOptions{Compact: true, DropTags: true, Reveal: reveal, Redact: !reveal}
	err := yaml.EncodeJSON(&b, v, o)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// A restoreJSON is a report in JSON.
type restoreJSON struct {
	Changes []restoreChangeJSON `json:"changes"`
}

// A restoreChangeJSON is a change in JSON. Empty fields have no key.
type restoreChangeJSON struct {
	Path     string          `json:"path"`
	Old      json.RawMessage `json:"old,omitempty"`
	New      json.RawMessage `json:"new,omitempty"`
	Defined  []spanJSON      `json:"defined"`
	Through  []spanJSON      `json:"through"`
	Override string          `json:"override,omitempty"`
	Source   string          `json:"source,omitempty"`
	Reason   source.Reason   `json:"reason,omitempty"`
	Ways     []string        `json:"ways,omitempty"`
}

// A spanJSON is a place: lines and columns from 1, columns in characters.
type spanJSON struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

// JSON returns the report in JSON:
//
//	{"changes":[{"path":"web.port","old":80,"new":8080,
//	  "defined":[{"file":"base.yaml","line":2,"col":9}],"through":[{"file":"main.yaml","line":1,"col":1}],
//	  "override":"...","source":"...","reason":"...","ways":["..."]}]}
//
// An added value has no old, a deleted one no new; override and source are omitted if the
// change cannot be written there; only a conflict has reason and ways. Secrets are masked
// unless reveal is set.
func (r *Report) JSON(reveal bool) ([]byte, error) {
	out := restoreJSON{Changes: []restoreChangeJSON{}}
	for _, c := range r.Changes {
		j := restoreChangeJSON{
			Path: c.Path.String(), Defined: spansJSON(c.Defined), Through: spansJSON(c.Through),
			Override: c.Override, Source: c.Source, Reason: c.Reason, Ways: c.Ways,
		}
		if c.HasOld {
			j.Old = rawJSON(c.marked(c.Old), reveal)
		}
		if c.HasNew {
			j.New = rawJSON(c.markedNew(), reveal)
		}
		out.Changes = append(out.Changes, j)
	}
	return show.JSON(out)
}

// rawJSON returns a value as JSON. A value that JSON does not have, such as .inf, becomes a
// string.
func rawJSON(v value.Value, reveal bool) json.RawMessage {
	if text, err := compactJSON(v, reveal); err == nil {
		return json.RawMessage(text)
	}
	text, _ := json.Marshal(show.Value(v, reveal)) // strings always marshal
	return text
}

// spansJSON returns places in JSON.
func spansJSON(spans []source.Span) []spanJSON {
	out := []spanJSON{}
	for _, at := range spans {
		if at.IsZero() {
			continue
		}
		line, col := at.File.Position(int(at.Start))
		out = append(out, spanJSON{at.File.Name, line, col})
	}
	return out
}
