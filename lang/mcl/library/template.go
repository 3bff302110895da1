package library

import (
	"slices"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// templateFunctions returns golang.template. Package gotemplate has its code.
func templateFunctions() []*Func {
	return []*Func{{
		Name: "golang.template", Alias: "template", Signatures: []string{"func(template str) str", "func(template str, vars ?1) str"}, Rule: Template,
		Doc:     "the text of a template in Go's text/template; the fields of a struct have capital letters in front, or their own names",
		Example: `golang.template("{{ .A }}", struct{a => 1})`, Result: `"1"`,
		Call: func(c *Call) (value.Value, error) { return renderTemplate(c) },
	}}
}

// renderTemplate is the code of golang.template.
var renderTemplate = func(c *Call) (value.Value, error) {
	return value.Null, source.Errorf(c.At, source.Unsupported, "this program has no golang.template").
		WithHint("import _ %q", "github.com/yaytpl/yaytpl/config/gotemplate")
}

// RegisterTemplate sets the code of golang.template. It is called by init functions.
func RegisterTemplate(render func(*Call) (value.Value, error)) { renderTemplate = render }

// notInTemplates are the functions that templates cannot call, though their types would allow it.
var notInTemplates = []string{"os.readfile", "os.file_exists", "os.system", "sys.hostname", "sys.cpu_count", "random1"}

// InTemplates reports whether templates can call the function.
func (f *Func) InTemplates() bool {
	if slices.Contains(notInTemplates, f.Name) || len(f.Signatures) != 1 || f.Rule != BySignature || f.Old {
		return false
	}
	f.Scheme(-1)
	return f.schemes[0].Vars == 0
}
