package source

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonPosition is a place for editors and CI. Lines and columns count from 1, columns in
// characters.
type jsonPosition struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// jsonRange is the place of a finding, with its end.
type jsonRange struct {
	jsonPosition
	EndLine int `json:"endLine,omitempty"`
	EndCol  int `json:"endCol,omitempty"`
}

type jsonNote struct {
	Message string `json:"message"`
	jsonPosition
}

type jsonDiagnostic struct {
	Severity string `json:"severity"`
	Kind     Code   `json:"kind,omitempty"`
	Message  string `json:"message"`
	jsonRange
	Notes    []jsonNote `json:"notes,omitempty"`
	Includes []string   `json:"includes,omitempty"`
	Hint     string     `json:"hint,omitempty"`
}

// MarshalJSON returns the finding as an object on one line, without empty fields:
//
//	{"severity":"error","kind":"undefined","message":"...","file":"site.yaml",
//	 "line":4,"col":26,"endLine":4,"endCol":30,"notes":[...],"includes":["main.yaml:1:11"],"hint":"..."}
func (d *Diagnostic) MarshalJSON() ([]byte, error) {
	out := jsonDiagnostic{
		Severity:  d.Severity.String(),
		Kind:      d.Code,
		Message:   shortened(d.Message),
		jsonRange: jsonRange{jsonPosition: rangeOf(d.At)},
		Hint:      shortened(d.Hint),
	}
	if !d.At.IsZero() {
		out.EndLine, out.EndCol = d.At.File.Position(int(d.At.End))
	}
	for _, n := range d.Notes {
		out.Notes = append(out.Notes, jsonNote{shortened(n.Message), rangeOf(n.At)})
	}
	for _, at := range d.Includes {
		out.Includes = append(out.Includes, at.String())
	}
	return marshal(out)
}

// marshal is json.Marshal without escapes for "<", ">" and "&", and with escapes for all characters
// that control a terminal or the order of the text: the lines are read by people too, in logs.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return []byte(Escaped(strings.TrimRight(b.String(), "\n"))), nil
}

// rangeOf returns the line and column where a span begins, and the zero jsonPlace for no place.
func rangeOf(at Span) jsonPosition {
	if at.IsZero() {
		return jsonPosition{}
	}
	line, col := at.File.Position(int(at.Start))
	return jsonPosition{at.File.Name, line, col}
}
