package pongo2_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	library "github.com/flosch/pongo2/v6"
	"gopkg.in/yaml.v3"

	"github.com/yaytpl/yaytpl"
	_ "github.com/yaytpl/yaytpl/template/pongo2"
)

// rendered renders a template text with a document.
func rendered(t testing.TB, text string, o yaytpl.Options, r yaytpl.RenderOptions) (string, error) {
	t.Helper()
	name := filepath.Join(o.Dir, "row.tpl")
	if o.Overlay == nil {
		o.Overlay = map[string]string{}
	}
	o.Overlay[name] = text
	o.Templates = append(o.Templates, name)
	data := filepath.Join(o.Dir, "data.yaml")
	p, err := yaytpl.Open(t.Context(), []string{data}, o)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	r.Dialect = "pongo2"
	err = p.Documents()[0].Template(name, &out, r)
	return out.String(), err
}

// directly renders a template with the library. Its panics are errors.
func directly(set *library.TemplateSet, text string, data library.Context) (result string, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = "", os.ErrInvalid
		}
	}()
	tpl, err := set.FromFile(text)
	if err != nil {
		return "", err
	}
	return tpl.Execute(data)
}

// TestLibraryRows renders each row of testdata/rows.txt with the library alone and with the package. The results are the
// same, and so is whether there is one: only messages differ, and the document is ROOT as well.
func TestLibraryRows(t *testing.T) {
	pages, err := filepath.Abs("testdata/pages")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/data.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := os.ReadFile("testdata/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	var data map[string]any
	if err := yaml.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	data["ROOT"] = map[string]any{"name": data["name"], "map": data["map"]}
	files, err := library.NewLocalFileSystemLoader("")
	if err != nil {
		t.Fatal(err)
	}
	options := func() yaytpl.Options {
		return yaytpl.Options{Dir: pages, Roots: []string{pages}, Overlay: map[string]string{filepath.Join(pages, "data.yaml"): string(text)}}
	}
	results := 0
	for _, row := range strings.Split(strings.TrimSuffix(string(rows), "\n"), "\n") {
		for _, escape := range []bool{true, false} {
			direct := row
			if !escape && !strings.Contains(row, "extends") && !strings.Contains(row, "include") {
				direct = "{% autoescape off %}" + row + "{% endautoescape %}"
			} else if !escape {
				continue
			}
			name := filepath.Join(pages, "row.tpl")
			set := library.NewSet("direct", overlaid{name, direct, files})
			want, wantErr := directly(set, name, data)
			got, gotErr := rendered(t, row, options(), yaytpl.RenderOptions{Autoescape: escape})
			switch {
			case (wantErr == nil) != (gotErr == nil):
				t.Errorf("%s\n\tthe library alone: %q, %v\n\tthe package: %q, %v", row, want, wantErr, got, gotErr)
			case got != want && gotErr == nil:
				t.Errorf("%s (autoescape %t)\n\tthe library alone: %q\n\tthe package:       %q", row, escape, want, got)
			}
			if gotErr == nil {
				results++
			}
		}
	}
	if results < 100 {
		t.Errorf("only %d results were compared", results)
	}
	for _, f := range strings.Fields(documentedFilters) {
		if !regexp.MustCompile(`\|` + f + `\b`).Match(rows) {
			t.Errorf("no row has the filter %s", f)
		}
	}
	for _, tag := range strings.Fields(documentedTags) {
		if !regexp.MustCompile(`\{%-? ` + tag + `\b`).Match(rows) {
			t.Errorf("no row has the tag %s", tag)
		}
	}
}

// The filters and tags that pages of the library list; ssi has a test of its own.
const (
	documentedFilters = `escape e safe escapejs add addslashes capfirst center cut date default default_if_none divisibleby first
		floatformat get_digit iriencode join last length length_is linebreaks linebreaksbr linenumbers ljust lower make_list
		phone2numeric pluralize random removetags rjust slice split stringformat striptags time title truncatechars
		truncatechars_html truncatewords truncatewords_html upper urlencode urlize urlizetrunc wordcount wordwrap yesno float integer`
	documentedTags = `autoescape block comment cycle extends filter firstof for if ifchanged ifequal ifnotequal import include lorem
		macro now set spaceless templatetag verbatim widthratio with`
)

// An overlaid loader has a text in place of one file.
type overlaid struct {
	name, text string
	library.TemplateLoader
}

func (o overlaid) Get(path string) (r io.Reader, err error) {
	if path == o.name {
		return strings.NewReader(o.text), nil
	}
	return o.TemplateLoader.Get(path)
}
