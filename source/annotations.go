package source

import (
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Forms of findings for other programs: annotations of GitHub, and SARIF (spec: everyday, B9).

// Annotation returns the finding as a command of a GitHub workflow, which shows it at its line:
//
//	::warning file=prod.yaml,line=1,endLine=1,col=9,endColumn=13,title=kind-change::a text overrides a map: server
func (d *Diagnostic) Annotation() string {
	var properties []string
	add := func(name, text string) {
		properties = append(properties, name+"="+strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(Escaped(text)))
	}
	message := shortened(d.Message)
	if !onDisk(d.At) {
		message = strings.TrimPrefix(d.At.String()+": ", ": ") + message
	} else {
		at := rangeOf(d.At)
		endLine, endCol := d.At.File.Position(int(d.At.End))
		add("file", filepath.ToSlash(at.File))
		add("line", strconv.Itoa(at.Line))
		add("endLine", strconv.Itoa(endLine))
		if endLine == at.Line { // columns of several lines have no meaning there
			add("col", strconv.Itoa(at.Col))
			add("endColumn", strconv.Itoa(endCol))
		}
	}
	add("title", string(d.Code))
	lines := []string{message}
	if d.Hint != "" {
		lines = append(lines, "hint: "+shortened(d.Hint))
	}
	for _, n := range d.Notes {
		lines = append(lines, strings.TrimPrefix(n.At.String()+": ", ": ")+shortened(n.Message))
	}
	for _, at := range d.Includes {
		lines = append(lines, "included from "+at.String())
	}
	for i, line := range lines {
		lines[i] = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(Escaped(line))
	}
	kind := [...]string{"error", "warning", "notice"}[d.Severity]
	return "::" + kind + " " + strings.Join(properties, ",") + "::" + strings.Join(lines, "%0A")
}

// onDisk reports whether a place is in a file, and not on the command line or in a variable.
func onDisk(at Span) bool { return !at.IsZero() && at.File.Path != "" }

// The parts of a SARIF log that are written: version 2.1.0 of the format.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Short   sarifText `json:"shortDescription"`
		HelpURI string    `json:"helpUri"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Message  *sarifText    `json:"message,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// Places that a SARIF log names.
const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	project     = "https://github.com/yaytpl/yaytpl"
	sourceRoot  = "%SRCROOT%" // the root of the checkout, in the words of the format's users
)

// WriteSARIF writes findings as a log of SARIF 2.1.0. Columns count characters. Names of files are
// relative to the root of the checkout, which is taken for the working directory.
func WriteSARIF(w io.Writer, version string, findings []*Diagnostic) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "yaytpl", Version: version, InformationURI: project, Rules: []sarifRule{}}
	meanings := map[Code]string{}
	for _, info := range Codes() {
		meanings[info.Code] = info.Meaning
	}
	index := map[Code]int{}
	for _, d := range findings {
		code := d.Code
		if code == "" {
			continue // a remark about the run
		}
		i, known := index[code]
		if !known {
			i = len(run.Tool.Driver.Rules)
			index[code] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
				string(code), sarifText{meanings[code]}, project + "/blob/main/docs/errors.md#" + string(code),
			})
		}
		run.Results = append(run.Results, d.sarif(i))
	}
	b, err := marshal(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// sarif returns the finding as a result of the rule with an index.
func (d *Diagnostic) sarif(rule int) sarifResult {
	text := shortened(d.Message)
	if !onDisk(d.At) {
		text = strings.TrimPrefix(d.At.String()+": ", ": ") + text
	}
	if d.Hint != "" {
		text += "; " + shortened(d.Hint)
	}
	r := sarifResult{RuleID: string(d.Code), RuleIndex: rule, Level: [...]string{"error", "warning", "note"}[d.Severity], Message: sarifText{text}}
	if onDisk(d.At) {
		r.Locations = []sarifLocation{{Physical: physical(d.At)}}
	}
	related := func(at Span, text string) {
		if onDisk(at) {
			r.Related = append(r.Related, sarifLocation{ID: len(r.Related) + 1, Message: &sarifText{text}, Physical: physical(at)})
		}
	}
	for _, n := range d.Notes {
		related(n.At, shortened(n.Message))
	}
	for _, at := range d.Includes {
		related(at, "included from here")
	}
	return r
}

// physical returns a place as SARIF has it.
func physical(at Span) sarifPhysical {
	begin := rangeOf(at)
	p := sarifPhysical{Region: sarifRegion{StartLine: begin.Line, StartColumn: begin.Col}}
	p.Region.EndLine, p.Region.EndColumn = at.File.Position(int(at.End))
	switch name := filepath.ToSlash(begin.File); {
	case strings.Contains(name, "://"):
		p.Artifact.URI = name
	case path.IsAbs(name) || filepath.IsAbs(begin.File):
		p.Artifact.URI = (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()
	default:
		p.Artifact = sarifArtifact{URI: (&url.URL{Path: name}).String(), Base: sourceRoot}
	}
	return p
}
