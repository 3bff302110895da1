package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
)

func (a *app) blameCommand() *cobra.Command {
	project := projectFlags{injects: true}
	c := &cobra.Command{
		Use:   "blame REPORT FILE...",
		Short: "add the source lines of values to a report about the finished document",
		Long: `Reads REPORT (- is standard input), what another program says about the finished document of FILE:
a JSON object a line that names a value by "path", or by "line" (and "col") of what render prints in
YAML; "document" is its number, counted from 0, where several have the path (or --doc). Prints each object
with "at", the places that made the value, newest first. Those that they override are not among them.`,
		Example: `  yaytpl blame report.jsonl site.yaml
  yaytpl render site.yaml | linter --json | yaytpl blame - site.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exactly("REPORT", "FILE")(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := readableOnce(args, project.layerFiles()); err != nil {
				return err
			}
			a.startProgress("looking")
			report, err := a.readReport(args[0])
			if err != nil {
				return err
			}
			s, err := project.workspace.stack(a, args[1:])
			if err != nil {
				return err
			}
			p, err := project.openStack(c.Context(), a, s)
			if err != nil {
				return err
			}
			if project.doc.set {
				if _, err := p.Only(project.doc.n); err != nil {
					return err
				}
			}
			return a.blame(report, p, ofTarget(yaytpl.RenderOptions{Doc: project.doc.fromOne()}, s))
		},
	}
	return a.withFlags(c, project.groups()...)
}

// maxReport bounds the bytes of a report.
const maxReport = 256 << 20

// readReport reads a report, which is not bound by the roots: it is named by the user.
func (a *app) readReport(name string) (*source.File, error) {
	in, shown := a.in, "standard input"
	if name != "-" {
		f, err := os.Open(a.inDir(name))
		if err != nil {
			if errors.Is(err, os.ErrNotExist) {
				return nil, source.Errorf(source.Span{}, source.Access, "no such file: %s", name)
			}
			return nil, source.Errorf(source.Span{}, source.Access, "cannot read %s: %v", name, withoutPath(err))
		}
		defer f.Close()
		in, shown = f, name
	}
	if in == nil {
		in = os.Stdin
	}
	text, err := io.ReadAll(io.LimitReader(in, maxReport+1))
	switch {
	case err != nil:
		return nil, source.Errorf(source.Span{}, source.Access, "cannot read %s: %v", shown, withoutPath(err))
	case len(text) > maxReport:
		return nil, source.Errorf(source.Span{}, source.Limit, "%s is longer than %d bytes", shown, maxReport)
	}
	return source.NewFile(shown, string(text)), nil
}

// blame prints the lines of a report with the places of the values that they name, in the documents that o
// selects. A value that is not there has none, and is a warning.
func (a *app) blame(report *source.File, p *yaytpl.Project, o yaytpl.RenderOptions) error {
	var lines *yaytpl.Lines
	start := 0
	for text := range strings.Lines(report.Text) {
		at := report.Span(start, start+len(strings.TrimRight(text, "\r\n")))
		start += len(text)
		if strings.TrimSpace(text) == "" {
			continue
		}
		finding, err := parseReported(text, at)
		if err != nil {
			return err
		}
		if finding.Path == nil && lines == nil {
			if lines, err = p.Lines(o); err != nil {
				return err
			}
		}
		if finding.Document == nil && o.Doc > 0 {
			n := o.Doc - 1
			finding.Document = &n
		}
		places, err := finding.places(p, lines)
		var miss *source.Diagnostic
		switch {
		case errors.As(err, &miss) && miss.Code == source.NotFound:
			told := *miss
			told.Severity, told.At, told.Notes = source.Warning, at, nil
			if strings.Contains(told.Hint, "--doc") {
				told.Hint = `write "document" and its number into the line, or use --doc`
			}
			a.show(&told)
		case err != nil:
			return err
		}
		line, err := finding.withPlaces(places)
		if err != nil {
			return err
		}
		if _, err := a.stdout.Write(line); err != nil {
			return nil // the end of the run reports it
		}
	}
	return nil
}

// A reported is a line of a report.
type reported struct {
	Path      *string
	Line, Col int
	Document  *int

	keys   []string
	values []json.RawMessage
}

// parseReported parses a line of a report.
//
// Code: syntax.
func parseReported(text string, at source.Span) (*reported, error) {
	var r reported
	bad := source.Errorf(at, source.Syntax, "a line of a report is a JSON object with a path or a line").
		WithHint(`{"path": "web.port"} or {"line": 3}`)
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, bad
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, bad
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, bad
		}
		var to any
		switch key {
		case "path":
			to = &r.Path
		case "line":
			to = &r.Line
		case "col":
			to = &r.Col
		case "document":
			to = &r.Document
		case "at":
			continue // of an earlier run
		}
		if to != nil && json.Unmarshal(v, to) != nil {
			return nil, source.Errorf(at, source.Syntax, "%q in a report is a text for path, and else a whole number", key)
		}
		r.keys, r.values = append(r.keys, fmt.Sprint(key)), append(r.values, v)
	}
	if _, err := d.Token(); err != nil || r.Path == nil && r.Line <= 0 {
		return nil, bad
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, bad
	}
	return &r, nil
}

// places returns the places that made the value.
//
// Codes: not-found, the codes of evaluation.
func (r *reported) places(p *yaytpl.Project, lines *yaytpl.Lines) ([]string, error) {
	var d *yaytpl.Document
	var path string
	switch {
	case r.Path == nil:
		of, keys, ok := lines.At(r.Line, r.Col)
		if !ok {
			return nil, source.Errorf(source.Span{}, source.NotFound, "the result has no value on line %d", r.Line)
		}
		d, path = of, cmp.Or(keys.Pointer(), ".")
	case r.Document != nil || len(p.Documents()) == 1:
		i := 0
		if r.Document != nil {
			i = *r.Document
		}
		of, err := p.Only(i)
		if err != nil {
			return nil, err
		}
		d, path = of, *r.Path
	default:
		of, keys, err := p.Find(*r.Path)
		if err != nil {
			return nil, err
		}
		d, path = of, cmp.Or(keys.Pointer(), ".")
	}
	facts, err := d.Origins(path)
	var places []string
	for _, f := range facts {
		if at := f.At.String(); !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	return places, err
}

// withPlaces returns the line with the places.
func (r *reported) withPlaces(places []string) ([]byte, error) {
	at, err := json.Marshal(append([]string{}, places...)) // [] for no place
	if err != nil {
		return nil, err
	}
	values := append(slices.Clip(r.values), at)
	var b bytes.Buffer
	before := byte('{')
	for i, key := range append(slices.Clip(r.keys), "at") {
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		b.WriteByte(before)
		b.Write(name)
		b.WriteByte(':')
		if err := json.Compact(&b, values[i]); err != nil {
			return nil, err
		}
		before = ','
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}
