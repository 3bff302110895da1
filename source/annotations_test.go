package source_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// reported returns findings of all severities, with and without places.
func reported() []*source.Diagnostic {
	f := source.NewFile("conf/a b.yaml", "port: 80\nhost: |\n  größe\n  x\n")
	f.Path = "/p/conf/a b.yaml"
	line := source.NewFile("-D port", "81")
	elsewhere := source.NewFile("/etc/x.yaml", "a: 1\n")
	elsewhere.Path = "/etc/x.yaml"
	one := source.Warnf(f.Span(6, 8), source.KindChange, "100%% of\nport, host").WithHint("without quotes").Note(elsewhere.Span(3, 4), "the older value")
	one.Includes = []source.Span{f.Span(0, 4)}
	info := source.Errorf(f.Span(15, 29), source.MissingInclude, "none")
	info.Severity = source.Info
	return []*source.Diagnostic{one, source.Errorf(line.Span(0, 2), source.Schema, "port is a number"), info, source.Errorf(source.Span{}, source.Usage, "no file"), one}
}

func TestAnnotation(t *testing.T) {
	want := []string{
		"::warning file=conf/a b.yaml,line=1,endLine=1,col=7,endColumn=9,title=kind-change::100%25 of\\nport, host%0Ahint: without quotes%0A/etc/x.yaml:1:4: the older value%0Aincluded from conf/a b.yaml:1:1",
		"::error title=schema::-D port:1:1: port is a number",
		"::notice file=conf/a b.yaml,line=2,endLine=4,title=missing-include::none",
		"::error title=usage::no file",
	}
	for i, w := range want {
		if got := reported()[i].Annotation(); got != w {
			t.Errorf("%s, want %s", got, w)
		}
	}
}

// TestSARIF checks what the format requires of a log (SARIF 2.1.0, sections 3.13 to 3.30): the version, the
// name of the tool, texts that are not empty, levels of the list, indexes of rules that exist, relative
// references that are valid URIs, regions that begin at 1 and do not end before they begin.
func TestSARIF(t *testing.T) {
	type place struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI, URIBaseID string }
			Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
		}
	}
	var out bytes.Buffer
	if err := source.WriteSARIF(&out, "1.2.3", reported()); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Name, InformationURI string
					Rules                []struct {
						ID               string
						ShortDescription struct{ Text string }
						HelpURI          string
					}
				}
			}
			Results []struct {
				RuleID                      string
				RuleIndex                   int
				Level                       string
				Message                     struct{ Text string }
				Locations, RelatedLocations []place
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "yaytpl" || log.Runs[0].ColumnKind != "unicodeCodePoints" {
		t.Fatalf("%+v", log)
	}
	run := log.Runs[0]
	if len(run.Results) != 5 || len(run.Tool.Driver.Rules) != 4 {
		t.Fatalf("%d results of %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	levels := ""
	for _, r := range run.Results {
		levels += r.Level + " "
		if r.Message.Text == "" || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%+v", r)
		}
		for _, l := range append(r.Locations, r.RelatedLocations...) {
			p := l.PhysicalLocation
			uri, err := url.Parse(p.ArtifactLocation.URI)
			if err != nil || strings.Contains(p.ArtifactLocation.URI, " ") || uri.IsAbs() == (p.ArtifactLocation.URIBaseID != "") {
				t.Errorf("%+v: %v", p.ArtifactLocation, err)
			}
			if at := p.Region; at.StartLine < 1 || at.StartColumn < 1 || at.EndLine < at.StartLine || at.EndLine == at.StartLine && at.EndColumn < at.StartColumn {
				t.Errorf("%+v", at)
			}
		}
	}
	if levels != "warning error note error warning " {
		t.Error(levels)
	}
	for _, r := range run.Tool.Driver.Rules {
		if r.ShortDescription.Text == "" || !strings.HasPrefix(r.HelpURI, "https://") {
			t.Errorf("%+v", r)
		}
	}
	out.Reset()
	if err := source.WriteSARIF(&out, "", nil); err != nil || !strings.Contains(out.String(), `"results":[]`) {
		t.Errorf("%v %s", err, out.String())
	}
}
