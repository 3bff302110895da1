package render

import (
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Form is a form of output: a row of the table of forms.
type Form struct {
	Name    string
	Endings []string // of the names of files that get the form without being asked for it

	// Encode writes one document. A value that the form cannot express is an error of code output.
	Encode func(io.Writer, value.Value, yaml.EncodeOptions) error

	Between    string // the line between two documents
	LineEach   bool   // of several documents each is one line
	EmptyIsNil bool   // a document without content is no text at all
	NoNull     bool   // null is no document
	NoMask     bool   // a mask is an error: shells and other programs would deploy it (spec: everyday, A2)
}

// forms is the table of forms; the first is the form of a result for which none is named.
var forms = []Form{
	{Name: "yaml", Endings: []string{".yaml", ".yml"}, Encode: yaml.Encode, Between: "---\n", EmptyIsNil: true},
	{Name: "kyaml", Encode: yaml.EncodeKYAML},
	{Name: "json", Endings: []string{".json"}, Encode: yaml.EncodeJSON, LineEach: true},
	{Name: "jsonl", Endings: []string{".jsonl"}, Encode: encodeJSONLine},
	{Name: "toml", Endings: []string{".toml"}, Encode: yaml.EncodeTOML, NoNull: true},
	{Name: "env", Endings: []string{".env"}, Encode: yaml.EncodeEnv, NoNull: true, NoMask: true},
	{Name: "text", Endings: []string{".txt"}, Encode: yaml.EncodeText, NoNull: true, NoMask: true},
}

func encodeJSONLine(w io.Writer, v value.Value, o yaml.EncodeOptions) error {
	o.Compact = true
	return yaml.EncodeJSON(w, v, o)
}

// FormNames returns the names of the forms.
func FormNames() []string {
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = f.Name
	}
	return names
}

// FormEndings returns the endings of all forms.
func FormEndings() []string {
	var all []string
	for _, f := range forms {
		all = append(all, f.Endings...)
	}
	return all
}

// FormNamed returns the form with a name; "" is YAML.
//
// Code: usage.
func FormNamed(name string) (Form, error) {
	if name == "" {
		return forms[0], nil
	}
	for _, f := range forms {
		if f.Name == name {
			return f, nil
		}
	}
	return Form{}, source.Errorf(source.Span{}, source.Usage, "unknown output form %q", name)
}

// FormOfFile returns the name of the form that the ending of a file name says: "json" for "a.json". It is ""
// for other endings.
func FormOfFile(name string) string {
	ending := strings.ToLower(path.Ext(filepath.ToSlash(name)))
	for _, f := range forms {
		if slices.Contains(f.Endings, ending) {
			return f.Name
		}
	}
	return ""
}
