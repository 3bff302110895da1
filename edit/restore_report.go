package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Report says of each change of an expanded document where it can be written.
type Report struct {
	Changes []ReportChange // in the order of the document
}

// A ReportChange is one change of an expanded document, with the ways to write it.
type ReportChange struct {
	value.Change               // the path, and the old and the new value, in the expanded document
	Defined      []source.Span // what defines the old value, what decides first
	Through      []source.Span // the directives that bring it, the innermost first
	Override     string        // what writing into the named file comes to, "" if it cannot be written there
	Source       string        // what writing where it is defined comes to, "" if it cannot be written there
	Reason       source.Reason // why it cannot be written, "" if it can
	Ways         []string      // what people can do about a conflict, the best first

	asWell bool // nobody asked for it: it would come with the others
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

// WriteText writes the report for people: for each change a line, and below it where
// the value is defined, what brings it, and what each way to write it comes to. What
// must not be shown is masked unless reveal is set.
func (r *Report) WriteText(w io.Writer, reveal bool) error {
	var b bytes.Buffer
	if len(r.Changes) == 0 {
		b.WriteString("nothing changes\n")
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%s\n", c.headline(reveal))
		for _, at := range c.Defined {
			fmt.Fprintf(&b, "  %-9s %s\n", "defined", at)
		}
		for _, at := range c.Through {
			fmt.Fprintf(&b, "  %-9s %s in %s\n", "through", openingLine(at), at)
		}
		c.writeOutcome(&b)
	}
	return show.WriteTo(w, b.Bytes())
}

// headline writes a change on one line, in the form of the differences of documents.
func (c ReportChange) headline(reveal bool) string {
	switch {
	case !c.HasOld:
		return fmt.Sprintf("+ %s: %s", c.Path, c.briefNew(reveal))
	case !c.HasNew:
		return fmt.Sprintf("- %s: %s", c.Path, c.briefOld(reveal))
	}
	return fmt.Sprintf("~ %s: %s -> %s", c.Path, c.briefOld(reveal), c.briefNew(reveal))
}

func (c ReportChange) writeOutcome(b *bytes.Buffer) {
	if c.Reason != "" {
		fmt.Fprintf(b, "  %-9s %s: %s\n", "conflict", c.Reason, c.Reason.Meaning())
		for _, way := range c.Ways {
			fmt.Fprintf(b, "  %-9s %s\n", "way out", way)
		}
	}
	for _, way := range []struct{ name, text string }{{"override", c.Override}, {"source", c.Source}} {
		if way.text != "" {
			fmt.Fprintf(b, "  %-9s %s\n", way.name, way.text)
		}
	}
}

// openingLine returns the first line of a place in a file, which may be a whole map.
func openingLine(at source.Span) string {
	if at.File != nil && at.File.Secret {
		return value.SecretText
	}
	line, _, _ := strings.Cut(at.Text(), "\n")
	return show.Text(strings.TrimSpace(line))
}

// briefOld writes the old value on one line.
func (c ReportChange) briefOld(reveal bool) string { return compact(c.marked(c.Old), reveal) }

// briefNew writes the new value on one line.
func (c ReportChange) briefNew(reveal bool) string { return compact(c.marked(c.New), reveal) }

// marked returns a value of the change with the marks that showing it has to heed: what
// stands in place of a secret is one, and so is what an encrypted file is to hold.
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
	return withSensitiveCalls(v, 0)
}

// withSensitiveCalls returns a value of an expanded document with the templates marked
// in which an argument of "sensitive" may stand.
func withSensitiveCalls(v value.Value, depth int) value.Value {
	switch {
	case depth > value.MaxNesting:
		return v.Mark(value.Sensitive)
	case v.Is(value.StringKind) && show.CallsSensitive(v.Str()):
		return v.Mark(value.Sensitive)
	case v.Is(value.ListKind):
		items := value.Slice{}
		for item, err := range value.Items(v.List()) {
			if err == nil {
				items = append(items, withSensitiveCalls(item, depth+1))
			}
		}
		return value.FromList(items).Mark(v.Marks())
	case v.Is(value.MapKind):
		m := value.NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			item, ok, err := v.Map().Get(k)
			if !ok || err != nil {
				continue
			}
			item = withSensitiveCalls(item, depth+1)
			if k == value.K("sensitive") {
				item = item.Mark(value.Sensitive)
			}
			m.Set(k, item)
		}
		return value.FromMap(m).Mark(v.Marks())
	}
	return v
}

// compact writes a value on one line, with what must not be shown masked.
func compact(v value.Value, reveal bool) string {
	text, err := compactJSON(v, reveal)
	if err != nil {
		return show.Value(v, reveal) // JSON has no infinity
	}
	return show.Cut(text)
}

func compactJSON(v value.Value, reveal bool) (string, error) {
	var b bytes.Buffer
	o := yaml.EncodeOptions{Compact: true, DropTags: true, Reveal: reveal, Redact: !reveal}
	err := yaml.EncodeJSON(&b, v, o)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// The report as programs read it. What is absent has no key.
type restoreJSON struct {
	Changes []restoreChangeJSON `json:"changes"`
}

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

// JSON writes the report for programs:
//
//	{"changes":[{"path":"web.port","old":80,"new":8080,
//	  "defined":[{"file":"base.yaml","line":2,"col":9}],"through":[{"file":"main.yaml","line":1,"col":1}],
//	  "override":"...","source":"...","reason":"...","ways":["..."]}]}
//
// A place that only one of the documents has lacks old or new, what cannot be written
// somewhere lacks override or source, and only a conflict has a reason and ways. What
// must not be shown is masked unless reveal is set.
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
			j.New = rawJSON(c.marked(c.New), reveal)
		}
		out.Changes = append(out.Changes, j)
	}
	return show.JSON(out)
}

// rawJSON returns a value as JSON; what JSON cannot say, such as .inf, as a text.
func rawJSON(v value.Value, reveal bool) json.RawMessage {
	if text, err := compactJSON(v, reveal); err == nil {
		return json.RawMessage(text)
	}
	text, _ := json.Marshal(show.Value(v, reveal)) // a text has a form always
	return text
}

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
